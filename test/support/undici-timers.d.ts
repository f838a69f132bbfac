// undici ships no types for its internal modules.
declare module 'undici/lib/util/timers.js' {
  const timers: {
    reset(): void;
    /** Advances the timers by `delay` milliseconds. */
    tick(delay: number): void;
  };
  export default timers;
}

// undici ships no types for its inner modules.
declare module 'undici/lib/util/timers.js' {
  const timers: {
    reset(): void;
    /** Lets its timers run out that end within so many ms. */
    tick(delay: number): void;
  };
  export default timers;
}

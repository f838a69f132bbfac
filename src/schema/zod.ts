import type * as Engine from './engine.js';

/**
 * What models are made of: zod's functions, and ours that check. It is loaded while the first request is
 * on its way, as programs start sooner without it; only what builds or checks a model may use it.
 */
export let z: typeof Engine;

/** Models can be built. */
export let isLoaded = false;

/** For entry points that need it at once. */
export function use(engine: typeof Engine): void {
  z = engine;
  isLoaded = true;
}

/** Resolves when models can be built. */
export async function load(): Promise<void> {
  if (!isLoaded) use(await import('./engine.js'));
}

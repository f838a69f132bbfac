import type { Emulator } from './emulator.js';
import { writeWorld } from './world/file.js';

/** Delay between a change and the write, in ms, so that one write covers several changes. */
const writeDelay = 500;

/**
 * GET requests that change the state, because they advance a configuration run, close connections
 * or count downloads.
 */
const changingReads = /\/(?:configcheck|maintenance)\/?$|\/assets\/|\/releases\/download\//;

/** Returns whether a request may change the emulator's state. */
export function changesState({ method, url }: Request): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return !reads || changingReads.test(new URL(url).pathname);
}

/**
 * Creates functions that save an emulator's state to the `--state` file. If several emulators use
 * the same file, the last write wins.
 */
export function keepState(path: string, emulator: Emulator, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  /** Write that starts after the current write and covers all changes until then. */
  let waiting: Promise<void> | undefined;
  const now = async () => {
    clearTimeout(timer);
    timer = undefined;
    // Serializes writes so that an earlier state never replaces a later state.
    waiting ??= writing
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return writeWorld(path, emulator.export());
      });
    writing = waiting;
    await writing;
  };
  return {
    /** Schedules a write. Call this method when the state may have changed. */
    soon: () => {
      timer ??= setTimeout(() => {
        now().catch(failed);
      }, writeDelay);
    },
    /** Writes the file immediately. */
    now,
  };
}

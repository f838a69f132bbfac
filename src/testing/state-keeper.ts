import type { Emulator } from './emulator.js';
import type { StateFile } from './state-file.js';

/** Delay between a change and the write, in ms, so that one write covers several changes. */
const writeDelay = 500;

/**
 * GET requests that change the state, because they advance a configuration run, close connections
 * or count downloads.
 */
const changingReads = /\/(?:configcheck|maintenance)\/?$|\/assets\//;

/** Returns whether a request may change the emulator's state. */
export function changesState({ method, url }: Request): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return !reads || changingReads.test(new URL(url).pathname);
}

/** Saves an emulator's state to a file, so that the state survives a restart. */
export class StateKeeper {
  readonly #file: StateFile;
  readonly #emulator: Emulator;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: StateFile, emulator: Emulator, failed: (error: unknown) => void) {
    this.#file = file;
    this.#emulator = emulator;
    this.#failed = failed;
  }

  /** Schedules a write. Call this method when the state may have changed. */
  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.now().catch(this.#failed);
    }, writeDelay);
  }

  /** Writes the file immediately. */
  async now(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Writes run one after the other, so that an earlier state never replaces a later one.
    const before = this.#writing.catch(() => undefined);
    this.#writing = before.then(() => this.#file.write(this.#emulator.export()));
    await this.#writing;
  }

  /** Writes the file one last time and unlocks it. */
  async close(): Promise<void> {
    await this.now().finally(() => this.#file.close());
  }
}

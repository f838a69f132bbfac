import type { Emulator } from './emulator.js';
import type { StateFile } from './state-file.js';

/** Milliseconds in which further changes are waited for, before all of it is written. */
const patience = 500;

/** Reads that change the state: they continue a configuration run, end connections, or count downloads. */
const changingReads = /\/(?:configcheck|maintenance)\/?$|\/assets\//;

/** Whether a request may change the emulator's state. */
export function changesState({ method, url }: Request): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return !reads || changingReads.test(new URL(url).pathname);
}

/** Keeps what an emulator knows in a file, so that it can go on after a restart. */
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

  /** Something may have changed. */
  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.now().catch(this.#failed);
    }, patience);
  }

  /** Writes the file now. */
  async now(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: an earlier state must not replace a later one.
    const before = this.#writing.catch(() => undefined);
    this.#writing = before.then(() => this.#file.write(this.#emulator.export()));
    await this.#writing;
  }

  /** Writes the file for the last time, and lets other emulators use it. */
  async close(): Promise<void> {
    await this.now().finally(() => this.#file.close());
  }
}

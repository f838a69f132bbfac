import type { Emulator } from './emulator.js';
import { writeWorld } from './world/file.js';

/** Milliseconds in which further changes are waited for, before all of it is written. */
const patience = 500;

/** Keeps what an emulator knows in a file, so that it can go on after a restart. */
export class StateKeeper {
  readonly #path: string;
  readonly #emulator: Emulator;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, emulator: Emulator, failed: (error: unknown) => void) {
    this.#path = path;
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
    this.#writing = before.then(() => writeWorld(this.#path, this.#emulator.export()));
    await this.#writing;
  }
}

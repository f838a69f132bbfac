import { access, constants, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '../schema/unknown-values.js';
import { FileLock } from './file-lock.js';
import { worldText } from './world/file.js';
import {
  createPartPath,
  isMissing,
  replaceFile,
  resolveFile,
  statFile,
  unfinished,
} from './world/replace-file.js';
import type { Dataset } from './world/world.js';

/** The file of `--state`, locked while the emulator runs, so that no other emulator writes it. */
export class StateFile {
  /** Path as passed. */
  readonly path: string;
  /** Whether the file existed at the start. */
  readonly existed: boolean;
  readonly #target: string;
  readonly #lock: FileLock;
  /** Version of the file that this process last read or wrote. */
  #version: string | undefined;

  private constructor(path: string, target: string, version: string | undefined, lock: FileLock) {
    this.path = path;
    this.#target = target;
    this.existed = version !== undefined;
    this.#version = version;
    this.#lock = lock;
  }

  /** Locks the file. @throws {Error} if it isn't writable, or another emulator uses it. */
  static async open(path: string): Promise<StateFile> {
    try {
      const target = await resolveFile(path);
      if (await statFile(target)) await access(target, constants.W_OK);
      // Throws now if the temporary file's name would be too long.
      await statFile(createPartPath(target));
      const lock = await FileLock.acquire(`${target}.lock`);
      try {
        await removeUnfinished(target);
        // Checks again, because the file may have been written before the lock was acquired.
        return new StateFile(path, target, await readVersion(target), lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    } catch (cause) {
      const why = isMissing(cause)
        ? `${path}: must be in an existing folder (${errorMessage(cause)})`
        : errorMessage(cause);
      throw new Error(`--state: ${why}`, { cause });
    }
  }

  /** Replaces the file. @throws {Error} if it isn't writable, or another emulator has taken over the lock. */
  async write(world: Dataset): Promise<void> {
    const text = await worldText(this.path, world);
    // Checks the lock last, because this process may be suspended while it writes. An emulator that
    // takes over the lock removes the unfinished replacement.
    await replaceFile(this.#target, text, async () => {
      if (!(await this.#lock.check())) await this.#checkVersion();
    });
    this.#version = await readVersion(this.#target);
  }

  /** Checks the file after the lock was deleted, because another emulator may have written it. */
  async #checkVersion(): Promise<void> {
    const version = await readVersion(this.#target);
    if (version === undefined || version === this.#version) return;
    this.#lock.release();
    throw new Error(`${this.path}: another process has written the file`);
  }

  /** Unlocks the file for other emulators. */
  close(): void {
    this.#lock.release();
  }
}

/** Returns an identifier for a file's version. Each write creates a new file, so the inode number changes. */
async function readVersion(path: string): Promise<string | undefined> {
  const found = await statFile(path);
  return found && `${found.ino} ${found.mtimeMs}`;
}

/** Removes unfinished files that a killed emulator left behind. */
async function removeUnfinished(target: string): Promise<void> {
  const [folder, name] = [dirname(target), basename(target)];
  for (const each of await readdir(folder)) {
    if (!each.startsWith(`${name}.`) || !unfinished.test(each.slice(name.length))) continue;
    await rm(join(folder, each), { force: true });
  }
}

import { access, constants, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '../schema/unknown-values.js';
import { FileLock } from './file-lock.js';
import { worldText } from './world/file.js';
import { isMissing, replaceFile, resolveFile, statFile, unfinished } from './world/replace-file.js';
import type { World } from './world/world.js';

/** The file of `--state`: locked from the start to the end, so that no other emulator writes it. */
export class StateFile {
  /** As it was given. */
  readonly path: string;
  /** Whether the file existed at the start. */
  readonly existed: boolean;
  readonly #target: string;
  readonly #lock: FileLock;

  private constructor(path: string, target: string, existed: boolean, lock: FileLock) {
    this.path = path;
    this.#target = target;
    this.existed = existed;
    this.#lock = lock;
  }

  /** @throws {Error} if it can't be written later, or another emulator uses it */
  static async open(path: string): Promise<StateFile> {
    try {
      const target = await resolveFile(path);
      if (await statFile(target)) await access(target, constants.W_OK);
      const lock = await FileLock.acquire(`${target}.lock`);
      try {
        await removeUnfinished(target);
        // Again: it may have been written before the lock was acquired.
        return new StateFile(path, target, (await statFile(target)) !== undefined, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    } catch (cause) {
      const why = isMissing(cause)
        ? `${path}: must be in a folder that exists (${errorMessage(cause)})`
        : errorMessage(cause);
      throw new Error(`--state: ${why}`, { cause });
    }
  }

  /** Replaces the file. @throws {Error} if it can't be written, or another emulator has taken over the lock */
  async write(world: World): Promise<void> {
    const text = await worldText(this.path, world);
    await this.#lock.check();
    await replaceFile(this.#target, text);
  }

  /** Lets other emulators use the file. */
  close(): void {
    this.#lock.release();
  }
}

/** Removes what an emulator left behind that was killed while it wrote. */
async function removeUnfinished(target: string): Promise<void> {
  const [folder, name] = [dirname(target), basename(target)];
  for (const each of await readdir(folder)) {
    if (!each.startsWith(`${name}.`) || !unfinished.test(each.slice(name.length))) continue;
    await rm(join(folder, each), { force: true });
  }
}

import { access, constants, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '../schema/unknown-values.js';
import { acquireLock, type FileLock } from './file-lock.js';
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

/** The `--state` file, locked while the emulator runs so that no other emulator writes to it. */
export interface StateFile {
  /** Whether the file existed at the start. */
  readonly existed: boolean;
  /**
   * Replaces the file.
   * @throws {Error} if the file isn't writable, or another emulator has taken over the lock.
   */
  write(world: Dataset): Promise<void>;
  /** Unlocks the file for other emulators. */
  close(): void;
}

/** Locks the file. @throws {Error} if the file isn't writable, or another emulator uses it. */
export async function openStateFile(path: string): Promise<StateFile> {
  try {
    const target = await resolveFile(path);
    if (await statFile(target)) await access(target, constants.W_OK);
    // Throws now rather than at the first write if the temporary file's name is too long.
    await statFile(createPartPath(target));
    const lock = await acquireLock(`${target}.lock`);
    try {
      await removeUnfinished(target);
      return await useStateFile(path, target, lock);
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

async function useStateFile(path: string, target: string, lock: FileLock): Promise<StateFile> {
  // Reads the version now, because the file may have been written before the lock was acquired.
  let lastVersion = await readVersion(target);
  const existed = lastVersion !== undefined;
  /** Checks the file after the lock was deleted, because another emulator may have written it. */
  const checkVersion = async () => {
    const version = await readVersion(target);
    if (version === undefined || version === lastVersion) return;
    lock.release();
    throw new Error(`${path}: another process has written the file`);
  };
  const write = async (world: Dataset) => {
    // Checks the lock last, because this process may be suspended while it writes. An emulator that
    // takes over the lock removes the unfinished replacement.
    await replaceFile(target, await worldText(path, world), async () => {
      if (!(await lock.check())) await checkVersion();
    });
    lastVersion = await readVersion(target);
  };
  return { existed, write, close: lock.release };
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

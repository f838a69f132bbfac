import { access, constants } from 'node:fs/promises';
import { errorMessage } from '../schema/unknown-values.js';
import { worldText } from './world/file.js';
import {
  createPartPath,
  isMissing,
  replaceFile,
  resolveFile,
  statFile,
} from './world/replace-file.js';
import type { Dataset } from './world/world.js';

/** The `--state` file. If several emulators use the same file, the last write wins. */
export interface StateFile {
  /** Whether the file existed at the start. */
  readonly existed: boolean;
  /** Replaces the file. @throws {Error} if the file isn't writable. */
  write(world: Dataset): Promise<void>;
}

/** Opens the file. @throws {Error} if the file isn't writable. */
export async function openStateFile(path: string): Promise<StateFile> {
  try {
    const target = await resolveFile(path);
    const existed = (await statFile(target)) !== undefined;
    if (existed) await access(target, constants.W_OK);
    // Throws now rather than at the first write if the temporary file's name is too long.
    await statFile(createPartPath(target));
    return {
      existed,
      write: async (world) => await replaceFile(target, await worldText(path, world)),
    };
  } catch (cause) {
    const why = isMissing(cause)
      ? `${path}: must be in an existing folder (${errorMessage(cause)})`
      : errorMessage(cause);
    throw new Error(`--state: ${why}`, { cause });
  }
}

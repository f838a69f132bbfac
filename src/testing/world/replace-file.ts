import { randomUUID } from 'node:crypto';
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { getMember } from '../../schema/unknown-values.js';

/** Returns whether an error means that a file doesn't exist. */
export function isMissing(error: unknown): boolean {
  return getMember(error, 'code') === 'ENOENT';
}

/** Returns a file operation's result. Undefined if the file doesn't exist. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Resolves symbolic links, because the final rename would replace a link.
 * @returns the path of the file, which may not exist.
 * @throws {Error} if the file's folder doesn't exist.
 */
export async function resolveFile(path: string): Promise<string> {
  const whole = await ifThere(realpath(path));
  if (whole !== undefined) return whole;
  const folder = await realpath(dirname(path));
  const file = join(folder, basename(path));
  // `readlink` fails if the file is not a link or doesn't exist.
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : await resolveFile(resolve(folder, link));
}

/**
 * Returns a file's metadata. Undefined if it doesn't exist.
 * @throws {Error} if it isn't a regular file, because the final rename would replace a device.
 */
export async function statFile(path: string) {
  const found = await ifThere(stat(path));
  if (found && !found.isFile()) throw new Error(`${path}: must be a regular file`);
  return found;
}

/** Returns a unique temporary path for a file's replacement. */
export function createPartPath(path: string): string {
  return `${path}.${randomUUID()}.part`;
}

/**
 * Replaces a file atomically. Keeps the file's mode, and its owner if the process may set it.
 * @param path path of the file, not of a link.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const before = await statFile(path);
  const part = createPartPath(path);
  try {
    const file = await open(part, 'wx', before ? before.mode & 0o777 : 0o666);
    try {
      await file.writeFile(text);
      if (before) {
        const { uid, gid } = await file.stat();
        // Only root can change the owner of a file.
        if (uid !== before.uid || gid !== before.gid) {
          await file.chown(before.uid, before.gid).catch(() => undefined);
        }
        // Sets the exact mode, because the umask affected the mode above.
        await file.chmod(before.mode & 0o7777);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { memberOf } from '../../schema/unknown-values.js';

/** Whether an error says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return memberOf(error, 'code') === 'ENOENT';
}

/** Result of a file operation; undefined if the file does not exist. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Follows symbolic links, because the rename that replaces a file would replace a link.
 * @returns the path of the file, which need not exist. @throws {Error} if its folder does not exist
 */
export async function resolveFile(path: string): Promise<string> {
  const whole = await ifThere(realpath(path));
  if (whole !== undefined) return whole;
  const folder = await realpath(dirname(path));
  const file = join(folder, basename(path));
  // EINVAL: not a link.
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : await resolveFile(resolve(folder, link));
}

/**
 * Status of a file; undefined if it does not exist.
 * @throws {Error} if it isn't a regular file, because the rename would replace a device
 */
export async function statFile(path: string) {
  const found = await ifThere(stat(path));
  if (found && !found.isFile()) throw new Error(`${path}: must be a regular file`);
  return found;
}

/** Suffix of a file's unfinished replacement. */
export const unfinished = /^\.[0-9a-f-]+\.part$/;

/**
 * Replaces a file as a whole or not at all; mode and owner stay.
 * @param path of the file itself, not of a link to it.
 * @param check called when the replacement is complete; if it throws, the file stays as it was.
 */
export async function replaceFile(
  path: string,
  text: string,
  check?: () => Promise<void>,
): Promise<void> {
  const before = await statFile(path);
  const part = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(part, 'wx', before ? before.mode & 0o777 : 0o666);
    try {
      await file.writeFile(text);
      if (before) {
        const { uid, gid } = await file.stat();
        // Only root may give a file away.
        if (uid !== before.uid || gid !== before.gid) {
          await file.chown(before.uid, before.gid).catch(() => undefined);
        }
        // Exactly: the mode above was subject to the umask.
        await file.chmod(before.mode & 0o7777);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await check?.();
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

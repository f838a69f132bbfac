import { randomBytes } from 'node:crypto';
import { fsync, type Stats } from 'node:fs';
import {
  type FileHandle,
  lstat,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { InvalidRequestError } from '../../errors/index.js';
import { describeKind, errorMessage } from '../../schema/unknown-values.js';
import { createInputError } from '../request/input.js';

const flush = promisify(fsync);

/**
 * A file that has a temporary name in the destination folder until it is complete. An existing file
 * stays in place until then.
 */
export class PartialFile {
  /** Final file path. */
  readonly path: string;
  readonly #part: string;
  readonly #file: FileHandle;
  /** File at the final path when the download began. Undefined if there was none. */
  readonly #previous: Stats | undefined;
  #size = 0;

  private constructor({ path, former }: DownloadDestination, part: string, file: FileHandle) {
    this.path = path;
    this.#previous = former;
    this.#part = part;
    this.#file = file;
  }

  /** @throws {InvalidRequestError} if no file can be written to this path. */
  static async open(to: string | URL): Promise<PartialFile> {
    const place = await wrapWriteErrors(() => resolveDestination(to));
    // Use a short name, because the final name may already have the maximum length.
    const part = join(dirname(place.path), `.triforge-${randomBytes(6).toString('hex')}.part`);
    // The temporary file gets the replaced file's permissions, because that file may be private.
    const mode = place.former && readPermissions(place.former);
    // In append mode, writes continue at the new end after a truncation.
    return new PartialFile(place, part, await wrapWriteErrors(() => open(part, 'ax', mode)));
  }

  /** Number of bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /**
   * @throws {InvalidRequestError} if the chunk can't be written, for example because the disk is
   * full.
   */
  async append(chunk: Uint8Array): Promise<void> {
    await wrapWriteErrors(() => this.#file.writeFile(chunk));
    this.#size += chunk.length;
  }

  /** Truncates the file to its first `size` bytes. */
  async restart(size = 0): Promise<void> {
    await wrapWriteErrors(async () => {
      // If another program changed the temporary file's size, the bytes to keep may be wrong.
      const isOurs = size === 0 || (await this.#file.stat()).size === this.#size;
      if (!isOurs) throw this.#createChangedError();
      await this.#file.truncate(size);
    });
    this.#size = size;
  }

  /**
   * Renames the complete file to its final path once its content is on disk.
   * @param isInterrupted returns whether the download was interrupted. Called just before the file
   * is renamed.
   */
  async commit(isInterrupted: () => boolean): Promise<void> {
    await wrapWriteErrors(async () => {
      const [own, named] = await Promise.all([this.#file.stat(), lstat(this.#part)]);
      const isOurs = own.ino === named.ino && own.dev === named.dev && own.size === this.#size;
      if (!isOurs) throw this.#createChangedError();
      const former = await this.#findReplaced();
      if (former) await this.#keepAccess(former);
      // FileHandle.sync() doesn't exist under Yarn's Plug'n'Play.
      await flush(this.#file.fd);
      await this.#file.close();
      if (isInterrupted()) throw new Error('the download was interrupted');
      await rename(this.#part, this.path);
    });
  }

  /** Deletes the temporary file. Never rejects, because the original failure matters more. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#file.close()]);
    await Promise.allSettled([rm(this.#part)]);
  }

  #createChangedError(): Error {
    return new Error(`${this.#part} was changed by another program`);
  }

  /** Returns the file to replace, whose permissions may have changed since the download began. */
  async #findReplaced(): Promise<Stats | undefined> {
    const present = await lstat(this.path).catch(ignoreMissing);
    return present?.isFile() ? present : this.#previous;
  }

  /** Copies the replaced file's permissions and, if possible, its owner to the temporary file. */
  async #keepAccess(former: Stats): Promise<void> {
    // Set the permissions again, because the umask may have removed some when the temporary file
    // was created.
    await this.#file.chmod(readPermissions(former));
    const { uid, gid } = await this.#file.stat();
    if (uid === former.uid && gid === former.gid) return;
    await Promise.allSettled([this.#file.chown(former.uid, former.gid)]);
  }
}

interface DownloadDestination {
  readonly path: string;
  /** The existing file at this path. Undefined if there is none. */
  readonly former: Stats | undefined;
}

/**
 * Returns permissions without the set-user-ID and set-group-ID bits, which new content must not
 * inherit.
 */
function readPermissions({ mode }: Stats): number {
  return mode & 0o777;
}

/** Matches the end of a path that can only name a folder. */
const folderEnd = sep === '\\' ? /(?:^|[/\\])\.{0,2}$/ : /(?:^|\/)\.{0,2}$/;

/**
 * Resolves symlinks and rejects folders and devices, because the final rename would replace them.
 */
async function resolveDestination(to: string | URL): Promise<DownloadDestination> {
  if ((typeof to !== 'string' || to === '') && !(to instanceof URL)) {
    throw createInputError('to', `must be a path or a file: URL (got ${describeKind(to)})`);
  }
  return await resolvePath(to instanceof URL ? fileURLToPath(to) : to);
}

/**
 * Lets the system resolve the path, because `..` after a symlink doesn't lead to the folder that
 * the text suggests.
 */
async function resolvePath(path: string): Promise<DownloadDestination> {
  if (folderEnd.test(path)) throw new Error(`${path} is a folder`);
  const real = await realpath(path).catch(ignoreMissing);
  if (real !== undefined) {
    const former = await stat(real);
    if (!former.isFile()) throw new Error(`${real} is not a file`);
    return { path: real, former };
  }
  const folder = await realpath(dirname(path));
  const place = join(folder, basename(path));
  // If a symlink's target is missing, create the file at the target. The recursion ends, because
  // the system limits the length of symlink chains.
  const target = await readlink(place).catch(ignoreMissing);
  if (target === undefined) return { path: place, former: undefined };
  return await resolvePath(isAbsolute(target) ? target : folder + sep + target);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

async function wrapWriteErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    const why = errorMessage(cause);
    throw new InvalidRequestError(`to: the file cannot be written: ${why}`, {
      field: 'to',
      cause,
    });
  }
}

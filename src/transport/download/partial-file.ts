import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidRequestError } from '../../errors/index.js';
import { kindOf } from '../request/input.js';

/**
 * A file that stands under another name beside its own until it is whole: nobody ever sees a part of
 * it, and what stood there before stays until then.
 */
export class PartialFile {
  /** The file's own name. */
  readonly path: string;
  readonly #part: string;
  readonly #file: FileHandle;
  #size = 0;

  private constructor(path: string, part: string, file: FileHandle) {
    this.path = path;
    this.#part = part;
    this.#file = file;
  }

  /** @throws {InvalidRequestError} a place where no file can be written. */
  static async open(to: string | URL): Promise<PartialFile> {
    const path = await written(() => placeOf(to));
    // A short name: the file's own may be as long as names can be.
    const part = join(dirname(path), `.triforge-${randomBytes(6).toString('hex')}.part`);
    // Appends, and so goes on at the new end after it was made shorter.
    return new PartialFile(path, part, await written(() => open(part, 'ax')));
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** @throws {InvalidRequestError} it can't be written: the disk is full. */
  async append(chunk: Uint8Array): Promise<void> {
    await written(() => this.#file.writeFile(chunk));
    this.#size += chunk.length;
  }

  /** Begins anew. */
  async restart(): Promise<void> {
    await written(() => this.#file.truncate(0));
    this.#size = 0;
  }

  /** Gives the whole file its own name, on the disk before its name is. */
  async commit(): Promise<void> {
    await written(async () => {
      await this.#file.sync();
      await this.#file.close();
      await rename(this.#part, this.path);
    });
  }

  /** Leaves nothing behind. Never rejects: why the file was given up says more than why it stays. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#file.close()]);
    await Promise.allSettled([rm(this.#part)]);
  }
}

/** Where a symbolic link leads to, and no device: renaming would replace either. */
async function placeOf(to: string | URL): Promise<string> {
  if ((typeof to !== 'string' || to === '') && !(to instanceof URL)) {
    throw new InvalidRequestError(`to: expected a path or a file: URL, got ${kindOf(to)}`, 'to');
  }
  const path = resolve(to instanceof URL ? fileURLToPath(to) : to);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return path;
  if (!found.isFile()) throw new Error(`${path} is not a file`);
  return await realpath(path);
}

async function written<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidRequestError(`to: the file can not be written: ${why}`, 'to', { cause });
  }
}

import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import { errorMessage } from '../../schema/unknown-values.js';
import { createLengthError } from './source-check.js';

/**
 * Chunk size in bytes. Smaller chunks need more system calls, and larger chunks exceed the
 * processor's cache (measured, docs/architecture.md).
 */
const chunkSize = 512 * 1024;

/**
 * Reads exactly `length` bytes from a file into reused memory. With new memory for each chunk, the
 * garbage collector would run every 32 MB and take as much time as sending.
 */
export class FileStream extends Readable {
  readonly #field: string;
  readonly #file: FileHandle;
  readonly #length: number;
  #position = 0;
  readonly #free: ArrayBufferLike[] = [];
  /** Memory of chunks that are being sent. */
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /**
   * @param field name of the input, for errors.
   * @param file open for reading. Closed when the stream closes.
   * @param length declared size in bytes.
   */
  constructor(field: string, file: FileHandle, length: number) {
    super({ highWaterMark: chunkSize });
    this.#field = field;
    this.#file = file;
    this.#length = length;
  }

  /** Reuses the memory of a chunk that was sent. Ignores chunks of other streams. */
  recycle(chunk: Buffer): void {
    if (this.#lent.delete(chunk.buffer)) this.#free.push(chunk.buffer);
  }

  override _read(): void {
    this.#next().then(
      (chunk) => this.push(chunk),
      (cause: unknown) => this.destroy(this.#createError(cause)),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Closing the file waits for a pending read.
    this.#file.close().then(
      () => done(error),
      () => done(error),
    );
  }

  /**
   * Reads the next chunk. Returns the last chunk only after checking that the file ends there (see
   * `SourceCheck`).
   */
  async #next(): Promise<Buffer | null> {
    const size = Math.min(chunkSize, this.#length - this.#position);
    const chunk = size === 0 ? null : await this.#fill(size);
    if (this.#position === this.#length && (await this.#readInto(Buffer.alloc(1), 0)) > 0) {
      throw createLengthError(this.#field, this.#length);
    }
    return chunk;
  }

  async #fill(size: number): Promise<Buffer> {
    const memory = this.#free.pop() ?? new ArrayBuffer(Math.min(chunkSize, this.#length));
    this.#lent.add(memory);
    const chunk = Buffer.from(memory, 0, size);
    for (let filled = 0; filled < size; ) {
      const read = await this.#readInto(chunk, filled);
      if (read === 0) throw createLengthError(this.#field, this.#length, this.#position);
      filled += read;
      this.#position += read;
    }
    return chunk;
  }

  async #readInto(target: Buffer, offset: number): Promise<number> {
    const { bytesRead } = await this.#file.read(target, { offset, position: this.#position });
    return bytesRead;
  }

  #createError(cause: unknown): InvalidRequestError {
    if (cause instanceof InvalidRequestError) return cause;
    const why = errorMessage(cause);
    return new InvalidRequestError(`${this.#field}: the rest of the file cannot be read: ${why}`, {
      field: this.#field,
      cause,
    });
  }
}

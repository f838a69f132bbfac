import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import { errorMessage } from '../../schema/unknown-values.js';
import { lengthMismatch } from './source-check.js';

/**
 * Bytes read at once. With small ones the calls into the system take the time, with large ones they no
 * longer fit the processor's cache on their way (measured, docs/architecture.md).
 */
const chunkSize = 512 * 1024;

/**
 * A file as it was announced, to its last byte and no further, read into memory that is used again.
 * Fresh memory for each chunk of a package of gigabytes makes the garbage collector stop everything
 * every 32 MB, which costs as much as the sending.
 */
export class FileStream extends Readable {
  readonly #field: string;
  readonly #file: FileHandle;
  readonly #length: number;
  #position = 0;
  readonly #free: ArrayBufferLike[] = [];
  /** Of this stream, and somewhere on their way. */
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /**
   * @param field the input that is wrong where the file is not what was announced.
   * @param file open for reading; closed with the stream.
   * @param length bytes announced.
   */
  constructor(field: string, file: FileHandle, length: number) {
    super({ highWaterMark: chunkSize });
    this.#field = field;
    this.#file = file;
    this.#length = length;
  }

  /** Takes back a chunk that nobody looks at any more. Others are not touched. */
  recycle(chunk: Buffer): void {
    if (this.#lent.delete(chunk.buffer)) this.#free.push(chunk.buffer);
  }

  override _read(): void {
    this.#next().then(
      (chunk) => this.push(chunk),
      (cause: unknown) => this.destroy(this.#failure(cause)),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Waits for a read that is under way.
    this.#file.close().then(
      () => done(error),
      () => done(error),
    );
  }

  /** The chunk that completes the file is given once its end was seen: see `SourceCheck`. */
  async #next(): Promise<Buffer | null> {
    const size = Math.min(chunkSize, this.#length - this.#position);
    const chunk = size === 0 ? null : await this.#fill(size);
    if (this.#position === this.#length && (await this.#readInto(Buffer.alloc(1), 0)) > 0) {
      throw lengthMismatch(this.#field, this.#length);
    }
    return chunk;
  }

  async #fill(size: number): Promise<Buffer> {
    const memory = this.#free.pop() ?? new ArrayBuffer(Math.min(chunkSize, this.#length));
    this.#lent.add(memory);
    const chunk = Buffer.from(memory, 0, size);
    for (let filled = 0; filled < size; ) {
      const read = await this.#readInto(chunk, filled);
      if (read === 0) throw lengthMismatch(this.#field, this.#length, this.#position);
      filled += read;
      this.#position += read;
    }
    return chunk;
  }

  async #readInto(target: Buffer, offset: number): Promise<number> {
    const { bytesRead } = await this.#file.read(target, { offset, position: this.#position });
    return bytesRead;
  }

  #failure(cause: unknown): InvalidRequestError {
    if (cause instanceof InvalidRequestError) return cause;
    const why = errorMessage(cause);
    return new InvalidRequestError(`${this.#field}: the rest of the file cannot be read: ${why}`, {
      field: this.#field,
      cause,
    });
  }
}

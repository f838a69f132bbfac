import { httpError } from './reply.js';

/**
 * Maximum total size of all buffers in bytes. Without this limit, many stalled uploads could exhaust
 * memory.
 */
const mostOfAll = 512 * 1_048_576;
let held = 0;

/**
 * Collects a body in one buffer. For a body that arrives byte by byte, an array of chunks would use
 * a hundred times as much memory. The caller must clear the buffer when the body ends or fails.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * Appends a chunk.
   * @throws {HttpError} 503 if the unfinished bodies together exceed the memory limit.
   */
  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    if (size > this.#bytes.length) {
      const length = Math.max(size, 2 * this.#bytes.length);
      if (held + length - this.#bytes.length > mostOfAll) {
        throw httpError(
          503,
          'emulator: the memory for incomplete request bodies is exhausted. Send fewer requests at a time.',
        );
      }
      held += length - this.#bytes.length;
      const grown = Buffer.alloc(length);
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  clear(): void {
    held -= this.#bytes.length;
    this.#bytes = Buffer.alloc(0);
    this.#size = 0;
  }

  /** Returns a copy of the bytes. */
  bytes(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#bytes.subarray(0, this.#size));
  }
}

import { json, Refused } from './reply.js';

/** Maximum bytes of all buffers together: unfinished bodies of many stalled clients would fill the memory. */
const mostOfAll = 512 * 1_048_576;
let held = 0;

/**
 * Collects the pieces of a body in one buffer. If a body arrives byte by byte, an array of pieces would
 * take a hundred times its size. Its user clears it when the body has ended or broken off.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0);
  #size = 0;

  /** Number of bytes collected. */
  get size(): number {
    return this.#size;
  }

  /** @throws {Refused} 503 if unfinished bodies take all the memory that they may */
  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    if (size > this.#bytes.length) {
      const length = Math.max(size, 2 * this.#bytes.length);
      if (held + length - this.#bytes.length > mostOfAll) {
        const message = 'emulator: unfinished request bodies take up all memory for them';
        throw new Refused(json(503, { message }));
      }
      held += length - this.#bytes.length;
      const grown = Buffer.alloc(length);
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  /** Discards the collected bytes. */
  clear(): void {
    held -= this.#bytes.length;
    this.#bytes = Buffer.alloc(0);
    this.#size = 0;
  }

  /** A copy of the bytes. */
  bytes(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#bytes.subarray(0, this.#size));
  }
}

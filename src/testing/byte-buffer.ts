/**
 * Collects the pieces of a body in one buffer. If a body arrives byte by byte, an array of pieces would
 * take a hundred times its size.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0);
  #size = 0;

  /** Number of bytes collected. */
  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  /** Discards the collected bytes. */
  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#size = 0;
  }

  /** A copy of the bytes. */
  bytes(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#bytes.subarray(0, this.#size));
  }
}

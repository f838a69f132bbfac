/** Initial buffer size in bytes. */
const minRoom = 16 * 1024;

/**
 * Collects a body in one buffer. A list of chunks could take far more memory than `limit`, because
 * anyone can send a body in chunks of one byte.
 */
export class BoundedBuffer {
  readonly #limit: number;
  #room = Buffer.alloc(0);
  #size = 0;

  /** @param limit Maximum body size in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk. Returns false if the body exceeds the limit. */
  add(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.byteLength;
    if (size > this.#limit) return false;
    if (size > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, minRoom, this.#room.length * 2));
      larger.set(this.#room.subarray(0, this.#size));
      this.#room = larger;
    }
    this.#room.set(chunk, this.#size);
    this.#size = size;
    return true;
  }

  /** Returns the bytes received so far. */
  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }
}

/** Size of the buffer for the first bytes. */
const leastRoom = 16 * 1024;

/**
 * Collects a body in one buffer. A list of its chunks would take far more memory than `limit`: anyone can
 * send a body in chunks of one byte.
 */
export class BodyBuffer {
  readonly #limit: number;
  #room = Buffer.alloc(0);
  #size = 0;

  /** @param limit maximum bytes of the body. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false if the body is longer than the limit. */
  add(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.byteLength;
    if (size > this.#limit) return false;
    if (size > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, leastRoom, this.#room.length * 2));
      larger.set(this.#room.subarray(0, this.#size));
      this.#room = larger;
    }
    this.#room.set(chunk, this.#size);
    this.#size = size;
    return true;
  }

  /** The bytes so far. */
  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }
}

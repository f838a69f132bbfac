/**
 * Buffers for reuse. Allocating new memory takes several times as long as copying the body
 * (measured).
 */
const spare: Buffer[] = [];

/** Maximum number of spare buffers. More buffers would only retain memory from a past peak. */
const mostSpare = 4;
const largestSpare = 4 * 1024 * 1024;
const smallest = 128 * 1024;

const empty = Buffer.alloc(0);

/**
 * Concatenates the chunks of a body as they arrive, while they are still in the processor's cache.
 */
export class PooledBuffer {
  #buffer: Buffer;
  #size: number;

  /**
   * @param first the first chunk, which is copied.
   * @param expected announced size of the whole body in bytes. 0 or NaN if it is unknown.
   */
  constructor(first: Buffer, expected: number) {
    // The announced size may be wrong, so don't allocate more than the largest buffer that is kept
    // for reuse.
    const announced = expected > 0 ? Math.min(expected, largestSpare) : 0;
    this.#buffer = takeBuffer(Math.max(first.length + 1, announced));
    this.#buffer.set(first);
    this.#size = first.length;
  }

  push(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    const former = this.#buffer;
    if (former.length < size) {
      // Sizes are powers of two, so each buffer is at least twice as large as the last.
      this.#buffer = takeBuffer(size);
      this.#buffer.set(former.subarray(0, this.#size));
      returnBuffer(former);
    }
    this.#buffer.set(chunk, this.#size);
    this.#size = size;
  }

  /** Returns the body so far. Valid until {@link recycle} is called. */
  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /**
   * Releases the memory for reuse, so the result of {@link toBuffer} must no longer be used. Repeated
   * calls have no effect.
   */
  recycle(): void {
    const buffer = this.#buffer;
    this.#buffer = empty;
    this.#size = 0;
    if (buffer !== empty) returnBuffer(buffer);
  }
}

function takeBuffer(size: number): Buffer {
  const index = spare.findIndex((each) => each.length >= size);
  const [found] = index < 0 ? [] : spare.splice(index, 1);
  return found ?? Buffer.allocUnsafeSlow(Math.max(smallest, 2 ** Math.ceil(Math.log2(size))));
}

function returnBuffer(buffer: Buffer): void {
  if (buffer.length <= largestSpare && spare.length < mostSpare) spare.push(buffer);
}

/** Buffers for bodies, to be used again: fresh memory costs several times the copy (measured). */
const spare: Buffer[] = [];

/** More than these would only be held for a peak that is over. */
const mostSpare = 4;
const largestSpare = 4 * 1024 * 1024;
const smallest = 128 * 1024;

/**
 * Gathers the chunks of one body. A body of one chunk is that chunk, as small ones are; a longer one
 * is copied together as it comes, while it is in the processor's cache.
 */
export class BodyBuffer {
  #only: Buffer | undefined;
  #gathered: Buffer | undefined;
  /** Bytes so far. */
  size = 0;

  /** @param expected how many bytes the whole body will have; 0 or NaN where that is not known. */
  push(chunk: Buffer, expected: number): void {
    const size = this.size + chunk.length;
    if (this.size === 0) {
      this.#only = chunk;
    } else {
      const room = this.#room(size, expected);
      room.set(chunk, this.size);
    }
    this.size = size;
  }

  /** The whole body. It is valid until {@link recycle}. */
  whole(): Buffer {
    return this.#gathered?.subarray(0, this.size) ?? this.#only ?? Buffer.alloc(0);
  }

  /** Gives the memory back: nobody may look at {@link whole} any more. Recycling twice is recycling once. */
  recycle(): void {
    const buffer = this.#gathered;
    this.#gathered = undefined;
    this.#only = undefined;
    this.size = 0;
    if (buffer) returnBuffer(buffer);
  }

  /** A buffer with room for `size` bytes that begins with what came so far. */
  #room(size: number, expected: number): Buffer {
    const former = this.#gathered;
    if (former && former.length >= size) return former;
    // What a header promises is not believed beyond what is kept anyway: bytes must come first.
    const promised = expected > 0 ? Math.min(expected, largestSpare) : 0;
    // Sizes are powers of two: what outgrows one has twice the room at least.
    const room = take(Math.max(size, promised));
    const begun = former?.subarray(0, this.size) ?? this.#only;
    if (begun) room.set(begun);
    if (former) returnBuffer(former);
    this.#gathered = room;
    this.#only = undefined;
    return room;
  }
}

function take(size: number): Buffer {
  const index = spare.findIndex((each) => each.length >= size);
  const [found] = index < 0 ? [] : spare.splice(index, 1);
  return found ?? Buffer.allocUnsafeSlow(Math.max(smallest, 2 ** Math.ceil(Math.log2(size))));
}

function returnBuffer(buffer: Buffer): void {
  if (buffer.length <= largestSpare && spare.length < mostSpare) spare.push(buffer);
}

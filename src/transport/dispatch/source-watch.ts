import { Transform, type TransformCallback } from 'node:stream';

/**
 * Bytes handed to the connection at once, at first. undici restarts its headers timeout with each piece:
 * one that is large takes longer than that on a slow uplink.
 */
const pieceSize = 128 * 1024;

/** A piece that was taken so soon, in ms, is followed by one of twice its size: small ones cost throughput. */
const quick = 250;

/** A chunk on its way to the connection. */
interface Passing {
  readonly chunk: Buffer;
  /** Bytes passed up to its end. */
  readonly end: number;
}

/**
 * Passes an upload's bytes through in pieces, and tells when its source gives nothing although more is
 * wanted: undici times a server that does not read, but not a source that hangs.
 */
export class SourceWatch extends Transform {
  #timer: NodeJS.Timeout | undefined;
  readonly #limit: number;
  readonly #onStall: () => void;
  #pieceSize = pieceSize;
  #passedAt = performance.now();
  readonly #recycle: ((chunk: Buffer) => void) | undefined;
  readonly #passing: Passing[] = [];
  #passed = 0;

  /**
   * @param limit longest silence in ms; 0 for no limit.
   * @param recycle gets each chunk that was written. Only for a reader that pauses as long as the
   * connection has not written all, and keeps nothing: undici's client does; others may not.
   */
  constructor(limit: number, onStall: () => void, recycle?: (chunk: Buffer) => void) {
    super({ highWaterMark: 1024 * 1024 });
    this.#limit = limit;
    this.#onStall = onStall;
    this.#recycle = recycle;
  }

  /** Bytes that the connection has taken. */
  get taken(): number {
    return this.#passed - this.readableLength;
  }

  /** Called by undici when its socket has written everything ('drain'). */
  override resume(): this {
    if (this.#recycle && this.isPaused()) {
      const { taken } = this;
      for (let first = this.#passing[0]; first && first.end <= taken; first = this.#passing[0]) {
        this.#passing.shift();
        this.#recycle(first.chunk);
      }
    }
    return super.resume();
  }

  override _read(size: number): void {
    if (this.#limit > 0) this.#timer ??= setTimeout(this.#onStall, this.#limit);
    super._read(size);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#disarm();
    const now = performance.now();
    this.#pieceSize =
      now - this.#passedAt < quick ? Math.min(2 * this.#pieceSize, chunk.length) : pieceSize;
    this.#pieceSize = Math.max(pieceSize, this.#pieceSize);
    this.#passedAt = now;
    this.#passed += chunk.length;
    if (this.#recycle) this.#passing.push({ chunk, end: this.#passed });
    for (const piece of piecesOf(chunk, this.#pieceSize)) this.push(piece);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#disarm();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#disarm();
    done(error);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Bytes cut into pieces, none of them copied. */
export function* piecesOf(bytes: Buffer, size: number = pieceSize): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

import { Transform, type TransformCallback } from 'node:stream';

/**
 * Passes an upload's bytes through, and tells when its source gives nothing although more is wanted:
 * undici times a server that does not read, but not a source that hangs.
 */
export class SourceWatch extends Transform {
  #timer: NodeJS.Timeout | undefined;
  readonly #limit: number;
  readonly #onStall: () => void;

  /** @param limit longest silence in ms; 0 for no limit. */
  constructor(limit: number, onStall: () => void) {
    super({ highWaterMark: 1024 * 1024 });
    this.#limit = limit;
    this.#onStall = onStall;
  }

  override _read(size: number): void {
    if (this.#limit > 0) this.#timer ??= setTimeout(this.#onStall, this.#limit);
    super._read(size);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#disarm();
    done(null, chunk);
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

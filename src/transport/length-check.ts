import { Transform, type TransformCallback } from 'node:stream';
import { InvalidRequestError } from '../errors.js';

/**
 * Holds an upload's source to the size that was announced. The piece that completes it is kept back
 * until the source ends, so that a server never gets as a whole what is a part of something longer.
 */
export class LengthCheck extends Transform {
  #seen = 0;
  #last: Buffer | undefined;
  readonly #field: string;
  readonly #length: number;

  /** @param field the input that is wrong where the sizes differ. @param length bytes announced. */
  constructor(field: string, length: number, highWaterMark: number) {
    super({ highWaterMark });
    this.#field = field;
    this.#length = length;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#seen += chunk.length;
    if (this.#seen > this.#length) {
      done(lengthMismatch(this.#field, this.#length));
    } else if (this.#seen === this.#length && this.#last === undefined) {
      this.#last = chunk;
      done();
    } else {
      done(null, chunk);
    }
  }

  override _flush(done: TransformCallback): void {
    if (this.#seen === this.#length) done(null, this.#last);
    else done(lengthMismatch(this.#field, this.#length, this.#seen));
  }
}

/** @param seen bytes until the end; undefined where there are more than were announced. */
export function lengthMismatch(field: string, length: number, seen?: number): InvalidRequestError {
  const what =
    seen === undefined
      ? `more than the ${length} bytes that were announced`
      : `${seen} bytes, and ${length} were announced`;
  return new InvalidRequestError(`${field}: the data has ${what}`, field);
}

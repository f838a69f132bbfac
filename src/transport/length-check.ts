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
      done(this.#mismatch(`more than the ${this.#length} bytes that were announced`));
    } else if (this.#seen === this.#length && this.#last === undefined) {
      this.#last = chunk;
      done();
    } else {
      done(null, chunk);
    }
  }

  override _flush(done: TransformCallback): void {
    if (this.#seen === this.#length) done(null, this.#last);
    else done(this.#mismatch(`${this.#seen} bytes, and ${this.#length} were announced`));
  }

  #mismatch(what: string): InvalidRequestError {
    return new InvalidRequestError(`${this.#field}: the data has ${what}`, this.#field);
  }
}

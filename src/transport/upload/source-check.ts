import { Transform, type TransformCallback } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import { describeKind, formatCount } from '../../schema/unknown-values.js';
import { createInputError } from '../request/input.js';

/**
 * Checks that a caller's stream contains bytes and has the declared size. Withholds the chunk that
 * completes the size until the source ends. Otherwise, the server could accept the start of a
 * longer file as a complete file.
 */
export class SourceCheck extends Transform {
  #seen = 0;
  #last: Buffer | undefined;
  readonly #field: string;
  readonly #length: number | undefined;
  readonly #sizeField: string;

  /**
   * @param field name of the input, for errors.
   * @param length declared size in bytes, if known.
   * @param sizeField name of the input that declares the size, for errors.
   */
  constructor(
    field: string,
    length: number | undefined,
    highWaterMark: number,
    sizeField = 'size',
  ) {
    // In object mode, Node.js passes chunks of any type to `_transform`, instead of throwing for
    // some types.
    super({
      readableHighWaterMark: highWaterMark,
      writableHighWaterMark: 1,
      writableObjectMode: true,
    });
    this.#field = field;
    this.#length = length;
    this.#sizeField = sizeField;
  }

  override _transform(given: unknown, _encoding: BufferEncoding, done: TransformCallback): void {
    const chunk = toBuffer(given);
    if (chunk === undefined) {
      const message = `${this.#field}: the stream must contain bytes (got ${describeKind(given)})`;
      done(new InvalidRequestError(message, { field: this.#field }));
      return;
    }
    this.#seen += chunk.length;
    if (this.#length !== undefined && this.#seen > this.#length) {
      done(createLengthError(this.#sizeField, this.#length));
    } else if (this.#seen === this.#length && this.#last === undefined) {
      this.#last = chunk;
      done();
    } else {
      done(null, chunk);
    }
  }

  override _flush(done: TransformCallback): void {
    if (this.#length === undefined || this.#seen === this.#length) done(null, this.#last);
    else done(createLengthError(this.#sizeField, this.#length, this.#seen));
  }
}

function toBuffer(chunk: unknown): Buffer | undefined {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  return chunk instanceof Uint8Array
    ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    : undefined;
}

/**
 * Creates the error for a source whose length differs from the declared size.
 * @param seen number of bytes until the end. Undefined if there are more bytes than declared.
 */
export function createLengthError(
  field: string,
  length: number,
  seen?: number,
): InvalidRequestError {
  const got = seen === undefined ? 'more bytes' : formatCount(seen, 'byte');
  return createInputError(
    field,
    `the data must have the declared size of ${formatCount(length, 'byte')} (got ${got})`,
  );
}

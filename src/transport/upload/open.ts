import { open, stat } from 'node:fs/promises';
import { finished, pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { InvalidRequestError } from '../../errors/index.js';
import { asError, describeKind, errorMessage, formatCount } from '../../schema/unknown-values.js';
import { catchRejection } from '../request/event-loop.js';
import { createInputError } from '../request/input.js';

/** Progress of an upload. */
export interface UploadProgress {
  /** Number of bytes passed to the connection. */
  readonly sent: number;
  /** Total number of bytes. Undefined if the size is unknown. */
  readonly total: number | undefined;
}

/**
 * Called when bytes are sent. The upload fails if the function throws, or if its promise rejects
 * while bytes are still being sent. The promise isn't awaited.
 */
export type OnProgress = (progress: UploadProgress) => void;

export interface OpenSource {
  readonly stream: Readable;
  readonly length: number | undefined;
}

/** A source of bytes. The source is checked when it is opened, before anything is sent. */
export interface UploadSource {
  readonly replayable: boolean;
  /** @throws {InvalidRequestError} if a file is missing or unreadable. */
  open(): Promise<OpenSource>;
}

/** Chunk size in bytes for streams and byte arrays from the caller. */
const chunkSize = 1024 * 1024;

/** Opens a file. @throws {InvalidRequestError} if the file is missing or unreadable. */
export async function openFile(field: string, data: string | URL): Promise<OpenSource> {
  try {
    const path = data instanceof URL ? fileURLToPath(data) : data;
    // Check the type first, because opening a pipe waits for a writer.
    if (!(await stat(path)).isFile()) throw new Error('the path is not a file');
    const file = await open(path);
    const { size } = await file.stat();
    // Read one more byte than the size, so that `SourceCheck` detects a file that has grown.
    const stream = file.createReadStream({ end: size, highWaterMark: chunkSize });
    const check = new SourceCheck(field, size, chunkSize, field);
    return {
      stream: connect(stream, check, (cause) => createFileError(field, cause)),
      length: size,
    };
  } catch (cause) {
    const why = errorMessage(cause);
    throw new InvalidRequestError(
      `${field}: the file cannot be read: ${why}. To pass content instead of a path, use bytes (Buffer.from(text)).`,
      { field, cause },
    );
  }
}

/**
 * Wraps a caller's stream to check that its chunks are bytes and that it has the declared size. If
 * the caller's stream fails, the wrapper's error names the input.
 */
export function openStream(field: string, stream: Readable, size: number | undefined): OpenSource {
  const check = new SourceCheck(field, size, chunkSize);
  return {
    stream: connect(stream, check, (cause) => createStreamError(field, cause)),
    length: size,
  };
}

/** Pipes a source through its check. @param createError creates the error if the source fails. */
function connect(
  source: Readable,
  check: SourceCheck,
  createError: (cause: Error) => InvalidRequestError,
): Readable {
  // `pipeline` would pass on the source's own error, which looks like a connection error.
  finished(source, (cause) => cause && check.destroy(createError(cause)));
  // The callback ignores errors, because the reader of `check` receives them.
  return pipeline(source, check, () => undefined);
}

function createFileError(field: string, cause: Error): InvalidRequestError {
  const message = `${field}: the rest of the file cannot be read: ${errorMessage(cause)}`;
  return new InvalidRequestError(message, { field, cause });
}

/** Creates the error for a caller's stream that failed or closed before its end. */
export function createStreamError(field: string, cause: Error): InvalidRequestError {
  return new InvalidRequestError(`${field}: the stream failed: ${cause.message}`, { field, cause });
}

/** Splits bytes into chunks so that progress and backpressure work. */
export function openBytes(bytes: Uint8Array): OpenSource {
  const stream = Readable.from(
    (function* () {
      for (let start = 0; start < bytes.byteLength; start += chunkSize) {
        yield bytes.subarray(start, start + chunkSize);
      }
    })(),
    { objectMode: false, highWaterMark: chunkSize },
  );
  return { stream, length: bytes.byteLength };
}

/** Wraps a source to report progress. Closing the wrapper destroys the source. */
export function withProgress(open: OpenSource, onProgress: OnProgress | undefined): Readable {
  if (!onProgress) return open.stream;
  const meter = createMeter(open.length, onProgress);
  open.stream.once('error', (cause) => meter.destroy(cause));
  meter.once('close', () => open.stream.destroy());
  return open.stream.pipe(meter);
}

/** Creates a stream that reports the bytes passing through it. */
export function createMeter(
  total: number | undefined,
  onProgress: OnProgress | undefined,
): Transform {
  let sent = 0;
  const meter = new Transform({
    highWaterMark: chunkSize,
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      try {
        const returned: unknown = onProgress?.({ sent, total });
        catchRejection(returned, (reason) => meter.destroy(asError(reason)));
        done(null, chunk);
      } catch (cause) {
        done(asError(cause));
      }
    },
  });
  return meter;
}

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

import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import type { OpenBody, RequestBody } from '../request/body.js';
import type { ExchangeLimits } from './wire-request.js';

/**
 * Length in characters above which an in-memory body is sent in pieces. undici restarts
 * its headers timeout with each piece. On a slow uplink, the whole body may take longer than the
 * timeout.
 */
const longPayload = 256 * 1024;

/**
 * Size in bytes of the pieces that are passed to the connection. On a slow uplink, larger pieces
 * could take longer than undici's headers timeout.
 */
const pieceSize = 128 * 1024;

/**
 * Passes an upload through in pieces and reports a stalled source. undici has a timeout for a
 * server that doesn't read, but none for a stalled source.
 */
export class SourceWatch extends Transform {
  #timer: NodeJS.Timeout | undefined;
  readonly #limit: number;
  readonly #onStall: () => void;

  /** @param limit maximum pause of the source in ms. 0 for no limit. */
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
    for (const piece of splitIntoPieces(chunk)) this.push(piece);
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

/** Splits bytes into pieces without copying them. */
export function* splitIntoPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceSize) {
    yield bytes.subarray(start, start + pieceSize);
  }
}

/**
 * Converts a request's body to a value that undici can send, and adds the body's headers to
 * `headers`. Streams and long bodies are sent in pieces.
 * @param open the opened stream. Undefined if the body is in memory.
 * @param headers alternating names and values.
 * @param onStall called if the stream's source stalls.
 */
export function prepareBody(
  body: RequestBody,
  open: OpenBody | undefined,
  headers: string[],
  { bodyTimeout }: ExchangeLimits,
  onStall: () => void,
): string | SourceWatch | undefined {
  if (open) {
    const hasType = headers.some((each, index) => index % 2 === 0 && each === 'content-type');
    if (!hasType) headers.push('content-type', open.contentType);
    if (open.length !== undefined) headers.push('content-length', String(open.length));
    const watch = new SourceWatch(bodyTimeout, onStall);
    // The callback ignores errors, because `watch` passes them to undici.
    return pipeline(open.stream, watch, () => undefined);
  }
  if (body.kind === 'stream') return undefined;
  if (body.text.length <= longPayload) return body.text;
  const bytes = Buffer.from(body.text);
  headers.push('content-length', String(bytes.length));
  const pieces = Readable.from(splitIntoPieces(bytes), { objectMode: false });
  return pipeline(pieces, new SourceWatch(0, onStall), () => undefined);
}

import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** What is offered to servers; exactly what is decoded below. */
export const acceptEncoding = 'gzip, deflate, br';

/** A body that was encoded in a way that was not asked for. */
export class UnknownCodingError extends Error {
  constructor(coding: string) {
    super(`unknown content coding ${JSON.stringify(coding.slice(0, 40))}`);
  }
}

/** More codings than this, one upon the other, are sent only to keep a client busy. */
const mostCodings = 5;

/** A body with more codings than {@link mostCodings}. */
export class TooManyCodingsError extends Error {
  constructor(count: number) {
    super(`${count} content codings, and at most ${mostCodings} are undone`);
  }
}

function checkCount(codings: readonly string[]): void {
  if (codings.length > mostCodings) throw new TooManyCodingsError(codings.length);
}

/** The codings of a `Content-Encoding` header in the order they are to be undone. */
export function codingsOf(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
}

/**
 * Undoes the content codings of a whole body.
 * @param limit most bytes the body may have after each coding; more makes zlib fail with `ERR_BUFFER_TOO_LARGE`.
 * @param isStopped nobody waits any more: no further coding is undone.
 * @throws {TooManyCodingsError}
 */
export async function decodeBody(
  body: Buffer,
  codings: readonly string[],
  limit: number,
  isStopped: () => boolean = () => false,
): Promise<Buffer> {
  checkCount(codings);
  let decoded = body;
  for (const coding of codings) {
    if (isStopped()) break;
    decoded = await decodeOne(decoded, coding, limit);
  }
  return decoded;
}

function decodeOne(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  const options = { maxOutputLength: limit };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return promisify(zlib.gunzip)(body, options);
    case 'deflate':
      return promisify(isBareDeflate(body) ? zlib.inflateRaw : zlib.inflate)(body, options);
    case 'br':
      return promisify(zlib.brotliDecompress)(body, options);
    default:
      return Promise.reject(new UnknownCodingError(coding));
  }
}

/** What undoes the codings of a streamed body, in turn. @throws {TooManyCodingsError | UnknownCodingError} */
export function decodingStreams(codings: readonly string[]): Transform[] {
  checkCount(codings);
  return codings.map(decodingStream);
}

/** A decoding transform for a streamed body. @throws {UnknownCodingError} */
export function decodingStream(coding: string): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return new EitherInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new UnknownCodingError(coding);
  }
}

/** What went wrong while a body was decoded. */
export function codingFailure(cause: unknown): 'too_large' | 'truncated' | 'undecodable' {
  const code = codeOf(cause);
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'undecodable';
}

/** True for what zlib raises. */
export function isCodingError(cause: unknown): boolean {
  const code = codeOf(cause);
  return typeof code === 'string' && /^(?:Z_|ERR_)/.test(code);
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

/** Some servers send the bare deflate format: a zlib header has 8 in its low four bits. */
function isBareDeflate(start: Buffer): boolean {
  return ((start[0] ?? 0) & 0x0f) !== 8;
}

/** Inflates either form of `deflate`: the first byte tells which it is. */
class EitherInflate extends Transform {
  #inner: zlib.Inflate | zlib.InflateRaw | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (chunk.length === 0) {
      done();
      return;
    }
    this.#inner ??= this.#start(chunk);
    this.#inner.write(chunk, done);
  }

  override _flush(done: TransformCallback): void {
    // No bytes at all are a stream that was cut short, as with the other codings.
    const inner = this.#inner ?? this.#start(Buffer.alloc(0));
    inner.once('end', () => done());
    inner.end();
  }

  override _read(size: number): void {
    this.#inner?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  #start(first: Buffer): zlib.Inflate | zlib.InflateRaw {
    const inner = isBareDeflate(first) ? zlib.createInflateRaw() : zlib.createInflate();
    inner.on('data', (part: Buffer) => {
      if (!this.push(part)) inner.pause();
    });
    inner.on('error', (cause) => this.destroy(cause));
    return inner;
  }
}

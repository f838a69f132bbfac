import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Content codings to request from servers. */
export const acceptEncoding = 'gzip, deflate, br';

export class UnknownCodingError extends Error {
  constructor(coding: string) {
    super(`unknown content coding ${JSON.stringify(coding.slice(0, 40))}`);
  }
}

/** Maximum number of nested codings. Limits the work that a server can cause. */
const maxCodings = 5;

/** @throws {Error} if there are more codings than {@link maxCodings}. */
function checkCodingCount({ length }: readonly string[]): void {
  if (length <= maxCodings) return;
  throw new Error(`the body has ${length} content codings, but the limit is ${maxCodings}`);
}

/** Returns a `Content-Encoding` header's codings in decoding order. */
export function parseCodings(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
}

/**
 * Decodes a complete body.
 * @param limit maximum size in bytes after each coding. If a result is larger, zlib fails with
 * `ERR_BUFFER_TOO_LARGE`.
 * @param isStopped returns true once the result is no longer needed. Decoding then stops.
 * @throws {Error} if the body can't be decoded.
 */
export async function decodeBody(
  body: Buffer,
  codings: readonly string[],
  limit: number,
  isStopped: () => boolean = () => false,
): Promise<Buffer> {
  checkCodingCount(codings);
  let decoded = body;
  for (const coding of codings) {
    if (isStopped()) break;
    decoded = await decodeCoding(decoded, coding, limit);
  }
  return decoded;
}

function decodeCoding(body: Buffer, coding: string, limit: number): Promise<Buffer> {
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

/**
 * Creates the transforms that decode a streamed body, in order.
 * @throws {Error} if a coding is unknown or there are too many codings.
 */
export function createDecoders(codings: readonly string[]): Transform[] {
  checkCodingCount(codings);
  return codings.map(createDecoder);
}

/** @throws {UnknownCodingError} if the coding is unknown. */
export function createDecoder(coding: string): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return new AutoInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new UnknownCodingError(coding);
  }
}

export function classifyCodingError(cause: unknown): 'too_large' | 'truncated' | 'undecodable' {
  const code = getErrorCode(cause);
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'undecodable';
}

/** Returns whether an error comes from zlib. */
export function isCodingError(cause: unknown): boolean {
  const code = getErrorCode(cause);
  return typeof code === 'string' && /^(?:Z_|ERR_)/.test(code);
}

function getErrorCode(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

/**
 * Returns whether data is raw deflate, which some servers send. The first byte of a zlib header has
 * 8 in its low four bits.
 */
function isBareDeflate(start: Buffer): boolean {
  return ((start[0] ?? 0) & 0x0f) !== 8;
}

/** Inflates raw and zlib-wrapped `deflate` data. The first byte determines the format. */
class AutoInflate extends Transform {
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
    // Treat an empty stream as truncated, as with the other codings.
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

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** What is offered to servers; exactly what is decoded below. */
export const acceptEncoding = 'gzip, deflate, br';

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** A body that was encoded in a way that was not asked for. */
export class UnknownCodingError extends Error {
  constructor(coding: string) {
    super(`unknown content coding ${JSON.stringify(coding.slice(0, 40))}`);
  }
}

/** The codings of a `Content-Encoding` header in the order they are to be undone. */
export function codingsOf(header: string | undefined): string[] {
  if (header === undefined || header === '') return [];
  return header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
}

/**
 * Undoes the content codings of a whole body.
 * @param limit most bytes the decoded body may have; more makes zlib fail with `ERR_BUFFER_TOO_LARGE`.
 */
export async function decodeBody(
  body: Buffer,
  codings: readonly string[],
  limit: number,
): Promise<Buffer> {
  let decoded = body;
  for (const coding of codings) decoded = await decodeOne(decoded, coding, limit);
  return decoded;
}

function decodeOne(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  const options = { maxOutputLength: limit };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzip(body, options);
    case 'deflate':
      // Some servers send the bare deflate format: a zlib header has 8 in its low four bits.
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options) : inflateRaw(body, options);
    case 'br':
      return brotli(body, options);
    default:
      return Promise.reject(new UnknownCodingError(coding));
  }
}

/** A decoding transform for a streamed body. @throws {UnknownCodingError} */
export function decodingStream(coding: string): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new UnknownCodingError(coding);
  }
}

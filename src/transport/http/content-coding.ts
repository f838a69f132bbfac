import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { getMember } from '../../schema/unknown-values.js';

/**
 * Content codings to request from servers. Excludes `deflate`, because some servers send it without
 * the zlib header.
 */
export const acceptEncoding = 'gzip, br';

interface Coding {
  readonly decode: (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;
  readonly createDecoder: () => Transform;
}

const gzip: Coding = { decode: promisify(zlib.gunzip), createDecoder: () => zlib.createGunzip() };

const codings = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { decode: promisify(zlib.inflate), createDecoder: () => zlib.createInflate() }],
  [
    'br',
    {
      decode: promisify(zlib.brotliDecompress),
      createDecoder: () => zlib.createBrotliDecompress(),
    },
  ],
]);

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
 * @throws {Error} if the body can't be decoded.
 */
export async function decodeBody(
  body: Buffer,
  names: readonly string[],
  limit: number,
): Promise<Buffer> {
  checkCodingCount(names);
  let decoded = body;
  for (const name of names) {
    decoded = await findCoding(name).decode(decoded, { maxOutputLength: limit });
  }
  return decoded;
}

/** @throws {UnknownCodingError} if the coding is unknown. */
function findCoding(name: string): Coding {
  const coding = codings.get(name);
  if (coding) return coding;
  throw new UnknownCodingError(name);
}

/**
 * Creates the transforms that decode a streamed body, in order.
 * @throws {Error} if a coding is unknown or there are too many codings.
 */
export function createDecoders(names: readonly string[]): Transform[] {
  checkCodingCount(names);
  return names.map((name) => findCoding(name).createDecoder());
}

export function classifyCodingError(cause: unknown): 'too_large' | 'truncated' | 'undecodable' {
  const code = getMember(cause, 'code');
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'undecodable';
}

/** Returns whether an error comes from zlib. */
export function isCodingError(cause: unknown): boolean {
  const code = getMember(cause, 'code');
  return typeof code === 'string' && /^(?:Z_|ERR_)/.test(code);
}

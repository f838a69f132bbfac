import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { CacheEntry } from '../transport/policy/cache-entry.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Smaller ones are kept as they are. */
const compressedFrom = 1024;

/** Maximum bytes of an entry's headers and URL. Node.js accepts fewer by default. */
const mostHead = 128 * 1024;

/**
 * Encodes an entry: whether it is compressed, then the length of its metadata, the metadata as JSON, and
 * the body. Undefined if the entry is larger than `most` bytes before compression.
 */
export async function encodeEntry(
  { body, ...about }: CacheEntry,
  most: number,
): Promise<Buffer | undefined> {
  const head = Buffer.from(JSON.stringify(about));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  if (head.length > mostHead || length.length + head.length + body.length > most) return undefined;
  const whole = Buffer.concat([length, head, body]);
  const packed = whole.length < compressedFrom ? whole : await deflate(whole);
  return Buffer.concat([Buffer.from([packed === whole ? 0 : 1]), packed]);
}

/**
 * Decodes an entry. Undefined if the bytes aren't an entry, or one of more than `most` bytes: other
 * Redis users must not be able to fill the memory. The caller validates the entry's content.
 */
export async function decodeEntry(bytes: Buffer, most: number): Promise<CacheEntry | undefined> {
  try {
    const packed = bytes.subarray(1);
    const whole = bytes[0] === 0 ? packed : await inflate(packed, { maxOutputLength: most });
    const end = 4 + whole.readUInt32BE(0);
    if (end > 4 + mostHead || whole.length > most) return undefined;
    // `as`: the cache checks what stores give, field by field and by a digest.
    const about = JSON.parse(whole.toString('utf8', 4, end)) as Omit<CacheEntry, 'body'>;
    return { ...about, body: whole.subarray(end) };
  } catch {
    return undefined;
  }
}

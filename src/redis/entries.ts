import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { CacheEntry } from '../transport/stores/cache-entry.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Minimum uncompressed size at which an entry is compressed, in bytes. */
const compressedFrom = 1024;

/**
 * Maximum size of an entry's metadata (such as its URL and headers), in bytes. Node.js's default
 * limit for headers is lower.
 */
const maxHead = 128 * 1024;

/**
 * Encodes an entry in four parts: a byte that is 1 if the rest is compressed, the metadata's length
 * (4 bytes), the metadata as JSON, and the body. Returns undefined if the uncompressed entry
 * exceeds `maxBytes`.
 */
export async function encodeEntry(
  { body, ...about }: CacheEntry,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const head = Buffer.from(JSON.stringify(about));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  if (head.length > maxHead || length.length + head.length + body.length > maxBytes)
    return undefined;
  const whole = Buffer.concat([length, head, body]);
  const packed = whole.length < compressedFrom ? whole : await deflate(whole);
  return Buffer.concat([Buffer.from([packed === whole ? 0 : 1]), packed]);
}

/**
 * Decodes an entry. Returns undefined if the bytes aren't an entry, or decompress to more than
 * `maxBytes`. The limit keeps other Redis users from exhausting this process's memory. The caller
 * validates the entry's content.
 */
export async function decodeEntry(
  bytes: Buffer,
  maxBytes: number,
): Promise<CacheEntry | undefined> {
  try {
    const packed = bytes.subarray(1);
    const whole = bytes[0] === 0 ? packed : await inflate(packed, { maxOutputLength: maxBytes });
    const end = 4 + whole.readUInt32BE(0);
    if (end > 4 + maxHead || whole.length > maxBytes) return undefined;
    // `as`: the cache validates each field of an entry and its digest.
    const about = JSON.parse(whole.toString('utf8', 4, end)) as Omit<CacheEntry, 'body'>;
    return { ...about, body: whole.subarray(end) };
  } catch {
    return undefined;
  }
}

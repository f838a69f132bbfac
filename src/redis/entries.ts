import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { CacheEntry } from '../transport/policy/cache-entry.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Smaller ones are kept as they are. */
const compressedFrom = 1024;

/** Most bytes of an entry's headers and URL. Longer than any that Node.js accepts by default. */
const mostHead = 128 * 1024;

/**
 * An entry as bytes: whether it is compressed; the length of what is said of the body, that as JSON; the body.
 * Undefined if it is larger than `most` bytes before compression.
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
 * Undefined if the bytes are no entry, or one of more than `most` bytes: whoever can write to Redis must not
 * fill the memory. The reader validates what the entry contains.
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

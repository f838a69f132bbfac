import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { CacheEntry } from '../transport/policy/cache-entry.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Smaller ones are kept as they are. */
const compressedFrom = 1024;

/** What is larger was not written here: who can write to Redis must not fill the memory. */
const maxOutputLength = 512 * 1024 * 1024;

/** An entry as bytes: whether it is compressed; the length of what is said of the body, that as JSON; the body. */
export async function encodeEntry({ body, ...about }: CacheEntry): Promise<Buffer> {
  const head = Buffer.from(JSON.stringify(about));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  const whole = Buffer.concat([length, head, body]);
  const packed = whole.length < compressedFrom ? whole : await deflate(whole);
  return Buffer.concat([Buffer.from([packed === whole ? 0 : 1]), packed]);
}

/** @throws an error where the bytes are none of ours; what they say is judged by who reads it. */
export async function decodeEntry(bytes: Buffer): Promise<CacheEntry> {
  const packed = bytes.subarray(1);
  const whole = bytes[0] === 0 ? packed : await inflate(packed, { maxOutputLength });
  const end = 4 + whole.readUInt32BE(0);
  // `as`: the cache checks what stores give, field by field and by a digest.
  const about = JSON.parse(whole.toString('utf8', 4, end)) as Omit<CacheEntry, 'body'>;
  return { ...about, body: whole.subarray(end) };
}

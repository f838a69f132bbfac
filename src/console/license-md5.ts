import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type UploadData, uploadSource } from '../transport/upload/upload.js';

/**
 * The MD5 hash of a license file, in hex: the token of the Management Console.
 * Read as a stream; nothing is held in memory.
 * @param license a path, bytes, a Blob or a Readable.
 * @throws {InvalidRequestError} a file that is missing or unreadable.
 */
export async function licenseMd5(license: UploadData): Promise<string> {
  const { stream } = await uploadSource('license', license).open();
  const hash = createHash('md5');
  await pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) hash.update(chunk);
  });
  return hash.digest('hex');
}

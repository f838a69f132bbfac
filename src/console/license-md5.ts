import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createUploadSource, type UploadData } from '../transport/upload/upload.js';

/**
 * Computes a license file's MD5 hash in hexadecimal. The Management Console accepts the hash as the
 * credential. The file is read as a stream.
 * @param license Path, bytes, a Blob, a Readable or a ReadableStream.
 * @throws {InvalidRequestError} if the file is missing or unreadable.
 */
export async function licenseMd5(license: UploadData): Promise<string> {
  const { stream } = await createUploadSource('license', license).open();
  const hash = createHash('md5');
  await pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) hash.update(chunk);
  });
  return hash.digest('hex');
}

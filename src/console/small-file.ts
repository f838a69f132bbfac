import { createHash } from 'node:crypto';
import { InvalidRequestError } from '../errors/index.js';
import { errorMessage } from '../schema/unknown-values.js';
import { createInputError } from '../transport/request/input.js';
import { createUploadSource, type UploadData } from '../transport/upload/upload.js';

/**
 * License, settings or key file: a path (string or `file:` URL), bytes, a Blob, a Readable or a
 * ReadableStream.
 */
export type SmallFile = UploadData;

/**
 * Maximum size in bytes. Licenses, settings and keys are a few KB, so a larger file is probably a
 * package.
 */
const largest = 16 * 1024 * 1024;

/**
 * Reads a small file completely so that the client sends the same bytes that it validated or
 * hashed.
 * @throws {InvalidRequestError} if the file is missing, unreadable, empty, or larger than 16 MiB.
 */
export async function readSmallFile(field: string, data: SmallFile): Promise<Buffer> {
  checkFile(field, data);
  const { stream } = await createUploadSource(field, data).open();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > largest) {
        const why = `must be at most ${largest / 1024 / 1024} MiB (got a larger file). Check whether you passed the right file.`;
        throw createInputError(field, why);
      }
      chunks.push(bytes);
    }
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    const why = errorMessage(cause);
    throw new InvalidRequestError(`${field}: the file cannot be read: ${why}`, { field, cause });
  }
  if (size === 0) throw createInputError(field, 'must not be an empty file');
  return Buffer.concat(chunks, size);
}

/**
 * Rejects a string that can't be a path. Such a string is probably the file's content, and a file
 * system error would quote it.
 * @throws {InvalidRequestError} if content is passed instead of a path.
 */
function checkFile(field: string, data: SmallFile): void {
  if (typeof data !== 'string') return;
  if (data.length <= 4096 && !/[\r\n\0]|^\s*[{[]|-----BEGIN/.test(data)) return;
  const why =
    'must be a file path (got file content). To pass content, use bytes (Buffer.from(text)).';
  throw createInputError(field, why);
}

/** Returns the MD5 hash of a license, which the Management Console accepts as the credential. */
export function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

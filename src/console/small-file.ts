import { InvalidRequestError } from '../errors/index.js';
import { errorMessage } from '../schema/unknown-values.js';
import { type UploadData, uploadSource } from '../transport/upload/upload.js';

/** A license, settings or key file: a path (string or `file:` URL), bytes, a Blob, or a stream. */
export type SmallFile = UploadData;

/** Licenses, settings and keys are a few KB; a package given in their place is noticed here. */
const largest = 16 * 1024 * 1024;

/**
 * Reads a small file whole, so that what is checked or hashed is what is sent.
 * @throws {InvalidRequestError} missing, unreadable, empty, or larger than 16 MiB.
 */
export async function readSmallFile(field: string, data: SmallFile): Promise<Buffer> {
  checkFile(field, data);
  const { stream } = await uploadSource(field, data).open();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > largest) {
        throw new InvalidRequestError(
          `${field}: larger than ${largest / 1024 / 1024} MiB: is it the right file?`,
          { field },
        );
      }
      chunks.push(bytes);
    }
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    const why = errorMessage(cause);
    throw new InvalidRequestError(`${field}: can not be read: ${why}`, { field, cause });
  }
  if (size === 0) throw new InvalidRequestError(`${field}: the file is empty`, { field });
  return Buffer.concat(chunks, size);
}

/**
 * A string is a path. What can't be one is the content itself, which an error of the file system
 * would quote.
 * @throws {InvalidRequestError} content given for a path.
 */
export function checkFile(field: string, data: SmallFile): void {
  if (typeof data !== 'string') return;
  if (data.length <= 4096 && !/[\r\n\0]|^\s*[{[]|-----BEGIN/.test(data)) return;
  throw new InvalidRequestError(
    `${field}: a string is taken for a path, and this is none: give content as bytes (Buffer.from(text))`,
    { field },
  );
}

import { InvalidRequestError } from '../errors.js';
import type { ContentFile } from './models/index.js';

/** Files up to this many bytes are supported (contract: Limits). */
const maxContentSize = 1024 * 1024;

/**
 * The bytes of a file from `contents.get` or `contents.getReadme`.
 * @throws {InvalidRequestError} content that is not whole: another encoding than Base64, a length
 * other than `size`, a file over 1 MB. `contents.getRaw` streams such files.
 */
export function contentBytes(file: ContentFile): Buffer {
  const refuse = (why: string) =>
    new InvalidRequestError(`content of ${file.path}: ${why}; use contents.getRaw`, 'content');
  if (file.size > maxContentSize) throw refuse(`${file.size} bytes are over the limit of 1 MB`);
  if (file.encoding !== 'base64') throw refuse(`it is encoded as ${JSON.stringify(file.encoding)}`);
  const bytes = decodeBase64(file.content);
  if (!bytes) throw refuse('it is not valid Base64');
  if (bytes.length !== file.size) {
    throw refuse(`${bytes.length} bytes came, but its size is ${file.size}`);
  }
  return bytes;
}

/**
 * The text of a UTF-8 file from `contents.get` or `contents.getReadme`, without its byte-order mark.
 * @throws {InvalidRequestError} as {@link contentBytes}, and for bytes that are not UTF-8.
 */
export function contentText(file: ContentFile): string {
  const bytes = contentBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidRequestError(
      `content of ${file.path}: it is not UTF-8 text; use contentBytes`,
      'content',
      { cause },
    );
  }
}

/** Base64 with line breaks and padding (RFC 4648), strictly; undefined where it is not. */
export function decodeBase64(text: string): Buffer | undefined {
  const packed = text.replace(/[\r\n]/g, '');
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return undefined;
  return Buffer.from(packed, 'base64');
}

/** What `contents.create` sends: bytes are encoded, Base64 text goes as it is. */
export function encodeContent(content: string | Uint8Array): string {
  if (typeof content === 'string') return content;
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64');
}

import { InvalidRequestError } from '../../errors/index.js';
import { type Rule, rule } from '../../transport/request/input.js';
import type { ContentFile } from '../models/index.js';

/** Files up to this many bytes are supported. */
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

/** Base64 that exists already, as of `contents.get`; line breaks may stand in it. */
export interface Base64Content {
  /** The text of the encoded bytes. */
  readonly base64: string;
}

/** What a file shall hold: a string is text, sent as UTF-8; a `Uint8Array` is bytes; `{ base64 }` is Base64. */
export type NewContent = string | Uint8Array | Base64Content;

export const newContent: Rule = rule(
  'text as a string, bytes as a Uint8Array, or { base64 } with valid Base64',
  (value) =>
    typeof value === 'string'
      ? value.isWellFormed()
      : value instanceof Uint8Array || isBase64Content(value),
);

function isBase64Content(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('base64' in value)) return false;
  const { base64, ...others } = value;
  return (
    typeof base64 === 'string' &&
    decodeBase64(base64) !== undefined &&
    Object.keys(others).length === 0
  );
}

/** @throws {InvalidRequestError} more bytes than the service takes. */
export function checkNewContent(operation: string, content: NewContent): void {
  const { length } = bytesOf(content);
  if (length <= maxContentSize) return;
  throw new InvalidRequestError(
    `${operation}: content: expected at most 1 MB (${maxContentSize} bytes), got ${length} bytes`,
    'content',
  );
}

/** What `contents.create` sends. */
export function encodeContent(content: NewContent): string {
  return bytesOf(content).toString('base64');
}

function bytesOf(content: NewContent): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content.base64, 'base64');
}

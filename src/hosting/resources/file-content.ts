import { InvalidRequestError } from '../../errors/index.js';
import { formatCount, isRecord } from '../../schema/unknown-values.js';
import { createInputError, type Rule, rule } from '../../transport/request/input.js';
import type { ContentFile } from '../models/index.js';

/** Maximum size in bytes of a file that is sent as JSON. */
const maxContentSize = 1024 * 1024;

/**
 * Returns the bytes of a file from `contents.get` or `contents.getReadme`.
 * @throws {InvalidRequestError} if the content isn't valid Base64, its length differs from `size`,
 * or the file is larger than 1 MiB. Use `contents.getRaw` for such files.
 */
export function contentBytes(file: ContentFile): Buffer {
  const refuse = (why: string) =>
    new InvalidRequestError(`content of ${file.path}: must ${why}. Use contents.getRaw.`, {
      field: 'content',
    });
  if (file.size > maxContentSize) throw refuse(`be at most 1 MiB (got ${file.size} bytes)`);
  if (file.encoding !== 'base64') {
    throw refuse(`be encoded in Base64 (got encoding ${JSON.stringify(file.encoding)})`);
  }
  const bytes = decodeBase64(file.content ?? '');
  if (bytes?.length === file.size) return bytes;
  throw refuse(`be valid Base64 of ${formatCount(file.size, 'byte')}, as size specifies`);
}

/**
 * Returns the text of a UTF-8 file from `contents.get` or `contents.getReadme`, without a
 * byte-order mark.
 * @throws {InvalidRequestError} under the same conditions as {@link contentBytes}, or if the bytes
 * aren't UTF-8.
 */
export function contentText(file: ContentFile): string {
  const bytes = contentBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidRequestError(`content of ${file.path}: must be UTF-8. Use contentBytes.`, {
      field: 'content',
      cause,
    });
  }
}

/**
 * Decodes Base64 with padding and optional line breaks (RFC 4648). Returns undefined if the text is
 * invalid.
 */
function decodeBase64(text: string): Buffer | undefined {
  const packed = text.replace(/[\r\n]/g, '');
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return undefined;
  return Buffer.from(packed, 'base64');
}

/** File content as text, sent as UTF-8. */
export interface TextContent {
  /** Text of the file. */
  readonly text: string;
  readonly base64?: undefined;
}

/** File content in Base64, as the API returns it. */
export interface Base64Content {
  /** Base64 with padding (RFC 4648 section 4). Line breaks are ignored. */
  readonly base64: string;
  readonly text?: undefined;
}

/**
 * Content of a file: `{ text }`, `{ base64 }` or bytes. A plain string is ambiguous, so it is
 * rejected.
 */
export type NewContent = TextContent | Base64Content | Uint8Array;

export const newContent: Rule = {
  ...rule(
    '{ text }, { base64 } with valid Base64, or bytes (Uint8Array)',
    (value) => value instanceof Uint8Array || (isRecord(value) && isTextOrBase64(value)),
    { type: 'string', contentEncoding: 'base64' },
  ),
  type: 'object',
  remedy: 'Pass a string as { text } or { base64 }.',
};

function isTextOrBase64({ text, base64, ...others }: Record<string, unknown>): boolean {
  if (Object.keys(others).length > 0) return false;
  if (base64 === undefined) return typeof text === 'string' && text.isWellFormed();
  return text === undefined && typeof base64 === 'string' && decodeBase64(base64) !== undefined;
}

/**
 * Checks the size of new content.
 * @throws {InvalidRequestError} if the content is larger than the service accepts.
 */
export function checkNewContent(operation: string, content: NewContent): void {
  const { length } = toBytes(content);
  if (length <= maxContentSize) return;
  const why = `must be at most ${maxContentSize} bytes (got ${length} bytes)`;
  throw createInputError('content', why, operation);
}

/** Encodes content as Base64 for `contents.create` and `contents.update`. */
export function encodeContent(content: NewContent): string {
  return toBytes(content).toString('base64');
}

function toBytes(content: NewContent): Buffer {
  if (content instanceof Uint8Array) {
    return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }
  const { text, base64 } = content;
  return text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
}

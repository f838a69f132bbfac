import { InvalidRequestError } from '../../errors/index.js';
import { formatCount, isRecord } from '../../schema/unknown-values.js';
import { type Rule, rule } from '../../transport/request/input.js';
import type { ContentFile } from '../models/index.js';

/**
 * Returns the bytes of a file from `contents.get` or `contents.getReadme`.
 * @throws {InvalidRequestError} if the content isn't valid Base64, or its length differs from `size`,
 * as for files over 1 MiB. Use `contents.getRaw` for such files.
 */
export function contentBytes(file: ContentFile): Buffer {
  const refuse = (why: string) =>
    new InvalidRequestError(`content of ${file.path}: must ${why}. Use contents.getRaw.`, {
      field: 'content',
    });
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

/**
 * Content of a file: text, which is sent as UTF-8, Base64 as the API returns it, or bytes. A plain
 * string is ambiguous, so it is rejected.
 */
export type NewContent = { readonly text: string } | { readonly base64: string } | Uint8Array;

export const newContent: Rule = {
  ...rule(
    '{ text }, { base64 } with valid Base64, or bytes (Uint8Array)',
    (value) => value instanceof Uint8Array || (isRecord(value) && isTextOrBase64(value)),
    { type: 'string', contentEncoding: 'base64' },
  ),
  type: 'object',
  remedy: 'Pass a string as { text } or { base64 }.',
};

function isTextOrBase64(content: Record<string, unknown>): boolean {
  const [[name, value] = [], ...others] = Object.entries(content);
  if (others.length > 0 || typeof value !== 'string') return false;
  return name === 'text'
    ? value.isWellFormed()
    : name === 'base64' && decodeBase64(value) !== undefined;
}

/** Encodes content as Base64 for `contents.create` and `contents.update`. */
export function encodeContent(content: NewContent): string {
  if ('base64' in content) return Buffer.from(content.base64, 'base64').toString('base64');
  return Buffer.from('text' in content ? content.text : content).toString('base64');
}

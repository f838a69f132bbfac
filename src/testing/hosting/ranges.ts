import { createReply, type Reply } from '../reply.js';

export interface Ranged {
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
  /** Strong entity tag, including the quotes. */
  readonly etag: string;
  /** Additional headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Responds with the content or the requested range (RFC 9110, section 14). Ignores requests for
 * multiple ranges.
 */
export function ranged(
  { method, headers }: Request,
  { contentType, content, etag, headers: others }: Ranged,
): Reply {
  const fields = { ...others, etag, 'accept-ranges': 'bytes' };
  const condition = headers.get('if-range');
  const requested = /^bytes=(\d*)-(\d*)$/i.exec(headers.get('range') ?? '');
  const serves = method === 'GET' && (condition === null || condition === etag);
  const [, from = '', to = ''] = requested ?? [];
  // A range that ends before it starts is invalid, so it is ignored.
  const isRange = from === '' ? to !== '' : to === '' || Number(to) >= Number(from);
  if (!serves || !isRange) return createReply(200, contentType, content, fields);
  const size = content.length;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    return createReply(416, contentType, '', { ...fields, 'content-range': `bytes */${size}` });
  }
  const range = `bytes ${first}-${last}/${size}`;
  const part = content.subarray(first, last + 1);
  return createReply(206, contentType, part, { ...fields, 'content-range': range });
}

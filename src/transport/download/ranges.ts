import type { ResponseInfo } from '../../response-info.js';
import { formatCount } from '../../schema/unknown-values.js';

/** Description of a file, from the download's first response. */
export interface CompleteFile {
  readonly response: ResponseInfo;
  /** Size in bytes. Undefined if the server doesn't report it, or the body has a content coding. */
  readonly size: number | undefined;
  /** Validator that changes with the file. Undefined if the rest of the file can't be requested. */
  readonly validator: string | undefined;
}

/**
 * Part of a file to request, from an offset to the end. The validator identifies the file's
 * version.
 */
export interface FileRange {
  readonly from: number;
  readonly validator: string;
}

/**
 * Describes the file in a response.
 * @param former description from an earlier response. If its validator is the same, the file hasn't
 * changed.
 */
export function describeFile(response: ResponseInfo, former?: CompleteFile): CompleteFile {
  const { headers } = response;
  if (isCoded(headers)) return { response, size: undefined, validator: undefined };
  const validator = chooseValidator(headers);
  const length = headers['content-length'];
  if (length !== undefined) return { response, size: Number(length), validator };
  const isSame = validator !== undefined && validator === former?.validator;
  return { response, size: isSame ? former.size : undefined, validator };
}

/**
 * Returns whether the body has a content coding. Byte ranges refer to the encoded body, but the
 * file contains decoded bytes.
 */
function isCoded(headers: ResponseInfo['headers']): boolean {
  return !/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? '');
}

/**
 * Returns the validator for `If-Range`, which is a strong `ETag` (RFC 9110 section 13.1.5).
 * `Last-Modified` isn't reliable, because it has a resolution of one second, and copying a file can
 * set an earlier time.
 */
function chooseValidator({ etag, ...headers }: ResponseInfo['headers']): string | undefined {
  if (/^none$/i.test(headers['accept-ranges']?.trim() ?? '')) return undefined;
  return etag !== undefined && /^"[!#-~]*"$/.test(etag) ? etag : undefined;
}

/**
 * Returns headers that request the rest of the file or the whole file. The headers request an
 * unencoded body, because byte ranges refer to the encoded body.
 */
export function createRangeHeaders(rest: FileRange | undefined): (readonly [string, string])[] {
  const identity = ['accept-encoding', 'identity'] as const;
  if (!rest) return [identity];
  return [identity, ['range', `bytes=${rest.from}-`], ['if-range', rest.validator]];
}

/**
 * Checks that a 206 contains exactly the remaining bytes and that the file hasn't changed.
 * @returns the size of the whole file, or the problem.
 */
export function checkRange(
  { headers, url }: ResponseInfo,
  { from, validator }: FileRange,
  whole: CompleteFile,
): number | string {
  const given = headers['content-range'] ?? '';
  const [first, last, size = -1] =
    /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(given.trim())?.slice(1).map(Number) ?? [];
  const isRest =
    first === from &&
    first < size &&
    last === size - 1 &&
    (whole.size === undefined || whole.size === size);
  if (!isRest || !Number.isSafeInteger(size)) {
    return `Content-Range is ${given === '' ? 'missing' : `'${given}'`}`;
  }
  // A 206 must have the ETag that a 200 would have (RFC 9110 section 15.3.7).
  const { etag } = headers;
  if (etag !== validator) return `ETag is ${etag ?? 'missing'}, but was ${validator}`;
  // An ETag is unique only among the versions of one resource, and redirects may lead to another
  // resource. The query is ignored, because it changes in signed URLs.
  if (parsePath(url) !== parsePath(whole.response.url)) return 'the response has a different URL';
  if (isCoded(headers)) return 'the response has a Content-Encoding';
  // A body with a different length isn't the requested part, and a later resume would hide the
  // mistake.
  const length = headers['content-length'];
  const isWhole = length === undefined || Number(length) === size - from;
  return isWhole
    ? size
    : `Content-Length is ${length}, but the rest of the file has ${formatCount(size - from, 'byte')}`;
}

function parsePath(url: string): string {
  return url.replace(/[?#].*/s, '');
}

/**
 * Detects a response that contains only part of a file, although the status indicates a complete
 * file. Some servers send such responses.
 * @param former description from an earlier response, if this response should contain the rest.
 * @returns the problem. Undefined if there is none.
 */
export function detectPart(
  response: ResponseInfo,
  former: CompleteFile | undefined,
): string | undefined {
  const given = response.headers['content-range'] ?? '';
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(given.trim());
  if (range) {
    const [, first, last, size] = range.map(Number);
    const isAll = first === 0 && !(Number(last) + 1 < Number(size));
    if (!isAll) return `Content-Range is '${given}'`;
  }
  const { validator, size } = describeFile(response);
  const isSame = validator !== undefined && validator === former?.validator;
  if (!isSame || size === undefined || former.size === undefined || size === former.size) return;
  return `Content-Length is ${size}, but was ${former.size} for the same ETag`;
}

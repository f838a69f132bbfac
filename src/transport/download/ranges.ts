import type { ResponseInfo } from '../../response-info.js';

/** A file as described by the response that it started with. */
export interface Whole {
  readonly response: ResponseInfo;
  /** Size in bytes. Undefined if the server doesn't report it, or the body has a content coding. */
  readonly size: number | undefined;
  /** Validator that changes with the file; undefined if the rest can't be requested. */
  readonly validator: string | undefined;
}

/** A part to request: the bytes from an offset on, of the file version with a validator. */
export interface Rest {
  readonly from: number;
  readonly validator: string;
}

/**
 * Describes the file in a response.
 * @param former what an earlier response reported. With the same validator, it is the same file.
 */
export function describeWhole(response: ResponseInfo, former?: Whole): Whole {
  const { headers } = response;
  if (isCoded(headers)) return { response, size: undefined, validator: undefined };
  const validator = chooseValidator(headers);
  const length = headers['content-length'];
  if (length !== undefined) return { response, size: Number(length), validator };
  const isSame = validator !== undefined && validator === former?.validator;
  return { response, size: isSame ? former.size : undefined, validator };
}

/** Whether the body has a content coding. Ranges count coded bytes, but the file contains decoded ones. */
function isCoded(headers: ResponseInfo['headers']): boolean {
  return !/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? '');
}

/**
 * Returns a validator for `If-Range`: a strong `ETag` (RFC 9110 section 13.1.5). A `Last-Modified` isn't
 * reliable: it has whole seconds, and tools that copy files set it back.
 */
function chooseValidator({ etag, ...headers }: ResponseInfo['headers']): string | undefined {
  if (/^none$/i.test(headers['accept-ranges']?.trim() ?? '')) return undefined;
  return etag !== undefined && /^"[!#-~]*"$/.test(etag) ? etag : undefined;
}

/** Headers that request a part or the whole file, without a content coding: ranges count coded bytes. */
export function rangeFields(rest: Rest | undefined): (readonly [string, string])[] {
  const identity = ['accept-encoding', 'identity'] as const;
  if (!rest) return [identity];
  return [identity, ['range', `bytes=${rest.from}-`], ['if-range', rest.validator]];
}

/**
 * Checks that a 206 is exactly the requested rest of the same file.
 * @returns the size of the whole file, or the problem.
 */
export function sizeByRest(
  { headers, url }: ResponseInfo,
  { from, validator }: Rest,
  whole: Whole,
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
  // Required of every 206 if a 200 has one (RFC 9110, 15.3.7).
  const { etag } = headers;
  if (etag !== validator) return `ETag is ${etag ?? 'missing'} and was ${validator}`;
  // An ETag is unique among the versions of one resource, and redirects may lead to others. The query
  // is left out: in a signed URL it changes.
  if (parsePath(url) !== parsePath(whole.response.url)) return 'it has another URL';
  if (isCoded(headers)) return 'it has a content coding';
  // A body of another length starts elsewhere, or ends elsewhere: a later resume would hide that.
  const length = headers['content-length'];
  const isWhole = length === undefined || Number(length) === size - from;
  return isWhole ? size : `Content-Length is ${length} for ${size - from} bytes`;
}

function parsePath(url: string): string {
  return url.replace(/[?#].*/s, '');
}

/**
 * Recognizes a part of a file that has the status of all of it, as some servers send it.
 * @param former what an earlier response reported, if this one should be the rest.
 * @returns the problem; undefined if there is none.
 */
export function partIn(response: ResponseInfo, former: Whole | undefined): string | undefined {
  const given = response.headers['content-range'] ?? '';
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(given.trim());
  if (range) {
    const [, first, last, size] = range.map(Number);
    const isAll = first === 0 && !(Number(last) + 1 < Number(size));
    if (!isAll) return `Content-Range is '${given}'`;
  }
  const { validator, size } = describeWhole(response);
  const isSame = validator !== undefined && validator === former?.validator;
  if (!isSame || size === undefined || former.size === undefined || size === former.size) return;
  return `Content-Length is ${size} and was ${former.size}, for the same ETag`;
}

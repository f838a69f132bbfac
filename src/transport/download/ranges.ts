import type { ResponseInfo } from '../../response-info.js';
import { parseHttpDate } from '../http/header-fields.js';

/** A file as the answer that it began with told of it. */
export interface Whole {
  readonly response: ResponseInfo;
  /** Bytes in all; undefined where the server does not say, or they come in a coding. */
  readonly size: number | undefined;
  /** Tells whether it is still the same; undefined where the rest can't be asked for. */
  readonly validator: string | undefined;
}

/** A part to be asked for: what comes from this byte on, of the file that this validator is of. */
export interface Rest {
  readonly from: number;
  readonly validator: string;
}

/** What an answer tells of the file that it holds. */
export function wholeOf(response: ResponseInfo): Whole {
  const { headers } = response;
  const coded = isCoded(headers);
  const length = headers['content-length'];
  return {
    response,
    size: coded || length === undefined ? undefined : Number(length),
    validator: coded ? undefined : validatorOf(headers),
  };
}

/** Ranges are those of coded bytes, and what is written is decoded. */
function isCoded(headers: ResponseInfo['headers']): boolean {
  return !/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? '');
}

/** A validator that `If-Range` takes: a strong one (RFC 9110, 13.1.5). */
function validatorOf(headers: ResponseInfo['headers']): string | undefined {
  if (/^none$/i.test(headers['accept-ranges']?.trim() ?? '')) return undefined;
  const { etag } = headers;
  if (etag !== undefined) return /^"[!#-~]*"$/.test(etag) ? etag : undefined;
  const changed = headers['last-modified'];
  const changedAt = parseHttpDate(changed ?? '');
  const sentAt = parseHttpDate(headers.date ?? '');
  // Of a file that was changed within this very second, two versions may have the one date (8.8.2.2).
  const isStrong = changedAt !== undefined && sentAt !== undefined && sentAt - changedAt >= 1000;
  return isStrong ? changed : undefined;
}

/** The header fields that ask for a part, or for all; without a coding, as ranges count coded bytes. */
export function rangeFields(rest: Rest | undefined): (readonly [string, string])[] {
  const identity = ['accept-encoding', 'identity'] as const;
  if (!rest) return [identity];
  return [identity, ['range', `bytes=${rest.from}-`], ['if-range', rest.validator]];
}

/** Why a 206 is not what was asked for: exactly the rest of the same file. */
export function mismatchOf(
  { headers }: ResponseInfo,
  { from, validator }: Rest,
  whole: Whole,
): string | undefined {
  const given = headers['content-range'] ?? '';
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(given.trim()) ?? [];
  const isRest =
    Number(first) === from &&
    Number(last) === Number(size) - 1 &&
    (whole.size === undefined || whole.size === Number(size));
  if (!isRest) return `Content-Range is ${given === '' ? 'missing' : `'${given}'`}`;
  const { etag } = headers;
  if (validator.startsWith('"') && etag !== undefined && etag !== validator) {
    return `ETag is ${etag} and was ${validator}`;
  }
  return isCoded(headers) ? 'it is in a content coding' : undefined;
}

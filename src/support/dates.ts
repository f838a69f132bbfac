import { describeKind, showValue } from '../schema/unknown-values.js';
import { createInputError } from '../transport/request/input.js';

/**
 * Accepted formats: the API's format (`yyyy-MM-ddTHH:mm:ss±hhmm`) and ISO 8601 with a time and an
 * offset.
 */
const format =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))$/;

/** Date in the API's format. */
const ofApi = /^[^.,Z]+[+-]\d{4}$/;

const expectation =
  'must be a date with a time and an offset, such as 2015-02-20T16:32:51-0300 or 2015-02-20T19:32:51Z';

interface Parts {
  /** Time in milliseconds since the epoch. */
  readonly time: number;
  /** UTC offset in minutes. */
  readonly offset: number;
}

/**
 * Parses a date in the support API's format, or an ISO 8601 date with a time and an offset.
 * @throws {InvalidRequestError} if the format is invalid or the date doesn't exist (such as
 * February 30 or 25:00).
 */
export function parseSupportDate(text: string): Date {
  return new Date(parseParts(text).time);
}

/**
 * Returns the UTC offset of a support API date in minutes, for example -180 for `-0300`.
 * @throws {InvalidRequestError} if the format is invalid or the date doesn't exist.
 */
export function supportOffset(text: string): number {
  return parseParts(text).offset;
}

/**
 * Formats a date for the support API. A string in the API's format is validated and returned
 * unchanged. An ISO 8601 string keeps its offset and loses fractions of a second. A date without a
 * time or an offset is rejected, because its meaning depends on the time zone.
 * @param options.offset UTC offset in minutes, from -1439 to 1439. Default: 0 (`+0000`).
 * @throws {InvalidRequestError} if the `Date` or the format is invalid, or the year is outside 0000
 * to 9999.
 */
export function formatSupportDate(
  value: Date | string,
  options: { readonly offset?: number | undefined } = {},
): string {
  if (typeof value === 'string') {
    const { time, offset } = parseParts(value);
    return ofApi.test(value) ? value : formatSupportDate(new Date(time), { offset });
  }
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw createInputError('date', `${expectation}, or a valid Date (got ${describeKind(value)})`);
  }
  const { offset = 0 } = options;
  if (!Number.isInteger(offset) || Math.abs(offset) >= 24 * 60) {
    throw createInputError(
      'offset',
      `must be a whole number of minutes from -1439 to 1439 (got ${showValue(offset)})`,
    );
  }
  const shifted = new Date(value.getTime() + offset * 60_000);
  const year = Number.isNaN(shifted.getTime()) ? -1 : shifted.getUTCFullYear();
  if (year < 0 || year > 9999) {
    throw createInputError(
      'date',
      `must be in a year from 0000 to 9999 (got ${value.toISOString()})`,
    );
  }
  const minutes = Math.abs(offset);
  const digits = (number: number) => String(number).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}${digits(minutes % 60)}`;
  return shifted.toISOString().slice(0, 19) + zone;
}

/** Returns whether {@link formatSupportDate} accepts a value. */
export function isSupportDate(value: unknown): boolean {
  try {
    // `as`: values of other types are rejected.
    formatSupportDate(value as Date | string);
    return true;
  } catch {
    return false;
  }
}

function parseParts(text: string): Parts {
  const match = typeof text === 'string' ? format.exec(text) : null;
  if (!match) throw createInputError('date', `${expectation} (got ${showValue(text)})`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real =
    // `Date` rolls invalid days over (Feb 30 becomes Mar 2).
    date.getUTCMonth() === month - 1 &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    Number(match[9] ?? 0) < 24 &&
    Number(match[10] ?? 0) < 60;
  if (!real)
    throw createInputError(
      'date',
      `must be an existing date and time with a valid offset (got ${showValue(text)})`,
    );
  const sign = match[8] === '-' ? -1 : 1;
  const offset = sign * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0));
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const seconds = (hour * 60 + minute) * 60 + second;
  const time = date.getTime() + seconds * 1000 + fraction - offset * 60_000;
  return { time, offset: offset === 0 ? 0 : offset };
}

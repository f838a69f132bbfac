import { describeKind, showValue } from '../schema/unknown-values.js';
import { createInputError } from '../transport/request/input.js';

/**
 * Accepted formats: the API's format (`yyyy-MM-ddTHH:mm:ss±hhmm`) and ISO 8601 with a time and an
 * offset.
 */
const format = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))$/;

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
    const why = `must be a whole number of minutes from -1439 to 1439 (got ${showValue(offset)})`;
    throw createInputError('offset', why);
  }
  const shifted = new Date(value.getTime() + offset * 60_000);
  const year = Number.isNaN(shifted.getTime()) ? -1 : shifted.getUTCFullYear();
  if (year < 0 || year > 9999) {
    const why = `must be in a year from 0000 to 9999 (got ${value.toISOString()})`;
    throw createInputError('date', why);
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
  const [, local = '', fraction = '', sign, hours = '0', minutes = '0'] = match;
  const date = new Date(`${local}Z`);
  const isReal =
    // `Date` rolls invalid days over (Feb 30 becomes Mar 2).
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(local) &&
    Number(hours) < 24 &&
    Number(minutes) < 60;
  if (!isReal) {
    const why = `must be an existing date and time with a valid offset (got ${showValue(text)})`;
    throw createInputError('date', why);
  }
  const distance = Number(hours) * 60 + Number(minutes);
  const offset = sign === '-' && distance > 0 ? -distance : distance;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  return { time: date.getTime() + ms - offset * 60_000, offset };
}

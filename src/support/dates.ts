import { describeKind, showValue } from '../schema/unknown-values.js';
import { createInputError } from '../transport/request/input.js';

/**
 * Accepted formats: the API's format (`yyyy-MM-ddTHH:mm:ss±hhmm`) and ISO 8601 with a time and an
 * offset.
 */
const format = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-]\d{2}):?(\d{2}))$/;

const expectation =
  'must be a date with a time and an offset, such as 2015-02-20T16:32:51-0300 or 2015-02-20T19:32:51Z';

/**
 * Parses a date in the support API's format, or an ISO 8601 date with a time and an offset.
 * @throws {InvalidRequestError} if the format is invalid or the date doesn't exist (such as
 * February 30 or 25:00).
 */
export function parseSupportDate(text: string): Date {
  return parse(text).date;
}

/**
 * Formats a date for the support API. A `Date` gets the offset `+0000`. An ISO 8601 string keeps its
 * offset and loses fractions of a second. A string without a time or an offset is rejected, because
 * its meaning depends on the time zone.
 * @throws {InvalidRequestError} if the `Date` or the format is invalid, or the year is outside 0000
 * to 9999.
 */
export function formatSupportDate(value: Date | string): string {
  if (typeof value === 'string') return parse(value).formatted;
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw createInputError('date', `${expectation}, or a valid Date (got ${describeKind(value)})`);
  }
  const text = value.toISOString();
  if (/^\d{4}-/.test(text)) return `${text.slice(0, 19)}+0000`;
  throw createInputError('date', `must be in a year from 0000 to 9999 (got ${text})`);
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

function parse(text: string): { readonly date: Date; readonly formatted: string } {
  const match = typeof text === 'string' ? format.exec(text) : null;
  if (!match) throw createInputError('date', `${expectation} (got ${showValue(text)})`);
  const [, local = '', fraction = '', hours = '+00', minutes = '00'] = match;
  // `Date` rolls invalid days over (Feb 30 becomes Mar 2).
  const utc = new Date(`${local}Z`);
  const isReal = !Number.isNaN(utc.getTime()) && utc.toISOString().startsWith(local);
  const ms = fraction.padEnd(3, '0').slice(0, 3);
  const date = new Date(`${local}.${ms}${hours}:${minutes}`);
  if (isReal && !Number.isNaN(date.getTime())) return { date, formatted: local + hours + minutes };
  const why = `must be an existing date and time with a valid offset (got ${showValue(text)})`;
  throw createInputError('date', why);
}

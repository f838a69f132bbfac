import { invalidInput } from '../transport/request/input.js';

/** `yyyy-MM-ddTHH:mm:ss±hhmm`. */
const format = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})([+-])(\d{2})(\d{2})$/;

const expectation = 'expected a date like 2015-02-20T16:32:51-0300';

interface Parts {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Minutes ahead of UTC. */
  readonly offset: number;
}

/** A date of the support API. @throws {InvalidRequestError} another format, or no real date (30 February, 25 o'clock). */
export function parseSupportDate(text: string): Date {
  return new Date(partsOf(text).time);
}

/** Minutes that a date of the support API is ahead of UTC: -180 for `-0300`. @throws {InvalidRequestError} */
export function supportOffset(text: string): number {
  return partsOf(text).offset;
}

/**
 * Writes a date as the support API wants it. A string in its format is checked and returned as it is.
 * @param options.offset minutes ahead of UTC, from -1439 to 1439. Default 0: `+0000`.
 * @throws {InvalidRequestError} an invalid `Date`, a year beyond 9999, another format.
 */
export function formatSupportDate(
  value: Date | string,
  options: { readonly offset?: number | undefined } = {},
): string {
  if (typeof value === 'string') {
    partsOf(value);
    return value;
  }
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw invalidInput('date', `${expectation}, or a valid Date`);
  }
  const { offset = 0 } = options;
  if (!Number.isInteger(offset) || Math.abs(offset) >= 24 * 60) {
    throw invalidInput('offset', 'expected whole minutes from -1439 to 1439');
  }
  const shifted = new Date(value.getTime() + offset * 60_000);
  const year = Number.isNaN(shifted.getTime()) ? -1 : shifted.getUTCFullYear();
  if (year < 0 || year > 9999) throw invalidInput('date', 'expected a year from 0000 to 9999');
  const minutes = Math.abs(offset);
  const digits = (number: number) => String(number).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}${digits(minutes % 60)}`;
  return shifted.toISOString().slice(0, 19) + zone;
}

/** Whether {@link formatSupportDate} takes a value. */
export function isSupportDate(value: unknown): boolean {
  try {
    // `as`: what is neither is refused.
    formatSupportDate(value as Date | string);
    return true;
  } catch {
    return false;
  }
}

function partsOf(text: string): Parts {
  const match = typeof text === 'string' ? format.exec(text) : null;
  if (!match) throw invalidInput('date', expectation);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real =
    // A day that the month does not have is one of another month.
    date.getUTCMonth() === month - 1 &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    Number(match[8]) < 24 &&
    Number(match[9]) < 60;
  if (!real) throw invalidInput('date', `${expectation}, and there is no such time`);
  const sign = match[7] === '-' ? -1 : 1;
  const offset = sign * (Number(match[8]) * 60 + Number(match[9]));
  const time = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 - offset * 60_000;
  return { time, offset: offset === 0 ? 0 : offset };
}

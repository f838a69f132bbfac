import { describe, expect, test } from 'vitest';
import {
  parseHttpDate,
  parseReset,
  parseRetryAfter,
} from '../../../../src/transport/http/headers.js';

const now = Date.UTC(2015, 5, 1, 12);

describe('parseHttpDate()', () => {
  const expected = Date.UTC(1994, 10, 6, 8, 49, 37);
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT'],
    ['Sunday, 06-Nov-94 08:49:37 GMT'],
    ['Sun Nov  6 08:49:37 1994'],
  ])('parseHttpDate() accepts the HTTP date %s', (text) => {
    expect(parseHttpDate(text)).toBe(expected);
  });

  test('parseHttpDate() accepts leap days', () => {
    expect(parseHttpDate('Mon, 29 Feb 2016 00:00:00 GMT')).toBe(Date.UTC(2016, 1, 29));
  });

  test.each([
    [''],
    ['tomorrow'],
    ['2015-06-01T12:00:00Z'],
    ['Sun, 06 Nov 1994 25:49:37 GMT'],
    ['Sun, 06 Nov 1994 08:60:37 GMT'],
    ['Sun, 06 Nov 1994 08:49:37 CET'],
    ['Sun, 06 Nov 1994 08:49:37 GMT'.repeat(50)],
  ])('parseHttpDate() rejects the HTTP date %j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });

  test.each([
    ['parses the first second of a day', 'Sun, 06 Nov 1994 00:00:00 GMT', Date.UTC(1994, 10, 6)],
    [
      'parses the last second of a day',
      'Sun, 06 Nov 1994 23:59:59 GMT',
      Date.UTC(1994, 10, 6, 23, 59, 59),
    ],
    ['rejects second 61', 'Sun, 06 Nov 1994 23:59:61 GMT', undefined],
    ['rejects hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT', undefined],
    ['rejects minute 60', 'Sunday, 06-Nov-94 08:60:00 GMT', undefined],
    ['rejects second 99', 'Sun Nov  6 08:49:99 1994', undefined],
    ['rejects day 0', 'Sun, 00 Nov 1994 08:49:37 GMT', undefined],
    ['rejects day 99', 'Sun, 99 Nov 1994 08:49:37 GMT', undefined],
    [
      'parses the longest valid date',
      'Wednesday, 07-Sep-94 08:49:37 GMT',
      Date.UTC(1994, 8, 7, 8, 49, 37),
    ],
    ['rejects trailing text', 'Sun, 06 Nov 1994 08:49:37 GMT, and more', undefined],
    ['rejects leading text', 'on Sun, 06 Nov 1994 08:49:37 GMT', undefined],
  ])('parseHttpDate() %s (%s)', (_name, text, expected) => {
    expect(parseHttpDate(text)).toBe(expected);
  });
});

describe('parseRetryAfter()', () => {
  test.each([
    ['120', undefined, 120_000],
    [' 0 ', undefined, 0],
    ['Mon, 01 Jun 2015 12:00:30 GMT', undefined, 30_000],
    ['Mon, 01 Jun 2015 11:00:00 GMT', undefined, 0],
    // The server's clock is an hour behind, so only the difference between the two dates matters.
    ['Mon, 01 Jun 2015 11:00:30 GMT', 'Mon, 01 Jun 2015 11:00:00 GMT', 30_000],
    ['Mon, 01 Jun 2015 12:00:30 GMT', 'garbage', 30_000],
    ['-5', undefined, undefined],
    ['1.5', undefined, undefined],
    ['1e3', undefined, undefined],
    // Also returns a wait beyond the maximum, so the call fails instead of ignoring the wait.
    ['9'.repeat(400), undefined, 2 ** 31 * 1000],
    ['2147483649', undefined, 2 ** 31 * 1000],
    ['\uff11', undefined, undefined],
    ['1 2', undefined, undefined],
    ['', undefined, undefined],
    ['soon', undefined, undefined],
    [undefined, undefined, undefined],
  ])('parses the Retry-After header %j with the Date header %j as %j', (value, date, expected) => {
    expect(parseRetryAfter({ 'retry-after': value, date }, now)).toBe(expected);
  });
});

test.each([
  ['1372700873', new Date(1372700873000)],
  ['0', new Date(0)],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  // The last second of the year 9999 and the next second.
  ['253402300799', new Date('9999-12-31T23:59:59Z')],
  ['253402300800', undefined],
  [undefined, undefined],
])('parseReset() parses %j as %j', (value, expected) => {
  expect(parseReset({ 'x-ratelimit-reset': value })).toEqual(expected);
});

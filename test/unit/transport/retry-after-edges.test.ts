import { describe, expect, test } from 'vitest';
import { parseHttpDate, parseResetHeader } from '../../../src/transport/retry-after.js';

describe('an HTTP date', () => {
  test.each([
    ['the first second of a day', 'Sun, 06 Nov 1994 00:00:00 GMT', Date.UTC(1994, 10, 6)],
    ['the last', 'Sun, 06 Nov 1994 23:59:59 GMT', Date.UTC(1994, 10, 6, 23, 59, 59)],
    ['a leap second', 'Sun, 06 Nov 1994 23:59:60 GMT', Date.UTC(1994, 10, 7)],
    ['one past a leap second', 'Sun, 06 Nov 1994 23:59:61 GMT', undefined],
    ['an hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT', undefined],
    ['a minute 60', 'Sunday, 06-Nov-94 08:60:00 GMT', undefined],
    ['a second 99', 'Sun Nov  6 08:49:99 1994', undefined],
    ['day 0', 'Sun, 00 Nov 1994 08:49:37 GMT', undefined],
    ['day 31 of a short month', 'Sun, 31 Nov 1994 08:49:37 GMT', undefined],
    ['day 99', 'Sun, 99 Nov 1994 08:49:37 GMT', undefined],
    ['the longest form', 'Wednesday, 07-Sep-94 08:49:37 GMT', Date.UTC(1994, 8, 7, 8, 49, 37)],
    ['something after it', 'Sun, 06 Nov 1994 08:49:37 GMT, and more', undefined],
    ['something before it', 'on Sun, 06 Nov 1994 08:49:37 GMT', undefined],
  ])('with %s', (_name, text, expected) => {
    const now = Date.UTC(2015, 5, 1);
    expect(parseHttpDate(text, now)).toBe(expected);
    // A date that was read before, or refused, is no other the next time.
    expect(parseHttpDate(text, now)).toBe(expected);
  });
});

test('X-RateLimit-Reset may name the last second of the year 9999, and none after', () => {
  expect(parseResetHeader('253402300799')).toEqual(new Date('9999-12-31T23:59:59Z'));
  expect(parseResetHeader('253402300800')).toBeUndefined();
});

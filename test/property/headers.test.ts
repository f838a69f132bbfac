import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate, parseRetryAfter } from '../../src/transport/http/headers.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };
const binary = fc.string({ unit: 'binary', maxLength: 200 });

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number) => String(value).padStart(2, '0');

/** The three formats of an HTTP date (RFC 9110, section 5.6.7). */
const forms: readonly ((date: Date) => string)[] = [
  (date) => date.toUTCString(),
  (date) =>
    `${days[date.getUTCDay()]}, ${two(date.getUTCDate())}-${months[date.getUTCMonth()]}-${two(date.getUTCFullYear() % 100)} ${date.toISOString().slice(11, 19)} GMT`,
  (date) =>
    `${days[date.getUTCDay()]?.slice(0, 3)} ${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`,
];
const form = fc.constantFrom(...forms);

const span = { min: Date.UTC(2000, 0, 1), max: Date.UTC(2049, 0, 1) };
const second = fc
  .integer({ min: span.min / 1000, max: span.max / 1000 })
  .map((each) => each * 1000);

describe('parseHttpDate()', () => {
  test('parses all three formats for dates from 2000 to 2049', () => {
    fc.assert(
      fc.property(form, second, (write, time) => {
        expect(parseHttpDate(write(new Date(time)))).toBe(time);
      }),
      runs,
    );
  });

  test('returns undefined or a multiple of 1000 ms for any string', () => {
    const dateish = fc
      .tuple(form, second, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }))
      .map(([write, time, at, character]) => {
        const text = write(new Date(time));
        const place = at % text.length;
        return text.slice(0, place) + character + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(dateish, binary), (text) => {
        const time = parseHttpDate(text);
        if (time === undefined) return;
        // A date with a changed digit or weekday can still be valid. Other parsers also accept
        // these dates.
        expect(Number.isInteger(time / 1000), text).toBe(true);
        expect(text).toMatch(/^[A-Z][a-z]{2}.* \d{2}:\d{2}:\d{2} (?:GMT|\d{4})$/);
      }),
      runs,
    );
  });
});

describe('parseRetryAfter()', () => {
  test("computes the wait until a date by the server's clock", () => {
    fc.assert(
      fc.property(
        form,
        form,
        second,
        fc.integer({ min: -1e7, max: 1e7 }),
        fc.integer({ min: -86_400, max: 86_400 }),
        (write, writeDate, now, wait, skew) => {
          const serverNow = now + skew * 1000;
          const until = write(new Date(serverNow + wait * 1000));
          const date = writeDate(new Date(serverNow));
          expect(parseRetryAfter({ 'retry-after': until, date }, now)).toBe(
            Math.max(0, wait * 1000),
          );
        },
      ),
      runs,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate, parseReset, parseRetryAfter } from '../../src/transport/http/headers.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };

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
  test('parseHttpDate() parses all three formats for dates from 2000 to 2049', () => {
    fc.assert(
      fc.property(form, second, (write, time) => {
        expect(parseHttpDate(write(new Date(time)))).toBe(time);
      }),
      runs,
    );
  });

  test('parseHttpDate() returns undefined or a multiple of 1000 ms for any string', () => {
    const dateish = fc
      .tuple(form, second, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }))
      .map(([write, time, at, character]) => {
        const text = write(new Date(time));
        const place = at % text.length;
        return text.slice(0, place) + character + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(dateish, fc.string({ unit: 'binary' })), (text) => {
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
  test("parseRetryAfter() computes the wait until a date by the server's clock", () => {
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

  test('parseRetryAfter() parses a number of seconds and caps it at 2^31', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat(3), (seconds, zeros) => {
        const wait = parseRetryAfter({ 'retry-after': '0'.repeat(zeros) + String(seconds) }, 0);
        expect(wait).toBe(Number(seconds < 2n ** 31n ? seconds : 2n ** 31n) * 1000);
      }),
      runs,
    );
  });

  test('parseRetryAfter() never returns a wait that ends after the latest valid date', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-+ ]?\d{1,20}[.eE ]?\d{0,3}$/));
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), second, (value, date, now) => {
        const wait = parseRetryAfter({ 'retry-after': value, date }, now);
        if (wait === undefined) return;
        expect(value.trim()).toMatch(/^\d+$/);
        expect(new Date(now + wait).getTime()).toBe(now + wait);
      }),
      runs,
    );
  });
});

test('parseReset() accepts only whole seconds up to the year 9999', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[-+ ]?\d{1,14}(?:\.\d)?$/), fc.nat().map(String)),
      (text) => {
        const date = parseReset({ 'x-ratelimit-reset': text });
        const whole = /^\d{1,12}$/.test(text) && Number(text) < 253_402_300_800;
        expect(date?.getTime()).toBe(whole ? Number(text) * 1000 : undefined);
      },
    ),
    runs,
  );
});

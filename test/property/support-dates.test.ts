import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidRequestError } from '../../src/errors/index.js';
import { formatSupportDate, parseSupportDate, supportOffset } from '../../src/support/dates.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };

// Times in the years 0000 to 9999, with a margin of one day, so no offset leaves this range.
const time = fc.integer({
  min: Date.parse('0000-01-02T00:00:00Z') / 1000,
  max: Date.parse('9999-12-30T00:00:00Z') / 1000,
});
const offset = fc.integer({ min: -1439, max: 1439 });

describe('support API dates', () => {
  test('keep their time and offset when formatted and parsed', () => {
    fc.assert(
      fc.property(time, fc.nat(999), offset, (seconds, ms, minutes) => {
        const date = new Date(seconds * 1000 + ms);
        const text = formatSupportDate(date, { offset: minutes });
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/);
        expect(parseSupportDate(text).getTime()).toBe(seconds * 1000);
        expect(supportOffset(text)).toBe(minutes === 0 ? 0 : minutes);
        expect(formatSupportDate(text)).toBe(text);
      }),
      runs,
    );
  });

  test('parseSupportDate() agrees with Date.parse() and rejects dates that do not exist', () => {
    const two = fc.nat(99).map((value) => String(value).padStart(2, '0'));
    const year = fc.nat(9999).map((value) => String(value).padStart(4, '0'));
    const parts = fc.tuple(year, two, two, two, two, two, fc.constantFrom('+', '-'), two, two);
    // Random digits rarely form a date, so half of the cases are a valid date with one part
    // changed.
    const nearly = fc.tuple(time, offset, fc.nat(8), two).map(([seconds, minutes, at, digits]) => {
      const text = formatSupportDate(new Date(seconds * 1000), { offset: minutes });
      const match = /^(....)-(..)-(..)T(..):(..):(..)(.)(..)(..)$/.exec(text)?.slice(1) ?? [];
      return match.map((part, index) =>
        index === at && index !== 0 && index !== 6 ? digits : part,
      );
    });
    fc.assert(
      fc.property(fc.oneof(parts, nearly), (each) => {
        const [y, mo, d, h, mi, s, sign, oh, om] = each;
        const text = `${y}-${mo}-${d}T${h}:${mi}:${s}${sign}${oh}${om}`;
        const local = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
        // `Date.parse` rolls February 30 over, so only a real date is returned unchanged.
        const real =
          !Number.isNaN(local) &&
          new Date(local).toISOString().startsWith(`${y}-${mo}-${d}T${h}`) &&
          Number(oh) < 24 &&
          Number(om) < 60;
        if (!real) {
          expect(() => parseSupportDate(text), text).toThrow(InvalidRequestError);
          return;
        }
        const ahead = (Number(oh) * 60 + Number(om)) * 60_000 * (sign === '-' ? -1 : 1);
        expect(parseSupportDate(text).getTime(), text).toBe(local - ahead);
      }),
      runs,
    );
  });

  test('formatSupportDate() formats a date to the second or rejects the value', () => {
    const anyDate = fc.date({ noInvalidDate: false });
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), anyDate),
        fc.double(),
        (value, minutes) => {
          for (const options of [{}, { offset: minutes }]) {
            try {
              const text = formatSupportDate(value, options);
              if (value instanceof Date) {
                const lost = value.getTime() - parseSupportDate(text).getTime();
                expect(lost >= 0 && lost < 1000, text).toBe(true);
              }
            } catch (error) {
              if (!(error instanceof InvalidRequestError)) throw error;
            }
          }
        },
      ),
      runs,
    );
  });
});

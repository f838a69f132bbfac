import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { InvalidRequestError } from '../../src/errors/index.js';
import { formatSupportDate, parseSupportDate } from '../../src/support/dates.js';
import { writeDate } from '../../src/testing/support/dates.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };

// Times in the years 0000 to 9999, with a margin of one day, so no offset leaves this range.
const time = fc.integer({
  min: Date.parse('0000-01-02T00:00:00Z') / 1000,
  max: Date.parse('9999-12-30T00:00:00Z') / 1000,
});
const offset = fc.integer({ min: -1439, max: 1439 });

describe('support API dates', () => {
  test('support API dates keep their time and offset when formatted and parsed', () => {
    fc.assert(
      fc.property(time, fc.nat(999), offset, (seconds, ms, minutes) => {
        const date = new Date(seconds * 1000 + ms);
        const text = writeDate(date.getTime(), minutes);
        expect(parseSupportDate(text).getTime()).toBe(seconds * 1000);
        expect(formatSupportDate(text)).toBe(text);
        expect(formatSupportDate(date)).toBe(writeDate(date.getTime(), 0));
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
      const text = writeDate(seconds * 1000, minutes);
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
});

const caught = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('support date examples', () => {
  it.each([
    ['2015-02-20T19:32:51Z', '2015-02-20T19:32:51.000Z', '2015-02-20T19:32:51+0000'],
    ['2015-02-20T16:32:51-03:00', '2015-02-20T19:32:51.000Z', '2015-02-20T16:32:51-0300'],
    ['2015-02-20T16:32:51.5-0300', '2015-02-20T19:32:51.500Z', '2015-02-20T16:32:51-0300'],
  ])("converts the ISO 8601 time %s to the API's format", (text, iso, formatted) => {
    expect(parseSupportDate(text).toISOString()).toBe(iso);
    expect(formatSupportDate(text)).toBe(formatted);
  });

  it.each([
    ['a missing offset', '2015-01-10T10:00:00'],
    ['a trailing line break', '2015-01-10T10:00:00+0000\n'],
    ['a date without a time', '2015-01-10'],
  ])('the support date functions reject %s', (_what, text) => {
    for (const run of [parseSupportDate, formatSupportDate]) {
      const error = caught(() => run(text));
      expect(error, run.name).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ field: 'date' });
    }
  });

  it('formatSupportDate() rejects an invalid Date', () => {
    const far = new Date(8.64e15);
    const wrong: readonly (readonly [string, () => string])[] = [
      ['date', () => formatSupportDate(new Date(Number.NaN))],
      ['date', () => formatSupportDate(far)],
      ['date', () => formatSupportDate(new Date(-62_167_219_200_001))],
      ['date', () => formatSupportDate(new Date(253_402_300_800_000))],
    ];
    for (const [field, run] of wrong) {
      const error = caught(run);
      expect(error, String(run)).toBeInstanceOf(InvalidRequestError);
      expect(error, String(run)).toMatchObject({ field });
    }
  });
});

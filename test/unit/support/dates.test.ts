import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../src/errors/index.js';
import { formatSupportDate, parseSupportDate, supportOffset } from '../../../src/support/dates.js';

const caught = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('support dates', () => {
  it.each([
    ['2015-02-20T16:32:51-0300', '2015-02-20T19:32:51.000Z', -180],
    ['2015-02-20T16:32:51+0000', '2015-02-20T16:32:51.000Z', 0],
    ['2015-02-20T16:32:51-0000', '2015-02-20T16:32:51.000Z', 0],
    ['2015-01-01T00:15:00+0545', '2014-12-31T18:30:00.000Z', 345],
    ['2016-02-29T23:59:59+1400', '2016-02-29T09:59:59.000Z', 840],
    ['0000-02-29T00:00:00+0000', '0000-02-29T00:00:00.000Z', 0],
    ['9999-12-31T23:59:59-0100', '+010000-01-01T00:59:59.000Z', -60],
  ])('parses and formats the support date %s', (text, iso, offset) => {
    expect(parseSupportDate(text).toISOString()).toBe(iso);
    expect(supportOffset(text)).toBe(offset);
    expect(formatSupportDate(text)).toBe(text);
  });

  it.each([
    ['2015-02-20T19:32:51Z', '2015-02-20T19:32:51.000Z', '2015-02-20T19:32:51+0000'],
    ['2015-02-20T19:32:51.570Z', '2015-02-20T19:32:51.570Z', '2015-02-20T19:32:51+0000'],
    ['2015-02-20T16:32:51-03:00', '2015-02-20T19:32:51.000Z', '2015-02-20T16:32:51-0300'],
    ['2015-02-20T16:32:51.5-0300', '2015-02-20T19:32:51.500Z', '2015-02-20T16:32:51-0300'],
    ['9999-12-31T23:59:59-01:00', '+010000-01-01T00:59:59.000Z', '9999-12-31T23:59:59-0100'],
  ])("converts the ISO 8601 time %s to the API's format", (text, iso, formatted) => {
    expect(parseSupportDate(text).toISOString()).toBe(iso);
    expect(formatSupportDate(text)).toBe(formatted);
  });

  it.each([
    ['February 30', '2015-02-30T10:00:00+0000'],
    ['February 29 outside a leap year', '2015-02-29T10:00:00+0000'],
    ['February 29, 1900', '1900-02-29T10:00:00+0000'],
    ['April 31', '2015-04-31T10:00:00+0000'],
    ['month 0', '2015-00-10T10:00:00+0000'],
    ['month 13', '2015-13-10T10:00:00+0000'],
    ['day 0', '2015-01-00T10:00:00+0000'],
    ['hour 24', '2015-01-10T24:00:00+0000'],
    ['hour 25', '2015-01-10T25:00:00+0000'],
    ['minute 60', '2015-01-10T10:60:00+0000'],
    ['second 60', '2015-01-10T10:00:60+0000'],
    ['an offset of 24 hours', '2015-01-10T10:00:00+2400'],
    ['an offset of 60 minutes', '2015-01-10T10:00:00+0060'],
    ['a missing offset', '2015-01-10T10:00:00'],
    ['a leading space', ' 2015-01-10T10:00:00+0000'],
    ['a trailing line break', '2015-01-10T10:00:00+0000\n'],
    ['a date without a time', '2015-01-10'],
    ['a full-width digit', '２015-01-10T10:00:00+0000'],
    ['an empty string', ''],
  ])('the support date functions reject %s', (_what, text) => {
    for (const run of [parseSupportDate, supportOffset, formatSupportDate]) {
      const error = caught(() => run(text));
      expect(error, run.name).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ field: 'date' });
    }
  });

  it.each([
    [undefined, '2015-02-20T19:32:51+0000'],
    [0, '2015-02-20T19:32:51+0000'],
    [-0, '2015-02-20T19:32:51+0000'],
    [-180, '2015-02-20T16:32:51-0300'],
    [345, '2015-02-21T01:17:51+0545'],
    [-30, '2015-02-20T19:02:51-0030'],
  ])('formats a Date with the offset %s', (offset, text) => {
    const date = new Date('2015-02-20T19:32:51.999Z');
    expect(formatSupportDate(date, { offset })).toBe(text);
  });

  it.each([
    ['0000-01-01T00:00:00+0000', -62_167_219_200_000],
    ['9999-12-31T23:59:59+0000', 253_402_300_799_999],
  ])('formats the extreme date %s', (text, time) => {
    expect(formatSupportDate(new Date(time))).toBe(text);
  });

  it('formatSupportDate() rejects an invalid Date or offset', () => {
    const far = new Date(8.64e15);
    const wrong: readonly (readonly [string, () => string])[] = [
      ['date', () => formatSupportDate(new Date(Number.NaN))],
      ['date', () => formatSupportDate(far)],
      ['date', () => formatSupportDate(far, { offset: 60 })],
      ['date', () => formatSupportDate(new Date(-8.64e15), { offset: -60 })],
      ['date', () => formatSupportDate(new Date(-62_167_219_200_001))],
      ['date', () => formatSupportDate(new Date(253_402_300_800_000))],
      ['offset', () => formatSupportDate(new Date(0), { offset: 1.5 })],
      ['offset', () => formatSupportDate(new Date(0), { offset: Number.NaN })],
      ['offset', () => formatSupportDate(new Date(0), { offset: 1440 })],
    ];
    for (const [field, run] of wrong) {
      const error = caught(run);
      expect(error, String(run)).toBeInstanceOf(InvalidRequestError);
      expect(error, String(run)).toMatchObject({ field });
    }
  });

  it('the support date functions reject values that are neither a Date nor a string', () => {
    for (const value of [undefined, null, 42, {}, ['2015-02-20T16:32:51-0300']]) {
      for (const run of [parseSupportDate, supportOffset, formatSupportDate]) {
        const error = caught(() => Reflect.apply(run, undefined, [value]));
        expect(error, `${run.name} ${String(value)}`).toBeInstanceOf(InvalidRequestError);
      }
    }
  });
});

import { describe, expect, test } from 'vitest';
import {
  parseHttpDate,
  parseLinkHeader,
  parseReset,
  parseRetryAfter,
  scanLinkHeader,
} from '../../../../src/transport/http/headers.js';
import { buildMediaType, parseEssence } from '../../../../src/transport/http/media-type.js';
import { about } from '../../about.js';

const now = Date.UTC(2015, 5, 1, 12);

describe('parseHttpDate()', () => {
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Mon, 29 Feb 2016 00:00:00 GMT', '2016-02-29T00:00:00.000Z'],
    // The longest valid date.
    ['Wednesday, 07-Sep-94 08:49:37 GMT', '1994-09-07T08:49:37.000Z'],
  ])('parses %s as %s', (text, expected) => {
    expect(new Date(parseHttpDate(text) ?? Number.NaN).toISOString()).toBe(expected);
  });

  test.each([
    '',
    'tomorrow',
    'Sun, 06 Nov 1994 25:49:37 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Sun Nov  6 08:49:99 1994',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Nov 1994 08:49:37 GMT, and more',
    'Sun, 06 Nov 1994 08:49:37 GMT'.repeat(50),
  ])('rejects the HTTP date %j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
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
    ['1.5', undefined, undefined],
    // Also returns a wait beyond the maximum, so the call fails instead of ignoring the wait.
    ['9'.repeat(400), undefined, 2 ** 31 * 1000],
    ['\uff11', undefined, undefined],
    ['soon', undefined, undefined],
    [undefined, undefined, undefined],
  ])('parses the Retry-After header %j with the Date header %j as %j', (value, date, expected) => {
    expect(parseRetryAfter({ 'retry-after': value, date }, now)).toBe(expected);
  });
});

test.each([
  ['1372700873', new Date(1372700873000)],
  ['0', new Date(0)],
  ['1.5', undefined],
  // The last second of the year 9999 and the next second.
  ['253402300799', new Date('9999-12-31T23:59:59Z')],
  ['253402300800', undefined],
  [undefined, undefined],
])('parseReset() parses %j as %j', (value, expected) => {
  expect(parseReset({ 'x-ratelimit-reset': value })).toEqual(expected);
});

describe('buildMediaType()', () => {
  const context = { vendor: 'service', version: 'v3' } as const;
  const dated = { vendor: 'service', version: '2022-11-28' } as const;
  const raw = { variant: 'raw', json: false } as const;
  const full = { resource: 'commitcomment', variant: 'full' } as const;
  test.each<[Parameters<typeof buildMediaType>[0], string]>([
    [context, 'application/vnd.service.v3+json'],
    [{ ...context, version: 'beta' }, 'application/vnd.service.beta+json'],
    [{ ...context, ...raw }, 'application/vnd.service.v3.raw'],
    [{ ...context, ...full }, 'application/vnd.service.commitcomment.full+json'],
    [dated, 'application/vnd.service+json'],
    [{ ...dated, ...raw }, 'application/vnd.service.raw'],
    [{ ...dated, ...full }, 'application/vnd.service-commitcomment.full+json'],
  ])('maps %j to the media type %s', (request, expected) => {
    expect(buildMediaType(request)).toBe(expected);
  });

  test.each(['', 'a b', 'a/b'])('rejects the vendor %j', (vendor) => {
    const attempt = () => buildMediaType({ ...context, vendor });
    const message = about('vendor', /letters, digits and hyphens/);
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'vendor', message }),
    );
  });
});

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON; charset=UTF-8', 'application/json'],
  ['text/html; x=y; charset="latin1"; charset=utf-8', 'text/html'],
  ['', ''],
  [' text/plain ; charset = utf-8 ', 'text/plain'],
  [`text/plain${';'.repeat(500_000)}`, 'text/plain'],
  [undefined, ''],
])('parseEssence() extracts the lowercase media type from %j', (header, type) => {
  expect(parseEssence(header)).toBe(type);
});

describe('parseLinkHeader()', () => {
  test.each([
    [
      '<https://a/?page=2>; rel="next", <https://a/?page=9>; rel="last"',
      { next: 'https://a/?page=2', last: 'https://a/?page=9' },
    ],
    ['<https://a/?x=1,2;3>;rel=next', { next: 'https://a/?x=1,2;3' }],
    ['<a>; title="x, <b>; rel=\\"next\\""; rel="prev"', { prev: 'a' }],
    ['<a>; rel="next last"', { next: 'a', last: 'a' }],
    ['<a>; REL="NEXT"', { next: 'a' }],
    ["<a>; rel='next', <b>; rel='last'", { next: 'a', last: 'b' }],
    ["<a>; title='; rel=next", { next: 'a' }],
    ['<a>; rel=next; rel=last', { next: 'a' }],
    ['<a>; rel=next, <b>; rel=next', { next: 'a' }],
    ['<a>; anchor="#part"; rel=next', {}],
    ['<a>; flag; rel=next, <b>; flag ;rel=last', { next: 'a', last: 'b' }],
    ['', {}],
    [undefined, {}],
  ])('parses the Link header %s as %j', (header, expected) => {
    expect({ ...parseLinkHeader(header) }).toEqual(expected);
  });
});

describe('scanLinkHeader()', () => {
  test('returns the links before an unreadable part', () => {
    const { uris, problem } = scanLinkHeader('<a>; rel=next, junk');
    expect({ ...uris }).toEqual({ next: 'a' });
    expect(problem).toBe('invalid link at character 15');
  });

  test.each([
    '<a',
    '<a>; rel="x',
    // A lenient parser would skip the following link and thus the next page.
    '<a; rel=prev, <b>; rel=next',
    '<a>; rel=prev<b>; rel=next',
    '<a>; rel="next"x',
    '<a> junk',
    "<a>; rel='next last'",
  ])('reports the problem in the Link header %s', (header) => {
    expect(scanLinkHeader(header).problem).toBe('invalid link at character 0');
  });

  test('reads quoted parameters with commas and escaped quotes', () => {
    const header =
      '< /x?a=1,2 >;Title="a \\"b\\", <c>"; title=late; rel="Next \thttp://R/Last"; flag';
    const { uris, problem } = scanLinkHeader(header);
    expect({ ...uris }).toEqual({ next: '/x?a=1,2', 'http://r/last': '/x?a=1,2' });
    expect(problem).toBeUndefined();
  });

  test('rejects a header of 1,048,577 characters without parsing it', () => {
    const { uris, problem } = scanLinkHeader('<a>; rel=next'.padEnd(1024 * 1024 + 1));
    expect({ ...uris }).toEqual({});
    expect(problem).toBe('the header has 1048577 characters, but the limit is 1048576');
  });
});

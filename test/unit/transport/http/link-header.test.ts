import { describe, expect, test } from 'vitest';
import { parseLinkHeader, scanLinkHeader } from '../../../../src/transport/http/link-header.js';

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
    ["<a>; rel='", { "'": 'a' }],
    ['<a> ; rel = "next"', { next: 'a' }],
    [', ,<a>; rel=next,,', { next: 'a' }],
    ['<a>; rel=next; rel=last', { next: 'a' }],
    ['<a>; rel=next, <b>; rel=next', { next: 'a' }],
    ['<a>; anchor="#part"; rel=next', {}],
    ['<a>; rel="next";', { next: 'a' }],
    ['<a>; flag; rel=next, <b>; flag ;rel=last', { next: 'a', last: 'b' }],
    ['<a>', {}],
    ['', {}],
    ['nonsense', {}],
    [undefined, {}],
  ])('parses the Link header %s as %j', (header, expected) => {
    expect({ ...parseLinkHeader(header) }).toEqual(expected);
  });

  test('accepts relations named after inherited properties', () => {
    expect(parseLinkHeader('<a>; rel=x').constructor).toBeUndefined();
    expect(Object.keys(parseLinkHeader('<a>; rel="__proto__"'))).toEqual(['__proto__']);
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
    '<a>; rel="x\\',
    '<a>; rel=x"y',
    // A lenient parser would skip the following link and thus the next page.
    '<a; rel=prev, <b>; rel=next',
    '<a>; rel=prev<b>; rel=next',
    '<a>; rel"next"',
    '<a>; rel="next"x',
    '<a>; =x',
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

  test('ignores parameters named after inherited properties', () => {
    expect({ ...scanLinkHeader('<a>; __proto__=x; constructor=y; rel=next').uris }).toEqual({
      next: 'a',
    });
  });

  test('accepts a header of 1,048,576 characters', () => {
    const header = '<a>; rel=next'.padEnd(1024 * 1024);
    expect(scanLinkHeader(header).problem).toBeUndefined();
  });

  test('rejects a header of 1,048,577 characters without parsing it', () => {
    const { uris, problem } = scanLinkHeader('<a>; rel=next'.padEnd(1024 * 1024 + 1));
    expect({ ...uris }).toEqual({});
    expect(problem).toBe('the header has 1048577 characters, but the limit is 1048576');
  });

  const size = 1024 * 1024;
  test.each([
    ['links', '<a>; rel=x,'.repeat(size / 11), undefined],
    ['unclosed URLs', '<'.repeat(size), 'invalid link at character 0'],
    ['parameters', `<a>${';a'.repeat(size / 2 - 3)}`, undefined],
    ['spaces', `<a>${' ;'.repeat(size / 2 - 3)}x"`, 'invalid link at character 0'],
    [
      'escapes in an unclosed quote',
      `<a>;b="${'\\"'.repeat(size / 2 - 8)}`,
      'invalid link at character 0',
    ],
    ['text in an unclosed quote', `<a>;b="${'b'.repeat(size - 8)}`, 'invalid link at character 0'],
  ])('scans 1 MB of %s', (_name, header, problem) => {
    expect(scanLinkHeader(header).problem).toBe(problem);
  });
});

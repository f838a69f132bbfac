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
  ])('parseLinkHeader() parses the Link header %s as %j', (header, expected) => {
    expect({ ...parseLinkHeader(header) }).toEqual(expected);
  });

  test('parseLinkHeader() accepts relations named after inherited properties', () => {
    expect(parseLinkHeader('<a>; rel=x').constructor).toBeUndefined();
    expect(Object.keys(parseLinkHeader('<a>; rel="__proto__"'))).toEqual(['__proto__']);
  });
});

describe('scanLinkHeader()', () => {
  test('scanLinkHeader() reports a problem for a space within single quotes', () => {
    expect(scanLinkHeader("<a>; rel='next last'").problem).toBeDefined();
  });

  test('scanLinkHeader() returns the links before an unreadable part', () => {
    const { links, problem } = scanLinkHeader('<a>; rel=next, junk');
    expect(links.map((link) => link.uri)).toEqual(['a']);
    expect(problem).toBe("expected '<' at character 15");
  });

  test.each([
    ['<a', "'<' without '>' at character 0"],
    ['<a>; rel="x', `a value with an open or stray '"', '<' or '>' at character 0`],
    ['<a>; rel="x\\', `a value with an open or stray '"', '<' or '>' at character 0`],
    ['<a>; rel=x"y', `a value with an open or stray '"', '<' or '>' at character 0`],
    // A lenient parser would skip the following link and thus the next page.
    ['<a; rel=prev, <b>; rel=next', "'<' without '>' at character 0"],
    ['<a>; rel=prev<b>; rel=next', `a value with an open or stray '"', '<' or '>' at character 0`],
    ['<a>; rel"next"', 'an invalid parameter name at character 0'],
    ['<a>; rel="next"x', "expected ';' or ',' at character 0"],
    ['<a>; =x', "expected ';' or ',' at character 0"],
    ['<a> junk', "expected ';' or ',' at character 0"],
  ])('scanLinkHeader() reports the problem in the Link header %s', (header, problem) => {
    expect(scanLinkHeader(header).problem).toBe(problem);
  });

  test('scanLinkHeader() returns the URL, relations and parameters of a link', () => {
    const header =
      '< /x?a=1,2 >;Title="a \\"b\\", <c>"; title=late; rel="Next \thttp://R/Last"; anchor="#f"; flag';
    expect(scanLinkHeader(header)).toEqual({
      links: [
        {
          uri: '/x?a=1,2',
          rels: ['next', 'http://r/last'],
          params: { title: 'a "b", <c>', rel: 'Next \thttp://R/Last', anchor: '#f', flag: '' },
          anchored: true,
        },
      ],
      problem: undefined,
    });
  });

  test('scanLinkHeader() accepts parameters named after inherited properties', () => {
    const [link] = scanLinkHeader('<a>; __proto__=x; constructor=y; rel=next').links;
    expect(link?.rels).toEqual(['next']);
    expect(Object.entries(link?.params ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['rel', 'next'],
    ]);
  });

  test('scanLinkHeader() accepts a header of 1,048,576 characters', () => {
    const header = '<a>; rel=next'.padEnd(1024 * 1024);
    expect(scanLinkHeader(header).problem).toBeUndefined();
  });

  test('scanLinkHeader() rejects a header of 1,048,577 characters without parsing it', () => {
    const { links, problem } = scanLinkHeader('<a>; rel=next'.padEnd(1024 * 1024 + 1));
    expect(links).toEqual([]);
    expect(problem).toBe('the header has 1048577 characters, but the limit is 1048576');
  });
});

describe('scanLinkHeader() for adversarial headers', () => {
  /** Returns the number of characters that the scanner reads. */
  function lookups(text: string): number {
    let count = 0;
    const counted = new Proxy(Object(text), {
      get(target, key) {
        // Indices start with a digit, which sorts before letters. Other keys are method names.
        if (typeof key === 'string' && key < 'A') {
          count += 1;
          return text[Number(key)];
        }
        const value: unknown = Reflect.get(target, key);
        if (key === 'indexOf') {
          return (search: string, from: number) => {
            const found = text.indexOf(search, from);
            count += (found < 0 ? text.length : found) - from;
            return found;
          };
        }
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    scanLinkHeader(counted);
    return count;
  }

  test.each([
    ['many empty links', (n: number) => '<a>;,'.repeat(n / 5)],
    ['unclosed URLs', (n: number) => '<'.repeat(n)],
    ['many commas', (n: number) => ','.repeat(n)],
    ['many spaces', (n: number) => `<a>${' '.repeat(n)}`],
    ['escapes in an unclosed quote', (n: number) => `<a>; rel="${'\\"'.repeat(n / 2)}`],
    ['parameters without values', (n: number) => `<a>${';a'.repeat(n / 2)}`],
    ['quoted values', (n: number) => `<a>${';a="b"'.repeat(n / 6)}`],
    ['whole links', (n: number) => '<a>; rel=x, '.repeat(n / 12)],
    ['one long URL', (n: number) => `<${'a'.repeat(n)}>; rel=x`],
    ['one long name', (n: number) => `<a>; ${'a'.repeat(n)}`],
    ['one long value', (n: number) => `<a>; rel=${'a'.repeat(n)}`],
    ['many relations', (n: number) => `<a>; rel="${'a '.repeat(n / 2)}"`],
  ])('scans %s in a linear number of steps', (_name, make) => {
    const once = lookups(make(25_000));
    const twice = lookups(make(50_000));
    expect(twice / once, `${once} and ${twice} steps`).toBeLessThan(2.1);
    expect(twice, 'steps for 50,000 characters').toBeLessThan(50_000 * 8);
    expect(twice, 'the counter works').toBeGreaterThan(24_000);
  });

  test.each([
    ['whole links', '<a>; rel=x,'.repeat(45_455), 45_455, undefined],
    ['unclosed URLs', '<'.repeat(500_000), 0, "'<' without '>' at character 0"],
    ['parameters', `<a>${';a'.repeat(250_000)}`, 1, undefined],
  ])('scans 500 KB of %s', (_name, header, count, problem) => {
    const scan = scanLinkHeader(header);
    expect([scan.links.length, scan.problem]).toEqual([count, problem]);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLinkHeader, scanLinkHeader } from '../../src/transport/http/headers.js';
import { isPlainUrl } from '../../src/transport/pagination/page-walker.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };
// Only a few names are likely, so links often share a relation.
const token = fc.oneof(
  fc.constantFrom('next', 'last'),
  fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/),
);
const blank = fc.constantFrom('', ' ', '\t ', '  ');
const uri = fc.string({ maxLength: 30 }).map((each) => each.replace(/[<>]/g, '').trim());
const quotedText = fc.string({ unit: 'grapheme', maxLength: 20 });

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

interface Written {
  readonly header: string;
  readonly uri: string;
  readonly rels: readonly string[];
  readonly anchored: boolean;
}

/** One link in any form that RFC 8288 allows, and its parsed value. */
const link: fc.Arbitrary<Written> = fc
  .record({
    uri,
    rels: fc.uniqueArray(token, { minLength: 1, maxLength: 3 }),
    upper: fc.boolean(),
    bare: fc.boolean(),
    title: quotedText,
    anchored: fc.boolean(),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    spaces: fc.tuple(blank, blank, blank, blank),
  })
  .map(({ uri: target, rels, upper, bare, title, anchored, order, spaces }) => {
    const words = rels.join(' ');
    const rel = upper ? words.toUpperCase() : words;
    const [a, b, c, d] = spaces;
    const params = [
      `${upper ? 'REL' : 'rel'}${a}=${b}${bare && rels.length === 1 ? rel : quote(rel)}`,
      `title=${quote(title)}`,
      anchored ? `anchor=${quote('#part')}` : '',
    ];
    const written = order.map((each) => `${c};${d}${params[each] ?? ''}`).join('');
    return { header: `<${target}>${written}`, uri: target, rels, anchored };
  });

const separator = fc
  .tuple(blank, blank, fc.constantFrom('', ',', ' , ,'))
  .map(([before, after, empty]) => `${before},${empty}${after}`);

test('scanLinkHeader() returns the first URL of each relation, ignoring links with an anchor', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 5 }), separator, (links, between) => {
      const expected = new Map<string, string>();
      for (const { rels, anchored, uri: target } of links) {
        if (anchored) continue;
        for (const rel of rels) if (!expected.has(rel)) expected.set(rel, target);
      }
      const { uris, problem } = scanLinkHeader(links.map((each) => each.header).join(between));
      expect(problem).toBeUndefined();
      expect(Object.entries(uris)).toEqual([...expected]);
    }),
    runs,
  );
});

test("a truncated Link header never yields a URL that the complete header doesn't contain", () => {
  fc.assert(
    fc.property(fc.array(link, { minLength: 1, maxLength: 4 }), fc.nat(), (links, at) => {
      const header = links.map((each) => each.header).join(', ');
      const read = parseLinkHeader(header.slice(0, at % (header.length + 1)));
      const whole = links.map((each) => each.uri);
      expect(whole).toEqual(expect.arrayContaining(Object.values(read)));
    }),
    runs,
  );
});

test('parseLinkHeader() never throws and returns only URLs that the header contains', () => {
  const pieces = fc.string({
    unit: fc.constantFrom('<', '>', ';', ',', '"', '\\', '=', ' ', '\t', 'rel', 'anchor', 'é', '*'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), pieces), (text) => {
      const urls = parseLinkHeader(text);
      expect(Object.getPrototypeOf(urls)).toBeNull();
      for (const uri of Object.values(urls)) expect(text).toContain(uri);
    }),
    runs,
  );
});

const origin = 'https://code.example.com';
const credentialNames = new Set(['access_token']);
const urlRest = fc.oneof(
  fc.string({ unit: 'binary-ascii' }),
  fc.string({ unit: fc.constantFrom(...'/.%2eE?&=#@:~-+;,aZ09 \t\n\\') }),
  fc.webPath(),
  fc.webUrl().map((url) => url.slice('http://'.length)),
);

test('isPlainUrl() accepts only URLs that a URL parser leaves unchanged', () => {
  let passed = 0;
  fc.assert(
    fc.property(urlRest, (text) => {
      const uri = `${origin}/${text}`;
      if (!isPlainUrl(uri, origin, credentialNames)) return;
      passed++;
      expect(new URL(uri).href).toBe(uri);
    }),
    { numRuns },
  );
  expect(passed, 'number of plain URLs').toBeGreaterThan(numRuns / 100);
});

test.each([
  'https://code.example.com.evil.example/x',
  'https://code.example.com@evil.example/x',
  'https://code.example.com',
  'http://code.example.com/x',
  '//code.example.com/x',
  'https://code.example.com/a/../b',
  'https://code.example.com/a/%2E%2e/b',
  'https://code.example.com/a#b',
  'https://code.example.com/ä',
  'https://code.example.com/a?access_token=x',
  'https://code.example.com/a?%61ccess_token=x',
])('isPlainUrl() rejects %s', (uri) => {
  expect(isPlainUrl(uri, origin, credentialNames)).toBe(false);
});

test('isPlainUrl() accepts a typical next link', () => {
  const uri = `${origin}/api/v3/repositories/7/pulls?per_page=100&page=2`;
  expect(isPlainUrl(uri, origin, credentialNames)).toBe(true);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainUrl } from '../../src/transport/pagination/page-walker.js';
import { numRuns } from '../support/extent.js';

const origin = 'https://code.example.com';
const names = new Set(['access_token']);
const rest = fc.oneof(
  fc.string({ unit: 'binary-ascii' }),
  fc.string({ unit: fc.constantFrom(...'/.%2eE?&=#@:~-+;,aZ09 \t\n\\') }),
  fc.webPath(),
  fc.webUrl().map((url) => url.slice('http://'.length)),
);

test('isPlainUrl() accepts only URLs that a URL parser leaves unchanged', () => {
  let passed = 0;
  fc.assert(
    fc.property(rest, (text) => {
      const uri = `${origin}/${text}`;
      if (!isPlainUrl(uri, origin, names)) return;
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
  expect(isPlainUrl(uri, origin, names)).toBe(false);
});

test('isPlainUrl() accepts a typical next link', () => {
  const uri = `${origin}/api/v3/repositories/7/pulls?per_page=100&page=2`;
  expect(isPlainUrl(uri, origin, names)).toBe(true);
});

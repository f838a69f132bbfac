import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeProblem, readDocuments } from './documents.js';
import { linkProblems } from './links.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const found = (text: string, path = 'docs/page.md') =>
  linkProblems(root, [
    { path, text },
    { path: 'docs/other.md', text: '# One `thing`, two!\n# Same\n# Same\n<a id="here"></a>' },
  ]).map(describeProblem);

test('every relative link in the documents has an existing target', () => {
  expect(linkProblems(root, readDocuments(root)).map(describeProblem)).toEqual([]);
});

test.each([
  'file [a](../package.json) and [b](other.md)',
  'heading [a](other.md#one-thing-two), its repeat [b](other.md#same-1), an id [c](other.md#here)',
  '# Own\n[a](#own)',
  'elsewhere [a](https://example.com/x#y) [b](mailto:a@example.com)',
  'with a title [a](other.md "Other")',
  'in code `[a](nowhere.md)`',
  '```md\n[a](nowhere.md)\n```',
])('linkProblems() finds no dead link in %j', (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ['[a](nowhere.md)', 'docs/page.md:1 nowhere.md: no such file'],
  ['text\n\n![a](no.svg)', 'docs/page.md:3 no.svg: no such file'],
  ['[a][b]\n\n[b]: nowhere.md', 'docs/page.md:1 nowhere.md: no such file'],
  ['<img src="no.png">', 'docs/page.md:1 no.png: no such file'],
  ['[a](other.md#absent)', 'docs/page.md:1 other.md#absent: docs/other.md has no such heading'],
  ['[a](#absent)', 'docs/page.md:1 #absent: docs/page.md has no such heading'],
  ['[a](../../x.md)', 'docs/page.md:1 ../../x.md leads out of the repository'],
  [
    '[a](../package.json#L1)',
    'docs/page.md:1 ../package.json#L1: only a document has headings to point to',
  ],
])('linkProblems() finds a dead link in %j', (text, message) => {
  expect(found(text)).toEqual([message]);
});

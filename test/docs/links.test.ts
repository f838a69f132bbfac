import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { checkSite } from '../site/site-links.js';
import { describeProblem, linkProblems, readDocuments } from './documents.js';
import { readMarkdown } from './markdown.js';

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
  'in code `[a](nowhere.md)`',
])('linkProblems() finds no dead link in %j', (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ['[a](nowhere.md)', 'docs/page.md:1 nowhere.md: no such file'],
  ['text\n\n![a](no.svg)', 'docs/page.md:3 no.svg: no such file'],
  ['<img src="no.png">', 'docs/page.md:1 no.png: no such file'],
  ['[a](other.md#absent)', 'docs/page.md:1 other.md#absent: docs/other.md has no such heading'],
  ['[a](#absent)', 'docs/page.md:1 #absent: docs/page.md has no such heading'],
  ['[a](../../x.md)', 'docs/page.md:1 ../../x.md leads out of the repository'],
])('linkProblems() finds a dead link in %j', (text, message) => {
  expect(found(text)).toEqual([message]);
});

test('readMarkdown() applies a snippet comment only to the code block directly below it', () => {
  const { blocks } = readMarkdown(
    '<!-- snippet: continues -->\n\n```ts\na\n```\n```ts\nb\n```\n' +
      '<!-- snippet: continues -->\nprose\n```ts\nc\n```\n',
  );
  expect(blocks.map(({ directives }) => directives)).toEqual([['continues'], [], []]);
});

test('readMarkdown() ignores headings and links inside a code block', () => {
  const { links, anchors } = readMarkdown(
    '```sh\n# comment\n[a](b)\n```\n# Real _one_ of `two_x`\n',
  );
  expect(links).toEqual([]);
  expect([...anchors]).toEqual(['real-one-of-two_x']);
});

test('checkSite() reports missing files, anchors, images and scripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'guides'));
  const pages = {
    'index.html': '<a href="no.html"></a><a href="#no"></a><img src="no.png"><script src="no.js">',
    'guides/a.html':
      '<h1 id="b"></h1><a href="#b"></a><a href="../"></a><a href="../index.html#no">',
  };
  for (const [path, html] of Object.entries(pages)) writeFileSync(join(folder, path), html);
  expect(checkSite(folder).dead).toEqual([
    'guides/a.html: ../index.html#no',
    'index.html: no.html',
    'index.html: #no',
    'index.html: no.png',
    'index.html: no.js',
  ]);
});

import { expect, test } from 'vitest';
import { readMarkdown } from './markdown.js';

test('readMarkdown() removes the indentation of a code block in a list', () => {
  const [block] = readMarkdown(
    '1. First\n\n   ```ts\n   const a = {\n     b: 1,\n   };\n   ```\n',
  ).blocks;
  expect(block).toMatchObject({ language: 'ts', code: 'const a = {\n  b: 1,\n};', line: 4 });
});

test('readMarkdown() treats a shorter fence inside a longer fence as text', () => {
  const { blocks } = readMarkdown('````md\n```ts\nx\n```\n````\n\n~~~js\ny\n~~~\n');
  expect(blocks.map(({ language, code }) => [language, code])).toEqual([
    ['md', '```ts\nx\n```'],
    ['js', 'y'],
  ]);
});

test('readMarkdown() applies a snippet comment only to the code block directly below it', () => {
  const { blocks } = readMarkdown(
    '<!-- snippet: continues -->\n\n```ts\na\n```\n```ts\nb\n```\n' +
      '<!-- snippet: continues -->\nprose\n```ts\nc\n```\n',
  );
  expect(blocks.map(({ directives }) => directives)).toEqual([['continues'], [], []]);
});

test('readMarkdown() ends an unclosed code block at the end of the document', () => {
  expect(readMarkdown('```ts\na\nb').blocks).toMatchObject([{ code: 'a\nb' }]);
});

test('readMarkdown() ignores headings and links inside a code block', () => {
  const { links, anchors } = readMarkdown(
    '```sh\n# comment\n[a](b)\n```\n# Real _one_ of `two_x`\n',
  );
  expect(links).toEqual([]);
  expect([...anchors]).toEqual(['real-one-of-two_x']);
});

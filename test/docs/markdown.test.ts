import { expect, test } from 'vitest';
import { readMarkdown } from '../../scripts/docs/markdown.js';

test('a block in a list loses its indentation and keeps its line', () => {
  const [block] = readMarkdown(
    '1. First\n\n   ```ts\n   const a = {\n     b: 1,\n   };\n   ```\n',
  ).blocks;
  expect(block).toMatchObject({ language: 'ts', code: 'const a = {\n  b: 1,\n};', line: 4 });
});

test('a longer fence holds a shorter one', () => {
  const { blocks } = readMarkdown('````md\n```ts\nx\n```\n````\n\n~~~js\ny\n~~~\n');
  expect(blocks.map(({ language, code }) => [language, code])).toEqual([
    ['md', '```ts\nx\n```'],
    ['js', 'y'],
  ]);
});

test('a directive belongs to the block right below it only', () => {
  const { blocks } = readMarkdown(
    '<!-- snippet: continues -->\n\n```ts\na\n```\n```ts\nb\n```\n' +
      '<!-- snippet: prelude=x -->\nprose\n```ts\nc\n```\n',
  );
  expect(blocks.map(({ directives }) => directives)).toEqual([['continues'], [], []]);
});

test('a block that is never closed goes to the end', () => {
  expect(readMarkdown('```ts\na\nb').blocks).toMatchObject([{ code: 'a\nb' }]);
});

test('nothing inside a block is a heading or a link', () => {
  const { links, anchors } = readMarkdown(
    '```sh\n# comment\n[a](b)\n```\n# Real _one_ of `two_x`\n',
  );
  expect(links).toEqual([]);
  expect([...anchors]).toEqual(['real-one-of-two_x']);
});

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocuments } from './documents.js';
import { readMarkdown } from './markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('code in the documents', () => {
  it('code in the documents avoids `using`, a syntax error in Node.js 20 and 22', () => {
    const found = readDocuments(root).flatMap(({ path, text }) =>
      readMarkdown(text)
        .blocks.filter(({ code }) => /\busing \w+ =/.test(code))
        .map(({ line }) => `${path}:${line}`),
    );
    expect(found).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../scripts/docs/documents.js';
import { readMarkdown } from '../../scripts/docs/markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the code in the documents', () => {
  it('never uses `using`, which is a syntax error in JavaScript on Node.js 20 and 22', () => {
    const found = readDocuments(root).flatMap(({ path, text }) =>
      readMarkdown(text)
        .blocks.filter(({ code }) => /\busing \w+ =/.test(code))
        .map(({ line }) => `${path}:${line}`),
    );
    expect(found).toEqual([]);
  });
});

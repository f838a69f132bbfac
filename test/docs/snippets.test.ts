import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeProblem, readDocuments } from './documents.js';
import { snippetProblems } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An invalid document, to verify that the check finds errors. */
const wrong = {
  path: 'docs/wrong.md',
  text: `# Wrong

\`\`\`ts
const kept: number = 1;
const text: string = kept;
\`\`\`

<!-- snippet: continues -->

\`\`\`ts
const shown = String(kept);
shown satisfies number;
kept satisfies number;
\`\`\`

\`\`\`ts
console.log(kept);
\`\`\`

\`\`\`ts ignore
const fine = 1;
\`\`\`

<!-- snippet: whatever -->
\`\`\`ts
const fine = 1; // This line has more columns than a block in a guide may have.
\`\`\`

\`\`\`js
const { NotFoundError } = require('triforge');
new NotFoundError().nothing;
\`\`\`

`,
};

// All blocks share one program, because most of the time is spent on their common imports.
const problems = snippetProblems(root, [...readDocuments(root), wrong]);

test('every code block in the documents type-checks', () => {
  const found = problems.filter(({ path }) => path !== wrong.path);
  expect(found.map(describeProblem)).toEqual([]);
});

describe('code block checks', () => {
  const messages = problems.filter(({ path }) => path === wrong.path).map(describeProblem);
  test.each([
    ['a type error', /^docs\/wrong\.md:5 TS2322/],
    ['a type error in a block that continues another', /^docs\/wrong\.md:12 TS1360/],
    ['a name declared only in another block', /^docs\/wrong\.md:17 TS2304: .*'kept'/],
    ['an opt-out', /^docs\/wrong\.md:20 "ignore" after the language: no block may opt out/],
    ['an unknown snippet directive', /^docs\/wrong\.md:25 "whatever" is unknown/],
    ['a long line', /^docs\/wrong\.md:25 line 1 of the block has more than 72 columns/],
    ['a type error in CommonJS', /^docs\/wrong\.md:3[01] TS/],
  ])('the check of code blocks reports %s', (_, expected) => {
    expect(messages).toContainEqual(expect.stringMatching(expected));
  });
});

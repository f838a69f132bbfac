import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeProblem, readDocuments } from '../../scripts/docs/documents.js';
import { snippetProblems } from '../../scripts/docs/snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A document that is wrong on purpose: a check that finds nothing here would find nothing at all. */
const wrong = {
  path: 'docs/wrong.md',
  text: `# Wrong

\`\`\`ts
const kept: number = 1;
const text: string = kept;
\`\`\`

<!-- snippet: continues prelude=token -->

\`\`\`ts
const shown: string = token;
shown satisfies number;
kept satisfies number;
\`\`\`

\`\`\`ts
console.log(token);
\`\`\`

\`\`\`ts ignore
const fine = 1;
\`\`\`

<!-- snippet: prelude=nothing whatever -->
\`\`\`ts
const fine = 1;
\`\`\`

\`\`\`js
import { NoSuchThing } from 'triforge';
export const twice = (value) => value * 2;
\`\`\`

\`\`\`js
const { NotFoundError } = require('triforge');
new NotFoundError().nothing;
\`\`\`

\`\`\`sh
not a program
\`\`\`
`,
};

// One program for everything: most of its time goes into what all blocks import.
const problems = snippetProblems(root, [...readDocuments(root), wrong]);

test('every block of code in the documents type-checks', () => {
  const found = problems.filter(({ path }) => path !== wrong.path);
  expect(found.map(describeProblem)).toEqual([]);
});

describe('a block that is wrong', () => {
  const messages = problems.filter(({ path }) => path === wrong.path).map(describeProblem);
  test.each([
    ['a type error, at its own line', /^docs\/wrong\.md:5 TS2322/],
    ['a type error behind a prelude and a continued block', /^docs\/wrong\.md:12 TS1360/],
    ['a name that only another block declares', /^docs\/wrong\.md:17 TS2304: .*'token'/],
    ['an opt-out', /^docs\/wrong\.md:20 "ignore" after the language: no block may opt out/],
    ['an unknown prelude', /^docs\/wrong\.md:25 there is no prelude "nothing"/],
    ['an unknown word of a directive', /^docs\/wrong\.md:25 "whatever" is neither/],
    ['an import in JavaScript that does not exist', /^docs\/wrong\.md:30 TS2305/],
    ['a wrong use in CommonJS', /^docs\/wrong\.md:3[56] TS/],
  ])('is found: %s', (_, expected) => {
    expect(messages).toContainEqual(expect.stringMatching(expected));
  });

  test('does not make right ones wrong: continued names, untyped parameters of JavaScript', () => {
    const lines = messages.map((message) => Number(/:(\d+) /.exec(message)?.[1]));
    expect(lines).not.toContain(11);
    expect(lines).not.toContain(13);
    expect(lines).not.toContain(31);
  });
});

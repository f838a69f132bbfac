import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { recipes } from '../../docs/.vitepress/recipes.js';

const index = readFileSync(
  fileURLToPath(new URL('../../docs/recipes.md', import.meta.url)),
  'utf8',
);

test('docs/recipes.md lists exactly the programs in examples/', () => {
  const linked = [...index.matchAll(/\[(.+)\]\(\.\.\/examples\/(.+)\.ts\)/g)];
  const rows = linked.map(([, title, name]) => `${name}: ${title}`);
  const titles = recipes().map(({ name, title }) => `${name}: ${title}`);
  expect(new Set(rows)).toEqual(new Set(titles));
  expect(rows).toHaveLength(titles.length);
});

test.each(recipes())(
  'the recipe $name has a title, a description, a command and short code without local imports',
  (recipe) => {
    const { name, title, text, code } = recipe;
    expect(title).toMatch(/^[A-Z].{9,60}$/);
    expect(text.length).toBeGreaterThan(60);
    expect(text, 'a command that runs the recipe').toMatch(
      new RegExp(`^ {4}.*examples/${name}\\.ts`, 'm'),
    );
    expect(code.split('\n').length).toBeLessThanOrEqual(60);
    expect(code, 'no import of a local file').not.toMatch(/from '\.\.?\//);
  },
);

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { formatIndex, sourcePages } from '../../docs/.vitepress/llms.js';
import { guides } from '../../docs/.vitepress/sidebar.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = sourcePages(root, guides(root));

test('llms.txt links to every page in docs/ exactly once', () => {
  const paths = pages.map(({ path }) => path);
  const files = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!index|\.).*\.md$/.test(name),
  );
  expect(paths).toHaveLength(files.length);
  expect(new Set(paths)).toEqual(new Set(files.map((name) => `docs/${name}`)));
  expect(formatIndex('triforge', 'A client', pages)).toContain('- [Options](/docs/options)\n');
});

test('llms-full.txt contains no HTML comments', () => {
  expect(pages.filter(({ text }) => text.includes('<!--'))).toEqual([]);
});

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { llmsFiles } from '../../docs/.vitepress/llms.js';
import { guides } from '../../docs/.vitepress/sidebar.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const about = { title: 'triforge', description: 'A client' };
const files = llmsFiles(root, about, guides(root));

test('llms.txt links to every page in docs/ exactly once', () => {
  const linked = [...(files['llms.txt'] ?? '').matchAll(/\]\(\/(docs\/.+)\)$/gm)];
  const paths = linked.map(([, path]) => path);
  const pages = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!index|\.).*\.md$/.test(name),
  );
  expect(paths).toHaveLength(pages.length);
  expect(new Set(paths)).toEqual(new Set(pages.map((name) => `docs/${name}`)));
  expect(files['llms.txt']).toContain('- [Options](/docs/options.md)\n');
});

test('the site contains the pages in docs/ as Markdown', () => {
  const names = Object.keys(files).filter((name) => name.startsWith('docs/'));
  expect(names.length).toBeGreaterThan(40);
  expect(files['docs/options.md']).toMatch(/^# Options\n/);
});

test('llms-full.txt contains no HTML comments', () => {
  expect(files['llms-full.txt']).not.toContain('<!--');
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { recipes } from './recipes.js';

type Item = DefaultTheme.SidebarItem;

/** The guides by group, in the order of a reader's way. One that is not named here comes last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Begin: ['start', 'auth', 'pagination', 'error-handling', 'testing'],
  'In depth': [
    'limits-and-retries',
    'uploads-and-downloads',
    'caching',
    'bundling',
    'fleets',
    'proxies-and-tls',
    'observability',
    'doctor',
    'extending',
  ],
  'Other interfaces': ['oauth', 'webhooks', 'support', 'appliance'],
};
const reference = ['endpoints', 'errors', 'benchmarks'];
const indexes = ['index', 'recipes'];
const inner = [
  'docs/architecture.md',
  'docs/foreign-clients.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];

/** The navigation of the guides. */
export function guides(root: string): Item[] {
  const names = namesIn(root, 'docs').filter((name) => !indexes.includes(name));
  const coming = names.filter((name) => name.startsWith('coming-from-'));
  const rest = names.filter(
    (name) =>
      ![...Object.values(groups).flat(), ...coming, ...reference].includes(name) &&
      !inner.includes(`docs/${name}.md`),
  );
  const pages = (paths: readonly string[]): Item[] =>
    paths.filter((path) => existsSync(join(root, path))).map((path) => pageItem(root, path));
  const inDocs = (group: readonly string[]) => pages(group.map((name) => `docs/${name}.md`));
  const all: Item[] = [
    ...Object.entries(groups).map(([text, group]) => ({ text, items: inDocs(group) })),
    { text: 'Other guides', items: inDocs(rest) },
    { text: 'Recipes', link: '/docs/recipes', collapsed: true, items: recipeItems() },
    { text: 'Coming from', items: inDocs(coming) },
    { text: 'Reference', items: [{ text: 'API', link: '/api/' }, ...inDocs(reference)] },
    { text: 'Contributing', collapsed: true, items: pages(inner) },
  ];
  return all.filter(({ items }) => items?.length);
}

/** The names of the Markdown files of a folder; none where there is no such folder. */
function namesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && !name.startsWith('['))
    .map((name) => basename(name, '.md'))
    .sort();
}

function recipeItems(): Item[] {
  return recipes().map(({ name, title }) => ({ text: title, link: `/recipes/${name}` }));
}

function pageItem(root: string, path: string): Item {
  const [, title = path] = /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  return { text: title.replaceAll('`', ''), link: `/${path.replace(/\.md$/, '')}` };
}

/** The navigation of the API reference, as its generator lists it. */
export function apiItems(root: string): Item[] {
  const path = join(root, 'api', 'typedoc-sidebar.json');
  if (!existsSync(path)) throw new Error('there is no API reference: npm run docs writes it');
  // `as`: what typedoc-vitepress-theme writes for this very place.
  return JSON.parse(readFileSync(path, 'utf8')) as Item[];
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { recipes } from './recipes.js';

type Item = DefaultTheme.SidebarItem;

/** The guides by group, in reading order. `page#heading` is a section of a page, with its own title. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['start', 'connect', 'requests', 'auth', 'error-handling'],
  Guides: [
    'pagination',
    'limits-and-retries',
    'uploads-and-downloads',
    'caching',
    'proxies-and-tls',
    'observability',
    'bundling',
    'other-endpoints',
    'extending',
    'openapi',
    'doctor',
  ],
  APIs: ['oauth', 'webhooks', 'support', 'appliance'],
  Testing: ['testing', 'emulator-data', 'emulator-faults', 'recording', 'emulator-server'],
  Scale: ['fleets', 'benchmarks'],
  Concepts: [
    'limits-and-retries#retries',
    'pagination#items-that-move-while-you-read',
    'auth#where-credentials-go',
    'not-supported',
    'stability',
  ],
};
const reference = ['options', 'errors'];
const environment: Item = {
  text: 'Environment variables',
  link: '/docs/auth#environment-variables',
};
const titles: Readonly<Record<string, string>> = {
  'limits-and-retries#retries': 'Retry safety',
  'pagination#items-that-move-while-you-read': 'List consistency',
  'auth#where-credentials-go': 'Where credentials go',
};
const indexes = ['index', 'recipes'];
const inner = [
  'docs/architecture.md',
  'docs/foreign-clients.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];

/** Returns the guides' sidebar. */
export function guides(root: string): Item[] {
  const names = namesIn(root, 'docs').filter((name) => !indexes.includes(name));
  const coming = names.filter((name) => name.startsWith('coming-from-'));
  const rest = names.filter(
    (name) =>
      ![...Object.values(groups).flat(), ...coming, ...reference, 'endpoints'].includes(name) &&
      !inner.includes(`docs/${name}.md`),
  );
  const pages = (paths: readonly string[]): Item[] =>
    paths.filter((path) => existsSync(join(root, path))).map((path) => pageItem(root, path));
  const inDocs = (group: readonly string[]): Item[] =>
    group.flatMap((name) => {
      const text = titles[name];
      return text ? { text, link: `/docs/${name}` } : pages([`docs/${name}.md`]);
    });
  const all: Item[] = [
    ...Object.entries(groups).map(([text, group]) => ({ text, items: inDocs(group) })),
    { text: 'Other guides', items: inDocs(rest) },
    { text: 'Recipes', link: '/docs/recipes', collapsed: true, items: recipeItems() },
    { text: 'Migrate', items: inDocs(coming) },
    {
      text: 'Reference',
      items: [
        ...inDocs(reference),
        environment,
        {
          text: 'Endpoints',
          link: '/docs/endpoints',
          collapsed: true,
          items: pages(namesIn(root, 'docs/resources').map((name) => `docs/resources/${name}.md`)),
        },
      ],
    },
    { text: 'Contributing', collapsed: true, items: pages(inner) },
  ];
  return all.filter(({ items }) => items?.length);
}

/** Returns the names of the Markdown files in a folder, or none if the folder doesn't exist. */
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

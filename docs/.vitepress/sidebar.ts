import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { recipes } from './recipes.js';

type Item = DefaultTheme.SidebarItem;

/** Pages in `docs/` by group, in reading order. */
const groups: Readonly<Record<string, string>> = {
  Start: 'start connect requests auth error-handling',
  Guides:
    'pagination limits-and-retries uploads-and-downloads caching proxies-and-tls observability bundling other-endpoints extending openapi doctor',
  APIs: 'oauth webhooks support appliance',
  Testing: 'testing emulator-data emulator-faults recording emulator-server',
  Scale: 'fleets benchmarks',
  Concepts: 'not-supported stability',
};
const reference = ['options', 'errors'];
const contributing = ['docs/architecture', 'docs/foreign-clients', 'CONTRIBUTING', 'CHANGELOG'];

/** Returns the site's sidebar. Pages that no group names are in "Other guides". */
export function guides(root: string): Item[] {
  const page = (path: string): Item => {
    const [, title = path] = /^# (.+)$/m.exec(readFileSync(join(root, `${path}.md`), 'utf8')) ?? [];
    return { text: title.replaceAll('`', ''), link: `/${path}` };
  };
  const inDocs = (names: readonly string[]) => names.map((name) => page(`docs/${name}`));
  const list = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => basename(name, '.md'))
      .sort();
  const named = Object.values(groups).flatMap((names) => names.split(' '));
  const others = list('docs').filter(
    (name) =>
      ![...named, ...reference, 'index', 'recipes', 'endpoints'].includes(name) &&
      !contributing.includes(`docs/${name}`),
  );
  const migrating = others.filter((name) => name.startsWith('coming-from-'));
  const recipeItems = recipes().map(({ name, title }) => ({
    text: title,
    link: `/recipes/${name}`,
  }));
  // Sorted by title, such as `hosting.pulls`, so each API's pages are together.
  const endpoints = list('docs/resources')
    .map((name) => page(`docs/resources/${name}`))
    .sort((a, b) => (String(a.text) < String(b.text) ? -1 : 1));
  const all: Item[] = [
    ...Object.entries(groups).map(([text, names]) => ({ text, items: inDocs(names.split(' ')) })),
    { text: 'Other guides', items: inDocs(others.filter((name) => !migrating.includes(name))) },
    { text: 'Recipes', link: '/docs/recipes', collapsed: true, items: recipeItems },
    { text: 'Migrate', items: inDocs(migrating) },
    {
      text: 'Reference',
      items: [
        ...inDocs(reference),
        { text: 'Environment variables', link: '/docs/auth#environment-variables' },
        { text: 'Endpoints', link: '/docs/endpoints', collapsed: true, items: endpoints },
      ],
    },
    { text: 'Contributing', collapsed: true, items: contributing.map(page) },
  ];
  return all.filter(({ items }) => items?.length);
}

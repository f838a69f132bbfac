import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { recipes } from './recipes.js';

type Item = DefaultTheme.SidebarItem;

/** Guides by group, in reading order. */
const groups: Readonly<Record<string, string>> = {
  Start: 'start connect requests auth error-handling',
  Guides:
    'pagination limits-and-retries uploads-and-downloads caching proxies-and-tls observability bundling other-endpoints extending openapi doctor',
  APIs: 'oauth webhooks support appliance',
  Testing: 'testing emulator-data emulator-faults recording emulator-server',
  Scale: 'fleets benchmarks',
  Concepts: 'not-supported stability',
  Migrate: 'coming-from-octokit coming-from-octokit-webhooks coming-from-python-and-go',
};

/** Returns the site's sidebar. */
export function guides(root: string): Item[] {
  const page = (path: string): Item => {
    const [, title = path] = /^# (.+)$/m.exec(readFileSync(join(root, `${path}.md`), 'utf8')) ?? [];
    return { text: title.replaceAll('`', ''), link: `/${path}` };
  };
  const pages = (names: string, folder = 'docs/') =>
    names.split(' ').map((name) => page(`${folder}${name}`));
  // Sorted by title, such as `hosting.pulls`, so each API's pages are together.
  const endpoints = readdirSync(join(root, 'docs/resources'))
    .map((file) => page(`docs/resources/${file.replace('.md', '')}`))
    .sort((a, b) => (String(a.text) < String(b.text) ? -1 : 1));
  return [
    ...Object.entries(groups).map(([text, names]) => ({ text, items: pages(names) })),
    {
      text: 'Recipes',
      link: '/docs/recipes',
      collapsed: true,
      items: recipes().map(({ name, title }) => ({ text: title, link: `/recipes/${name}` })),
    },
    {
      text: 'Reference',
      items: [
        ...pages('options errors'),
        { text: 'Environment variables', link: '/docs/auth#environment-variables' },
        { text: 'Endpoints', link: '/docs/endpoints', collapsed: true, items: endpoints },
      ],
    },
    {
      text: 'Contributing',
      collapsed: true,
      items: [...pages('architecture foreign-clients'), ...pages('CONTRIBUTING CHANGELOG', '')],
    },
  ];
}

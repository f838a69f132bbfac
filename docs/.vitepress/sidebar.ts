import { readdirSync, readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { recipes } from './recipes.js';

type Item = DefaultTheme.SidebarItem;

/** Returns the site's sidebar. Guides are in reading order. */
export function sidebar(root: string): Item[] {
  const page = (path: string): Item => {
    const [, title = path] = /^# (.+)$/m.exec(readFileSync(`${root}${path}.md`, 'utf8')) ?? [];
    return { text: title.replaceAll('`', ''), link: `/${path}` };
  };
  const group = (text: string, names: string): Item => ({
    text,
    items: names.split(' ').map((name) => page(/^[a-z]/.test(name) ? `docs/${name}` : name)),
  });
  // Sorted by title, such as `hosting.pulls`, so each API's pages are together.
  const endpoints = readdirSync(`${root}docs/resources`)
    .map((file) => page(`docs/resources/${file.replace('.md', '')}`))
    .sort((a, b) => (String(a.text) < String(b.text) ? -1 : 1));
  const programs = recipes().map(({ name, title }) => ({ text: title, link: `/recipes/${name}` }));
  return [
    group('Start', 'start connect requests auth error-handling'),
    group(
      'Guides',
      'pagination limits-and-retries uploads-and-downloads caching proxies-and-tls observability bundling other-endpoints extending openapi doctor',
    ),
    group('APIs', 'oauth webhooks support appliance'),
    group('Testing', 'testing emulator-data emulator-faults recording emulator-server'),
    group('Scale', 'fleets benchmarks'),
    group('Concepts', 'not-supported stability'),
    group('Migrate', 'coming-from-octokit coming-from-octokit-webhooks coming-from-python-and-go'),
    { text: 'Recipes', link: '/docs/recipes', collapsed: true, items: programs },
    group('Reference', 'options errors'),
    { text: 'Endpoints', link: '/docs/endpoints', collapsed: true, items: endpoints },
    group('Contributing', 'architecture foreign-clients CONTRIBUTING CHANGELOG'),
  ];
}

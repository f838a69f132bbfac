import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { checkSite } from './site-links.js';

const site = fileURLToPath(new URL('../../site', import.meta.url));

test('every link in the built site has a target', () => {
  expect(existsSync(site), 'build the site with npm run docs').toBe(true);
  const { pages, links, dead } = checkSite(site);
  expect(dead).toEqual([]);
  expect(pages).toBeGreaterThan(50);
  expect(links).toBeGreaterThan(10_000);
});

test('the site contains llms.txt and the pages that it links to, as Markdown', () => {
  const links = readFileSync(`${site}/llms.txt`, 'utf8').match(/(?<=\]\()\/[^)]+\.md/g) ?? [];
  expect(links).toContain('/docs/options.md');
  for (const link of links) expect(readFileSync(site + link, 'utf8')).toMatch(/^# /m);
});

const chunks = new URL('../../site/assets/chunks/', import.meta.url);
const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndex'));
const { default: json }: { default: string } = await import(
  fileURLToPath(new URL(name ?? 'no index', chunks))
);
// VitePress's fields and search options.
const index = MiniSearch.loadJSON(json, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});

test.each([
  ['pulls.list', '/docs/resources/pulls#hostingpullslist'],
  ['releases.uploadAsset', '/docs/resources/releases#hostingreleasesuploadasset'],
  ['cases.search', '/docs/resources/cases#supportcasessearch'],
  ['maintenance.set', '/docs/resources/maintenance#appliancemaintenanceset'],
])("a search for the method '%s' finds its section among the first five results", (query, id) => {
  const found = index.search(query).map((result) => String(result.id));
  expect(found.slice(0, 5)).toContain(id);
});

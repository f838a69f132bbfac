import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

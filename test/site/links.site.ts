import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkSite } from './site-links.js';

const site = fileURLToPath(new URL('../../site', import.meta.url));

test('every link in the built site has a target (build it with npm run docs)', () => {
  expect(existsSync(site), 'there is no site').toBe(true);
  const { pages, links, dead } = checkSite(site);
  expect(dead).toEqual([]);
  expect(pages).toBeGreaterThan(100);
  expect(links).toBeGreaterThan(10_000);
});

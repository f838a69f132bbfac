import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openTab } from './chromium.js';
import { type Served, serve } from './program.js';

let browser: Browser;
let site: Served;

beforeAll(async () => {
  browser = await openBrowser();
  // What `npm run docs:serve` runs, on another port.
  site = await serve(['node_modules/sirv-cli/bin.js', 'site', '--dev', '--port', '4711']);
});

afterAll(async () => {
  site?.stop();
  await browser?.close();
});

test('the start page shows the README and leads to the guides', async () => {
  const { page, problems, picture } = await openTab(browser);
  await page.goto(site.url);
  expect(await page.locator('h1').first().textContent()).toContain('triforge');
  await picture('start');
  await page.locator('.tsd-typography a', { hasText: 'Coming from octokit' }).first().click();
  await page.waitForURL(/Coming_from_octokit/);
  expect(await page.locator('td code', { hasText: /^hosting\.pulls\.list$/ }).count()).toBe(1);
  await picture('guide');
  expect(problems).toEqual([]);
});

test('the picture of the architecture is there', async () => {
  const { page, problems, picture } = await openTab(browser);
  await page.goto(`${site.url}/documents/Architecture.html`);
  const drawn = page.locator('.tsd-typography img').first();
  await drawn.scrollIntoViewIfNeeded();
  const box = await drawn.boundingBox();
  expect(box?.width).toBeGreaterThan(400);
  expect(box?.height).toBeGreaterThan(200);
  await picture('architecture');
  expect(problems).toEqual([]);
});

test('a page of the API tells of methods, inputs and errors', async () => {
  const { page, problems, picture } = await openTab(browser);
  await page.goto(`${site.url}/classes/triforge.HostingClient.html`);
  expect(await page.locator('h1').first().textContent()).toContain('HostingClient');
  await picture('api-client');
  await page
    .locator('.tsd-member a', { hasText: /^Releases$/ })
    .first()
    .click();
  await page.waitForURL(/Releases\.html/);
  const text = await page.locator('main, .container-main').first().textContent();
  expect(text).toContain('uploadAsset');
  expect(text).not.toContain('new Releases(');
  expect(text).toMatch(/Throws\s*UnprocessableError/);
  await picture('api-resource');
  expect(problems).toEqual([]);
});

test('the search finds methods and what guides say', async () => {
  const { page, problems, picture } = await openTab(browser);
  await page.goto(site.url);
  await page.locator('#tsd-search-trigger').click();
  const field = page.locator('#tsd-search-input');
  await field.pressSequentially('uploadAsset');
  const results = page.locator('#tsd-search-results li');
  await results.first().waitFor();
  expect(await results.first().textContent()).toContain('uploadAsset');
  await picture('search');
  await field.fill('');
  await field.pressSequentially('proxies');
  await page.locator('#tsd-search-results li', { hasText: 'Proxies and TLS' }).first().click();
  await page.waitForURL(/Proxies_and_TLS/);
  expect(problems).toEqual([]);
});

test('dark mode is followed, and can be chosen', async () => {
  const background = 'getComputedStyle(document.body).backgroundColor';
  const dark = await openTab(browser, { colorScheme: 'dark' });
  await dark.page.goto(`${site.url}/documents/Errors.html`);
  const asSystem = await dark.page.evaluate(background);
  await dark.picture('dark');
  const light = await openTab(browser);
  await light.page.goto(`${site.url}/documents/Errors.html`);
  expect(await light.page.evaluate(background)).not.toBe(asSystem);
  await light.page.locator('summary', { hasText: 'Settings' }).click();
  await light.page.locator('#tsd-theme').selectOption('dark');
  await expect.poll(() => light.page.evaluate(background)).toBe(asSystem);
});

test('a narrow screen scrolls no page sideways', async () => {
  const { page, problems, picture } = await openTab(browser, { width: 400 });
  for (const name of ['Coming_from_octokit', 'Observability', 'The_list_of_errors']) {
    await page.goto(`${site.url}/documents/${name}.html`);
    const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(over, name).toBeLessThanOrEqual(0);
  }
  await picture('narrow');
  expect(problems).toEqual([]);
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openTab } from './chromium.js';
import { type Served, serve } from './program.js';

let browser: Browser;
let site: Served;

beforeAll(async () => {
  browser = await openBrowser();
  // Same command as `npm run docs:serve`, on another port.
  site = await serve([
    'node_modules/vitepress/bin/vitepress.js',
    'preview',
    'docs',
    '--port',
    '4711',
  ]);
});

afterAll(async () => {
  site?.stop();
  await browser?.close();
});

const pages = {
  home: '/',
  start: '/docs/start',
  guide: '/docs/fleets',
  recipe: '/recipes/release-with-assets',
  model: '/docs/resources/types#pullrequest',
  error: '/docs/errors#notfounderror',
  endpoints: '/docs/endpoints',
  resource: '/docs/resources/pulls#hostingpullslist',
};

/**
 * Returns the text whose contrast with the background is below the WCAG AA minimum: 4.5, or 3 for
 * large text.
 */
async function lowContrast(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => [r, g, b]
      .map((each) => each / 255)
      .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
      .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
    const over = (front, back) => front.slice(0, 3).map((each, index) => each * (front[3] ?? 1) + back[index] * (1 - (front[3] ?? 1)));
    const ground = (node) => {
      const layers = [];
      for (let each = node; each; each = each.parentElement) layers.push(parse(getComputedStyle(each).backgroundColor));
      return layers.reverse().reduce((back, front) => over(front.length < 3 ? [0, 0, 0, 0] : front, back), [255, 255, 255]);
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (!walker.currentNode.textContent.trim() || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const style = getComputedStyle(node);
      if (style.webkitTextFillColor === 'rgba(0, 0, 0, 0)') continue;
      const back = ground(node);
      const [one, two] = [light(over(parse(style.color), back)), light(back)].sort((a, b) => b - a);
      const ratio = (one + 0.05) / (two + 0.05);
      const size = parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      if (ratio < least) found.add(node.className + ' ' + style.color + ' on ' + back.map(Math.round) + ': ' + ratio.toFixed(2) + ' ' + walker.currentNode.textContent.trim().slice(0, 20));
    }
    return [...found];
  })()`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test.each(Object.entries(pages))(
      `the %s page fits a ${width} px viewport and has AA contrast (${colorScheme} mode)`,
      async (name, path) => {
        const { page, problems, picture } = await openTab(browser, { colorScheme, width });
        await page.goto(site.url + path, { waitUntil: 'networkidle' });
        await picture(`${name}-${colorScheme}-${width}`);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ).toBeLessThanOrEqual(0);
        expect(await lowContrast(page)).toEqual([]);
        expect(problems).toEqual([]);
      },
    );
  }
}

test('the home page transfers less than 300 KB, excluding fonts', async () => {
  const { page } = await openTab(browser);
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'font') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(site.url, { waitUntil: 'load' });
  const total = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(300_000);
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(
  "the first search result opens a method's page (%s mode, %i px)",
  async (colorScheme, width) => {
    const { page, problems, picture } = await openTab(browser, { colorScheme, width });
    await page.goto(site.url);
    await page.locator('.DocSearch-Button').click();
    await page.locator('#localsearch-input').fill('pulls.list');
    const first = page.locator('.VPLocalSearchBox .result').first();
    await first.waitFor();
    await picture(`search-${colorScheme}-${width}`);
    expect(await lowContrast(page)).toEqual([]);
    await first.click();
    await page.waitForURL(/docs\/resources\/pulls#hostingpullslist/);
    expect(problems).toEqual([]);
  },
);

test.each(['oauth', 'limits-and-retries'])('the page docs/%s shows its diagram', async (name) => {
  const { page, problems } = await openTab(browser);
  await page.goto(`${site.url}/docs/${name}`);
  const box = await page.locator('.vp-doc img').first().boundingBox();
  expect(box?.width).toBeGreaterThan(400);
  expect(box?.height).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});

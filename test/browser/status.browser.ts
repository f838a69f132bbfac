import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { openBrowser, openTab } from './chromium.js';
import { serve } from './program.js';

let browser: Browser;
let url: string;
let stop: () => void;
beforeAll(async () => {
  browser = await openBrowser();
  const program = ['--import', 'tsx', 'src/testing/cli.ts'];
  const served = await serve([...program, ...['--port', '0', '--quiet', '--clock', noon.clock]]);
  ({ url, stop } = served);
});
afterAll(async () => {
  stop?.();
  await browser?.close();
});

const authorization = `token ${seeded.token}`;
const sendRequest = (path: string, how: RequestInit = {}) =>
  fetch(url + path, { ...how, headers: { authorization, ...how.headers } });

async function statusPage(options?: Parameters<typeof openTab>[1]) {
  await sendRequest('/_emulator/reset', { method: 'POST' });
  const tab = await openTab(browser, options);
  await tab.page.goto(`${url}/_emulator`);
  await tab.page.getByText('live', { exact: true }).waitFor();
  return tab;
}

test('the status page shows and filters requests', async () => {
  const { page, problems } = await statusPage();
  await page.getByText('No requests yet.').waitFor();
  await sendRequest('/api/v3/user');
  await sendRequest('/api/v3/repos/acme/nothing');
  await page.getByText('2 received').waitFor();
  const rows = page.locator('tr.request');
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/12:00:00\s+404\s+GET\s+\/api\/v3\/repos\/acme\/nothing\s+\d+ B/),
    expect.stringMatching(/12:00:00\s+200\s+GET\s+\/api\/v3\/user\s+[\d.]+ k?B/),
  ]);
  await page.getByRole('searchbox').fill('404 nothing');
  expect(await rows.count()).toBe(1);
  await page.getByRole('searchbox').fill('no such words');
  await page.getByText('No requests match the filter.').waitFor();
  expect(problems).toEqual([]);
});

test('the status page shows a request without the secret', async () => {
  const { page, problems } = await statusPage();
  const body = JSON.stringify({ title: "It's <b>odd</b>" });
  const headers = { 'content-type': 'application/json' };
  await sendRequest('/api/v3/repos/acme/rocket/pulls', { method: 'POST', body, headers });
  await page.getByRole('button', { name: '/pulls' }).click();
  await page.getByText('"title": "It\'s <b>odd</b>"').waitFor();
  expect(await page.locator('#requests').innerHTML()).not.toContain(seeded.token);
  await page.getByRole('button', { name: '/pulls' }).click();
  expect(await page.locator('pre').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('the status page follows the clock, the faults and a reset', async () => {
  const { page, problems } = await statusPage();
  const post = (path: string, body?: object) =>
    sendRequest(`/_emulator/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await post('clock', { advance: 3600 });
  await page.getByText('2014-06-01T13:00:00.000Z').waitFor();
  await post('faults', { fault: { kind: 'hang' }, match: { path: '/x' }, times: 2 });
  await page.getByText('hang: any method /x, 2 times').waitFor();
  await post('reset');
  await page.getByText('2014-06-01T12:00:00.000Z').waitFor();
  await page.locator('#faults').getByText('none').waitFor();
  expect(problems).toEqual([]);
});

test('the status page shows the base URLs and the seeded credentials', async () => {
  const { page, problems } = await statusPage();
  await page.getByText(seeded.token).waitFor();
  const connections = await page.locator('#connections').textContent();
  for (const text of [
    `${url}/api/v3/`,
    `${url}/api/v2/`,
    seeded.token,
    seeded.clientSecret,
    supportSeed.apiKey,
    consoleSeed.licenseMd5,
  ]) {
    expect(connections).toContain(text);
  }
  await sendRequest('/_emulator/world.json', { method: 'PUT', body: '{}' });
  await page.reload();
  await page.getByText(`${url}/api/v2/`).waitFor();
  const empty = await page.locator('#connections').textContent();
  expect(empty).toContain(`${url}/api/v3/`);
  expect(empty).not.toContain(seeded.token);
  expect(problems).toEqual([]);
});

test('the status page shows the state as a tree', async () => {
  const { page, problems } = await statusPage();
  await page.getByText('Browse').click();
  // Searches only in the tree, because the counts above it contain the same words.
  for (const name of [
    'hosting',
    'repositories (82)',
    '0 rocket',
    'releases (40)',
    '39 Rocket 0.40',
  ]) {
    await page.locator('#tree summary').getByText(name, { exact: true }).first().click();
  }
  await page.getByText('tagName: "v0.40.0"').waitFor();
  expect(problems).toEqual([]);
});

test.each(
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [1280, 390].map((width) => [colorScheme, width] as const),
  ),
)(
  'the status and authorize pages fit the viewport (%s mode, %i px)',
  async (colorScheme, width) => {
    const { page, picture, problems } = await statusPage({ colorScheme, width });
    await sendRequest(`/api/v3/repos/acme/rocket/contents/${'a-long-name/'.repeat(12)}x.md`);
    await sendRequest('/api/v3/repos/acme/rocket/pulls?state=closed&per_page=5');
    await sendRequest('/api/v3/orgs/acme/teams', { method: 'POST', body: '{"name":"Crew"}' });
    await page.getByText('3 received').waitFor();
    await page.getByRole('button', { name: '/teams' }).click();
    await page.locator('pre').waitFor();
    const wide = 'document.documentElement.scrollWidth <= innerWidth';
    expect(await page.evaluate(wide), 'no horizontal overflow').toBe(true);
    await picture(`status-${colorScheme}-${width}`);
    const { page: pending, picture: takePicture } = await openTab(browser, { colorScheme, width });
    const query = new URLSearchParams({
      client_id: seeded.clientId,
      scope: 'user,public_repo',
      redirect_uri: 'http://localhost:3000/callback',
      state: 'x',
    });
    await pending.goto(`${url}/login/oauth/authorize?${query}`);
    await pending.getByRole('heading', { name: 'Authorize Seed application' }).waitFor();
    expect(await pending.evaluate(wide), 'no horizontal overflow').toBe(true);
    await takePicture(`authorize-${colorScheme}-${width}`);
    expect(problems).toEqual([]);
  },
);

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { openBrowser, openTab } from './chromium.js';
import { serve } from './program.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const application = {
  clientId: 'browserbrowserbrowse',
  clientSecret: 'a-secret-of-forty-characters-for-a-test!',
};

/** Starts the example, with the emulator as the service. */
async function appAndPage(): Promise<{ emulator: Emulator; appUrl: string; page: Page }> {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { url, hostingUrl } = await emulator.listen();
  const app = await serve(['--import', 'tsx', 'examples/oauth-express.ts'], {
    TRIFORGE_OAUTH_AUTH_URL: url,
    TRIFORGE_BASE_URL: hostingUrl,
    TRIFORGE_OAUTH_CLIENT_ID: application.clientId,
    TRIFORGE_OAUTH_CLIENT_SECRET: application.clientSecret,
    PORT: '0',
  });
  onTestFinished(() => app.stop());
  const callbackUrl = `${app.url}/callback`;
  emulator.hosting.addApplication('Star Map', { ...application, callbackUrl });
  const { page, picture } = await openTab(browser);
  await page.goto(app.url);
  await page.getByText('Log in').click();
  await page.getByRole('heading', { name: 'Authorize Star Map' }).waitFor();
  await picture('oauth-authorize');
  return { emulator, appUrl: app.url, page };
}

/** Clicks a button on the authorize page. @returns The callback page's status and text. */
async function decide(page: Page, id: 'approve' | 'deny') {
  const back = page.waitForResponse((response) => response.url().includes('/callback'));
  await page.locator(`#${id}`).click();
  const response = await back;
  return { status: response.status(), text: await response.text() };
}

const exchanges = ({ requests }: Emulator) =>
  requests.filter(({ path }) => path.startsWith('/login/oauth/access_token'));

test('oauth-express signs in a user who approves access', async () => {
  const { emulator, page } = await appAndPage();
  const { status, text } = await decide(page, 'approve');
  expect(text).toContain('Granted: user, public_repo');
  expect(text).toContain('Starred: ');
  expect(status).toBe(200);
  expect(exchanges(emulator)).toHaveLength(1);
});

test('oauth-express requests no token if the user denies access', async () => {
  const { emulator, page } = await appAndPage();
  const { status, text } = await decide(page, 'deny');
  expect(text).toContain('access_denied');
  expect(status).toBe(403);
  expect(exchanges(emulator)).toHaveLength(0);
});

test('oauth-express rejects a callback with a forged state', async () => {
  const { emulator, page } = await appAndPage();
  await page.evaluate(
    "document.querySelector('form:has(#approve) input[name=state]').value = 'forged'",
  );
  const { status, text } = await decide(page, 'approve');
  expect(text).toContain('forged');
  expect(status).toBe(403);
  expect(exchanges(emulator)).toHaveLength(0);
});

test('oauth-express rejects a second callback with the same state', async () => {
  const { emulator, page } = await appAndPage();
  await decide(page, 'approve');
  const again = await page.reload();
  expect(again?.status()).toBe(403);
  expect(exchanges(emulator)).toHaveLength(1);
});

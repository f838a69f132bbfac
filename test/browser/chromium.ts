import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const screenshots = fileURLToPath(new URL('../../.browser', import.meta.url));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns Chromium's path.
 * @throws {Error} if Chromium isn't installed, because the tests must not be skipped.
 */
function chromiumPath(): string {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH !== undefined) {
    if (isProgram(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH: ${CHROMIUM_PATH} is not an executable program`);
  }
  const folders = [...PATH.split(delimiter), '/Applications/Google Chrome.app/Contents/MacOS'];
  const found = folders
    .flatMap((folder) => [...names, 'Google Chrome'].map((name) => join(folder, name)))
    .find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    `no browser: install chromium (apt-get install chromium), or set CHROMIUM_PATH; searched for ${names.join(', ')}`,
  );
}

export async function openBrowser(): Promise<Browser> {
  // Chromium's sandbox doesn't work for root, the usual user in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await chromium.launch({ executablePath: chromiumPath(), args });
}

/** Browser tab that records its errors. Closed when the test ends. */
export interface Tab {
  readonly page: Page;
  /** Script errors, console errors, error responses and failed requests. */
  readonly problems: readonly string[];
  /** Saves a screenshot in `.browser/`. */
  picture(name: string): Promise<void>;
}

export async function openTab(
  browser: Browser,
  options: { colorScheme?: 'light' | 'dark'; width?: number } = {},
): Promise<Tab> {
  const { colorScheme = 'light', width = 1280 } = options;
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(line.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // Ignores aborted requests, because leaving a page aborts its pending requests.
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') problems.push(`${why}: ${request.url()}`);
  });
  return {
    page,
    problems,
    async picture(name) {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
    },
  };
}

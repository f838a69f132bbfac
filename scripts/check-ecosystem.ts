// Tests the tarball with the bundlers, frameworks, test runners and package managers that people use.
// Downloads several hundred MB, so it runs before a release rather than in CI. To run only some tests:
// npm run check:ecosystem [-- --only webpack --only pnpm]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundlers, measureBundles, runBundled } from './package/bundlers.js';
import { managers, runWithManager } from './package/managers.js';
import { runInNext } from './package/next.js';
import { pack } from './package/pack.js';
import {
  checkDispatchers,
  runInNodeTest,
  runInVitest,
  runMsw3,
  runNock15,
} from './package/runners.js';
import { runInWorkers } from './package/workers.js';

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const folder = mkdtempSync(join(tmpdir(), 'triforge-ecosystem-'));
const tarball = pack(folder);
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

const ways: Record<string, (place: string) => unknown> = {
  ...Object.fromEntries(
    Object.keys(bundlers).map((name) => [
      name,
      (place: string) => `${runBundled(place, tarball, name)} kB`,
    ]),
  ),
  'bundle sizes': (place) => measureBundles(place, tarball),
  'Next.js': (place) => runInNext(place, tarball),
  vitest: (place) => runInVitest(place, tarball),
  'node:test': (place) => runInNodeTest(place, tarball),
  'msw 3 on Node.js 24': (place) => runMsw3(place, tarball),
  'nock 15 on Node.js 24': (place) => runNock15(place, tarball),
  'dispatchers of undici 6 and 8': (place) => checkDispatchers(place, tarball, tsc),
  'Cloudflare Workers': (place) => runInWorkers(place, tarball),
  ...Object.fromEntries(
    Object.keys(managers).map((name) => [
      name,
      (place: string) => runWithManager(place, tarball, name),
    ]),
  ),
};
const unknown = values.only?.filter((name) => !(name in ways)) ?? [];
if (unknown.length > 0) {
  throw new Error(`--only ${unknown.join()}: must be one of ${Object.keys(ways).join(', ')}`);
}
try {
  for (const [index, [name, use]] of Object.entries(ways).entries()) {
    if (values.only && !values.only.includes(name)) continue;
    try {
      console.log(`ok: ${name}`, (await use(join(folder, `${index}`))) ?? '');
    } catch (error) {
      console.error(`failed: ${name}\n${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.js';
import { emptyProject, install } from './consumer.js';
import { featuresInJavaScript, scope } from './features.js';

const test = (imports: string) => `${imports}
import { deepEqual } from 'node:assert/strict';
${scope.import}
test('triforge works', async () => {
  const failed = [];
  const check = (what, holds) => holds || failed.push(what);
  ${featuresInJavaScript}
  deepEqual(failed, []);
});
`;

function project(folder: string, packages: readonly string[], file: string, text: string): void {
  emptyProject(folder);
  install(folder, packages);
  writeFileSync(join(folder, file), text);
}

export function runInVitest(folder: string, tarball: string): void {
  project(folder, [tarball, 'vitest@4'], 'all.test.mjs', test(`import { test } from 'vitest';`));
  run('npx', ['vitest', 'run', '--testTimeout=60000'], folder);
}

export function runInNodeTest(folder: string, tarball: string): void {
  project(folder, [tarball], 'all.test.mjs', test(`import { test } from 'node:test';`));
  run(process.execPath, ['--test', 'all.test.mjs'], folder);
}

/** Runs each file with Node.js 24, which msw 3 and nock 15 need. */
function runOnNode24(folder: string, files: readonly string[]): void {
  for (const file of files) {
    const output = run('npx', ['-y', '-p', 'node@24', 'node', file], folder);
    if (!output.includes('works')) throw new Error(`${file}: ${output}`);
  }
}

const msw = `
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { HostingClient } from 'triforge';
import { createEmulator } from 'triforge/testing';
import { mswHandlers } from 'triforge/testing/msw';
const server = setupServer(
  http.get('https://code.test/api/v3/x', () => HttpResponse.json({ ok: true })),
  ...mswHandlers(createEmulator(), 'https://code.test'),
);
server.listen({ onUnhandledRequest: 'error' });
const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/', fetch: (...a) => fetch(...a) });
const [data, repo] = await Promise.all([hosting.request('GET x'), hosting.request('GET /repos/acme/rocket')]);
if (data.ok !== true || repo.name !== 'rocket') throw new Error('msw does not serve the client');
server.close();
console.log('works');
`;

/** Tests `triforge/testing/msw` and `fetch` with msw 3, as an ES module and with `require`. */
export function runMsw3(folder: string, tarball: string): void {
  project(folder, [tarball, 'msw@3'], 'program.mjs', msw);
  const required = `${msw.replaceAll(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = require($2);')}`;
  const [head, ...body] = required.split('const server');
  writeFileSync(
    join(folder, 'program.cjs'),
    `${head}(async () => { const server${body.join('const server')} })();`,
  );
  runOnNode24(folder, ['program.mjs', 'program.cjs']);
}

const nock = `
import nock from 'nock';
import { HostingClient } from 'triforge';
for (const options of [{}, { fetch: (...a) => fetch(...a) }]) {
  nock('https://code.test').get('/api/v3/x').reply(200, { ok: true });
  const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/', retry: false, ...options });
  const data = await hosting.request('GET x');
  if (data.ok !== true) throw new Error('nock does not serve the client');
}
console.log('works');
`;

/** Tests that nock 15 intercepts the client with and without `fetch`. */
export function runNock15(folder: string, tarball: string): void {
  project(folder, [tarball, 'nock@15'], 'program.mjs', nock);
  runOnNode24(folder, ['program.mjs']);
}

/** Tests which dispatchers the compiler and the client accept. */
export function checkDispatchers(folder: string, tarball: string, tsc: string): void {
  const program = `
import { Agent as Agent6 } from 'undici6';
import { Agent as Agent8, MockAgent as MockAgent8 } from 'undici8';
import { HostingClient } from 'triforge';
import { createEmulator } from 'triforge/testing';
const baseUrl = 'https://code.test/api/v3/';
new HostingClient({ baseUrl, dispatcher: new Agent8() });
new HostingClient({ baseUrl, dispatcher: new MockAgent8() });
new HostingClient({ baseUrl, dispatcher: createEmulator().dispatcher() });
// @ts-expect-error: a function isn't a dispatcher.
const withFunction = () => new HostingClient({ baseUrl, dispatcher: fetch });
const hosting = new HostingClient({ baseUrl, dispatcher: new Agent6() });
hosting.request('GET /user').catch((error: Error) => {
  if (!error.message.includes('needs undici 7 or later')) throw error;
  console.log('works');
});
`;
  const packages = [tarball, 'undici6@npm:undici@6', 'undici8@npm:undici@8', '@types/node@24'];
  project(folder, packages, 'program.mts', program);
  const options = ['--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--strict'];
  run(process.execPath, [tsc, ...options, 'program.mts'], folder);
  runOnNode24(folder, ['program.mjs']);
}

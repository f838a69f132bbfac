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

const msw = `
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { HostingClient } from 'triforge';
import { createEmulator, seeded } from 'triforge/testing';
import { dispatcherFromMsw, mswHandlers } from 'triforge/testing/msw';
const server = setupServer(...mswHandlers(createEmulator(), 'https://code.test'));
server.listen({ onUnhandledRequest: 'error' });
const response = await fetch('https://code.test/api/v3/repos/acme/rocket', { headers: { 'user-agent': 'x' } });
if (response.status !== 200) throw new Error('fetch: ' + response.status);
server.close();
const handlers = [http.get('https://code.test/api/v3/x', () => HttpResponse.json({ ok: true }))];
const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/', dispatcher: dispatcherFromMsw(handlers) });
const data = await hosting.request('GET x');
if (data.ok !== true || seeded.owner === undefined) throw new Error('the bridge does not work');
console.log('works');
`;

/** Tests `triforge/testing/msw` with msw 3, as an ES module and with `require`. Runs on Node.js 24. */
export function runMsw3(folder: string, tarball: string): void {
  project(folder, [tarball, 'msw@3'], 'program.mjs', msw);
  const required = `${msw.replaceAll(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = require($2);')}`;
  const [head, ...body] = required.split('const server');
  writeFileSync(
    join(folder, 'program.cjs'),
    `${head}(async () => { const server${body.join('const server')} })();`,
  );
  for (const file of ['program.mjs', 'program.cjs']) {
    const output = run('npx', ['-y', '-p', 'node@24', 'node', file], folder);
    if (!output.includes('works')) throw new Error(`${file}: ${output}`);
  }
}

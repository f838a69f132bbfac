// Generates TypeScript clients from `openapi/*.json` with third-party generators, compiles them, and
// sends three requests to the emulator with each generated hosting client.
// Part of `npm run test:openapi`. Run alone: npx tsx test/openapi/generators.ts
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator, seeded } from '../../src/testing/index.js';

const packages = [
  'orval@8.38.0',
  'oazapfts@7.5.0',
  'swagger-typescript-api@13.13.0',
  '@hey-api/openapi-ts@0.95.0',
  '@kubb/cli@4.39.3',
  '@kubb/core@4.39.3',
  '@kubb/plugin-oas@4.39.3',
  '@kubb/plugin-ts@4.39.3',
  '@kubb/plugin-client@4.39.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  'tsx@4',
];
const apis = ['hosting', 'support', 'console'];
const path = (api: string) => join(process.cwd(), 'openapi', `${api}.json`);

const settings: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': `{
  "compilerOptions": {
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "types": [],
    "target": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "module": "esnext",
    "moduleResolution": "bundler"
  }
}`,
  'orval.config.mjs': `export default {
  ${apis.map((api) => `${api}: { input: '${path(api)}', output: { target: 'orval-${api}.ts', client: 'fetch' } },`).join('\n  ')}
};`,
  'kubb.config.mjs': `import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
const plugins = [pluginOas({ generators: [] }), pluginTs({}), pluginClient({ client: 'fetch', bundle: true })];
export default [
  ${apis.map((api) => `{ name: '${api}', root: '.', input: { path: '${path(api)}' }, output: { path: 'kubb-${api}', barrelType: 'named', format: false }, plugins },`).join('\n  ')}
];`,
};

const commands = [
  ['orval'],
  ['kubb', 'generate'],
  ...apis.map((api) => ['oazapfts', path(api), `oazapfts-${api}.ts`]),
  ...apis.map((api) => ['openapi-ts', '-i', path(api), '-o', `hey-api-${api}`]),
  ...apis.map((api) => ['openapi-typescript', path(api), '-o', `openapi-typescript-${api}.d.ts`]),
  ...apis.map((api) => [
    ...['swagger-typescript-api', 'generate', '-p', path(api)],
    ...['-o', '.', '-n', `swagger-${api}.ts`],
  ]),
];

/**
 * Programs that list pull requests, request a missing one, create a release, and print the number of
 * pull requests, the status of the missing one, and the release's tag.
 */
const programs: Readonly<Record<string, string>> = {
  orval: `import { pullsGet, pullsList, releasesCreate } from './orval-hosting.js';
const send = globalThis.fetch;
globalThis.fetch = (path, options) => send(url + path, options);
const list = await pullsList('acme', 'rocket', {}, { headers });
const missing = await pullsGet('acme', 'rocket', 999, { headers });
const created = await releasesCreate('acme', 'rocket', { tag_name }, { headers });
if (list.status !== 200 || created.status !== 201) throw new Error('failed');
console.log(list.data.length, missing.status, created.data.tag_name);
`,
  oazapfts: `import { defaults, pullsGet, pullsList, releasesCreate } from './oazapfts-hosting.js';
Object.assign(defaults, { baseUrl: url, headers });
const list = await pullsList('acme', 'rocket');
const missing = await pullsGet('acme', 'rocket', 999);
const created = await releasesCreate('acme', 'rocket', { tag_name });
if (list.status !== 200 || created.status !== 201) throw new Error('failed');
if (!Array.isArray(list.data) || !('tag_name' in created.data)) throw new Error('no data');
console.log(list.data.length, missing.status, created.data.tag_name);
`,
  'swagger-typescript-api': `import { Api } from './swagger-hosting.js';
const { repos } = new Api({ baseUrl: url, baseApiParams: { headers } });
const list = await repos.pullsList('acme', 'rocket');
const missing = await repos.pullsGet('acme', 'rocket', 999).catch(({ status }) => status);
const created = await repos.releasesCreate('acme', 'rocket', { tag_name });
console.log(list.data.length, missing, created.data.tag_name);
`,
  'hey-api': `import { client } from './hey-api-hosting/client.gen.js';
import { pullsGet, pullsList, releasesCreate } from './hey-api-hosting/sdk.gen.js';
client.setConfig({ baseUrl: url, headers });
const path = { owner: 'acme', repo: 'rocket' };
const list = await pullsList({ path, throwOnError: true });
const missing = await pullsGet({ path: { ...path, number: 999 } });
const created = await releasesCreate({ path, body: { tag_name }, throwOnError: true });
console.log(list.data.length, missing.response?.status, created.data.tag_name);
`,
  kubb: `import { pullsGet, pullsList, releasesCreate } from './kubb-hosting/index.js';
const type = { 'content-type': 'application/json' };
const config = { baseURL: url, headers: { ...headers, ...type } };
const list = await pullsList('acme', 'rocket', {}, config);
const missing = await pullsGet('acme', 'rocket', 999, config);
const created = await releasesCreate('acme', 'rocket', { tag_name }, config);
console.log(list.length, 'message' in missing ? 404 : 200, created.tag_name);
`,
  'openapi-typescript': `import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript-hosting.js';
const api = createClient<paths>({ baseUrl: url, headers });
const path = { owner: 'acme', repo: 'rocket' };
const list = await api.GET('/repos/{owner}/{repo}/pulls', { params: { path } });
const missing = await api.GET('/repos/{owner}/{repo}/pulls/{number}', {
  params: { path: { ...path, number: 999 } },
});
const created = await api.POST('/repos/{owner}/{repo}/releases', {
  params: { path },
  body: { tag_name },
});
console.log(list.data?.length, missing.response.status, created.data?.tag_name);
`,
};

const folder = mkdtempSync(join(tmpdir(), 'triforge-generators-'));
const emulator = createEmulator();

/** Runs a program asynchronously, because the emulator in this process must respond to it. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder });
  return stdout.trim();
}

try {
  const { hostingUrl } = await emulator.listen();
  const setup = `const url = '${hostingUrl.replace(/\/$/, '')}';
const headers = { authorization: 'token ${seeded.token}' };
`;
  for (const [name, text] of Object.entries(settings)) writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, `${name}.ts`), `${setup}const tag_name = 'by-${name}';\n${text}`);
  }
  // orval 8 requires Node.js 22, but its generator also runs on Node.js 20.
  const flags = ['--no-audit', '--no-fund', '--engine-strict=false'];
  await run('npm', 'install', ...flags, ...packages);
  for (const command of commands) await run('npx', ...command);
  await run('npx', 'tsc', '-p', '.');
  for (const name of Object.keys(programs)) {
    const output = await run('npx', 'tsx', `${name}.ts`);
    console.log(`${name}: ${output}`);
    if (output !== `30 404 by-${name}`) throw new Error(`${name}: ${output}`);
  }
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}

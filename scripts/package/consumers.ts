import manifest from '../../package.json' with { type: 'json' };
import { subpaths } from '../entry-points.js';
import { commonJs, esModule, mainModule, scope, testOf } from './features.js';

/** A project that uses the tarball. */
export interface Consumer {
  /** Packages in addition to the tarball. Undefined if the command installs the tarball itself. */
  readonly packages?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Shell command that ends with 0 and prints `works`. `$TARBALL` is the tarball's path. */
  readonly command: string;
  /** True for consumers that are tested only before a release. */
  readonly release?: true;
}

const { devDependencies } = manifest;
const program = { 'program.mjs': esModule, 'program.cjs': commonJs };

const names = ['triforge', ...subpaths.map((path) => `triforge/${path}`)];
/** All subpaths except `/testing/msw`, which needs an optional peer dependency. */
const withoutMsw = names.filter((name) => !name.endsWith('/msw'));

/** A program that loads all subpaths, which must share one copy of each export. */
function loading(load: (name: string) => string, loaded: readonly string[]): string {
  return `
const seen = new Map();
for (const exports of [${loaded.map(load).join(', ')}]) {
  for (const [key, value] of Object.entries(exports)) {
    if (key !== 'default' && (seen.get(key) ?? value) !== value) throw new Error('two copies of ' + key);
    seen.set(key, value);
  }
}
console.log('works');
`;
}
const loadAll = (loaded: readonly string[]) => {
  // The schemas have the names of the models.
  const shared = loaded.filter((name) => name !== 'triforge/schemas');
  return {
    'load.mjs': loading((name) => `await import('${name}')`, shared),
    'load.cjs': loading((name) => `require('${name}')`, shared),
  };
};

/** A project that imports all subpaths, with a configuration for each kind of module resolution. */
function typed(imported: readonly string[]): Record<string, string> {
  const lines = (write: (name: string, as: string) => string) =>
    imported.map((name, index) => `${write(name, `m${index}`)}\nexport { m${index} };\n`).join('');
  const settings = (module: string, moduleResolution: string, files: readonly string[]) =>
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'esnext.disposable', 'dom'],
        module,
        moduleResolution,
        types: ['node'],
        strict: true,
        esModuleInterop: true,
        skipLibCheck: false,
        noEmit: true,
        pretty: false,
      },
      files,
    });
  const both = ['consumer.mts', 'consumer.cts'];
  return {
    'consumer.mts': lines((name, as) => `import * as ${as} from '${name}';`),
    'consumer.cts': lines((name, as) => `import ${as} = require('${name}');`),
    'node16.json': settings('node16', 'node16', both),
    'nodenext.json': settings('nodenext', 'nodenext', both),
    'bundler.json': settings('esnext', 'bundler', ['consumer.mts']),
    // Older resolution, as in ts-jest, finds the subpaths through `typesVersions`.
    'node10.json': settings('commonjs', 'node10', ['consumer.cts']),
  };
}
const typeCheck = (version: string, resolutions: string): Consumer => ({
  packages: [`typescript@${version}`, `@types/node@${devDependencies['@types/node']}`],
  files: typed(withoutMsw),
  command: `for p in ${resolutions}; do npx tsc -p $p.json || exit 1; done; echo works`,
});

const esbuild = 'npx esbuild program.mjs --bundle --platform=node --target=node20';
const bundled = (packages: readonly string[], command: string, files = {}): Consumer => ({
  packages,
  files: { ...program, ...files },
  command,
  release: true,
});
const runtime = (command: string): Consumer => ({
  packages: [],
  files: program,
  command: `${command} program.mjs && ${command} program.cjs`,
  release: true,
});
const node24 = (packages: readonly string[], code: string): Consumer => ({
  packages,
  files: { 'program.mts': code, 'package.json': '{ "type": "module" }' },
  command: 'npx -y -p node@24 node program.mts',
  release: true,
});
const installedBy = (add: string, node: string): Consumer => ({
  // Without `yarn.lock`, Yarn 4 assigns the project to a project in a parent folder.
  files: { ...program, 'yarn.lock': '' },
  command: `${add} && ${node} program.mjs`,
  release: true,
});
const yarn4 = 'npx -y -p @yarnpkg/cli-dist@4 yarn';

const jest = {
  'plain.test.js': testOf(scope.require),
  'babel.test.js': testOf(scope.import),
  'jest.config.json': JSON.stringify({
    projects: [
      { testMatch: ['**/plain.test.js'], transform: {} },
      {
        testMatch: ['**/babel.test.js'],
        transform: {
          js: [
            'babel-jest',
            { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] },
          ],
        },
      },
    ],
  }),
};

/** A program whose requests nock, a network mock, intercepts. nock 14 requires the option `fetch`. */
const nock = (option: string) => `
import nock from 'nock';
import { HostingClient } from 'triforge';
nock('https://code.test').get('/api/v3/x').reply(200, { ok: true });
const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/'${option} });
console.log((await hosting.request('GET x')).ok ? 'works' : 'nock does not intercept');
`;

/** A program that passes a dispatcher of another undici. */
const dispatcher = `
import { HostingClient, isTriforgeError } from 'triforge';
import { Agent } from 'undici';
const hosting = new HostingClient({ baseUrl: 'http://127.0.0.1:9/', dispatcher: new Agent(), retry: false });
const error = await hosting.request('GET x').catch((error) => error);
console.log(isTriforgeError(error) && error.code === 'connection' ? 'works' : String(error));
`;

const next = {
  'app/check/route.js': `${mainModule}
export const dynamic = 'force-dynamic';
export const GET = () => main().then(() => new Response('works'), (error) => new Response(String(error)));
`,
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
};

const worker = {
  'worker.mjs': `
import { HostingClient, isTriforgeError } from 'triforge/hosting';
export default {
  async fetch(request) {
    const { baseUrl, token } = await request.json();
    const hosting = new HostingClient({ baseUrl, auth: { type: 'token', token } });
    const repo = { owner: 'acme', repo: 'rocket' };
    const pulls = await hosting.pulls.list(repo, { concurrency: 2 }).toArray();
    const missing = await hosting.pulls.get({ ...repo, number: 99999 }).catch((error) => error);
    const { upload_url } = await hosting.releases.create({ ...repo, tag_name: 'workers' });
    const data = new Uint8Array(600_000).fill(97);
    const asset = await hosting.releases.uploadAsset({
      upload_url, name: 'a.txt', content_type: 'text/plain', data,
    });
    const bytes = await hosting.releases.downloadAsset({ ...repo, id: asset.id }, { as: 'bytes' });
    const works = pulls.length > 100 && isTriforgeError(missing) && bytes.length === data.length;
    return new Response(works ? 'works' : 'fails');
  },
};
`,
  'config.capnp': `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8799", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "out.mjs")],
  compatibilityDate = "2026-11-01",
);`,
  'ask.mjs': `
import { createEmulator, seeded } from 'triforge/testing';
const emulator = createEmulator();
const { hostingUrl: baseUrl } = await emulator.listen();
const body = JSON.stringify({ baseUrl, token: seeded.token });
console.log(await (await fetch('http://127.0.0.1:8799/', { method: 'POST', body })).text());
await emulator.close();
`,
};
/** Starts a server, waits until it listens, runs `ask`, and stops the server and all its processes. */
const asking = (server: string, port: number, ask: string) =>
  `setsid ${server} & curl -s -o /dev/null --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/; ${ask}; kill -- -$!`;

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
console.log(data.ok === true && repo.name === 'rocket' ? 'works' : 'msw does not serve the client');
server.close();
`;
export const consumers: Readonly<Record<string, Consumer>> = {
  'all entry points, without msw': {
    packages: [],
    files: loadAll(withoutMsw),
    command: 'node load.mjs && node load.cjs',
  },
  'all entry points, with msw': {
    packages: [
      `msw@${devDependencies.msw}`,
      `typescript@${devDependencies.typescript}`,
      `@types/node@${devDependencies['@types/node']}`,
    ],
    files: { ...loadAll(names), ...typed(names) },
    // msw's own types have errors without the option skipLibCheck.
    command:
      "node load.mjs && node load.cjs && npx tsc -p nodenext.json | grep -E '^(consumer|node_modules/triforge)' && exit 1; echo works",
  },
  'TypeScript 5.4': typeCheck('5.4.5', 'node10 node16 nodenext bundler'),
  'TypeScript 6': typeCheck(devDependencies.typescript, 'node16 nodenext bundler'),
  Jest: {
    packages: [
      `jest@${devDependencies.jest}`,
      'babel-jest@30',
      '@babel/core@7',
      '@babel/preset-env@7',
    ],
    files: jest,
    command: 'npx jest --verbose --config jest.config.json',
  },
  'esbuild, CommonJS': {
    packages: ['esbuild@0.27.7'],
    files: program,
    command: `${esbuild} --format=cjs --outfile=out.cjs && node out.cjs`,
  },
  'esbuild, ES module': {
    packages: ['esbuild@0.27.7'],
    files: program,
    // Defines `require`, which undici's CommonJS code needs.
    command: `${esbuild} --format=esm --outfile=out.mjs --banner:js="import{createRequire}from'node:module';const require=createRequire(import.meta.url);" && node out.mjs`,
  },
  'bundle sizes': {
    packages: ['esbuild@0.27.7'],
    files: {
      'hosting.mjs': `import { HostingClient } from 'triforge/hosting';
const { pulls } = HostingClient.fromEnv();
export const handler = ({ number }) => pulls.get({ owner: 'acme', repo: 'rocket', number });
`,
    },
    command: `bundle="npx esbuild hosting.mjs --bundle --minify --platform=node"
$bundle --format=cjs --outfile=node.js; $bundle --format=esm --conditions=workerd --outfile=workers.js
node=$(gzip -c node.js | wc -c); workers=$(gzip -c workers.js | wc -c)
test $node -lt 170000 -a $workers -lt 75000 && echo "works: $node bytes, $workers in Workers (gzip)"`,
  },
  webpack: bundled(
    ['webpack@5', 'webpack-cli@6'],
    'npx webpack --mode production --target node20 --entry ./program.mjs -o . --output-filename out.cjs && node out.cjs',
  ),
  Rollup: bundled(
    ['rollup@4', ...['commonjs', 'node-resolve', 'json'].map((name) => `@rollup/plugin-${name}`)],
    'npx rollup --config && node out.mjs',
    {
      'rollup.config.mjs': `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
export default {
  input: 'program.mjs',
  output: { file: 'out.mjs', inlineDynamicImports: true },
  plugins: [resolve({ preferBuiltins: true }), commonjs({ ignore: ['node:sqlite'] }), json()],
};
`,
    },
  ),
  'Vite SSR': bundled(['vite@8'], 'npx vite build --ssr program.mjs && node dist/program.mjs', {
    'vite.config.mjs': 'export default { ssr: { noExternal: true } };',
  }),
  'Next.js': {
    packages: ['next@16', 'react@19', 'react-dom@19'],
    files: next,
    command: `npx next build && ${asking('npx next start -p 8798', 8798, 'curl -s http://127.0.0.1:8798/check')}`,
    release: true,
  },
  'Cloudflare Workers': {
    packages: ['esbuild@0.27.7', 'workerd@1'],
    files: worker,
    command: `npx esbuild worker.mjs --bundle --platform=node --conditions=workerd --format=esm --minify --outfile=out.mjs && ${asking('node_modules/.bin/workerd serve config.capnp', 8799, 'node ask.mjs')}`,
    release: true,
  },
  vitest: bundled(['vitest@4'], 'npx vitest run --reporter verbose', {
    'all.test.mjs': testOf(`import { test } from 'vitest';\n${scope.import}`),
  }),
  'node:test': bundled([], 'node --test all.test.mjs', {
    'all.test.mjs': testOf(`import { test as run } from 'node:test';
const test = (name, body) => run(name, body);\n${scope.import}`),
  }),
  'nock 14': bundled(['nock@14'], 'node nock.mjs', {
    'nock.mjs': nock(', fetch: (...a) => fetch(...a)'),
  }),
  'nock 15': node24(['nock@15'], nock('')),
  'undici 8': {
    packages: ['undici@8', 'typescript@6', '@types/node@24'],
    files: { 'program.mts': dispatcher, 'package.json': '{ "type": "module" }' },
    command:
      'npx tsc --strict --noEmit --skipLibCheck --module nodenext --types node program.mts && npx -y -p node@24 node program.mts',
    release: true,
  },
  'msw 3': node24(['msw@3'], msw),
  [`Node.js ${manifest.engines.node}`]: runtime(
    `npx -y -p node@${manifest.engines.node.replace('>=', '')} node`,
  ),
  'Node.js 22': runtime('npx -y -p node@22 node'),
  'Node.js 24': runtime('npx -y -p node@24 node'),
  'Node.js 26': runtime('npx -y -p node@26 node'),
  Bun: runtime('npx -y bun run'),
  Deno: runtime('npx -y deno run --allow-all'),
  pnpm: installedBy('npx -y pnpm@10 add "$TARBALL"', 'node'),
  'Yarn 1': installedBy('npx -y yarn@1 add "file:$TARBALL"', 'node'),
  'Yarn 4 with Plug’n’Play': installedBy(`${yarn4} add "triforge@file:$TARBALL"`, `${yarn4} node`),
};

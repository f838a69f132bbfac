import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { subpaths } from '../entry-points.js';

/** A project that uses the tarball. */
export interface Consumer {
  /** Packages in addition to the tarball. Undefined if the command installs the tarball itself. */
  readonly packages?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Shell command that ends with 0 if the package works. `$TARBALL` is the tarball's path. */
  readonly command: string;
  /** True for consumers that are tested only before a release. */
  readonly release?: true;
}

const { devDependencies, engines } = manifest;

/** Returns a program in `programs/` as JavaScript. */
function compile(name: string, format: 'esm' | 'cjs'): string {
  const source = readFileSync(new URL(`programs/${name}.ts`, import.meta.url), 'utf8');
  return transformSync(source, { loader: 'ts', format, target: 'node20' }).code;
}
const features = { esm: compile('features', 'esm'), cjs: compile('features', 'cjs') };
/** Also fails if the event loop ends before `main` does. */
const start = '\nprocess.exitCode = 1;\nmain().then(() => { process.exitCode = 0; });\n';
const program = { 'program.mjs': features.esm + start, 'program.cjs': features.cjs + start };
/** A test for Jest, vitest or node:test. */
const testOf = (code: string) => `${code}\ntest('triforge works', () => main(), 60_000);\n`;

const release = (packages: readonly string[], command: string, files = {}): Consumer => ({
  packages,
  files: { ...program, ...files },
  command,
  release: true,
});
const runtime = (command: string) =>
  release([], `${command} program.mjs && ${command} program.cjs`);
const node24 = (packages: readonly string[], code: string, check = 'true') =>
  release(packages, `${check} && npx -y -p node@24 node program.mts`, {
    'program.mts': code,
    'package.json': '{ "type": "module" }',
  });
const installedBy = (add: string, node: string): Consumer => ({
  // Without `yarn.lock`, Yarn 4 assigns the project to a project in a parent folder.
  files: { ...program, 'yarn.lock': '' },
  command: `${add} && ${node} program.mjs`,
  release: true,
});
const yarn4 = 'npx -y -p @yarnpkg/cli-dist@4 yarn';

/** A project that compiles and loads entry points, in an ES module and in CommonJS. */
function loading(names: readonly string[], packages: readonly string[], options = ''): Consumer {
  const imports = names.map((name, index) => `import * as m${index} from '${name}';\n`);
  const requires = names.map((name, index) => `import m${index} = require('${name}');\n`);
  const used = `console.log(${names.map((_name, index) => `m${index}`).join()});\n`;
  const lib = 'es2023,esnext.disposable,dom';
  return {
    packages: [`@types/node@${devDependencies['@types/node']}`, ...packages],
    files: { 'load.mts': imports.join('') + used, 'load.cts': requires.join('') + used },
    command: `npx tsc --strict --target es2022 --lib ${lib} --module nodenext --types node ${options} load.mts load.cts && node load.mjs && node load.cjs`,
  };
}
const names = ['triforge', ...subpaths.map((path) => `triforge/${path}`)];
const withoutMsw = names.filter((name) => !name.endsWith('/msw'));

const esbuild = 'npx esbuild program.mjs --bundle --platform=node --target=node20';
/** Defines `require`, which undici's CommonJS code needs. */
const banner = `import{createRequire}from'node:module';const require=createRequire(import.meta.url);`;

/** A program whose requests nock, a network mock, intercepts. nock 14 requires the option `fetch`. */
const nock = (option: string) => `
import nock from 'nock';
import { HostingClient } from 'triforge';
nock('https://code.test').get('/api/v3/x').reply(200, { ok: true });
const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/'${option} });
if (!(await hosting.request('GET x')).ok) throw new Error('nock does not intercept');
`;

/** A program that passes a dispatcher of another undici. */
const dispatcher = `
import { HostingClient, isTriforgeError } from 'triforge';
import { Agent } from 'undici';
const hosting = new HostingClient({ baseUrl: 'http://127.0.0.1:9/', dispatcher: new Agent(), retry: false });
const error = await hosting.request('GET x').catch((error) => error);
if (!isTriforgeError(error) || error.code !== 'connection') throw error;
`;

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
if (!data.ok || repo.name !== 'rocket') throw new Error('msw does not serve the client');
server.close();
`;

const next = {
  'app/check/route.js': `${features.esm}
export const dynamic = 'force-dynamic';
export const GET = () => main().then(() => new Response(), (error) => new Response(String(error), { status: 500 }));
`,
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
};

const workerd = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = .main),
  (name = "internet", network = (allow = ["local", "private", "public"])),
]);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "out.mjs")],
  bindings = [
    (name = "baseUrl", fromEnvironment = "TRIFORGE_BASE_URL"),
    (name = "token", fromEnvironment = "TRIFORGE_TOKEN"),
  ],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["nodejs_compat"],
);`;

export const consumers: Readonly<Record<string, Consumer>> = {
  'TypeScript 5.4': loading(withoutMsw, ['typescript@5.4.5']),
  'TypeScript 6': loading(withoutMsw, [`typescript@${devDependencies.typescript}`]),
  // msw's own types have errors without the option skipLibCheck.
  msw: loading(
    names,
    [`typescript@${devDependencies.typescript}`, `msw@${devDependencies.msw}`],
    '--skipLibCheck',
  ),
  Jest: {
    packages: [`jest@${devDependencies.jest}`, 'babel-jest@30', '@babel/preset-env@7'],
    files: {
      'plain.test.cjs': testOf(features.cjs),
      'babel.test.js': testOf(features.esm),
      'babel.config.json':
        '{ "presets": [["@babel/preset-env", { "targets": { "node": "current" } }]] }',
    },
    command: `npx jest --testMatch '**/*.test.*' --transform '{ "\\\\.js$": "babel-jest" }'`,
  },
  'esbuild, CommonJS': {
    packages: ['esbuild@0.27.7'],
    files: program,
    command: `${esbuild} --format=cjs --outfile=out.cjs && node out.cjs`,
  },
  'esbuild, ES module': {
    packages: ['esbuild@0.27.7'],
    files: program,
    command: `${esbuild} --format=esm --outfile=out.mjs --banner:js="${banner}" && node out.mjs`,
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
echo "size: $node bytes, $workers in Workers (gzip)"; test $node -lt 170000 -a $workers -lt 75000`,
  },
  webpack: release(
    ['webpack@5', 'webpack-cli@6'],
    'npx webpack --mode production --target node20 --entry ./program.mjs -o . --output-filename out.cjs && node out.cjs',
  ),
  Rollup: release(
    ['rollup@4', ...['commonjs', 'node-resolve', 'json'].map((name) => `@rollup/plugin-${name}`)],
    `npx rollup program.mjs --format es --inlineDynamicImports --file out.mjs -p 'node-resolve={preferBuiltins:true}' -p json -p 'commonjs={ignore:["node:sqlite"]}' && node out.mjs`,
  ),
  'Vite SSR': release(['vite@8'], 'npx vite build --ssr program.mjs && node dist/program.mjs', {
    'vite.config.mjs': 'export default { ssr: { noExternal: true } };',
  }),
  'Next.js': release(
    ['next@16', 'react@19', 'react-dom@19'],
    `npx next build && { setsid npx next start -p 8798 & curl -sf --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:8798/check; code=$?; kill -- -$!; exit $code; }`,
    next,
  ),
  'Cloudflare Workers': release(
    ['esbuild@0.27.7', 'workerd@1'],
    'npx esbuild worker.mjs --bundle --platform=node --conditions=workerd --format=esm --minify --outfile=out.mjs && npx triforge-emulator -- node_modules/.bin/workerd test config.capnp',
    { 'worker.mjs': compile('worker', 'esm'), 'config.capnp': workerd },
  ),
  vitest: release(['vitest@4'], 'npx vitest run', {
    'all.test.mjs': testOf(`import { test } from 'vitest';\n${features.esm}`),
  }),
  'node:test': release([], 'node --test all.test.mjs', {
    'all.test.mjs': `import { test } from 'node:test';\n${features.esm}\ntest('triforge works', main);`,
  }),
  'nock 14': release(['nock@14'], 'node nock.mjs', {
    'nock.mjs': nock(', fetch: (...a) => fetch(...a)'),
  }),
  'nock 15': node24(['nock@15'], nock('')),
  'undici 8': node24(
    ['undici@8', 'typescript@6', '@types/node@24'],
    dispatcher,
    'npx tsc --strict --noEmit --skipLibCheck --module nodenext --types node program.mts',
  ),
  'msw 3': node24(['msw@3'], msw),
  [`Node.js ${engines.node}`]: runtime(`npx -y -p node@${engines.node.replace('>=', '')} node`),
  'Node.js 22': runtime('npx -y -p node@22 node'),
  'Node.js 24': runtime('npx -y -p node@24 node'),
  'Node.js 26': runtime('npx -y -p node@26 node'),
  Bun: runtime('npx -y bun run'),
  Deno: runtime('npx -y deno run --allow-all'),
  pnpm: installedBy('npx -y pnpm@10 add "$TARBALL"', 'node'),
  'Yarn 1': installedBy('npx -y yarn@1 add "file:$TARBALL"', 'node'),
  'Yarn 4 with Plug’n’Play': installedBy(`${yarn4} add "triforge@file:$TARBALL"`, `${yarn4} node`),
};

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './command.js';
import { emptyProject, install } from './consumer.js';
import { featuresInJavaScript, scope } from './features.js';

/** A program that uses everything in `features.ts` and prints `works`. */
export const everything = `${scope.import}
async function main() {
  const failed = [];
  const check = (what, holds) => holds || failed.push(what);
  ${featuresInJavaScript}
  return failed;
}
`;
export const program = `${everything}
main().then((failed) => {
  if (failed.length > 0) throw new Error('failed: ' + failed.join());
  console.log('works');
});
`;

/** Defines `require`, which undici's CommonJS code needs in an ES module bundle. */
export const banner =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

interface Bundler {
  readonly packages: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Arguments for npx. */
  readonly command: readonly string[];
  /** Path of the bundle to run. */
  readonly output: string;
}

const esbuild = ['esbuild', '--bundle', '--platform=node', '--target=node20'];

export const bundlers: Readonly<Record<string, Bundler>> = {
  'esbuild, CommonJS': {
    packages: ['esbuild@0.27.7'],
    command: [...esbuild, '--format=cjs', '--outfile=out.cjs', 'program.mjs'],
    output: 'out.cjs',
  },
  'esbuild, ES module': {
    packages: ['esbuild@0.27.7'],
    command: [
      ...esbuild,
      '--format=esm',
      `--banner:js=${banner}`,
      '--outfile=out.mjs',
      'program.mjs',
    ],
    output: 'out.mjs',
  },
  webpack: {
    packages: ['webpack@5', 'webpack-cli@6'],
    files: {
      'webpack.config.cjs': `module.exports = {
  mode: 'production', target: 'node20', entry: './program.mjs',
  output: { path: __dirname, filename: 'out.cjs' },
};`,
    },
    command: ['webpack'],
    output: 'out.cjs',
  },
  Rollup: {
    packages: [
      'rollup@4',
      '@rollup/plugin-commonjs@29',
      '@rollup/plugin-node-resolve@16',
      '@rollup/plugin-json@6',
    ],
    files: {
      'rollup.config.mjs': `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default {
  input: 'program.mjs', output: { file: 'out.mjs', inlineDynamicImports: true },
  plugins: [nodeResolve({ preferBuiltins: true }), json(), commonjs({ ignore: ['node:sqlite'] })],
};`,
    },
    command: ['rollup', '-c'],
    output: 'out.mjs',
  },
  'Vite SSR': {
    packages: ['vite@8'],
    command: ['vite', 'build', '--ssr', 'program.mjs'],
    output: 'dist/program.mjs',
  },
  'Vite SSR, all in one file': {
    packages: ['vite@8'],
    files: { 'vite.config.mjs': 'export default { ssr: { noExternal: true } };' },
    command: ['vite', 'build', '--ssr', 'program.mjs'],
    output: 'dist/program.mjs',
  },
};

function project(
  folder: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>>,
) {
  emptyProject(folder);
  install(folder, packages);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Bundles the program and runs the bundle. @returns The bundle's size in kB. */
export function runBundled(folder: string, tarball: string, name: string): number {
  const bundler = bundlers[name];
  if (!bundler) throw new Error(`${name}: unknown bundler`);
  project(folder, [tarball, ...bundler.packages], { 'program.mjs': program, ...bundler.files });
  run('npx', bundler.command, folder);
  const bundle = join(folder, bundler.output);
  const output = run(process.execPath, [bundle], folder);
  if (!output.includes('works')) throw new Error(`${name}: ${output}`);
  return Math.round(statSync(bundle).size / 1000);
}

/** Programs whose bundle sizes appear in `docs/bundling.md`. */
const measured: Readonly<Record<string, string>> = {
  'triforge/hosting': `import { HostingClient } from 'triforge/hosting';
const { pulls } = HostingClient.fromEnv();
export const handler = ({ number }) => pulls.get({ owner: 'acme', repo: 'rocket', number });
`,
  'triforge/webhooks': `import { createFetchHandler } from 'triforge/webhooks';
export const handle = createFetchHandler({ secret: 'a secret', onDelivery() {} });
`,
};

/** Minifies a small program for each entry point. @returns The sizes, for `docs/bundling.md`. */
export function measureBundles(folder: string, tarball: string): string {
  const programs = Object.values(measured).map((text, index) => [`${index}.mjs`, text] as const);
  project(folder, [tarball, 'esbuild@0.27.7'], Object.fromEntries(programs));
  const sizes = Object.keys(measured).map((name, index) => {
    const output = `${index}.cjs`;
    run('npx', [...esbuild, '--minify', `--outfile=${output}`, `${index}.mjs`], folder);
    const bundle = readFileSync(join(folder, output));
    const [size, zipped] = [bundle, gzipSync(bundle)].map(({ length }) =>
      Math.round(length / 1000),
    );
    return `${name}: ${size} kB, gzip ${zipped} kB`;
  });
  return sizes.join('; ');
}

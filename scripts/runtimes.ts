// Runs a program with the built package on every supported runtime. Writes the results to
// docs/start.md. Installs the runtimes from npm.
// npm run runtimes [-- --only node@22 --only bun]
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { run } from './package/command.js';
import { emptyProject, install } from './package/consumer.js';
import { type Ended, mainLine, runAs } from './runtimes/program.js';
import { writeSmoke } from './runtimes/smoke.js';
import { type RuntimeRow, writeRows } from './runtimes/table.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const page = join(root, 'docs/start.md');
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });

const Manifest = z.object({
  name: z.string(),
  engines: z.object({ node: z.string() }),
  exports: z.record(z.string(), z.unknown()),
});

function readManifest(): z.infer<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
}

interface Runtime {
  /** Name and version on npm, such as `node@22`. */
  readonly spec: string;
  readonly title: string;
  /** Name of the executable in the npm package. */
  readonly bin: string;
  /** Arguments before the path of the program. */
  readonly args: readonly string[];
}

/** Lists the oldest supported Node.js version, newer LTS lines, the newest even version, Bun and Deno. */
function runtimes(): Runtime[] {
  const newest = Number(run('npm', ['view', 'node', 'version'], root).trim().split('.')[0]);
  const oldest = readManifest().engines.node.replace('>=', '');
  const versions = new Set([oldest, '22', '24', `${newest - (newest % 2)}`]);
  return [
    ...[...versions].map((version) => ({
      spec: `node@${version}`,
      title: `Node.js ${version}`,
      bin: 'node',
      args: [],
    })),
    { spec: 'bun', title: 'Bun', bin: 'bun', args: ['run'] },
    { spec: 'deno', title: 'Deno', bin: 'deno', args: ['run', '--allow-all'] },
  ];
}

/** Installs a runtime from npm. @returns Path of the executable. */
function fetchRuntime({ spec, bin }: Runtime, folder: string): string {
  emptyProject(folder);
  // The runtimes' install scripts download the binaries, so `--ignore-scripts` isn't set.
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', spec], folder);
  return join(folder, 'node_modules', '.bin', bin);
}

function judged({ ok, output }: Ended): string {
  if (ok && output.includes('smoke: works')) return 'works';
  console.error(output);
  return `fails: ${mainLine(output)}`;
}

function packedConsumer(folder: string): { consumer: string; files: Record<string, string> } {
  run('npm', ['pack', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack wrote no tarball');
  const consumer = join(folder, 'consumer');
  emptyProject(consumer);
  install(consumer, [join(folder, tarball)]);
  const { name, exports } = readManifest();
  const subpaths = Object.keys(exports).filter(
    (path) => !path.endsWith('.json') && path !== './testing/msw',
  );
  const files = writeSmoke(
    consumer,
    subpaths.map((path) => name + path.slice(1)),
  );
  return { consumer, files: { ...files } };
}

const all = runtimes();
const wanted = values.only ?? all.map(({ spec }) => spec);
const unknown = wanted.filter((spec) => all.every((each) => each.spec !== spec));
if (unknown.length > 0) {
  throw new Error(`--only ${unknown.join()}: expected ${all.map(({ spec }) => spec).join(', ')}`);
}
const folder = mkdtempSync(join(tmpdir(), 'triforge-runtimes-'));
try {
  const { consumer, files } = packedConsumer(folder);
  for (const runtime of all.filter(({ spec }) => wanted.includes(spec))) {
    const program = fetchRuntime(runtime, join(folder, runtime.bin, runtime.spec));
    const version = runAs(program, ['--version'], folder, 1).output.split('\n')[0] ?? '';
    const smoke = (file = '') => judged(runAs(program, [...runtime.args, file], consumer, 2));
    const row: RuntimeRow = {
      runtime: runtime.title,
      version: /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version,
      esm: smoke(files.esm),
      commonJs: smoke(files.commonJs),
    };
    // The page is written after each runtime, so you can continue an interrupted run with `--only`.
    writeFileSync(page, writeRows(readFileSync(page, 'utf8'), [row]));
    console.log(Object.values(row).join(' | '));
    if (row.esm !== 'works' || row.commonJs !== 'works') process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

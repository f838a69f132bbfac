// Measures what a package adds to a project: disk space, dependencies and compile time.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/package/command.js';
import { root, timed } from '../processes.js';
import { atMost, findRow, type Measured, type Row } from '../result.js';
import { interleave } from '../rounds.js';

/** Returns a peer's name with the version installed in this project. */
function pinned(name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return `${name}@${version}`;
}

/** Creates a project that depends on the packages, and installs them. */
function project(folder: string, packages: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  // Newer versions of @octokit/rest's dependencies don't install on Node.js 20, so this project's overrides apply.
  const { overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = { private: true, type: 'module', overrides };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  run('npm', ['install', ...flags, ...packages], folder);
  return folder;
}

function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'weight-'));
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** Packs the output of `npm run build`. @returns Path of the tarball. */
function pack(folder: string): string {
  const flags = ['--ignore-scripts', '--pack-destination', folder];
  run('npm', ['pack', ...flags], root);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm pack wrote no tarball');
  return join(folder, archive);
}

function weigh(name: string, folder: string): Omit<Row, 'ratio'> {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((entry) => entry.isFile() && entry.name !== '.package-lock.json')
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  const mb = bytes / 1e6;
  const more = { packages: Object.keys(lock.packages).length };
  return { name, median: mb, min: mb, max: mb, more };
}

/** Measures the disk space of a package and its dependencies. */
export function installedSize(): Promise<Measured> {
  return withFolder(async (folder) => {
    const peers = ['undici', '@octokit/rest', 'got', 'axios', 'ky'].map((name) => [
      name,
      pinned(name),
    ]);
    const all = [...peers, ['triforge', pack(folder)]].map(([name = '', spec = '']) =>
      weigh(name, project(join(folder, name.replace('/', '-')), [spec])),
    );
    const first = all[0]?.median ?? Number.NaN;
    return {
      title: 'Installed size',
      about:
        '`npm install` of one package in an empty project: the size of all files in `node_modules`, and the number of packages. The first row is undici, the only package that the hand loop needs.',
      unit: 'MB',
      rounds: 1,
      rows: all.map((row) => ({ ...row, ratio: row.median / first })),
      goals: [],
    };
  });
}

const programs = {
  'no client': `const team = { id: 1 };
const id: number = team.id;
console.log(id);
`,
  triforge: `import { HostingClient } from 'triforge/hosting';
const client = new HostingClient({ baseUrl: 'https://code.example.com/api/v3/' });
console.log((await client.teams.get({ id: 1 })).name);
`,
  '@octokit/rest': `import { Octokit } from '@octokit/rest';
const client = new Octokit({ baseUrl: 'https://code.example.com/api/v3' });
console.log((await client.rest.teams.getByName({ org: 'a', team_slug: 'b' })).data.name);
`,
};

function number(output: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1];
  if (found === undefined) throw new Error(`tsc does not report ${name}:\n${output}`);
  return Number(found);
}

/** Measures the compiler's time and memory for a package's types. */
export function types(rounds: number): Promise<Measured> {
  return withFolder(async (folder) => {
    const specs = [pack(folder), pinned('@octokit/rest'), pinned('@types/node')];
    project(folder, specs);
    const options = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true };
    const compilerOptions = { ...options, noEmit: true, types: ['node'] };
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const ways = Object.entries(programs).map(([name, text], index) => {
      const file = `program${index}.ts`;
      const config = join(folder, `tsconfig.${index}.json`);
      writeFileSync(join(folder, file), text);
      writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
      const turn = async () => {
        const { output } = await timed(process.execPath, [
          tsc,
          '-p',
          config,
          '--extendedDiagnostics',
        ]);
        const more = { seconds: number(output, 'Total time'), types: number(output, 'Types') };
        return [number(output, 'Memory used') / 1000, more] as const;
      };
      return [name, turn] as const;
    });
    const rows = await interleave(Object.fromEntries(ways), rounds, 1);
    const plain = findRow(rows, 'no client');
    const added = (name: string, of: (row: Row) => number): number =>
      of(findRow(rows, name)) - of(plain);
    const share = (of: (row: Row) => number): number =>
      added('triforge', of) / added('@octokit/rest', of);
    return {
      title: 'Cost of the types',
      about:
        '`tsc --extendedDiagnostics` for a project of three lines (strict, `skipLibCheck`, Node.js types), without a client, with triforge, and with `@octokit/rest`. The number is the compiler’s memory. The goals compare what each client adds to the project without a client.',
      unit: 'MB',
      rounds,
      rows,
      goals: [
        atMost(
          0.25,
          share((row) => row.median),
          'a quarter of the memory that @octokit/rest adds',
        ),
        atMost(
          0.25,
          share((row) => row.more.seconds ?? Number.NaN),
          'a quarter of the time that @octokit/rest adds',
        ),
      ],
    };
  });
}

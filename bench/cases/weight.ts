// Measures what a package adds to a project: disk space and dependencies.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/package/npm.js';
import { root } from '../processes.js';
import type { Measured, Row } from '../result.js';

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
  run(
    `npm install --prefer-offline --no-audit --no-fund --ignore-scripts ${packages.join(' ')}`,
    folder,
  );
  return folder;
}

function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'weight-'));
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** Packs the output of `npm run build`. @returns Path of the tarball. */
function pack(folder: string): string {
  run(`npm pack --ignore-scripts --pack-destination ${folder}`, root);
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

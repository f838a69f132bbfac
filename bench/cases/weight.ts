// Measures the disk space and the dependencies that a package adds to a project.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProject, pack } from '../../scripts/package/npm.js';
import { root } from '../processes.js';
import type { Measured, Row } from '../result.js';

/** Returns a peer's name with the version installed in this project. */
function pinned(name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return `${name}@${version}`;
}

function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'weight-'));
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
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
    // Newer versions of @octokit/rest's dependencies don't install on Node.js 20, so this project's overrides apply.
    const { overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const manifest = JSON.stringify({ private: true, type: 'module', overrides });
    const all = [...peers, ['triforge', pack(root, folder)]].map(([name = '', spec = '']) => {
      const project = join(folder, name.replace('/', '-'));
      createProject(project, [spec], { 'package.json': manifest });
      return weigh(name, project);
    });
    const first = all[0]?.median ?? Number.NaN;
    return {
      title: 'Installed size',
      about:
        '`npm install` of one package in an empty project: the total size and the number of the packages in `node_modules`. The first row is undici, the only package that the handwritten loop needs.',
      unit: 'MB',
      rounds: 1,
      rows: all.map((row) => ({ ...row, ratio: row.median / first })),
      goals: [],
    };
  });
}

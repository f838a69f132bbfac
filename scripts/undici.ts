// Runs the socket tests with the oldest and the newest undici that package.json allows, and with
// undici 8 on Node.js 24, because users may pass its dispatchers:
// npm run test:undici [-- test/socket/proxies.test.ts]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { createProject } from './package/npm.js';

const range = manifest.dependencies.undici;
const lowest = range.slice('^'.length);
const files = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'triforge-undici-'));
try {
  for (const version of [lowest, range, '8']) {
    const project = join(folder, version);
    createProject(project, [`undici@${version}`]);
    console.log(`undici@${version}`);
    const node = version === '8' ? ['-y', '-p', 'node@24', 'node'] : ['node'];
    const { status } = spawnSync(
      'npx',
      [
        ...node,
        'node_modules/vitest/vitest.mjs',
        'run',
        ...(files.length > 0 ? files : ['test/socket']),
      ],
      { stdio: 'inherit', env: { ...process.env, UNDICI: join(project, 'node_modules/undici') } },
    );
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

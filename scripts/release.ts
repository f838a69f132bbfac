// Makes a release: checks that all is committed and that everything passes, raises the version, moves
// the changelog's notes under it, commits and tags. Publishing is left to CI, which signs where the
// package comes from. Run: npm run release -- minor [--dry-run]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { nextVersion, releasedChangelog } from './release/plan.js';

const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Replaces the one place where a file says the version. */
function raise(path: string, from: string, to: string): [path: string, text: string] {
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${path}: expected ${from} once`);
  return [path, text.replace(from, () => to)];
}

function release(bump: string, dryRun: boolean): void {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const next = nextVersion(version, bump);
  const date = new Date().toISOString().slice(0, 10);
  const changes = [
    raise('package.json', `"version": "${version}"`, `"version": "${next}"`),
    raise('src/version.ts', `'${version}'`, `'${next}'`),
    ['CHANGELOG.md', releasedChangelog(readFileSync('CHANGELOG.md', 'utf8'), next, date)] as const,
  ];
  if (dryRun) {
    console.log(`${version} -> ${next}: ${changes.map(([path]) => path).join(', ')}`);
    return;
  }
  if (git('status', '--porcelain') !== '') throw new Error('commit everything first');
  execFileSync('bash', ['.ci/run'], { stdio: 'inherit' });
  for (const [path, text] of changes) writeFileSync(path, text);
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { stdio: 'inherit' });
  git('commit', '--all', '--message', `Release ${next}`);
  git('tag', '--annotate', `v${next}`, '--message', `triforge ${next}`);
  console.log(`v${next} is tagged: push it with git push --follow-tags`);
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [bump, ...more] = positionals;
  if (bump === undefined || more.length > 0) {
    throw new Error('expected one argument: major, minor, patch or a version like 1.2.3');
  }
  release(bump, values['dry-run']);
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

// Tries faults in src, one after the other, and sees whether a test notices: Stryker, group by group
// (scripts/mutation/groups.ts), into docs/mutation.md. What a group found is kept in
// scripts/mutation/results, so that one group can be renewed by itself. Run: npm run mutate, with
// names for some groups (-- webhooks cache), with --report for the page alone.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { checkGroups, sourcesOf, testsOf } from './mutation/files.js';
import { groups } from './mutation/groups.js';
import { report } from './mutation/report.js';
import { keep, kept, resultOf, type StrykerReport } from './mutation/results.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = `${root}reports/mutation/`;

async function run(name: string): Promise<void> {
  const group = groups[name];
  if (!group) throw new Error(`no group ${name}: ${Object.keys(groups).join(', ')}`);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  const incremental = `${reports}${name}.incremental.json`;
  const fromScratch = !existsSync(incremental);
  if (!fromScratch) forgetSurvivors(incremental);
  const begun = Date.now();
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'node_modules/@stryker-mutator/core/bin/stryker.js',
      'run',
      '--testRunner',
      group.runner,
      '--mutate',
      sourcesOf(group).join(','),
      '--concurrency',
      process.env.MUTATE_CONCURRENCY ?? String(availableParallelism()),
      '--incrementalFile',
      incremental,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, MUTATE_TESTS: testsOf(group).join(','), MUTATE_RUNNER: group.runner },
    },
  );
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Stryker ended with ${code} for the group ${name}`);
  // `as`: Stryker's JSON reporter wrote it.
  const found = JSON.parse(readFileSync(`${reports}mutation.json`, 'utf8')) as StrykerReport;
  const measured = Math.round((Date.now() - begun) / 1000);
  // What a renewal takes says nothing of the next one.
  const seconds = fromScratch ? measured : (kept()[name]?.seconds ?? measured);
  keep(name, { commit: commit.trim(), seconds, files: resultOf(found) });
}

/** Stryker does not see that a test has changed: what survived is tried again. */
function forgetSurvivors(incremental: string): void {
  // `as`: Stryker wrote it.
  const before = JSON.parse(readFileSync(incremental, 'utf8')) as StrykerReport;
  const files = Object.entries(before.files).map(([path, file]) => [
    path,
    { ...file, mutants: file.mutants.filter(({ status }) => status !== 'Survived') },
  ]);
  writeFileSync(incremental, JSON.stringify({ ...before, files: Object.fromEntries(files) }));
}

checkGroups();
mkdirSync(reports, { recursive: true });
const names = process.argv.slice(2);
if (!names.includes('--report')) {
  for (const name of names.length > 0 ? names : Object.keys(groups)) await run(name);
}

const { text, score, unjudged, idle } = report(kept());
writeFileSync(`${root}docs/mutation.md`, text);
console.log(`docs/mutation.md: ${score.toFixed(1)} % of the faults are noticed`);
for (const each of idle) console.log(`noticed by now, or gone: ${each}`);
for (const each of unjudged) console.error(`no test and no reason: ${each}`);
if (score < 85 || unjudged.length > 0) process.exitCode = 1;

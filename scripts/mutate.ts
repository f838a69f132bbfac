// Tries faults in src/transport, one after the other, and sees whether a test notices: Stryker, group
// by group (scripts/mutation/groups.ts), into docs/mutation.md. What was tried before and has not
// changed is not tried again. Run: npm run mutate [-- texts cache]; without names, all groups.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { groups } from './mutation/groups.js';
import { type Mutated, report } from './mutation/report.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = `${root}reports/mutation/`;

/** A file that is in no group would never be tried, one in two would be counted twice. */
function checkGroups(): void {
  const grouped = Object.values(groups).flatMap(({ files }) => files);
  const there = readdirSync(`${root}src/transport`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => name.replace(/\.ts$/, ''));
  const amiss = [...new Set([...grouped, ...there])].filter(
    (name) => !there.includes(name) || grouped.filter((each) => each === name).length !== 1,
  );
  if (amiss.length > 0) {
    throw new Error(`not in exactly one group of scripts/mutation/groups.ts: ${amiss.join(', ')}`);
  }
}

async function run(name: string): Promise<void> {
  const group = groups[name];
  if (!group) throw new Error(`no group ${name}: ${Object.keys(groups).join(', ')}`);
  const tests = group.sockets.map((each) => `test/socket/${each}.test.ts`);
  const child = spawn(
    'npx',
    [
      'stryker',
      'run',
      '--mutate',
      group.files.map((each) => `src/transport/${each}.ts`).join(','),
      '--concurrency',
      String(availableParallelism()),
      '--incrementalFile',
      `${reports}${name}.incremental.json`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATE_SOCKET_TESTS: tests.join(',') } },
  );
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Stryker ended with ${code} for the group ${name}`);
  renameSync(`${reports}mutation.json`, `${reports}${name}.json`);
}

checkGroups();
mkdirSync(reports, { recursive: true });
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(groups)) await run(name);

const missing = Object.keys(groups).filter((name) => !existsSync(`${reports}${name}.json`));
if (missing.length > 0) {
  console.log(`no report yet: ${missing.join(', ')} not tried`);
} else {
  const files = Object.keys(groups).map(
    // `as`: what Stryker's JSON reporter writes, by the mutation testing report schema.
    (name) => JSON.parse(readFileSync(`${reports}${name}.json`, 'utf8')).files as Mutated,
  );
  const { text, score, unjudged, idle } = report(Object.assign({}, ...files));
  writeFileSync(`${root}docs/mutation.md`, text);
  console.log(`docs/mutation.md: ${score.toFixed(1)} % of the faults are noticed`);
  for (const each of idle) console.log(`noticed by now, or gone: ${each}`);
  for (const each of unjudged) console.error(`no test and no reason: ${each}`);
  if (score < 85 || unjudged.length > 0) process.exitCode = 1;
}

// Measures the built package against its peers, and stores the results in bench/results.json.
// Writes docs/benchmarks.md from all stored results.
// npm run bench [-- --only users,small1] [--rounds 7]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { speed, speedCases } from './cases/speed.js';
import { serverless } from './cases/start.js';
import { upload } from './cases/upload.js';
import { installedSize } from './cases/weight.js';
import { prepare, root } from './processes.js';
import { page } from './report/page.js';
import type { Measured, Results } from './result.js';
import { digits } from './statistics.js';

const { values } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string', default: '7' } },
});
const rounds = Number(values.rounds);

const cases: Record<string, () => Promise<Measured>> = {
  ...Object.fromEntries(
    Object.entries(speedCases).map(([name, each]) => [name, () => speed(each, rounds)]),
  ),
  upload,
  serverless,
  size: installedSize,
};

const file = `${root}bench/results.json`;
const machine = `${cpus()[0]?.model.trim()} with ${availableParallelism()} cores and Node.js ${process.versions.node}`;

function kept(): Results {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Rounds numbers for `results.json`, because more digits would be noise. */
function short(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

// `--only ''` measures nothing and only rewrites the report.
const names = values.only?.split(',').filter(Boolean) ?? Object.keys(cases);
await prepare();
for (const name of names) {
  const measure = cases[name];
  if (measure === undefined) throw new Error(`no case ${name}: ${Object.keys(cases).join(', ')}`);
  const [before = 0] = loadavg();
  const measured = await measure();
  const [after = 0] = loadavg();
  const result = { ...measured, at: new Date().toISOString(), machine, load: [before, after] };
  writeFileSync(file, `${JSON.stringify({ ...kept(), [name]: result }, short, 2)}\n`);
  console.log(`${name} (${measured.unit})`);
  for (const row of measured.rows) {
    const more = Object.entries(row.more).map(([key, value]) => `${key} ${digits(value)}`);
    const spread = `${digits(row.min)}–${digits(row.max)}`;
    console.log(
      `  ${row.name}: ${digits(row.median)} (${spread}) ×${digits(row.ratio)} ${more.join(', ')}`,
    );
  }
  for (const { goal, measured: value, met } of measured.goals) {
    console.log(`  ${met ? 'met' : 'NOT met'}: ${goal}: ${digits(value)}`);
  }
}

// The report lists cases in declaration order, no matter when each was measured.
const results = Object.fromEntries(
  Object.keys(cases).flatMap((name) => {
    const result = kept()[name];
    return result === undefined ? [] : [[name, result]];
  }),
);
writeFileSync(`${root}docs/benchmarks.md`, page(results));

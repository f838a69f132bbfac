import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Fault, located, readPlan, writePlan } from './plan.js';

/**
 * Measures which faults the tests detect. Inserts faults into `src` and runs the test files that reach them.
 *
 *   tsx test/faults/faults.ts plan   --in <folder> [--count 400]
 *   tsx test/faults/faults.ts cover  --in <folder>
 *   tsx test/faults/faults.ts run    --in <folder> [--slice 1/8] [--most 24] [--ids 3,17]
 *   tsx test/faults/faults.ts report --in <folder> [deleted test files]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: 'string', default: 'faults' },
    count: { type: 'string', default: '400' },
    slice: { type: 'string', default: '1/1' },
    most: { type: 'string', default: '24' },
    ids: { type: 'string' },
  },
});
const [command, ...deleted] = positionals;
const folder = resolve(values.in);
const batchSize = 12;

interface Reached {
  readonly test: string;
  readonly ms: number;
  readonly reached: readonly number[];
  readonly loaded: readonly number[];
}
interface Result {
  readonly id: number;
  readonly outcome: 'noticed' | 'timeout' | 'survived' | 'uncovered' | 'unknown' | 'gone';
  /** Test files that failed. Later files didn't run. */
  readonly by: readonly string[];
  /** Number of test files that ran, out of `covering`. */
  readonly ran: number;
  readonly covering: number;
  readonly message?: string | undefined;
}

function readLines<T>(name: string): T[] {
  if (!existsSync(`${folder}/${name}`)) return [];
  const lines = readFileSync(`${folder}/${name}`, 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}
const readCover = () =>
  readLines<Reached>('cover.jsonl').map((line) => ({
    ...line,
    test: relative('.', line.test),
  }));

/** Runs vitest and returns the failed files with the first error message. */
function vitest(env: Record<string, string>, args: string[], killAfter: number) {
  const output = `${folder}/vitest-${process.pid}.json`;
  rmSync(output, { force: true });
  const options = ['--reporter', 'json', '--outputFile', output, ...args];
  const child = spawn(
    'nice',
    ['-n', '19', 'npx', 'vitest', 'run', '--config', 'test/faults/vitest.config.ts', ...options],
    { env: { ...process.env, ...env, FAULTS: folder }, detached: true, stdio: 'ignore' },
  );
  return new Promise<{ by: string[]; message?: string; code: number | null }>((done) => {
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), killAfter);
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (!existsSync(output)) return done({ by: [], code });
      const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
      const failed = testResults.filter(({ status }: { status: string }) => status === 'failed');
      const first = failed[0]?.assertionResults.find(
        ({ status }: { status: string }) => status === 'failed',
      );
      const message = first ? `${first.fullName}: ${first.failureMessages[0]}` : failed[0]?.message;
      const by = failed.map(({ name }: { name: string }) => relative('.', name));
      done({ by, code, message: message?.slice(0, 300) });
    });
  });
}

/** Returns the test files that reach a fault, in the order in which they probably detect it. */
function covering(fault: Fault, plan: readonly Fault[], cover: readonly Reached[]): string[] {
  const neighbors = plan.filter(({ file }) => file === fault.file).map(({ id }) => id);
  const name = basename(fault.file, '.ts');
  const source = existsSync(fault.file) ? readFileSync(fault.file, 'utf8') : '';
  const exported = [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)]
    .map(([, found = '']) => found)
    .concat(`/${name}.js`);
  const cost = ({ test, ms, reached }: Reached) => {
    const text = readFileSync(test, 'utf8');
    const mentions = test.includes(name) || exported.some((each) => text.includes(each));
    const near = reached.some((id) => neighbors.includes(id));
    return (ms + 500) * (reached.length + 10) * (mentions ? 0.01 : 1) * (near ? 0.1 : 1);
  };
  return cover
    .filter(({ reached, loaded }) => [...reached, ...loaded].includes(fault.id))
    .filter(({ test }) => existsSync(test))
    .map((line) => ({ test: line.test, cost: cost(line) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ test }) => test);
}

async function run(fault: Fault, files: readonly string[]): Promise<Result> {
  const most = Math.min(files.length, Number(values.most));
  const result = { id: fault.id, by: [], covering: files.length };
  if (!located(fault)) return { ...result, outcome: 'gone', ran: 0 };
  for (let ran = 0; ran < most; ran += batchSize) {
    const batch = files.slice(ran, Math.min(ran + batchSize, most));
    const args = ['--bail', '1', '--maxWorkers', '1', ...batch];
    const { by, code, message } = await vitest({ FAULT: String(fault.id) }, args, 120_000);
    const outcome = code === null ? 'timeout' : 'noticed';
    if (code !== 0) return { ...result, outcome, by, ran: ran + batch.length, message };
  }
  if (files.length === 0) return { ...result, outcome: 'uncovered', ran: 0 };
  return { ...result, outcome: most < files.length ? 'unknown' : 'survived', ran: most };
}

if (command === 'plan') writePlan(folder, Number(values.count));
else if (command === 'cover') {
  rmSync(`${folder}/cover.jsonl`, { force: true });
  const { by, message } = await vitest({}, ['--maxWorkers', '2'], 40 * 60_000);
  // A test file that fails without a fault can't detect one.
  console.log('failed without faults:', by, message);
} else if (command === 'run') {
  const plan = readPlan(folder);
  const cover = readCover();
  const done = new Set(readLines<Result>('results.jsonl').map(({ id }) => id));
  const [slice = 1, slices = 1] = values.slice.split('/').map(Number);
  const ids = values.ids?.split(',').map(Number);
  // Keeps the order of `--ids`, so an interrupted run of shuffled IDs is a random sample.
  const chosen = ids
    ? ids.flatMap((id) => plan.filter((fault) => fault.id === id))
    : plan.filter(({ id }) => !done.has(id) && id % slices === slice - 1);
  for (const fault of chosen) {
    const result = await run(fault, covering(fault, plan, cover));
    appendFileSync(`${folder}/results.jsonl`, `${JSON.stringify(result)}\n`);
    console.log(fault.id, fault.kind, fault.file, result.outcome, ...result.by);
  }
} else if (command === 'report') {
  const plan = readPlan(folder);
  // If a fault ran several times, the last result counts.
  const results = new Map(readLines<Result>('results.jsonl').map((line) => [line.id, line]));
  const table: Record<string, Record<string, number>> = {};
  for (const fault of plan) {
    const row = dirname(fault.file).split('/').slice(0, 2).join('/');
    const outcome = results.get(fault.id)?.outcome ?? 'not run';
    for (const name of [row, 'all']) {
      table[name] ??= {};
      table[name][outcome] = (table[name][outcome] ?? 0) + 1;
    }
  }
  console.table(table);
  const cover = readCover();
  const files = (fault: Fault) => covering(fault, plan, cover);
  const rows = cover.map(({ test }) => {
    const first = plan.filter(({ id }) => results.get(id)?.by[0] === test);
    // The last column counts faults that no other file reaches.
    return [test, first.length, first.filter((fault) => files(fault).length === 1).length];
  });
  const tests = rows.sort((a, b) => Number(b[1]) - Number(a[1])).map((row) => row.join('\t'));
  writeFileSync(`${folder}/tests.tsv`, ['test\tfirst\talone', ...tests].join('\n'));
  const reached = plan.map((fault) => [fault.id, fault.file, ...files(fault)].join('\t'));
  writeFileSync(`${folder}/covering.tsv`, reached.join('\n'));
  const again = [...results.values()].filter(({ by }) => by.some((test) => deleted.includes(test)));
  if (deleted.length > 0) console.log('run again: --ids', again.map(({ id }) => id).join(','));
}

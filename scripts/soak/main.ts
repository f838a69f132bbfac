// 100,000 mixed calls against a server that fails one in ten; both sides' ledgers must agree.
// npm run soak [-- --seed 1 --calls 100000 --concurrency 64 --faults 0.1]
import { parseArgs } from 'node:util';
import { figuresOf } from './figures.js';
import { soak } from './run.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true },
    calls: { type: 'string', default: '100000' },
    concurrency: { type: 'string', default: '64' },
    faults: { type: 'string', default: '0.1' },
  },
});

function numberOf(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text !== '' && value >= min && value <= max) return value;
  throw new RangeError(`--${option}: expected a number from ${min} to ${max}, got ${text}`);
}

const seeds = (values.seed ?? ['1', '2', '3']).map((text) =>
  numberOf('seed', text, 0, 2 ** 32 - 1),
);
for (const seed of seeds) {
  const result = await soak({
    seed,
    calls: numberOf('calls', values.calls, 2, 10_000_000),
    concurrency: numberOf('concurrency', values.concurrency, 1, 10_000),
    faultRate: numberOf('faults', values.faults, 0, 1),
  });
  console.log(`${figuresOf(result)}\n`);
  if (result.problems.length > 0) {
    console.error(`seed ${seed} FAILED:\n  ${result.problems.join('\n  ')}\n`);
    process.exitCode = 1;
  }
}

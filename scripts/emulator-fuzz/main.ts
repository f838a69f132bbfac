import { fuzz } from './ask.js';

// 100,000 random requests of each of three seeds: no 500, no hang, and a bounded memory.

const count = Number(process.argv[2] ?? 100_000);
const seeds = [1, 2, 3];
const mostMegabytes = 200;

let worst = 0;
for (const seed of seeds) {
  const started = performance.now();
  const { statuses, failures } = await fuzz(seed, count, () => {
    worst = Math.max(worst, process.memoryUsage().rss / 1e6);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const sorted = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`);
  console.log(
    `seed ${seed}: ${count} requests in ${seconds} s; ${sorted.join(', ')}; resident at most ${worst.toFixed(0)} MB`,
  );
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}
if (worst > mostMegabytes) {
  console.log(`more than ${mostMegabytes} MB`);
  process.exitCode = 1;
}

// Measures how long calls that wait for a quota block the event loop. `argv[2]` calls are in
// flight, and the same number of calls are waiting. Prints three durations in ms: the time until
// all calls are in flight or waiting, the time until all calls in flight end, and the longest block
// after the reset, when the waiting calls continue.
import { Deadline } from '../../src/transport/dispatch/deadline.js';
import type { Permit } from '../../src/transport/limits/budgets.js';
import { RateLimiter } from '../../src/transport/limits/rate-limiter.js';

const count = Number(process.argv[2]);
let now = Date.UTC(2024, 0, 1);
const reset = now + 1000;
const limiter = new RateLimiter({
  onLimit: 'wait',
  maxWait: Number.POSITIVE_INFINITY,
  maxConcurrency: Number.POSITIVE_INFINITY,
  clock: () => now,
  writeInterval: { always: 0, afterRejection: 0 },
  onWait: () => undefined,
});
const budget = (remaining: number) => ({
  'x-ratelimit-limit': `${count}`,
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-reset': `${reset / 1000}`,
});
const call = (): Permit => ({
  credential: 'a',
  operation: 'x',
  exemptFromLimits: false,
  writes: false,
});

const first = call();
void limiter.acquire(first, new Deadline([], 0));
limiter.release(first, budget(count));

if (!gc) throw new Error('run it with --expose-gc');
/** Measures a step and the work that the step queues for this turn of the event loop. Collects garbage first. */
async function blocked(step: () => void): Promise<number> {
  gc?.();
  const started = performance.now();
  step();
  await new Promise((resolve) => setImmediate(resolve));
  return performance.now() - started;
}

let letIn = 0;
const sent: Permit[] = [];
const entering = await blocked(() => {
  for (let index = 0; index < 2 * count; index++) {
    const request = call();
    const admission = limiter.acquire(request, new Deadline([], 0));
    if (admission) void admission.then(() => letIn++);
    else sent.push(request);
  }
});
if (sent.length !== count) throw new Error(`${sent.length} of ${count} calls started`);
const responses = sent.map((request, index) => [request, budget(count - index - 1)] as const);
const leaving = await blocked(() => {
  for (const [request, headers] of responses) limiter.release(request, headers);
});
if (letIn > 0) throw new Error(`${letIn} calls started before the reset`);
now = reset + 2000;
let longest = 0;
const started = performance.now();
while (letIn < count && performance.now() - started < 60_000) {
  longest = Math.max(longest, await blocked(() => undefined));
}
if (letIn !== count) throw new Error(`${letIn} of ${count} calls started after the reset`);
console.log(entering, leaving, longest);
process.exit();

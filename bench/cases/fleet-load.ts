// Measures the load that a thousand processes put on Redis.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Load, latency } from '../fleet-task.js';
import { receiveMessage, start } from '../processes.js';
import { startRedis } from '../redis.js';
import { atMost, type Measured, type Row } from '../result.js';

/** Number of processes, and number of clients in each process. */
const [processes, clients] = [4, 250];
/** Duration of the measurement, in ms. */
const watched = 5000;
/**
 * Maximum time to reach the expected call rate, in seconds. New processes compile their code first.
 */
const settling = 15;

const wide = 100_000_000;
/** Remaining quota: 20 requests for each of the 1000 clients. */
const narrow = 20_000;

const loads: Readonly<Record<string, Omit<Load, 'token'>>> = {
  'one call per second each, ample quota': { remaining: wide, interval: 1000 },
  'ten calls per second each, ample quota': { remaining: wide, interval: 100 },
  'one call per second each, scarce quota': { remaining: narrow, interval: 1000 },
  'one call per second each, 500 in flight': {
    remaining: wide,
    interval: 1000,
    maxConcurrency: 500,
  },
  'more calls than the limit of 100 in flight': {
    remaining: wide,
    interval: 20,
    maxConcurrency: 100,
  },
};

async function sendRequest(
  children: readonly ChildProcess[],
  message: Load | 'tell',
): Promise<number> {
  // `as`: the benchmark's program sends numbers. `receiveMessage` throws the errors that the
  // program sends.
  const results = children.map(async (child) => (await receiveMessage(child)) as number);
  for (const child of children) child.send(message);
  return (await Promise.all(results)).reduce((sum, each) => sum + each, 0);
}

/** Measures a single load with a new Redis server and new processes. */
async function measure(name: string, load: Omit<Load, 'token'>): Promise<Omit<Row, 'ratio'>> {
  await using redis = await startRedis();
  const args = [redis.url, `${clients}`];
  const started = Array.from({ length: processes }, () => start('children/fleet-load', args));
  const children = (await Promise.all(started)).map(({ child }) => child);
  await sendRequest(children, { ...load, token: 'x'.repeat(40) });
  const most = (load.maxConcurrency ?? Number.POSITIVE_INFINITY) / latency;
  const expected = Math.min((processes * clients) / load.interval, most) * 1000;
  await sendRequest(children, 'tell');
  for (let second = 0; second < settling; second += 1) {
    await sleep(1000);
    if ((await sendRequest(children, 'tell')) > 0.9 * expected) break;
  }
  const before = await redis.used();
  const startedAt = performance.now();
  await sleep(watched);
  const calls = await sendRequest(children, 'tell');
  const after = await redis.used();
  const seconds = (performance.now() - startedAt) / 1000;
  for (const child of children) child.kill();
  const commands = after.commands - before.commands;
  const cpu = after.cpu - before.cpu;
  const perSecond = commands / seconds;
  return {
    name,
    median: perSecond,
    min: perSecond,
    max: perSecond,
    more: {
      'calls/s': calls / seconds,
      'commands per call': commands / calls,
      'CPU µs per command': (1000 * cpu) / commands,
      'Redis, % of a core': cpu / seconds / 10,
    },
  };
}

/** Measures several loads of simulated processes. */
export async function fleetLoad(): Promise<Measured> {
  const measured: Omit<Row, 'ratio'>[] = [];
  for (const [name, load] of Object.entries(loads)) measured.push(await measure(name, load));
  const first = measured[0]?.median ?? Number.NaN;
  const rows = measured.map((row) => ({ ...row, ratio: row.median / first }));
  const busiest = Math.max(...rows.map(({ more }) => more['Redis, % of a core'] ?? Number.NaN));
  return {
    title: 'Load on Redis of a thousand processes',
    about: `A simulation: ${processes * clients} clients in ${processes} processes, each with its own connection to Redis, like a separate process. Calls get a response from memory after ${latency} ms. Commands are the scripts of the limits. The processor time is all time that Redis used, including connections.`,
    unit: 'commands/s',
    rounds: 1,
    rows,
    goals: [atMost(50, busiest, 'half a core for Redis')],
  };
}

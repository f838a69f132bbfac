// Measures the cost and the benefit of sharing limits in Redis.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetResult, FleetTask } from '../fleet-task.js';
import { createToken, now, type Used } from '../limits.js';
import { receiveMessage, start, startServer, successors } from '../processes.js';
import { type Redis, startRedis } from '../redis.js';
import { atMost, findRow, type Goal, type Measured, type Row } from '../result.js';
import { interleave, type Turn } from '../rounds.js';

function formatArguments(
  base: string,
  maxConcurrency: number | 'default',
  redis?: Redis,
): string[] {
  return [base, `${maxConcurrency}`, ...(redis ? [redis.url] : [])];
}

/** Starts processes that each run one client. Without Redis, each client has its own limits. */
async function fleet(
  count: number,
  base: string,
  maxConcurrency: number | 'default',
  redis?: Redis,
) {
  const args = formatArguments(base, maxConcurrency, redis);
  const started = Array.from({ length: count }, () => start('children/fleet', args));
  return (await Promise.all(started)).map(({ child }) => child);
}

/** Time limit for a turn, in ms. */
const patience = 60_000;

async function perform(children: readonly ChildProcess[], task: FleetTask): Promise<FleetResult[]> {
  // `as`: the benchmark's program sends this type. `receiveMessage` throws the errors that the
  // program sends.
  const results = children.map(async (child) => (await receiveMessage(child)) as FleetResult);
  for (const child of children) child.send(task);
  const stopped = new AbortController();
  const late = sleep(patience, undefined, { signal: stopped.signal }).then(() => {
    throw new Error(`${children.length} processes did not finish within a minute`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([Promise.all(results), late]);
  } finally {
    stopped.abort();
  }
}

interface CallsCase {
  readonly title: string;
  readonly about: string;
  /** Path of the API on the server. */
  readonly api: string;
  readonly rounds: number;
  /** Number of turns that each process takes. */
  readonly turns: number;
  readonly ways: Readonly<Record<string, { readonly shared: boolean; readonly width: number }>>;
  readonly count: number;
  /** Result that the report compares. */
  readonly main: 'ms' | 'p99';
  goals(measured: Pick<Measured, 'rows'>): Measured['goals'];
}

/** Number of warm-up turns that a new process takes for each alternative before the measurement. */
const warmUpTurns = 4;

/**
 * Compares a client that has its own limits with a client that shares its limits in Redis. Both clients run
 * in the same process, so differences between processes affect both clients equally.
 */
async function calls(each: CallsCase): Promise<Measured> {
  await using redis = await startRedis();
  await using server = await startServer();
  const args = formatArguments(`${server.origin}${each.api}`, Number.POSITIVE_INFINITY, redis);
  const { title, about, count, main, rounds } = each;
  const begin = async () => {
    const { child } = await start('children/fleet', args);
    for (let turn = 0; turn < warmUpTurns; turn++) {
      for (const { shared, width } of Object.values(each.ways)) {
        await perform([child], { kind: 'calls', shares: shared, count, width });
      }
    }
    return child;
  };
  const processes = successors(begin, each.turns);
  const ways = Object.entries(each.ways).map(([name, { shared, width }]) => {
    const take = async (child: ChildProcess): Promise<Turn> => {
      const before = await redis.used();
      const [result] = await perform([child], { kind: 'calls', shares: shared, count, width });
      if (!result) throw new Error('the process sent no result');
      const { commands } = await redis.used();
      const perCall = shared ? { 'commands per call': (commands - before.commands) / count } : {};
      const other = main === 'ms' ? {} : { 'median, ms': result.p50 };
      return [result[main], { ...other, 'CPU ms': result.cpu, ...perCall }];
    };
    return [name, () => processes.turn(take)] as const;
  });
  const rows = await interleave(Object.fromEntries(ways), rounds, 0);
  processes.end();
  return { title, about, unit: 'ms', rounds, rows, goals: each.goals({ rows }) };
}

/** Measures the cost of sharing a large quota. */
export function wideBudget(rounds: number): Promise<Measured> {
  return calls({
    title: 'Limits shared in Redis: an ample quota',
    about:
      '4000 requests for a team (130 bytes), always 32 in flight, with a quota of millions. One client shares its limits in Redis and another does not. Both take turns in one process, which is replaced after 40 turns per client. Redis runs on the same machine.',
    api: '20/',
    rounds: rounds * 120,
    turns: 80,
    count: 4000,
    main: 'ms',
    ways: {
      'local limits': { shared: false, width: 32 },
      'limits in Redis': { shared: true, width: 32 },
    },
    goals: ({ rows }) => {
      const shared = findRow(rows, 'limits in Redis');
      const commands = shared.more['commands per call'] ?? Number.NaN;
      return [
        atMost(1.03, shared.ratio, '1.03 of the time with local limits'),
        atMost(0.1, commands, 'one Redis command per ten calls'),
      ];
    },
  });
}

/** Measures the cost of sharing if processes must request each unit of the quota separately. */
export function narrowBudget(rounds: number): Promise<Measured> {
  const own = (width: number) => `local limits, ${width} at a time`;
  const shared = (width: number) => `limits in Redis, ${width} at a time`;
  return calls({
    title: 'Limits shared in Redis: a scarce quota',
    about:
      'The 99th percentile (p99) of the duration of 1000 requests for a team, sent by two clients in one process. The server always reports 30 remaining requests, so Redis grants only a few units at a time.',
    api: 'narrow/',
    rounds: rounds * 5,
    turns: Number.POSITIVE_INFINITY,
    count: 1000,
    main: 'p99',
    ways: Object.fromEntries(
      [1, 8].flatMap((width) => [
        [own(width), { shared: false, width }],
        [shared(width), { shared: true, width }],
      ]),
    ),
    goals: ({ rows }) =>
      [1, 8].map((width) => {
        const added = findRow(rows, shared(width)).median - findRow(rows, own(width)).median;
        return atMost(2, added, `2 ms added to the p99, with ${width} at a time`);
      }),
  });
}

/** Maximum number of requests for each credential. */
const limit = 500;

/**
 * Number of quotas that a fleet uses up before the measurement, and number of calls per process and
 * quota. Real fleets run long enough for V8 to optimize the code, which makes calls ten times as
 * fast.
 */
const [warmUps, warmUpCalls] = [16, 250];

/**
 * Number of warm-up turns before each measured turn. While other fleets take their turns, an idle
 * process loses its connections, memory and compiled code.
 */
const turnsBefore = 4;

interface FleetWay {
  readonly name: string;
  readonly processes: number;
  readonly maxConcurrency: number | 'default';
  readonly credentials: number;
  readonly shares: boolean;
  /** Maximum time as a multiple of one process's time. */
  readonly goal?: number;
}

const together = { credentials: 1, shares: true } as const;

/** Fleets that use up quotas. Each process has 8 calls in flight. */
const fleetWays: readonly FleetWay[] = [
  {
    name: '8 processes, without sharing',
    processes: 8,
    maxConcurrency: 8,
    credentials: 1,
    shares: false,
  },
  { ...together, name: '8 processes', processes: 8, maxConcurrency: 64, goal: 1.15 },
  { ...together, name: '32 processes', processes: 32, maxConcurrency: 'default', goal: 1.15 },
  { ...together, name: '32 processes, 64 calls in total', processes: 32, maxConcurrency: 64 },
  {
    ...together,
    name: '8 processes, two credentials',
    processes: 8,
    maxConcurrency: 64,
    credentials: 2,
    goal: 1.15,
  },
];

/** Compares processes that share a quota with a single process that uses the quota alone. */
export async function fleetOfProcesses(rounds: number): Promise<Measured> {
  await using redis = await startRedis();
  await using server = await startServer();
  let runs = 0;
  const useUp = async (
    children: readonly ChildProcess[],
    width: number,
    credentials: number,
    count: number,
  ) => {
    runs++;
    const tokens = Array.from({ length: credentials }, (_, at) =>
      createToken(count, `${runs}-${at}`),
    );
    return { tokens, result: await perform(children, { kind: 'budget', tokens, width }) };
  };
  const base = (name: string) => `${server.origin}limited/${name}/`;
  const takeTurn =
    (children: readonly ChildProcess[], width: number, credentials: number, shares: boolean) =>
    async (): Promise<Turn> => {
      for (let turn = 0; turn < turnsBefore; turn++) {
        await useUp(children, width, credentials, limit);
      }
      const before = await redis.used();
      const started = now();
      const { tokens, result } = await useUp(children, width, credentials, limit);
      const known = now() - started;
      const used = await Promise.all(tokens.map((token) => usedBy(token, base('used'))));
      const wrong = used.find(({ served }) => served !== limit);
      if (wrong) throw new Error(`${wrong.served} of ${limit} requests were served`);
      const perCall = ((await redis.used()).commands - before.commands) / (limit * credentials);
      return [
        Math.max(...used.map(({ last }) => last)) - started,
        {
          rejected: used.reduce((sum, { refused }) => sum + refused, 0),
          'until all know, ms': known,
          'CPU ms': result.reduce((sum, { cpu }) => sum + cpu, 0),
          ...(shares && { 'commands per call': perCall }),
        },
      ];
    };
  const started = async (count: number, width: number, ...of: [number | 'default', Redis?]) => {
    const children = await fleet(count, base(`${count}`), ...of);
    for (let turn = 0; turn < warmUps; turn++) {
      await useUp(children, width, 1, warmUpCalls * count);
    }
    return children;
  };
  const one = await started(1, 64, 64);
  const rows = new Map<string, Row>();
  const goals: Goal[] = [];
  for (const { name, processes, maxConcurrency, credentials, shares, goal } of fleetWays) {
    const alone = credentials > 1 ? '1 process, two credentials' : '1 process';
    const children = await started(processes, 8, maxConcurrency, shares ? redis : undefined);
    const pair = await interleave(
      {
        [alone]: takeTurn(one, 64, credentials, false),
        [name]: takeTurn(children, 8, credentials, shares),
      },
      rounds,
      1,
    );
    // Idle processes collect garbage for a while, which would disturb the next measurement.
    for (const child of children) child.kill();
    for (const row of pair) if (!rows.has(row.name)) rows.set(row.name, row);
    const { ratio, more } = findRow(pair, name);
    if (goal) goals.push(atMost(goal, ratio, `${goal} of one process, with ${name}`));
    if (shares)
      goals.push(atMost(0, more.rejected ?? Number.NaN, `0 rejected requests, with ${name}`));
  }
  for (const child of one) child.kill();
  return {
    title: 'One quota, many processes',
    about: `Processes that share their limits in Redis use up the ${limit} remaining requests of a credential, 8 at a time each. The server responds after 20 ms, and the time is measured from the start to the last response. For comparison, one process without Redis sends 64 at a time; it takes turns with each fleet, and the ratios refer to its turns. The 8 processes without sharing have to discover the end of the quota individually. The 8 processes with sharing have a common \`maxConcurrency\` of 64. The 32 processes have none, except in the row "64 calls in total". Each process has sent thousands of calls before, and each turn is the last of ${turnsBefore + 1} in a row.`,
    unit: 'ms',
    rounds,
    rows: [...rows.values()],
    goals,
  };
}

/** Returns the server's counts for a token. */
async function usedBy(token: string, base: string): Promise<Used> {
  const response = await fetch(`${base}used`, { headers: { authorization: `token ${token}` } });
  // `as`: the benchmark's server sends this type.
  return (await response.json()) as Used;
}

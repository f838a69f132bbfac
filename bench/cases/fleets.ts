// What processes pay that share their limits in Redis, and what they gain.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetTask, FleetTold } from '../fleet-task.js';
import { limit, now, type Used } from '../limits.js';
import { heard, start, startServer } from '../processes.js';
import { type Redis, startRedis } from '../redis.js';
import { atMost, type Measured, rowOf } from '../result.js';
import { interleave, type Turn } from '../rounds.js';

/** Processes of one client; without a Redis each is for itself. */
async function fleet(
  count: number,
  base: string,
  maxConcurrency: number | 'default',
  redis?: Redis,
) {
  const args = [base, `${maxConcurrency}`, ...(redis ? [redis.url] : [])];
  const started = Array.from({ length: count }, () => start('children/fleet', args));
  return (await Promise.all(started)).map(({ child }) => child);
}

/** A turn that takes longer stands still. */
const patience = 60_000;

async function perform(children: readonly ChildProcess[], task: FleetTask): Promise<FleetTold[]> {
  // Our own program tells this or an error, which throws.
  const told = children.map(async (child) => (await heard(child)) as FleetTold);
  for (const child of children) child.send(task);
  const stopped = new AbortController();
  const late = sleep(patience, undefined, { signal: stopped.signal }).then(() => {
    throw new Error(`${children.length} processes were not done after a minute`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([Promise.all(told), late]);
  } finally {
    stopped.abort();
  }
}

interface CallsCase {
  readonly title: string;
  readonly about: string;
  /** The API's address below the server's. */
  readonly api: string;
  readonly rounds: number;
  readonly ways: Readonly<Record<string, { readonly shared: boolean; readonly width: number }>>;
  readonly count: number;
  /** Which of what a turn tells is compared. */
  readonly main: 'ms' | 'p99';
  goals(measured: Pick<Measured, 'rows'>): Measured['goals'];
}

/** One process with limits of its own beside one whose limits are in Redis. */
async function calls(each: CallsCase): Promise<Measured> {
  await using redis = await startRedis();
  await using server = await startServer();
  const base = `${server.origin}${each.api}`;
  const alone = await fleet(1, base, Number.POSITIVE_INFINITY);
  const sharing = await fleet(1, base, Number.POSITIVE_INFINITY, redis);
  const { title, about, count, main, rounds } = each;
  const ways = Object.entries(each.ways).map(([name, { shared, width }]) => {
    const turn = async (): Promise<Turn> => {
      const before = await redis.used();
      const [told] = await perform(shared ? sharing : alone, { kind: 'calls', count, width });
      if (!told) throw new Error('nothing was told');
      const { commands } = await redis.used();
      const perCall = shared ? { 'commands a call': (commands - before.commands) / count } : {};
      const other = main === 'ms' ? {} : { 'median, ms': told.p50 };
      return [told[main], { ...other, 'CPU ms': told.cpu, ...perCall }];
    };
    return [name, turn] as const;
  });
  const rows = await interleave(Object.fromEntries(ways), rounds, 2);
  for (const child of [...alone, ...sharing]) child.kill();
  return { title, about, unit: 'ms', rounds, rows, goals: each.goals({ rows }) };
}

/** What sharing costs where there is plenty. */
export function wideBudget(rounds: number): Promise<Measured> {
  return calls({
    title: 'Limits shared in Redis: a wide budget',
    about:
      '8000 requests for a team (130 bytes), always 32 at a time, of a budget of millions: by a client that shares its limits with others in Redis, beside one that does not. Redis runs on the same machine.',
    api: '20/',
    rounds: rounds * 3,
    count: 8000,
    main: 'ms',
    ways: {
      'limits of its own': { shared: false, width: 32 },
      'limits in Redis': { shared: true, width: 32 },
    },
    goals: ({ rows }) => {
      const shared = rowOf(rows, 'limits in Redis');
      const commands = shared.more['commands a call'] ?? Number.NaN;
      return [
        atMost(1.03, shared.ratio, '1.03 of the time without'),
        atMost(0.1, commands, 'one command of Redis for ten calls'),
      ];
    },
  });
}

/** What sharing costs where each unit must be asked for. */
export function narrowBudget(rounds: number): Promise<Measured> {
  const own = (width: number) => `limits of its own, ${width} at a time`;
  const shared = (width: number) => `limits in Redis, ${width} at a time`;
  return calls({
    title: 'Limits shared in Redis: a narrow budget',
    about:
      'How long one of a hundred of 1000 requests for a team takes at least (p99), where 30 requests are left whatever is asked, so that few are granted at once.',
    api: 'narrow/',
    rounds,
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
        const added = rowOf(rows, shared(width)).median - rowOf(rows, own(width)).median;
        return atMost(2, added, `2 ms added to the p99, with ${width} at a time`);
      }),
  });
}

/** Each process has made so many calls before it is measured. */
const warmUpCalls = 1000;

/** Many processes that use up one budget, beside one that has it for itself. */
export async function fleetOfProcesses(rounds: number): Promise<Measured> {
  await using redis = await startRedis();
  await using server = await startServer();
  const base = (name: string) => `${server.origin}limited/${name}/`;
  const fleets = {
    alone: await fleet(1, base('alone'), 64),
    strangers: await fleet(8, base('strangers'), 8),
    eight: await fleet(8, base('eight'), 64, redis),
    many: await fleet(32, base('many'), 'default', redis),
    bounded: await fleet(32, base('bounded'), 64, redis),
  };
  let runs = 0;
  const way = (children: readonly ChildProcess[], width: number, credentials = 1) => {
    const tokensOf = (run: number) =>
      Array.from({ length: credentials }, (_, at) => `run-${run}-${at}`);
    return async (): Promise<Turn> => {
      // Until it is its turn, a way does nothing for seconds: its connections are closed by then.
      await perform(children, { kind: 'budget', tokens: tokensOf(++runs), width });
      const tokens = tokensOf(++runs);
      const before = await redis.used();
      const begun = now();
      const told = await perform(children, { kind: 'budget', tokens, width });
      const known = now() - begun;
      const used = await Promise.all(tokens.map((token) => usedBy(token, base('used'))));
      const wrong = used.find(({ served }) => served !== limit);
      if (wrong) throw new Error(`${wrong.served} of ${limit} requests were answered`);
      const perCall = ((await redis.used()).commands - before.commands) / (limit * credentials);
      const isSharing = children !== fleets.alone && children !== fleets.strangers;
      return [
        Math.max(...used.map(({ last }) => last)) - begun,
        {
          refused: used.reduce((sum, { refused }) => sum + refused, 0),
          'until all know, ms': known,
          'CPU ms': told.reduce((sum, { cpu }) => sum + cpu, 0),
          ...(isSharing && { 'commands a call': perCall }),
        },
      ];
    };
  };
  // A process of a fleet lives long: what is measured is not how its code is compiled.
  for (const children of Object.values(fleets)) {
    const warmUp = way(children, children.length > 1 ? 8 : 64);
    for (let calls = 0; calls < warmUpCalls * children.length; calls += 2 * limit) {
      await warmUp();
    }
  }
  const rows = await interleave(
    {
      '1 process, 64 at a time': way(fleets.alone, 64),
      '8 processes, each for itself': way(fleets.strangers, 8),
      '8 processes, 8 at a time': way(fleets.eight, 8),
      '32 processes, 8 at a time': way(fleets.many, 8),
      '32 processes, 64 at a time in all': way(fleets.bounded, 8),
      '1 process, two credentials': way(fleets.alone, 64, 2),
      '8 processes, two credentials': way(fleets.eight, 8, 2),
    },
    rounds,
    1,
  );
  for (const child of Object.values(fleets).flat()) child.kill();
  const part = (name: string, of: string) => rowOf(rows, name).ratio / rowOf(rows, of).ratio;
  const sharing = rows.filter(({ more }) => 'commands a call' in more);
  const refused = sharing.map(({ more }) => more.refused ?? Number.NaN);
  return {
    title: 'One budget, many processes',
    about: `${limit} requests that a credential has left are used up by processes that share their limits in Redis, and answered after 20 ms: from the start until the last was answered. One process has it for itself, without Redis; of eight that do not share, each learns by itself when nothing is left. The eight that share have set maxConcurrency: 64, which is then that of all together; the 32 have not, but where it says so. Each turn is the second of two that follow one another.`,
    unit: 'ms',
    rounds,
    rows,
    goals: [
      ...['8 processes, 8 at a time', '32 processes, 8 at a time'].map((name) =>
        atMost(1.15, part(name, '1 process, 64 at a time'), `1.15 of one process, with ${name}`),
      ),
      atMost(
        1.15,
        part('8 processes, two credentials', '1 process, two credentials'),
        '1.15 of one process, with two credentials',
      ),
      atMost(0, Math.max(...refused), '0 requests refused'),
    ],
  };
}

/** What the server counted for a token. */
async function usedBy(token: string, base: string): Promise<Used> {
  const answer = await fetch(`${base}used`, { headers: { authorization: `token ${token}` } });
  // Our own server.
  return (await answer.json()) as Used;
}

// Cases in which each peer runs in several processes. Each process takes many turns.
import type { ChildProcess } from 'node:child_process';
import { type PeerName, peerNames } from '../peers/index.js';
import { receiveMessage, start, startServer, successors } from '../processes.js';
import { atLeast, atMost, findRow, type Goal, type Measured, type Row } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import type { Task, TaskResult } from '../task.js';

/** Report row: a peer and the number of pages that the peer requests at the same time. */
interface Way {
  readonly peer: PeerName;
  readonly concurrency?: number;
}

interface SpeedCase {
  readonly title: string;
  readonly about: string;
  /** Path of the API on the server. The path selects the number of pages and the latency. */
  readonly api: string;
  readonly task: Task;
  /** Rows of the report. Default: a row for each peer. */
  readonly ways?: Readonly<Record<string, Way>>;
  /**
   * Whether the result is close to the goal. If so, the handwritten loop and triforge each take 15 turns per
   * round, in three processes.
   */
  readonly isClose?: boolean;
  /** Number of warm-up turns in each process. Default: 2. */
  readonly warmUps?: number;
  goals(rows: readonly Row[]): Goal[];
}

const hand = (rows: readonly Row[]): number => findRow(rows, 'triforge').ratio;
const octokit = (rows: readonly Row[]): number =>
  findRow(rows, 'octokit').ratio / findRow(rows, 'triforge').ratio;

/** All peers except `hand, lookahead`, which differs from `hand` only in pagination. */
const onePerRequest = listWays(peerNames.filter((name) => name !== 'hand, lookahead'));

function listWays(names: readonly PeerName[]): Readonly<Record<string, Way>> {
  return Object.fromEntries(names.map((peer) => [peer, { peer }]));
}

/** One client with several concurrency settings, and peers that read one page at a time. */
const widths: Readonly<Record<string, Way>> = {
  ...listWays(['hand', 'hand, lookahead', 'triforge', 'octokit']),
  'triforge, 4 pages': { peer: 'triforge', concurrency: 4 },
  'triforge, 8 pages': { peer: 'triforge', concurrency: 8 },
  'triforge, 16 pages': { peer: 'triforge', concurrency: 16 },
};

/** Returns the ratio of one row's time to another row's time. */
function part(rows: readonly Row[], name: string, of: string): number {
  return findRow(rows, name).ratio / findRow(rows, of).ratio;
}

function crawl(latency: number): SpeedCase {
  return {
    title: `Crawl of a server ${latency} ms away`,
    about: `A list of 200 pages of 100 users; the server responds after ${latency} ms. "8 pages" means \`concurrency: 8\`.`,
    api: `200-${latency}/`,
    task: { kind: 'users', crawls: 1, items: 20_000 },
    ways: widths,
    warmUps: 1,
    goals: (rows) =>
      latency !== 50
        ? []
        : [
            atMost(
              0.16,
              part(rows, 'triforge, 8 pages', 'triforge'),
              '0.16 times as long with 8 pages at once as with one page at a time',
            ),
            atMost(
              0.12,
              part(rows, 'triforge, 16 pages', 'triforge'),
              '0.12 times as long with 16 pages at once as with one page at a time',
            ),
            atLeast(
              7,
              part(rows, 'octokit', 'triforge, 8 pages'),
              '7 times as fast as @octokit/rest, with 8 pages at once',
            ),
          ],
  };
}

export const speedCases: Readonly<Record<string, SpeedCase>> = {
  users: {
    title: 'Pages of users',
    about: '40 lists of 20 pages of 100 users each (87 KB per page).',
    api: '20/',
    task: { kind: 'users', crawls: 40, items: 2000 },
    isClose: true,
    goals: (rows) => [
      atMost(0.9, hand(rows), "0.90 times the handwritten loop's time"),
      atLeast(4, octokit(rows), '4 times as fast as @octokit/rest'),
    ],
  },
  repos: {
    title: 'Pages of repositories',
    about: 'Ten lists of 20 pages of 100 repositories each (431 KB per page).',
    api: '20/',
    task: { kind: 'repos', crawls: 10, items: 2000 },
    isClose: true,
    goals: (rows) => [
      atMost(1, hand(rows), "1.00 times the handwritten loop's time"),
      atLeast(4, octokit(rows), '4 times as fast as @octokit/rest'),
    ],
  },
  pulls: {
    title: 'Pages of pull requests',
    about:
      'Four lists of 20 pages of 100 pull requests (1.3 MB per page). Each pull request contains two repositories.',
    api: '20/',
    task: { kind: 'pulls', crawls: 4, items: 2000 },
    isClose: true,
    goals: (rows) => [
      atMost(1, hand(rows), "1.00 times the handwritten loop's time"),
      atLeast(3.8, octokit(rows), '3.8 times as fast as @octokit/rest'),
    ],
  },
  small1: {
    title: 'Small requests, one at a time',
    about: '2500 requests for a team (136 bytes), one after another.',
    api: '20/',
    task: { kind: 'small', count: 2500, width: 1 },
    isClose: true,
    ways: onePerRequest,
    goals: (rows) => [atMost(0.95, hand(rows), "0.95 times the handwritten loop's time")],
  },
  small32: {
    title: 'Small requests, 32 at a time',
    about: '8000 requests for a team (136 bytes), always 32 in flight.',
    api: '20/',
    task: { kind: 'small', count: 8000, width: 32 },
    ways: onePerRequest,
    isClose: true,
    goals: (rows) => [atMost(0.85, hand(rows), "0.85 times the handwritten loop's time")],
  },
  latency: {
    title: 'A distant server, with work on every page',
    about:
      '40 pages of 100 users. The server responds after 50 ms, and processing a page takes 50 ms.',
    api: '40-50/',
    task: { kind: 'users', crawls: 1, items: 4000, work: 50 },
    ways: listWays(['hand', 'hand, lookahead', 'triforge', 'octokit']),
    warmUps: 1,
    goals: (rows) => [atMost(0.55, 1 / octokit(rows), "0.55 times @octokit/rest's time")],
  },
  crawl0: {
    title: 'Crawl of a nearby server',
    about: 'Four lists of 200 pages of 100 users. The server responds immediately.',
    api: '200/',
    task: { kind: 'users', crawls: 4, items: 20_000 },
    ways: widths,
    goals: (rows) => [
      atMost(
        1.05,
        part(rows, 'triforge, 8 pages', 'triforge'),
        '1.05 times as long with 8 pages at once as with one page at a time',
      ),
    ],
  },
  crawl20: crawl(20),
  crawl50: crawl(50),
  crawl100: crawl(100),
};

/** Peers that take more turns if a case's result is close to the goal. */
const close = ['hand', 'triforge'];

/** Measures one of {@link speedCases}. */
export async function speed(each: SpeedCase, rounds: number): Promise<Measured> {
  await using server = await startServer();
  const { title, api, task, isClose = false, warmUps = 2 } = each;
  const peers = Object.entries(each.ways ?? listWays(peerNames)).map(
    ([name, { peer, concurrency }]) => {
      const begin = async () => (await start('worker', [peer, `${server.origin}${api}`])).child;
      const take = async (child: ChildProcess): Promise<Turn> => {
        child.send({ ...task, concurrency });
        // `as`: the benchmark's worker sends this type. `receiveMessage` throws the errors that
        // the worker sends.
        const { ms, cpu } = (await receiveMessage(child)) as TaskResult;
        return [ms, { 'CPU ms': cpu }];
      };
      const turns = isClose && close.includes(name) ? 5 : Number.POSITIVE_INFINITY;
      const workers = successors(begin, turns, warmUps);
      return { name, turn: () => workers.turn(take), end: workers.end };
    },
  );
  const rows = await interleave(
    Object.fromEntries(peers.map(({ name, turn }) => [name, turn])),
    rounds,
    0,
    isClose ? { names: close, turns: 15 } : undefined,
  );
  for (const { end } of peers) end();
  const about = isClose
    ? `${each.about} In each round, the handwritten loop and triforge each take 15 turns, five per process.`
    : each.about;
  return { title, about, unit: 'ms', rounds, rows, goals: each.goals(rows) };
}

// Cases in which every peer has a process that lives through all rounds.
import { type PeerName, peerNames } from '../peers/index.js';
import { heard, start, startServer } from '../processes.js';
import { atLeast, atMost, type Goal, type Measured, type Row, rowOf } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import type { Task, Told } from '../task.js';

interface SpeedCase {
  readonly title: string;
  readonly about: string;
  /** The API's address below the server's: how many pages lists have, and how late they come. */
  readonly api: string;
  readonly task: Task;
  readonly peers?: readonly PeerName[];
  /** How many times as many rounds as other cases, where a turn is short and says little. */
  readonly roundsFactor?: number;
  goals(rows: readonly Row[]): Goal[];
}

const hand = (rows: readonly Row[]): number => rowOf(rows, 'triforge').ratio;
const octokit = (rows: readonly Row[]): number =>
  rowOf(rows, 'octokit').ratio / rowOf(rows, 'triforge').ratio;

export const speedCases: Readonly<Record<string, SpeedCase>> = {
  users: {
    title: 'Pages of users',
    about: '40 lists of 20 pages of 100 users each (77 KB a page).',
    api: '20/',
    task: { kind: 'users', crawls: 40, items: 2000 },
    goals: (rows) => [
      atMost(0.9, hand(rows), '0.90 of the hand loop'),
      atLeast(4, octokit(rows), '4 times as fast as @octokit/rest'),
    ],
  },
  repos: {
    title: 'Pages of repositories',
    about: 'Ten lists of 20 pages of 100 repositories each (377 KB a page).',
    api: '20/',
    task: { kind: 'repos', crawls: 10, items: 2000 },
    goals: (rows) => [
      atMost(1, hand(rows), '1.00 of the hand loop'),
      atLeast(4, octokit(rows), '4 times as fast as @octokit/rest'),
    ],
  },
  pulls: {
    title: 'Pages of pull requests',
    about:
      'Four lists of 20 pages of 100 pull requests (1.2 MB a page), each with two repositories.',
    api: '20/',
    task: { kind: 'pulls', crawls: 4, items: 2000 },
    goals: (rows) => [
      atMost(1, hand(rows), '1.00 of the hand loop'),
      atLeast(3.8, octokit(rows), '3.8 times as fast as @octokit/rest'),
    ],
  },
  small1: {
    title: 'Small requests, one at a time',
    about: '2500 requests for a team (130 bytes), one after the other.',
    api: '20/',
    task: { kind: 'small', count: 2500, width: 1 },
    roundsFactor: 3,
    goals: (rows) => [atMost(0.95, hand(rows), '0.95 of the hand loop')],
  },
  small32: {
    title: 'Small requests, 32 at a time',
    about: '8000 requests for a team (130 bytes), always 32 at a time.',
    api: '20/',
    task: { kind: 'small', count: 8000, width: 32 },
    goals: (rows) => [atMost(0.85, hand(rows), '0.85 of the hand loop')],
  },
  latency: {
    title: 'A distant server and work on every page',
    about:
      '40 pages of 100 users; the server answers after 50 ms, and each page is worked on for 50 ms.',
    api: '40-50/',
    task: { kind: 'users', crawls: 1, items: 4000, work: 50 },
    peers: ['hand', 'triforge', 'octokit'],
    goals: (rows) => [atMost(0.55, 1 / octokit(rows), '0.55 of @octokit/rest')],
  },
};

/** Measures one of {@link speedCases}. */
export async function speed(each: SpeedCase, rounds: number): Promise<Measured> {
  await using server = await startServer();
  const children = await Promise.all(
    (each.peers ?? peerNames).map(async (name) => {
      const { child } = await start('worker', [name, `${server.origin}${each.api}`]);
      return { name, child };
    }),
  );
  const ways = children.map(({ name, child }) => {
    const turn = async (): Promise<Turn> => {
      child.send(each.task);
      // Our own worker tells this or an error, which throws.
      const { ms, cpu } = (await heard(child)) as Told;
      return [ms, { 'CPU ms': cpu }];
    };
    return [name, turn] as const;
  });
  const turns = rounds * (each.roundsFactor ?? 1);
  const rows = await interleave(
    Object.fromEntries(ways),
    turns,
    each.task.kind === 'small' || each.task.work === undefined ? 2 : 1,
  );
  for (const { child } of children) child.kill();
  const { title, about } = each;
  return { title, about, unit: 'ms', rounds: turns, rows, goals: each.goals(rows) };
}

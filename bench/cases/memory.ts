import { fork } from 'node:child_process';
import { program, receiveMessage, startServer } from '../processes.js';
import { atMost, type Curve, findRow, type Measured } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import { median } from '../statistics.js';

const pages = 10_000;
const million = 1e6;

interface Crawled {
  readonly items: number;
  /** Resident set after each page, in bytes. */
  readonly sizes: readonly number[];
  /**
   * Memory in use after some of the pages, measured after a garbage collection. Empty without
   * `--expose-gc`.
   */
  readonly live: readonly number[];
  readonly ms: number;
}

async function run(name: string, base: string, width: string, flags: string[]): Promise<Crawled> {
  const child = fork(program('children/crawl'), [name, base, width], { execArgv: flags });
  // `as`: the benchmark's program sends this type. `receiveMessage` throws if the program
  // exits.
  const result = (await receiveMessage(child)) as Crawled;
  if (result.items !== pages * 100) throw new Error(`${result.items} items`);
  return result;
}

type Points = Map<string, Curve['points']>;

const peak = (sizes: readonly number[]): number =>
  sizes.reduce((most, size) => Math.max(most, size), 0);

/** Number of pages that each point on the curve represents. */
const stretch = 100;

/** Measures a single crawl. @param points Receives the maximum of each group of pages. */
async function crawl(name: string, base: string, points: Points, width = '1'): Promise<Turn> {
  const result = await run(name, base, width, []);
  // Forcing garbage collection would change the resident set, so this run has a separate process.
  const { live } = await run(name, base, width, ['--expose-gc']);
  const sizes = result.sizes.map((size) => size / million);
  const stretches = Array.from({ length: pages / stretch }, (_each, index) => index * stretch);
  const label = width === '1' ? name : `${name}, ${width} pages`;
  points.set(
    label,
    stretches.map((from) => ({ name: label, x: from, y: peak(sizes.slice(from, from + stretch)) })),
  );
  const settled = sizes.slice(10);
  const early = median(settled.slice(0, 1000));
  return [
    peak(settled),
    {
      'after page 10': sizes[9] ?? Number.NaN,
      'pages 11 to 1010': early,
      'pages 4501 to 5500': median(sizes.slice(4500, 5500)),
      'last 1000 pages': median(settled.slice(-1000)),
      growth: median(settled.slice(-1000)) - early,
      'growth of the peak': peak(settled.slice(-1000)) - peak(settled.slice(0, 1000)),
      'growth of memory in use': ((live.at(-1) ?? Number.NaN) - (live[0] ?? 0)) / million,
      seconds: result.ms / 1000,
    },
  ];
}

/** Reads a list of a million items. If a client retains pages, its memory use grows. */
export async function memory(): Promise<Measured> {
  await using server = await startServer();
  const base = `${server.origin}${pages}/`;
  const rounds = 3;
  const points: Points = new Map();
  const rows = await interleave(
    {
      hand: () => crawl('hand', base, points),
      triforge: () => crawl('triforge', base, points),
      'triforge, 8 pages': () => crawl('triforge', base, points, '8'),
    },
    rounds,
    0,
  );
  const triforge = findRow(rows, 'triforge');
  const hand = findRow(rows, 'hand').median;
  const more = triforge.median - hand;
  const moreAtOnce = findRow(rows, 'triforge, 8 pages').median - hand;
  return {
    title: 'Memory over a million items',
    about:
      'A list of 10,000 pages of 100 users, in a separate process, whose resident set size is read after every page. The number is the maximum after page 10. "growth" compares the medians over the first and the last thousand pages, and "growth of the peak" compares the maximums. Node.js releases and reallocates memory in between, because it collects garbage late; the hand loop shows how much. "growth of memory in use" compares the heap and buffers after a forced collection, at the end and after page 10, in another process.',
    unit: 'MB',
    rounds,
    rows,
    curve: { x: 'page', y: 'resident set, MB', points: [...points.values()].flat() },
    goals: [
      atMost(30, more, '30 MB more than the hand loop'),
      atMost(40, moreAtOnce, '40 MB more than the hand loop, with 8 pages at once'),
      atMost(
        5,
        triforge.more['growth of the peak'] ?? Number.NaN,
        '5 MB more at the peak of the last thousand pages than at the peak of pages 11 to 1010',
      ),
      atMost(
        5,
        triforge.more['growth of memory in use'] ?? Number.NaN,
        '5 MB more in use at the end than after page 10',
      ),
    ],
  };
}

import { program, timed } from '../processes.js';
import { atMost, findRow, type Measured } from '../result.js';
import { interleave, type Turn } from '../rounds.js';

/** Measures only the rate limiter, with thousands of waiting calls. */
export async function waiters(rounds: number): Promise<Measured> {
  const way = (count: number) => async (): Promise<Turn> => {
    const { output } = await timed(process.execPath, [
      '--expose-gc',
      program('children/waiters'),
      String(count),
    ]);
    const [entering = Number.NaN, leaving = Number.NaN, going = Number.NaN] = output
      .split(' ')
      .map(Number);
    return [Math.max(leaving, going), { 'arrival ms': entering }];
  };
  const counts = [8000, 16_000, 32_000];
  const rows = await interleave(
    Object.fromEntries(counts.map((count) => [`${count} waiting`, way(count)])),
    rounds,
    1,
  );
  return {
    title: 'Calls that wait for the quota',
    about:
      'This case measures only the rate limiter. All calls that the quota allows are in flight, and the same number of calls waits. The number is the longest time that the event loop is blocked, either when all calls in flight end one right after another, or when the waiting calls continue after the reset. "arrival ms" is the time until all calls are in flight or waiting.',
    unit: 'ms',
    rounds,
    rows,
    goals: [atMost(100, findRow(rows, '32000 waiting').median, '100 ms with 32,000 waiting calls')],
  };
}

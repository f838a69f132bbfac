import { program, timed } from '../processes.js';
import { atMost, findRow, type Measured } from '../result.js';
import { interleave, type Turn } from '../rounds.js';

/** The rate limiter alone, with thousands of calls that wait. */
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
    return [Math.max(leaving, going), { 'to come ms': entering }];
  };
  const counts = [8000, 16_000, 32_000];
  const rows = await interleave(
    Object.fromEntries(counts.map((count) => [`${count} waiting`, way(count)])),
    rounds,
    1,
  );
  return {
    title: 'Calls that wait for a budget',
    about:
      'The rate limiter alone: a budget of so many calls, all of them in flight, and as many calls more. What is measured is the longest time that the event loop is blocked: by the ends of all calls in flight, one right after the other, or by the calls that go on after the reset. "To come" is the time in which all calls, twice as many, got to where they wait or go.',
    unit: 'ms',
    rounds,
    rows,
    goals: [atMost(100, findRow(rows, '32000 waiting').median, '100 ms with 32,000 that wait')],
  };
}

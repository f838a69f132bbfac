import { describe, expect, it } from 'vitest';
import type {
  LimitReply,
  LimitReport,
  StartReply,
} from '../../../../src/transport/limits/shared-limits.js';
import { advance, entries, pause, start, stopTheClock, ticks } from '../limits/limiter-setup.js';
import { fleet } from './fleet-setup.js';
import { plenty, startReply } from './scripted-limits.js';

stopTheClock();

const write = { writes: true };
const every = (always: number, afterRejection = 0) => ({
  maxConcurrency: Number.POSITIVE_INFINITY,
  writeInterval: { always, afterRejection },
});

/** Creates a reply function. `reply` handles starts whose key matches. All others are granted. */
function replyToStarts(key: RegExp, reply: (want: number) => Partial<StartReply>) {
  return (report: LimitReport): LimitReply => ({
    ...plenty(report),
    starts: report.starts.map((each) =>
      startReply(key.test(each.key) ? reply(each.want) : { granted: each.want }),
    ),
  });
}

describe('writes in a fleet', () => {
  it('a process requests permission to start a write after a quota unit is granted', async () => {
    const { store, visit } = fleet(every(100));
    const call = visit('1', write);
    await ticks();
    expect(call.entry).toBe('acquired');
    const wanted = store.reports.map(({ budgets, starts }) => [
      budgets.some(({ need }) => need > 0),
      starts.some(({ want }) => want > 0),
    ]);
    expect(wanted).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(store.last?.starts.at(-1)).toMatchObject({ interval: 100, want: 1 });
  });

  it("a write waits for the intervals of other processes' queued writes", async () => {
    const { store, visit, waits } = fleet(every(100));
    store.reply = replyToStarts(/^writes of/, () => ({ wait: 50, waiting: 3 }));
    const calls = [visit('1', write), visit('2', write), visit('3')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'waiting', 'acquired']);
    // Ignores waits without a time, because every call first waits for the store's reply.
    expect(waits.filter(([, ms]) => ms !== undefined)).toEqual([
      ['1', 50],
      ['2', 350],
    ]);
    store.reply = plenty;
    await advance(50);
    expect(entries(calls)).toEqual(['acquired', 'acquired', 'acquired']);
  });

  it('a process rejects a write that would wait longer than maxWait', async () => {
    const { store, visit } = fleet({ ...every(100), maxWait: 200 });
    store.reply = replyToStarts(/^writes of/, () => ({ wait: 50, waiting: 3 }));
    const calls = [visit('1', write), visit('2', write)];
    await ticks();
    expect(entries(calls)).toMatchObject([
      'waiting',
      { reason: 'write_interval', until: start + 350 },
    ]);
  });

  it('a process observes the local write interval while the store is unavailable', async () => {
    const { store, visit } = fleet(every(100));
    store.reply = () => Promise.reject(new Error('gone'));
    const calls = [visit('1', write), visit('2', write)];
    await ticks();
    expect(entries(calls)).toEqual(['acquired', 'waiting']);
    await advance(100);
    expect(entries(calls)).toEqual(['acquired', 'acquired']);
  });

  it('a process observes a write interval from another process', async () => {
    const { store, visit } = fleet(every(0, 1000));
    store.reply = replyToStarts(/^writes$/, () => ({ interval: 1000 }));
    visit('1', write);
    await ticks();
    store.reply = replyToStarts(/^writes of/, () => ({ wait: 700 }));
    const call = visit('2', write);
    await ticks();
    expect(call.entry).toBe('waiting');
    expect(store.last?.starts.at(-1)).toMatchObject({ interval: 1000, want: 1 });
  });

  it('a process reports a write that starts late', async () => {
    const { store, visit } = fleet({ ...every(100), maxConcurrency: 1 });
    let reply = () => {};
    store.reply = async (report) => {
      if (report.starts.some(({ want }) => want > 0)) {
        await new Promise<void>((resolve) => {
          reply = resolve;
        });
      }
      return plenty(report);
    };
    visit('1', write);
    await ticks();
    await advance(20);
    reply();
    await ticks();
    expect(store.last?.starts.at(-1)).toMatchObject({ want: 0, late: 0 });
  });
});

describe('slow start in a fleet', () => {
  it('a process adopts the slow-start rate that the store returns', async () => {
    const { store, limiter, visit } = fleet(every(0));
    for (let at = 0; at < 5; at++) {
      const call = visit('sent');
      await ticks();
      limiter.accept({ ...call.request, startedAt: start });
      call.leave({});
    }
    pause(limiter, start + 2000);
    await advance(300);
    const measured = store.reports.map(({ starts }) => starts[0]?.interval ?? 0);
    expect(measured.filter((interval) => interval > 0)).toEqual([25]);
    store.reply = replyToStarts(/^slow start$/, (want) => ({ granted: want, interval: 12.5 }));
    const calls = [visit('1'), visit('2')];
    await advance(1700);
    expect(entries(calls)).toEqual(['acquired', 'acquired']);
    visit('3');
    await ticks();
    expect(store.last?.starts[0]?.interval).toBeCloseTo(12.5);
  });

  it('slow start delays a call until the store grants a start', async () => {
    const { store, limiter, visit } = fleet(every(0));
    visit('sent').leave({});
    await ticks();
    store.reply = replyToStarts(/^slow start$/, () => ({ wait: 80, interval: 125 }));
    pause(limiter, start + 1000);
    const call = visit('1');
    await advance(1079);
    expect(call.entry).toBe('waiting');
    store.reply = plenty;
    await advance(2);
    expect(call.entry).toBe('acquired');
  });

  it('a process keeps its slow-start rate after a pause that it reported', async () => {
    const { store, limiter, visit } = fleet(every(0));
    visit('sent').leave({});
    await ticks();
    pause(limiter, start + 1000);
    await advance(1000);
    store.reply = (report) => ({ ...plenty(report), pause: 1, pauses: 1 });
    visit('1');
    await ticks();
    store.reply = plenty;
    await advance(10);
    expect(store.last?.starts[0]).toMatchObject({ interval: 125 });
  });
});

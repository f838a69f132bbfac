import { describe, expect, it } from 'vitest';
import { advance, entries, house, pause, start, stopTheClock, ticks } from './limiter-setup.js';

stopTheClock();

const write = { writes: true };
const every = (always: number, afterRejection = 0) => ({
  writeInterval: { always, afterRejection },
});

describe('the write interval', () => {
  it('the limiter starts writes in order of arrival, one per interval', async () => {
    const { log, visit } = house(every(100));
    for (let at = 0; at < 5; at++) visit(`${at}`, write);
    expect(log).toEqual(['0 acquired']);
    await advance(99);
    expect(log).toHaveLength(1);
    await advance(1);
    expect(log).toEqual(['0 acquired', '1 acquired']);
    await advance(300);
    expect(log).toEqual([0, 1, 2, 3, 4].map((at) => `${at} acquired`));
  });

  it('the write interval delays neither reads nor writes with other credentials', () => {
    const { visit } = house(every(100));
    const calls = [
      visit('write', write),
      visit('next', write),
      visit('read'),
      visit('other', { ...write, credential: 'b' }),
    ];
    expect(entries(calls)).toEqual(['acquired', 'waiting', 'acquired', 'acquired']);
  });

  it('the limiter publishes a wait for each delayed write', () => {
    const { waits, visit } = house(every(100));
    for (let at = 0; at < 3; at++) visit(`${at}`, write);
    expect(waits).toEqual([
      ['1', 100],
      ['2', 200],
    ]);
  });

  it('the limiter rejects a write that would wait longer than maxWait', async () => {
    const { visit } = house({ ...every(100), maxWait: 150 });
    const calls = [visit('1', write), visit('2', write), visit('3', write)];
    await ticks();
    expect(entries(calls)).toMatchObject([
      'acquired',
      'waiting',
      { reason: 'write_interval', until: start + 200 },
    ]);
  });

  it('the limiter delays writes after a rejected write', async () => {
    const { limiter, log, visit } = house(every(0, 1000));
    pause(limiter, start + 10);
    await advance(10);
    limiter.reset();
    visit('1', write);
    visit('2', write);
    expect(log).toEqual(['1 acquired', '2 acquired']);
    limiter.reject({ writes: true, startedAt: Date.now() }, Date.now() + 1000);
    visit('3', write);
    visit('4', write);
    await advance(1000);
    expect(log).toHaveLength(3);
    await advance(999);
    expect(log).toHaveLength(3);
    await advance(1);
    expect(log).toHaveLength(4);
  });

  it("the limiter doesn't delay writes after a rejection that requests no pause", () => {
    const { limiter, visit } = house(every(0, 1000));
    limiter.reject({ writes: true, startedAt: Date.now() }, Date.now());
    const calls = [visit('1', write), visit('2', write), visit('3')];
    expect(entries(calls)).toEqual(['acquired', 'acquired', 'acquired']);
  });
});

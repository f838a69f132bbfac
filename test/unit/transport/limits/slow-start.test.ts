import { describe, expect, it } from 'vitest';
import { SlowStart } from '../../../../src/transport/limits/slow-start.js';

/** Creates a slow start and a function that records an accepted request. */
function createSlowStart() {
  const accepted: number[] = [];
  const slowStart = new SlowStart(accepted);
  const accept = (sentAt: number) => {
    accepted.push(sentAt);
    slowStart.accept(sentAt);
  };
  return { slowStart, accept };
}

/**
 * Creates a slow start after a burst at time 1000 and a pause of 2 s. The server accepted only the
 * first requests of the burst.
 */
function afterBurst(accepted: number): SlowStart {
  const { slowStart, accept } = createSlowStart();
  for (let at = 0; at < accepted; at++) accept(1000);
  slowStart.reject(1000, 1010, 2000);
  return slowStart;
}

describe('a slow start', () => {
  it("a slow start doesn't pace calls before a rejection", () => {
    const { slowStart, accept } = createSlowStart();
    accept(1000);
    expect(slowStart.nextStart(1000)).toBe(0);
  });

  it('a slow start derives its rate from the accepted requests of the burst', () => {
    expect(afterBurst(10).interval(3010)).toBe(12.5);
  });

  it('a slow start counts responses that arrive during the pause', () => {
    const { slowStart, accept } = createSlowStart();
    for (let at = 0; at < 50; at++) accept(800);
    accept(950);
    slowStart.reject(1000, 1010, 2000);
    for (let at = 0; at < 4; at++) accept(1005);
    expect(slowStart.interval(3010)).toBe(25);
  });

  it('a slow start changes its rate only once per rejected burst', () => {
    const slowStart = afterBurst(10);
    slowStart.reject(1005, 1100, 2000);
    expect(slowStart.interval(3100)).toBe(12.5);
  });

  it('a slow start doubles a small rate while the server accepts requests', () => {
    const slowStart = afterBurst(1);
    const intervals = [1, 2, 4, 8].map((requests) => {
      const interval = slowStart.interval(3100);
      for (let at = 0; at < requests; at++) slowStart.accept(3100);
      return interval;
    });
    expect(intervals).toEqual([125, 62.5, 31.25, 15.625]);
  });

  it('a slow start halves its rate after a rejection', () => {
    const slowStart = afterBurst(1);
    expect(slowStart.interval(3100)).toBe(125);
    for (let at = 0; at < 7; at++) slowStart.accept(3100);
    slowStart.reject(3200, 3210, 2000);
    expect(slowStart.interval(5210)).toBe(31.25);
    for (let at = 0; at < 7; at++) slowStart.accept(5300);
    expect(slowStart.interval(5210)).toBe(31.25);
  });

  it('a slow start keeps a measured rate for 10 pauses and then raises it', () => {
    const slowStart = afterBurst(10);
    const [from, pause] = [3010, 2000];
    expect(slowStart.interval(from)).toBe(12.5);
    expect(slowStart.interval(from + 10 * pause)).toBe(12.5);
    expect(slowStart.interval(from + 22 * pause)).toBe(6.25);
    expect(slowStart.isPacing(from + 203 * pause)).toBe(false);
  });

  it('a slow start allows at least one call per minute', () => {
    const slowStart = afterBurst(1);
    for (let at = 0; at < 20; at++) {
      const now = 5000 + 1000 * at;
      slowStart.interval(now);
      slowStart.reject(now, now + 1, 1000);
    }
    expect(slowStart.interval(25_000)).toBe(60_000);
  });

  it('a slow start lets calls catch up after a late timer', () => {
    const slowStart = afterBurst(10);
    slowStart.start(3010);
    expect(slowStart.nextStart(3010)).toBe(3022.5);
    slowStart.start(3030);
    expect(slowStart.nextStart(3030)).toBe(3035);
    slowStart.start(4000);
    expect(slowStart.nextStart(4000)).toBe(4012.5);
  });

  it('a slow start ends after a reset', () => {
    const slowStart = afterBurst(10);
    slowStart.reset();
    expect(slowStart.isPacing(3010)).toBe(false);
  });
});

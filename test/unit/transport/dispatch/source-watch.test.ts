import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceWatch } from '../../../../src/transport/dispatch/exchange.js';

const small = 128 * 1024;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a watch that is being read, and records the sizes of its pieces. */
function reading(onStall: () => void = () => undefined, limit = 0) {
  const watch = new SourceWatch(limit, onStall);
  const sizes: number[] = [];
  watch.on('data', (piece: Buffer) => sizes.push(piece.length));
  const write = (length: number) =>
    new Promise<void>((resolve, reject) => {
      watch.write(Buffer.alloc(length), (cause) => (cause ? reject(cause) : resolve()));
    });
  /** Writes one chunk and returns the sizes of its pieces. */
  const pieces = async (length: number) => {
    sizes.length = 0;
    await write(length);
    return [...sizes];
  };
  return { watch, pieces, write };
}

describe('SourceWatch', () => {
  it('splits large chunks into pieces of 128 KiB', async () => {
    const { pieces } = reading();
    expect(await pieces(2 * small + 1)).toEqual([small, small, 1]);
    expect(await pieces(10)).toEqual([10]);
  });

  it('reports a stalled source once', () => {
    const onStall = vi.fn();
    const { watch } = reading(onStall, 500);
    watch.read(0);
    vi.advanceTimersByTime(499);
    expect(onStall).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onStall).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5000);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it.each(['end', 'destroy'] as const)('clears its timer after %s()', async (how) => {
    const onStall = vi.fn();
    const { watch } = reading(onStall, 500);
    watch.read(0);
    expect(vi.getTimerCount()).toBe(1);
    const closed = new Promise((resolve) => watch.once('close', resolve));
    watch[how]();
    await closed;
    expect(vi.getTimerCount()).toBe(0);
    expect(onStall).not.toHaveBeenCalled();
  });
});

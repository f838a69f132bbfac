import { describe, expect, it } from 'vitest';
import { SourceWatch } from '../../src/transport/source-watch.js';
import { turns } from '../support/client.js';

/** A watch, what it gave out, and what it gave back. */
function watched() {
  const recycled: Buffer[] = [];
  const watch = new SourceWatch(
    0,
    () => undefined,
    (chunk) => recycled.push(chunk),
  );
  return { watch, recycled };
}
const [a, b, c] = ['a', 'b', 'c'].map((letter) => Buffer.alloc(600 * 1024, letter));
if (!a || !b || !c) throw new Error('three chunks');

describe('the memory of a chunk', () => {
  it('is given back when a reader that was full asks for more', async () => {
    const { watch, recycled } = watched();
    const taken: Buffer[] = [];
    watch.on('data', (piece: Buffer) => {
      taken.push(piece);
      watch.pause();
    });
    watch.write(a);
    watch.write(b);
    await turns(2);
    expect(recycled).toEqual([]);
    while (Buffer.concat(taken).length < a.length) {
      expect(recycled).toEqual([]);
      watch.resume();
      await turns(2);
    }
    watch.resume();
    expect(recycled).toEqual([a]);
  });

  it('is not while a piece of it is not taken', async () => {
    const { watch, recycled } = watched();
    let first: Buffer | undefined;
    watch.once('data', (piece: Buffer) => {
      first = piece;
      watch.pause();
    });
    watch.write(a);
    await turns(2);
    expect(first?.length).toBeLessThan(a.length);
    watch.pause();
    watch.once('data', () => watch.pause());
    watch.resume();
    expect(recycled).toEqual([]);
  });

  it('is not for a reader that never was full, and may keep it', async () => {
    const { watch, recycled } = watched();
    const kept: Buffer[] = [];
    watch.end(c);
    for await (const piece of watch) kept.push(piece);
    expect(Buffer.concat(kept).equals(c)).toBe(true);
    expect(recycled).toEqual([]);
  });
});

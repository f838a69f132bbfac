import { describe, expect, it } from 'vitest';
import { joinChunks, releaseBody } from '../../../../src/transport/dispatch/exchange.js';

/** Joins two chunks of repeated `letter` into a body of `size` bytes. */
function join(letter: string, size: number): Buffer {
  const half = Math.floor(size / 2);
  return joinChunks([Buffer.alloc(half, letter), Buffer.alloc(size - half, letter)], size, true);
}

describe('joinChunks()', () => {
  it('joinChunks() joins the chunks in order', () => {
    const chunks = ['first,', 'second,', 'third'].map((text) => Buffer.from(text));
    expect(joinChunks(chunks, 18, true).toString()).toBe('first,second,third');
  });

  it('joinChunks() returns a single chunk without copying it', () => {
    const chunk = Buffer.from('a body');
    expect(joinChunks([chunk], 6, true)).toBe(chunk);
  });

  it('joinChunks() returns an empty body without using released memory', () => {
    const body = join('a', 500_000);
    releaseBody(body);
    expect(joinChunks([], 0, true)).toHaveLength(0);
    expect(join('b', 500_000).buffer).toBe(body.buffer);
  });

  it('joinChunks() reuses released memory for the next body', () => {
    const body = join('a', 100_000);
    releaseBody(body);
    const next = join('b', 90_000);
    expect(next.buffer).toBe(body.buffer);
    expect(next.equals(Buffer.alloc(90_000, 'b'))).toBe(true);
  });

  it('joinChunks() allocates separate memory for bodies in use', () => {
    const bodies = Array.from({ length: 20 }, () => join('a', 50_000));
    expect(new Set(bodies.map(({ buffer }) => buffer)).size).toBe(20);
  });

  it('joinChunks() reuses the memory of a body only once after two releases', () => {
    const body = join('a', 200_000);
    releaseBody(body);
    releaseBody(body);
    const next = [join('b', 200_000), join('c', 200_000)];
    expect(next[0]?.equals(Buffer.alloc(200_000, 'b'))).toBe(true);
  });

  it('joinChunks() allocates the exact size if the caller may keep the body', () => {
    releaseBody(join('a', 500_000));
    const body = joinChunks([Buffer.alloc(6000, 'b'), Buffer.alloc(4000, 'c')], 10_000, false);
    expect(body.buffer.byteLength).toBe(10_000);
    expect(body.equals(Buffer.from('b'.repeat(6000) + 'c'.repeat(4000)))).toBe(true);
  });

  it('joinChunks() never writes to a released buffer that the caller created', () => {
    const own = Buffer.alloc(400_000, 'a');
    releaseBody(own);
    join('b', 400_000);
    expect(own.equals(Buffer.alloc(400_000, 'a'))).toBe(true);
  });

  it('joinChunks() reuses the memory of a large body after many small releases', () => {
    for (const body of Array.from({ length: 8 }, () => join('a', 1000))) releaseBody(body);
    const large = join('b', 1_000_000);
    releaseBody(large);
    expect(join('c', 1_000_000).buffer).toBe(large.buffer);
  });

  it('joinChunks() never reuses the memory of a body over 4 MiB', () => {
    const body = join('a', 4 * 1024 * 1024 + 1);
    expect(body.buffer.byteLength).toBe(4 * 1024 * 1024 + 1);
    releaseBody(body);
    expect(join('b', 4 * 1024 * 1024 + 1).buffer).not.toBe(body.buffer);
  });
});

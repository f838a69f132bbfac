import { beforeEach, describe, expect, it, vi } from 'vitest';

const KiB = 1024;
const MiB = 1024 * KiB;

type Module = typeof import('../../../../src/transport/dispatch/pooled-buffer.js');
let module: Module;

// Each test imports a new copy of the module, because the module keeps recycled buffers.
beforeEach(async () => {
  vi.resetModules();
  module = await import('../../../../src/transport/dispatch/pooled-buffer.js');
});

const filled = (size: number, byte = 1) => Buffer.alloc(size, byte);

/** Creates a body from two chunks, so that it must be copied into one buffer. */
function bodyOf(size: number, expected = 0) {
  const body = new module.PooledBuffer(filled(size - 1), expected);
  body.push(filled(1));
  return body;
}

type Body = ReturnType<typeof bodyOf>;
const memoryOf = (body: Body) => body.toBuffer().buffer;
const roomOf = (body: Body) => memoryOf(body).byteLength;

/** Returns `size` bytes, each of which encodes its position. */
const numbered = (size: number, from = 0) =>
  Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index + from) % 251));

function gathered(chunks: readonly Buffer[], expected: number): Body {
  const [first = Buffer.alloc(0), ...others] = chunks;
  const body = new module.PooledBuffer(first, expected);
  for (const chunk of others) body.push(chunk);
  return body;
}

describe('a body', () => {
  it.each([
    ['known', 700_000],
    ['unknown', 0],
    ['not a number', Number.NaN],
    ['too small', 10],
    ['far too large', 1e15],
  ])('is assembled if the announced length is %s', (_title, expected) => {
    const whole = numbered(700_000);
    const cuts = [0, 1, 65_536, 131_072, 400_000, 699_999, 700_000];
    const chunks = cuts.slice(1).map((end, index) => whole.subarray(cuts[index], end));
    const body = gathered(chunks, expected);
    expect(body.toBuffer().equals(whole)).toBe(true);
  });

  it('owns its memory until it is recycled', () => {
    const [first, second] = [numbered(1000), numbered(1000, 7)];
    const one = gathered([first, first], 2000);
    const view = one.toBuffer();
    const two = gathered([second, second], 2000);
    expect(view.equals(Buffer.concat([first, first])), 'another body wrote into it').toBe(true);
    two.recycle();
    two.recycle();
    const three = gathered([first, first], 2000);
    const four = gathered([second, second], 2000);
    expect(three.toBuffer().equals(Buffer.concat([first, first])), 'given out twice').toBe(true);
    expect(four.toBuffer().equals(Buffer.concat([second, second]))).toBe(true);
  });
});

describe('the buffer size', () => {
  it.each([
    [2, 0, 128 * KiB],
    [128 * KiB, 0, 128 * KiB],
    [128 * KiB + 1, 0, 256 * KiB],
    [600 * KiB, Number.NaN, MiB],
    [2, MiB, MiB],
    [2, -1, 128 * KiB],
    [2, 4 * MiB, 4 * MiB],
  ])('for %d received and %d announced bytes is %d', (size, expected, room) => {
    expect(roomOf(bodyOf(size, expected))).toBe(room);
  });

  it.each([4 * MiB + 1, 1e12, Number.POSITIVE_INFINITY])(
    'starts at 4 MiB for %d announced bytes',
    (expected) => {
      expect(roomOf(bodyOf(2, expected))).toBe(4 * MiB);
    },
  );

  it('grows beyond the announced length', () => {
    expect(roomOf(bodyOf(5 * MiB, 10))).toBe(8 * MiB);
  });
});

describe('a growing buffer', () => {
  it('fills its memory to the last byte before it moves', () => {
    const body = bodyOf(2);
    const memory = memoryOf(body);
    body.push(filled(100 * KiB));
    expect(memoryOf(body), 'moved with room left').toBe(memory);
    body.push(filled(28 * KiB - 2));
    expect(memoryOf(body), 'moved although it fits exactly').toBe(memory);
    body.push(filled(1));
    expect(roomOf(body)).toBe(256 * KiB);
  });

  it('keeps earlier bytes when it moves several times', () => {
    const chunks = [1, 2, 3, 4, 5, 6].map((byte) => filled(byte * 70 * KiB + byte, byte));
    const body = gathered(chunks, 0);
    const whole = Buffer.concat(chunks);
    expect(body.toBuffer().equals(whole), 'the bytes differ').toBe(true);
  });

  it('leaves its smaller memory to the next body', () => {
    const body = bodyOf(2);
    const former = memoryOf(body);
    body.push(filled(128 * KiB));
    expect(memoryOf(body)).not.toBe(former);
    expect(memoryOf(bodyOf(2))).toBe(former);
  });

  it('accepts an empty first chunk', () => {
    const body = new module.PooledBuffer(filled(0), 0);
    expect(body.toBuffer()).toEqual(Buffer.alloc(0));
    body.push(filled(3));
    body.push(filled(2, 2));
    expect([...body.toBuffer()]).toEqual([1, 1, 1, 2, 2]);
  });
});

describe('a recycled buffer', () => {
  it('leaves its body empty', () => {
    const body = bodyOf(2);
    body.recycle();
    expect(body.toBuffer()).toEqual(Buffer.alloc(0));
  });

  it('is used by the next body, even if the body fits exactly', () => {
    const body = bodyOf(2);
    const memory = memoryOf(body);
    body.recycle();
    const next = bodyOf(128 * KiB);
    expect(memoryOf(next)).toBe(memory);
    expect(next.toBuffer().equals(filled(128 * KiB)), 'the bytes differ').toBe(true);
  });

  it('is reused only once even if it is recycled twice', () => {
    const body = bodyOf(2);
    const memory = memoryOf(body);
    body.recycle();
    body.recycle();
    expect(memoryOf(bodyOf(2))).toBe(memory);
    expect(memoryOf(bodyOf(2))).not.toBe(memory);
  });

  it('is skipped if it is too small', () => {
    const [small, large] = [bodyOf(2), bodyOf(200 * KiB)];
    const [smaller, larger] = [memoryOf(small), memoryOf(large)];
    small.recycle();
    large.recycle();
    expect(memoryOf(bodyOf(129 * KiB))).toBe(larger);
    expect(roomOf(bodyOf(129 * KiB)), 'a buffer that is too small').toBe(256 * KiB);
    expect(memoryOf(bodyOf(2))).toBe(smaller);
  });

  it('is dropped if four buffers are already kept', () => {
    const bodies = Array.from({ length: 6 }, () => bodyOf(2));
    const memories = bodies.map(memoryOf);
    for (const body of bodies) body.recycle();
    const later = Array.from({ length: 6 }, () => memoryOf(bodyOf(2)));
    expect(later.map((memory) => memories.indexOf(memory))).toEqual([0, 1, 2, 3, -1, -1]);
  });

  it('is kept only if it has at most 4 MiB', () => {
    const [kept, dropped] = [bodyOf(4 * MiB), bodyOf(4 * MiB + 1)];
    const memory = memoryOf(kept);
    expect(roomOf(dropped)).toBe(8 * MiB);
    dropped.recycle();
    expect(roomOf(bodyOf(2)), 'a large buffer was kept').toBe(128 * KiB);
    kept.recycle();
    expect(memoryOf(bodyOf(2))).toBe(memory);
  });
});

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { createLengthError, SourceCheck } from '../../../../src/transport/upload/source-check.js';
import { about } from '../../about.js';

const chunkSize = 64;

/** Returns the chunks that passed through and the error that ended the stream. */
async function through(length: number, pieces: readonly string[]) {
  const check = new SourceCheck('data', length, chunkSize);
  const passed: string[] = [];
  check.on('data', (piece: Buffer) => passed.push(piece.toString()));
  const failure = new Promise<unknown>((resolve) => {
    check.once('error', resolve);
    check.once('end', () => resolve(undefined));
  });
  Readable.from(pieces.map((piece) => Buffer.from(piece))).pipe(check);
  return { failure: await failure, passed };
}

describe('SourceCheck', () => {
  it.each<[number, string[]]>([
    [0, []],
    [3, ['abc']],
    [6, ['abc', 'def']],
    [6, ['a', 'b', 'c', 'd', 'ef']],
  ])('SourceCheck passes %d bytes in the chunks %j unchanged', async (length, pieces) => {
    expect(await through(length, pieces)).toEqual({ failure: undefined, passed: pieces });
  });

  it('SourceCheck withholds the chunk that completes the length until the source ends', async () => {
    const check = new SourceCheck('data', 6, chunkSize);
    const passed: string[] = [];
    check.on('data', (piece: Buffer) => passed.push(piece.toString()));
    const write = (piece: string) =>
      new Promise<void>((resolve) => check.write(piece, () => resolve()));
    await write('abc');
    await write('def');
    expect(passed).toEqual(['abc']);
    // An empty chunk changes nothing.
    await write('');
    const ended = new Promise((resolve) => check.once('end', resolve));
    check.end();
    await ended;
    expect(passed.join('')).toBe('abcdef');
  });

  it('SourceCheck withholds the last chunk if an excess byte follows', async () => {
    const { failure, passed } = await through(6, ['abc', 'def', 'g']);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({
      message: about('size', /declared size of 6 bytes.*more/),
      field: 'size',
    });
    expect(passed).toEqual(['abc']);
  });

  it('SourceCheck rejects a chunk that is too long before the source ends', async () => {
    const check = new SourceCheck('data', 2, chunkSize);
    const raised = new Promise((resolve) => check.once('error', resolve));
    check.write('abc');
    expect(await raised).toMatchObject({
      message: about('size', /declared size of 2 bytes.*more/),
    });
  });

  it('SourceCheck throws if an upload source ends early', async () => {
    const { failure, passed } = await through(7, ['abc', 'def']);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({
      message: about('size', /7 bytes.* 6 bytes/),
      field: 'size',
    });
    expect(passed).toEqual(['abc', 'def']);
  });

  it('SourceCheck uses the specified high-water mark', () => {
    const check = new SourceCheck('data', 1, chunkSize);
    expect(check.readableHighWaterMark).toBe(chunkSize);
    // The stream buffers one chunk of any size.
    expect(check.writableHighWaterMark).toBe(1);
  });

  it.each([
    ['an object', { a: 1 }, /bytes.* an object\)$/],
    ['a number', 7, /bytes.* 7\)$/],
    ['an array', [1], /bytes.* an array\)$/],
    ['undefined', undefined, /bytes.* undefined\)$/],
  ])('SourceCheck rejects %s as a chunk', async (_what, chunk, shown) => {
    for (const length of [undefined, 3]) {
      const check = new SourceCheck('data', length, chunkSize);
      const raised = new Promise((resolve) => check.once('error', resolve));
      check.write(chunk);
      expect(await raised).toMatchObject({
        code: 'invalid_request',
        field: 'data',
        message: about('data', shown),
      });
    }
  });

  it('SourceCheck converts text to UTF-8', async () => {
    const check = new SourceCheck('data', undefined, chunkSize);
    check.write('é');
    check.end(new Uint8Array([0, 65, 66, 0]).subarray(1, 3));
    expect(await buffer(check)).toEqual(Buffer.from('éAB'));
  });
});

describe('createLengthError()', () => {
  it('createLengthError() distinguishes too few bytes from too many bytes', () => {
    expect(createLengthError('size', 5, 0)).toMatchObject({
      message: about('size', /5 bytes.* 0 bytes/),
      field: 'size',
    });
    expect(createLengthError('size', 1, 1)).toMatchObject({
      message: about('size', /declared size of 1 byte \(got 1 byte\)/),
    });
    expect(createLengthError('size', 5)).toMatchObject({
      message: about('size', /declared size of 5 bytes.*more/),
    });
  });
});

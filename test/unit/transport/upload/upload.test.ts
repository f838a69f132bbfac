import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import {
  createLengthError,
  SourceCheck,
  type UploadProgress,
  withProgress,
} from '../../../../src/transport/upload/open.js';
import {
  createUploadBody,
  createUploadSource,
  type UploadData,
} from '../../../../src/transport/upload/upload.js';
import { rejectionOf } from '../../../support/client.js';
import { about } from '../../about.js';

const mebibyte = 1024 * 1024;
const bytes = Buffer.alloc(2_500_000, 'abc');
let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-upload-'));
  file = join(folder, 'a file');
  await writeFile(file, bytes);
});
afterAll(() => rm(folder, { recursive: true }));

const chunkSize = 64;

describe('createUploadSource()', () => {
  const kinds: readonly [string, () => UploadData, boolean][] = [
    ['a path', () => file, true],
    ['a file URL', () => pathToFileURL(file), true],
    ['a Buffer', () => bytes, true],
    ['a part of a buffer', () => new Uint8Array(Buffer.concat([bytes, bytes]).buffer, 0, 10), true],
    ['a Blob', () => new Blob([bytes]), true],
    ['a Readable', () => Readable.from([bytes]), false],
  ];
  for (const [name, make, replayable] of kinds) {
    it(`reads all data from ${name}, ${replayable ? 'repeatedly' : 'only once'}`, async () => {
      const source = createUploadSource('data', make(), bytes.length);
      expect(source.replayable).toBe(replayable);
      const first = await source.open();
      const read = await buffer(first.stream);
      expect(first.length).toBe(read.length);
      if (name !== 'a part of a buffer') expect(read.equals(bytes)).toBe(true);
      if (replayable) expect((await buffer((await source.open()).stream)).equals(read)).toBe(true);
      else await expect(source.open()).rejects.toMatchObject({ code: 'invalid_request' });
    });
  }

  it.each([
    [5, /path.* 5\)$/],
    [null, /path.* null\)$/],
    [{}, /path.* an object\)$/],
    [['x'], /path.* an array\)$/],
    [undefined, /path.* undefined\)$/],
  ])('rejects %j', (data, says) => {
    // `as`: JavaScript callers can pass anything.
    expect(() => createUploadSource('asset', data as unknown as UploadData)).toThrow(
      expect.objectContaining({
        name: 'InvalidRequestError',
        field: 'asset',
        message: about('asset', says),
      }),
    );
  });

  it('rejects the path of a folder', async () => {
    const error = await rejectionOf(createUploadSource('asset', folder).open());
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      message: about('asset', /not a file\. .*bytes/),
      field: 'asset',
      cause: { message: 'the path is not a file' },
    });
  });

  it("rejects a missing file and reports the system's error as the cause", async () => {
    const error = await rejectionOf(createUploadSource('asset', join(folder, 'missing')).open());
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'asset', cause: { code: 'ENOENT' } });
    expect(error).toHaveProperty('message', about('asset', /ENOENT: .+\. .*bytes/));
  });

  it('rejects a URL with a scheme other than file:', async () => {
    const error = await rejectionOf(
      createUploadSource('asset', new URL('https://a.example/')).open(),
    );
    expect(error).toMatchObject({ field: 'asset', cause: { code: 'ERR_INVALID_URL_SCHEME' } });
  });

  const again = about('asset', /stream.* has not been read.* pass a path/);

  it('rejects a stream that failed before the upload', async () => {
    const stream = new Readable({ read: () => undefined });
    const source = createUploadSource('data', stream);
    const lost = new Error('the disk is gone');
    stream.destroy(lost);
    await new Promise(setImmediate);
    await expect(source.open()).rejects.toMatchObject({ field: 'data', cause: lost });
  });

  it('rejects a stream that was read or destroyed', async () => {
    const read = Readable.from([Buffer.from('x')], { autoDestroy: false });
    await read.toArray();
    const destroyed = Readable.from(['x']);
    destroyed.destroy();
    for (const stream of [read, destroyed]) {
      expect(await rejectionOf(createUploadSource('asset', stream).open())).toMatchObject({
        message: again,
        field: 'asset',
      });
    }
  });

  it.each([
    [0, []],
    [1, [1]],
    [mebibyte, [mebibyte]],
    [2 * mebibyte + 1, [mebibyte, mebibyte, 1]],
  ])('splits %d bytes into chunks without copying them', async (size, sizes) => {
    const whole = new Uint8Array(size + 20).fill(7);
    const bytes = whole.subarray(10, size + 10);
    const { stream, length } = await createUploadSource('asset', bytes).open();
    expect(length).toBe(size);
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece);
    expect(pieces.map((piece) => piece.length)).toEqual(sizes);
    expect(pieces.map((piece) => piece.byteOffset)).toEqual(
      sizes.map((_, index) => 10 + index * mebibyte),
    );
    expect(pieces.every((piece) => piece.buffer === whole.buffer)).toBe(true);
  });

  it('returns a byte stream that buffers one chunk', async () => {
    const { stream } = await createUploadSource('asset', new Uint8Array(1)).open();
    expect(stream.readableObjectMode).toBe(false);
    expect(stream.readableHighWaterMark).toBe(mebibyte);
  });
});

describe('onProgress', () => {
  it.each([
    ['an error', new Error('no more')],
    ['a string', 'no more'],
  ])('stops the upload by throwing %s', async (_what, thrown) => {
    const open = await createUploadSource('data', bytes).open();
    const stream = withProgress(open, () => {
      throw thrown;
    });
    await expect(buffer(stream)).rejects.toThrow('no more');
    expect(open.stream.destroyed).toBe(true);
  });

  it('receives reports while bytes are sent', async () => {
    const reports: UploadProgress[] = [];
    const body = createUploadBody(createUploadSource('data', bytes), 'a/b', (progress) =>
      reports.push(progress),
    );
    expect(body).toMatchObject({ kind: 'stream', replayable: true });
    const open = await body.open();
    expect(open).toMatchObject({ contentType: 'a/b', length: bytes.length });
    expect((await buffer(open.stream)).equals(bytes)).toBe(true);
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.at(-1)).toEqual({ sent: bytes.length, total: bytes.length });
  });
});

describe('SourceCheck', () => {
  it('withholds the chunk that completes the length until the source ends', async () => {
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

  it('rejects a chunk that is too long before the source ends', async () => {
    const check = new SourceCheck('data', 2, chunkSize);
    const raised = new Promise((resolve) => check.once('error', resolve));
    check.write('abc');
    expect(await raised).toMatchObject({
      message: about('size', /declared size of 2 bytes.*more/),
    });
  });

  it('uses the specified high-water mark', () => {
    const check = new SourceCheck('data', 1, chunkSize);
    expect(check.readableHighWaterMark).toBe(chunkSize);
    // The stream buffers one chunk of any size.
    expect(check.writableHighWaterMark).toBe(1);
  });

  it('converts text to UTF-8', async () => {
    const check = new SourceCheck('data', undefined, chunkSize);
    check.write('é');
    check.end(new Uint8Array([0, 65, 66, 0]).subarray(1, 3));
    expect(await buffer(check)).toEqual(Buffer.from('éAB'));
  });
});

describe('createLengthError()', () => {
  it('distinguishes too few bytes from too many bytes', () => {
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

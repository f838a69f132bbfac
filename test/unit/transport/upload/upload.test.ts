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
    [null, /path.* null\)$/],
    [{}, /path.* an object\)$/],
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

  it("rejects a missing file and reports the system's error as the cause", async () => {
    const error = await rejectionOf(createUploadSource('asset', join(folder, 'missing')).open());
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'asset', cause: { code: 'ENOENT' } });
    expect(error).toHaveProperty('message', about('asset', /ENOENT: .+\. .*bytes/));
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
});

describe('onProgress', () => {
  it('stops the upload by throwing an error', async () => {
    const open = await createUploadSource('data', bytes).open();
    const stream = withProgress(open, () => {
      throw new Error('no more');
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
});

describe('createLengthError()', () => {
  it('distinguishes too few bytes from too many bytes', () => {
    expect(createLengthError('size', 5, 0)).toMatchObject({
      message: about('size', /5 bytes.* 0 bytes/),
      field: 'size',
    });
    expect(createLengthError('size', 5)).toMatchObject({
      message: about('size', /declared size of 5 bytes.*more/),
    });
  });
});

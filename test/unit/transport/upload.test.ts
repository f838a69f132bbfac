import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type UploadData,
  type UploadProgress,
  uploadBody,
  uploadSource,
  withProgress,
} from '../../../src/transport/upload.js';

const bytes = Buffer.alloc(2_500_000, 'abc');
let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-upload-'));
  file = join(folder, 'a file');
  await writeFile(file, bytes);
});
afterAll(() => rm(folder, { recursive: true }));

describe('what can be uploaded', () => {
  const kinds: readonly [string, () => UploadData, boolean][] = [
    ['a path', () => file, true],
    ['a file URL', () => pathToFileURL(file), true],
    ['a Buffer', () => bytes, true],
    ['a part of a buffer', () => new Uint8Array(Buffer.concat([bytes, bytes]).buffer, 0, 10), true],
    ['a Blob', () => new Blob([bytes]), true],
    ['a Readable', () => Readable.from([bytes]), false],
  ];
  for (const [name, make, replayable] of kinds) {
    it(`${name}: whole, with its length, ${replayable ? 'as often as wanted' : 'once'}`, async () => {
      const source = uploadSource('data', make(), bytes.length);
      expect(source.replayable).toBe(replayable);
      const first = await source.open();
      const read = await buffer(first.stream);
      expect(first.length).toBe(read.length);
      if (name !== 'a part of a buffer') expect(read.equals(bytes)).toBe(true);
      if (replayable) expect((await buffer((await source.open()).stream)).equals(read)).toBe(true);
      else await expect(source.open()).rejects.toMatchObject({ code: 'invalid_request' });
    });
  }

  it.each([[1], [null], [undefined], [{}], [[1]]])('is not %j', (data) => {
    // `as`: what JavaScript callers may pass.
    expect(() => uploadSource('data', data as unknown as UploadData)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'data' }),
    );
  });

  it('is no missing file and no folder', async () => {
    for (const path of [join(folder, 'missing'), folder]) {
      await expect(uploadSource('data', path).open()).rejects.toMatchObject({
        code: 'invalid_request',
        field: 'data',
      });
    }
  });
});

describe('progress', () => {
  it('is told as bytes go, to the end', async () => {
    const told: UploadProgress[] = [];
    const body = uploadBody(uploadSource('data', bytes), 'a/b', (progress) => told.push(progress));
    const open = await body.open();
    expect(open).toMatchObject({ contentType: 'a/b', length: bytes.length });
    expect((await buffer(open.stream)).equals(bytes)).toBe(true);
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ sent: bytes.length, total: bytes.length });
  });

  it.each([new Error('no more'), 'no more'])('that throws %s fails the upload', async (thrown) => {
    const open = await uploadSource('data', bytes).open();
    const stream = withProgress(open, () => {
      throw thrown;
    });
    await expect(buffer(stream)).rejects.toThrow('no more');
    expect(open.stream.destroyed).toBe(true);
  });

  it('is not in the way of a source that fails', async () => {
    const stream = new Readable({
      read() {
        this.destroy(new Error('disk on fire'));
      },
    });
    const meter = withProgress({ stream, length: undefined }, () => undefined);
    await expect(buffer(meter)).rejects.toThrow('disk on fire');
  });
});

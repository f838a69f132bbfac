import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMultipartBody,
  type MultipartPart,
} from '../../../../src/transport/upload/multipart.js';
import { partsOf } from '../../../socket/console-server.js';
import { numRuns } from '../../../support/extent.js';
import { file } from './file-part.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-multipart-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(parts: readonly MultipartPart[]) {
  const opened = await createMultipartBody(parts, undefined).open();
  const body = Buffer.concat(await opened.stream.toArray());
  return { body, length: opened.length, parts: await partsOf(body, opened.contentType) };
}

/** Returns the open files in this test's folder, or none if the system can't list them. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const links = await Promise.all(
    names.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder));
}

describe('createMultipartBody()', () => {
  it('a multipart body accepts text, paths, file URLs, bytes, Blobs and streams', async () => {
    const path = join(folder, 'a "b".bin');
    await writeFile(path, 'from a path');
    const { body, length, parts } = await read([
      { name: 'flag', text: 'true' },
      file('path', path),
      file('url', pathToFileURL(path)),
      file('bytes', new Uint8Array([1, 2, 255])),
      file('blob', new Blob(['from a blob'])),
      file('stream', Readable.from([Buffer.from('from a '), Buffer.from('stream')]), { size: 13 }),
    ]);
    expect(length).toBe(body.length);
    const type = 'application/octet-stream';
    expect(parts).toEqual([
      { name: 'flag', filename: undefined, type: 'text/plain', data: Buffer.from('true') },
      { name: 'path', filename: 'a %22b%22.bin', type, data: Buffer.from('from a path') },
      { name: 'url', filename: 'a %22b%22.bin', type, data: Buffer.from('from a path') },
      { name: 'bytes', filename: 'bytes', type, data: Buffer.from([1, 2, 255]) },
      { name: 'blob', filename: 'blob', type, data: Buffer.from('from a blob') },
      { name: 'stream', filename: 'stream', type, data: Buffer.from('from a stream') },
    ]);
  });

  it('a multipart body accepts empty files', async () => {
    const path = join(folder, 'empty');
    await writeFile(path, '');
    const { body, length, parts } = await read([
      file('path', path),
      file('bytes', new Uint8Array()),
      file('stream', Readable.from([]), { size: 0 }),
      { name: 'text', text: '' },
    ]);
    expect(length).toBe(body.length);
    expect(parts?.map((part) => [part.name, part.data.length])).toEqual([
      ['path', 0],
      ['bytes', 0],
      ['stream', 0],
      ['text', 0],
    ]);
    expect(await openFiles()).toEqual([]);
  });

  it('a multipart body has an undefined length if the length of one part is unknown', async () => {
    const { length, parts } = await read([
      file('known', new Uint8Array(3)),
      file('unknown', Readable.from(['x'])),
    ]);
    expect(length).toBeUndefined();
    expect(parts?.map((part) => part.data.length)).toEqual([3, 1]);
  });

  it('a replayable multipart body has a new boundary when it is opened again', async () => {
    const body = createMultipartBody([file('a', new Uint8Array([7]))], undefined);
    expect(body.replayable).toBe(true);
    const first = await body.open();
    const second = await body.open();
    expect(first.contentType).not.toBe(second.contentType);
    for (const each of [first, second]) {
      const parts = await partsOf(Buffer.concat(await each.stream.toArray()), each.contentType);
      expect(parts?.[0]?.data).toEqual(Buffer.from([7]));
    }
  });

  it('a multipart body with a stream can be opened only once', async () => {
    const body = createMultipartBody([file('a', Readable.from(['x']))], undefined);
    expect(body.replayable).toBe(false);
    const { stream } = await body.open();
    stream.destroy();
    await expect(body.open()).rejects.toThrow('has not been read');
  });

  it('a multipart body closes every source if its reader stops midway', async () => {
    const big = join(folder, 'big');
    await writeFile(big, Buffer.alloc(8 * 1024 * 1024));
    const source = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1024);
      })(),
    );
    const body = createMultipartBody(
      [file('big', big), file('other', big), file('source', source)],
      undefined,
    );
    const { stream } = await body.open();
    for await (const _ of stream) break;
    await finished(source, { readable: false }).catch(() => undefined);
    expect(source.destroyed, 'the stream source').toBe(true);
    await expect.poll(openFiles).toEqual([]);
  });

  it('a multipart body closes opened sources if a later file is missing', async () => {
    const there = join(folder, 'there');
    await writeFile(there, 'x');
    const source = Readable.from(['x']);
    const body = createMultipartBody(
      [file('source', source), file('there', there), file('missing', join(folder, 'missing'))],
      undefined,
    );
    await expect(body.open()).rejects.toMatchObject({ code: 'invalid_request', field: 'missing' });
    expect(source.destroyed).toBe(true);
    await expect.poll(openFiles).toEqual([]);
  });

  it('a multipart body throws if a source fails or closes early', async () => {
    const failing = new Readable({
      read() {
        this.destroy(new Error('disk on fire'));
      },
    });
    const closing = new Readable({
      read() {
        this.destroy();
      },
    });
    await expect(read([file('a', failing)])).rejects.toThrow('disk on fire');
    await expect(read([file('a', closing)])).rejects.toThrow('Premature close');
  });

  it('a multipart body reports progress in bytes of the whole body', async () => {
    const reports: { sent: number; total: number | undefined }[] = [];
    const parts = () => [file('a', new Uint8Array(3 * 1024 * 1024))];
    const opened = await createMultipartBody(parts(), (progress) => reports.push(progress)).open();
    const size = Buffer.concat(await opened.stream.toArray()).length;
    expect(reports.at(-1)).toEqual({ sent: size, total: size });
    expect(reports.map(({ sent }) => sent)).toEqual(
      reports.map(({ sent }) => sent).sort((a, b) => a - b),
    );
    const stopping = await createMultipartBody(parts(), () => {
      throw new Error('enough');
    }).open();
    await expect(stopping.stream.toArray()).rejects.toThrow('enough');
  });

  it('a multipart body reads less than 4 MiB ahead of its reader', async () => {
    let produced = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          produced += 65_536;
          yield Buffer.alloc(65_536);
        }
      })(),
      { objectMode: false },
    );
    const { stream } = await createMultipartBody([file('a', endless)], undefined).open();
    stream.read(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stream.destroy();
    expect(produced).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('createMultipartBody() with any file name', () => {
  it('a multipart body keeps all parts intact with any file name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.uint8Array(), async (name, data) => {
        const part = file('field', new File([data], name));
        const { body, length, parts } = await read([part, { name: 'after', text: 'x' }]);
        expect(length).toBe(body.length);
        expect(parts?.map((each) => each.name)).toEqual(['field', 'after']);
        expect(parts?.[0]?.data).toEqual(Buffer.from(data));
        expect(parts?.[0]?.filename, 'no path separator or line break').not.toMatch(/[/\r\n]/);
      }),
      { numRuns },
    );
  });
});

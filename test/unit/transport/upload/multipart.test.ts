import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMultipartBody, type FilePart } from '../../../../src/transport/upload/multipart.js';
import {
  chooseFilename,
  createUploadSource,
  type UploadData,
} from '../../../../src/transport/upload/upload.js';
import { partsOf } from '../../../socket/console-server.js';

/** Creates a file part. If the data has no file name, the field's name is the file name. */
const file = (
  name: string,
  data: UploadData,
  more: { readonly size?: number; readonly filename?: string } = {},
): FilePart => ({
  name,
  source: createUploadSource(name, data, more.size),
  filename: more.filename ?? chooseFilename(data, name),
});

const flag = file('flag', Buffer.from('true'));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-multipart-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function read(parts: readonly FilePart[]) {
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

describe('a multipart body', () => {
  it('contains files with their names', async () => {
    const parts = [flag, file('data', Buffer.from('{}'), { filename: '../elsewhere/a.json' })];
    const { stream, contentType, length } = await createMultipartBody(parts, undefined).open();
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(contentType)?.[1];
    const body = await textOf(stream);
    expect(body.split('\r\n')).toEqual([
      `--${boundary}`,
      'Content-Disposition: form-data; name="flag"; filename="flag"',
      'Content-Type: application/octet-stream',
      '',
      'true',
      `--${boundary}`,
      'Content-Disposition: form-data; name="data"; filename="a.json"',
      'Content-Type: application/octet-stream',
      '',
      '{}',
      `--${boundary}--`,
      '',
    ]);
    expect(length).toBe(body.length);
  });

  it('accepts paths, file URLs, bytes, Blobs and streams', async () => {
    const path = join(folder, 'a "b".bin');
    await writeFile(path, 'from a path');
    const { body, length, parts } = await read([
      file('path', path),
      file('url', pathToFileURL(path)),
      file('bytes', new Uint8Array([1, 2, 255])),
      file('blob', new Blob(['from a blob'])),
      file('stream', Readable.from([Buffer.from('from a '), Buffer.from('stream')]), { size: 13 }),
    ]);
    expect(length).toBe(body.length);
    const type = 'application/octet-stream';
    expect(parts).toEqual([
      { name: 'path', filename: 'a %22b%22.bin', type, data: Buffer.from('from a path') },
      { name: 'url', filename: 'a %22b%22.bin', type, data: Buffer.from('from a path') },
      { name: 'bytes', filename: 'bytes', type, data: Buffer.from([1, 2, 255]) },
      { name: 'blob', filename: 'blob', type, data: Buffer.from('from a blob') },
      { name: 'stream', filename: 'stream', type, data: Buffer.from('from a stream') },
    ]);
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

  it('closes every source if its reader stops midway', async () => {
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

  it('closes opened sources if a later file is missing', async () => {
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

  it('throws if a source fails or closes early', async () => {
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

  it('reports progress in bytes of the whole body', async () => {
    const reports: { sent: number; total: number | undefined }[] = [];
    const parts = [file('a', new Uint8Array(3 * 1024 * 1024))];
    const opened = await createMultipartBody(parts, (progress) => reports.push(progress)).open();
    const size = Buffer.concat(await opened.stream.toArray()).length;
    expect(reports.at(-1)).toEqual({ sent: size, total: size });
    expect(reports.map(({ sent }) => sent)).toEqual(
      reports.map(({ sent }) => sent).sort((a, b) => a - b),
    );
  });

  it('reads less than 4 MiB ahead of its reader', async () => {
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

describe('chooseFilename()', () => {
  it.each<[string, string, UploadData]>([
    ['a path', 'license.ghl', '/home/me/license.ghl'],
    ['a file URL', 'a b.ghl', new URL('file:///home/me/a%20b.ghl')],
    ['a File', 'named.ghl', new File(['x'], 'dir/named.ghl')],
    ['a Blob', 'fallback', new Blob(['x'])],
    ['a stream', 'fallback', Readable.from(['x'])],
    ['a Windows path', 'license.ghl', 'C:\\Users\\me\\license.ghl'],
    ['a File with a line break', 'a__b', new File([], 'dir/a\r\nb')],
    ['the path ..', 'fallback', '..'],
    ['a name with control characters', 'a__b_c', 'a\r\nb\u202ec'],
    ['a name with an unpaired surrogate', 'a\ufffd', 'a\ud800'],
  ])('maps %s to %j', (_kind, name, data) => {
    expect(chooseFilename(data, 'fallback')).toBe(name);
  });

  it('keeps the last 200 characters of a long name', () => {
    const name = `${'x'.repeat(196)}.ghl`;
    expect(chooseFilename(name, 'fallback')).toBe(name);
    expect(chooseFilename(`start-${name}`, 'fallback')).toBe(name);
  });
});

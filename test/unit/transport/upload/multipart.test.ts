import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { createMultipartBody, type FilePart } from '../../../../src/transport/upload/multipart.js';
import type { UploadSource } from '../../../../src/transport/upload/open.js';
import {
  chooseFilename,
  createUploadSource,
  type UploadData,
} from '../../../../src/transport/upload/upload.js';
import { partsOf } from '../../../socket/console-server.js';
import { until } from '../../../support/client.js';
import { numRuns } from '../../../support/extent.js';

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

/** Creates a file part that opens its source with a function. */
const opening = (name: string, open: UploadSource['open']): FilePart => ({
  name,
  source: { replayable: true, open },
  filename: name,
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

  it('uses the field name for a file without a name', async () => {
    const { stream } = await createMultipartBody(
      [file('data', Buffer.from('x'), { filename: '/' })],
      undefined,
    ).open();
    expect(await textOf(stream)).toContain('name="data"; filename="data"');
  });

  it('closes the earlier sources if a source fails to open', async () => {
    // This source never ends, so only an abort can close it.
    const first = new Readable({ read: () => undefined });
    const cause = new InvalidRequestError('b: not there', { field: 'b' });
    const parts = [flag, file('a', first), opening('b', () => Promise.reject(cause))];
    await expect(createMultipartBody(parts, undefined).open()).rejects.toBe(cause);
    await until('the earlier source is closed', () => first.destroyed);
  });

  it('throws if a source closes early without an error', async () => {
    const source = new Readable({ read: () => undefined });
    source.push('begun');
    const part = opening('a', async () => ({ stream: source, length: undefined }));
    const { stream } = await createMultipartBody([part], undefined).open();
    const reading = textOf(stream);
    source.destroy();
    await expect(reading).rejects.toThrow();
  });

  it('closes the source of an empty file', async () => {
    const empty = Readable.from([]);
    const part = opening('empty', async () => ({ stream: empty, length: 0 }));
    const { stream, length } = await createMultipartBody([part], undefined).open();
    expect(empty.destroyed).toBe(true);
    const body = await textOf(stream);
    expect(body).toContain('name="empty"; filename="empty"');
    expect(length).toBe(body.length);
  });

  it("doesn't open further sources after a source fails to open", async () => {
    let opened = false;
    const parts = [
      opening('a', () => Promise.reject(new Error('not there'))),
      opening('b', async () => {
        opened = true;
        return { stream: Readable.from([]), length: 0 };
      }),
    ];
    await expect(createMultipartBody(parts, undefined).open()).rejects.toThrow('not there');
    expect(opened).toBe(false);
  });

  it('leaves the total undefined in progress reports if the size of one part is unknown', async () => {
    const totals = new Set<number | undefined>();
    const parts = [file('a', Readable.from([Buffer.from('abc')]))];
    const opened = await createMultipartBody(parts, ({ total }) => totals.add(total)).open();
    expect(opened.length).toBeUndefined();
    expect(await textOf(opened.stream)).toContain('abc');
    expect([...totals]).toEqual([undefined]);
  });

  it("a multipart stream doesn't throw if it emits an error event without listeners", async () => {
    const unread = await createMultipartBody([flag], undefined).open();
    expect(() => unread.stream.emit('error', new Error('early'))).not.toThrow();
    const { stream } = await createMultipartBody([flag], undefined).open();
    await textOf(stream);
    expect(() => stream.emit('error', new Error('late'))).not.toThrow();
  });

  it('converts a string that onProgress throws to an error', async () => {
    const opened = await createMultipartBody([flag], () => {
      throw 'enough';
    }).open();
    await expect(textOf(opened.stream)).rejects.toThrow(new Error('enough'));
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

  it('accepts empty files', async () => {
    const path = join(folder, 'empty');
    await writeFile(path, '');
    const { body, length, parts } = await read([
      file('path', path),
      file('bytes', new Uint8Array()),
      file('stream', Readable.from([]), { size: 0 }),
    ]);
    expect(length).toBe(body.length);
    expect(parts?.map((part) => [part.name, part.data.length])).toEqual([
      ['path', 0],
      ['bytes', 0],
      ['stream', 0],
    ]);
    expect(await openFiles()).toEqual([]);
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

  it('can be opened only once if it contains a stream', async () => {
    const body = createMultipartBody([file('a', Readable.from(['x']))], undefined);
    expect(body.replayable).toBe(false);
    const { stream } = await body.open();
    stream.destroy();
    await expect(body.open()).rejects.toThrow('has not been read');
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

  it('keeps all parts intact with any file name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.uint8Array(), async (name, data) => {
        const part = file('field', new File([data], name));
        const { body, length, parts } = await read([part, file('after', Buffer.from('x'))]);
        expect(length).toBe(body.length);
        expect(parts?.map((each) => each.name)).toEqual(['field', 'after']);
        expect(parts?.[0]?.data).toEqual(Buffer.from(data));
        expect(parts?.[0]?.filename, 'no path separator or line break').not.toMatch(/[/\r\n]/);
      }),
      { numRuns },
    );
  });
});

describe('chooseFilename()', () => {
  const named = (data: Blob | Uint8Array, name: unknown) => Object.assign(data, { name });

  it.each<[string, string, UploadData]>([
    ['a path', 'license.ghl', '/home/me/license.ghl'],
    ['a path that ends with a slash', 'license.ghl', 'folder/license.ghl/'],
    ['a file URL', 'a b.ghl', new URL('file:///home/me/a%20b.ghl')],
    ['a File', 'named.ghl', new File(['x'], 'dir/named.ghl')],
    ['a File without a name', 'fallback', new File(['x'], '')],
    ['a Blob', 'fallback', new Blob(['x'])],
    ['a Blob with a name', 'named.ghl', named(new Blob(['x']), 'named.ghl')],
    ['a Blob with an invalid name', 'fallback', named(new Blob(['x']), 5)],
    ['bytes with a name', 'fallback', named(new Uint8Array(1), 'named.ghl')],
    ['bytes', 'fallback', new Uint8Array(1)],
    ['a stream', 'fallback', Readable.from(['x'])],
    ['an empty path', 'fallback', ''],
    ['a Windows path', 'license.ghl', 'C:\\Users\\me\\license.ghl'],
    ['a File with a line break', 'a__b', new File([], 'dir/a\r\nb')],
    ['the path .', 'fallback', '.'],
    ['a path that ends with .', 'fallback', 'a/.'],
    ['the path ..', 'fallback', '..'],
    ['a path that ends with ..', 'fallback', 'a\\..'],
    ['a hidden file', '.a', '.a'],
    ['three dots', '...', '...'],
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

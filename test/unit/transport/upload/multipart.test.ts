import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import {
  createMultipartBody,
  type MultipartPart,
} from '../../../../src/transport/upload/multipart.js';
import type { UploadSource } from '../../../../src/transport/upload/open.js';
import { chooseFilename, type UploadData } from '../../../../src/transport/upload/upload.js';

import { until } from '../../../support/client.js';
import { file } from './file-part.js';

/** Creates a file part that opens its source with a function. */
const opening = (name: string, open: UploadSource['open']): MultipartPart => ({
  name,
  source: { replayable: true, open },
  filename: name,
});

const flag: MultipartPart = { name: 'flag', text: 'true' };

describe('createMultipartBody()', () => {
  it.each<[string, boolean, MultipartPart[]]>([
    ['replayable body without parts', true, []],
    ['replayable body with text', true, [flag]],
    ['replayable body with text and bytes', true, [flag, file('a', new Uint8Array(1))]],
    ['single-use body with a stream', false, [file('a', Readable.from(['x']))]],
    [
      'single-use body with text, bytes and a stream',
      false,
      [flag, file('a', new Uint8Array(1)), file('b', Readable.from(['x']))],
    ],
  ])('createMultipartBody() creates a %s', (_name, replayable, parts) => {
    expect(createMultipartBody(parts, undefined)).toMatchObject({ kind: 'stream', replayable });
  });

  it('a multipart body contains text and files with their names', async () => {
    const parts = [flag, file('data', Buffer.from('{}'), { filename: '../elsewhere/a.json' })];
    const { stream, contentType, length } = await createMultipartBody(parts, undefined).open();
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(contentType)?.[1];
    const body = await textOf(stream);
    expect(body.split('\r\n')).toEqual([
      `--${boundary}`,
      'Content-Disposition: form-data; name="flag"',
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

  it('a multipart body uses the field name for a file without a name', async () => {
    const { stream } = await createMultipartBody(
      [file('data', Buffer.from('x'), { filename: '/' })],
      undefined,
    ).open();
    expect(await textOf(stream)).toContain('name="data"; filename="data"');
  });

  it('a multipart body closes the earlier sources if a source fails to open', async () => {
    const first = Readable.from(['x']);
    const cause = new InvalidRequestError('b: not there', { field: 'b' });
    const parts = [flag, file('a', first), opening('b', () => Promise.reject(cause))];
    await expect(createMultipartBody(parts, undefined).open()).rejects.toBe(cause);
    await until('the earlier source is closed', () => first.destroyed);
  });

  it("a multipart body doesn't open further sources after a source fails to open", async () => {
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

  it('a multipart body throws if a source closes early without an error', async () => {
    const source = new Readable({ read: () => undefined });
    source.push('begun');
    const part = opening('a', async () => ({ stream: source, length: undefined }));
    const { stream } = await createMultipartBody([part], undefined).open();
    const reading = textOf(stream);
    source.destroy();
    await expect(reading).rejects.toThrow();
  });

  it('a multipart body closes the source of an empty file', async () => {
    const empty = Readable.from([]);
    const part = opening('empty', async () => ({ stream: empty, length: 0 }));
    const { stream, length } = await createMultipartBody([part], undefined).open();
    expect(empty.destroyed).toBe(true);
    const body = await textOf(stream);
    expect(body).toContain('name="empty"; filename="empty"');
    expect(length).toBe(body.length);
  });

  it('a multipart body leaves the total undefined in progress reports if the size of one part is unknown', async () => {
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

  it('a multipart body converts a string that onProgress throws to an error', async () => {
    const opened = await createMultipartBody([flag], () => {
      throw 'enough';
    }).open();
    await expect(textOf(opened.stream)).rejects.toThrow(new Error('enough'));
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
  ])('chooseFilename() maps %s to %j', (_kind, name, data) => {
    expect(chooseFilename(data, 'fallback')).toBe(name);
  });

  it('chooseFilename() keeps the last 200 characters of a long name', () => {
    const name = `${'x'.repeat(196)}.ghl`;
    expect(chooseFilename(name, 'fallback')).toBe(name);
    expect(chooseFilename(`start-${name}`, 'fallback')).toBe(name);
  });
});

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { MockAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { type ContentFile, contentBytes, contentText } from '../../../src/hosting/index.js';
import { HostingClient, type HostingClientOptions } from '../../../src/index.js';
import { withProgress } from '../../../src/transport/upload/open.js';
import { createUploadSource } from '../../../src/transport/upload/upload.js';
import { about } from '../about.js';

const baseUrl = 'http://127.0.0.1:1/api/v3';
const dispatcher = new MockAgent();

describe('HostingClient', () => {
  test.each<[string, unknown, string]>([
    ['missing options', undefined, 'options'],
    ['an invalid base URL', { baseUrl: 'code.example.com' }, 'baseUrl'],
    ['a base URL with the ftp scheme', { baseUrl: 'ftp://code.example.com' }, 'baseUrl'],
    ['a password in the base URL', { baseUrl: 'http://a:b@host/' }, 'baseUrl'],
    ['a query in the base URL', { baseUrl: 'http://host/?a=b' }, 'baseUrl'],
    ['an invalid trusted origin', { baseUrl, trustedOrigins: ['uploads'] }, 'trustedOrigins'],
    ['a user agent with a line break', { baseUrl, userAgent: 'a\nb' }, 'userAgent'],
    ['a timeout of 0', { baseUrl, timeout: 0 }, 'timeout.total'],
    ['a timeout that is a string', { baseUrl, timeout: { body: '5' } }, 'timeout.body'],
    ['a negative retry limit', { baseUrl, retry: { limit: -1 } }, 'retry.limit'],
    ['an unknown onLimit', { baseUrl, rateLimit: { onLimit: 'sleep' } }, 'rateLimit.onLimit'],
    ['an invalid shared store', { baseUrl, rateLimit: { shared: {} } }, 'rateLimit.shared'],
    [
      'a shared store that is a string',
      { baseUrl, rateLimit: { shared: 'redis:' } },
      'rateLimit.shared',
    ],
    ['tls combined with a custom dispatcher', { baseUrl, dispatcher, tls: {} }, 'tls'],
    [
      'proxy combined with a custom dispatcher',
      { baseUrl, dispatcher, proxy: 'http://p' },
      'proxy',
    ],
    ['an unknown validation mode', { baseUrl, validation: 'loose' }, 'validation'],
    ['a negative maxRedirects', { baseUrl, maxRedirects: -1 }, 'maxRedirects'],
    ['a maxResponseBytes of 0', { baseUrl, maxResponseBytes: 0 }, 'maxResponseBytes'],
    ['a maxConcurrency of 0', { baseUrl, maxConcurrency: 0 }, 'maxConcurrency'],
    ['an unknown API version', { baseUrl, apiVersion: 'v4' }, 'apiVersion'],
    [
      'an API version with a prefix before its date',
      { baseUrl, apiVersion: 'v2022-11-28' },
      'apiVersion',
    ],
    [
      'an API version with a suffix after its date',
      { baseUrl, apiVersion: '2022-11-28T' },
      'apiVersion',
    ],
    ['a vendor with a space', { baseUrl, vendor: 'a b' }, 'vendor'],
    ['an unknown authentication scheme', { baseUrl, auth: { type: 'bearer', token: 'x' } }, 'auth'],
    [
      'basic authentication without a password',
      { baseUrl, auth: { type: 'basic', username: 'x' } },
      'auth',
    ],
    [
      'a username with a colon',
      { baseUrl, auth: { type: 'basic', username: 'x:y', password: 'z' } },
      'auth',
    ],
    ['a token with a line break', { baseUrl, auth: { type: 'token', token: 'x\ny' } }, 'auth'],
  ])('HostingClient rejects %s', (_name, options, option) => {
    const make = () => new HostingClient(options as HostingClientOptions);
    expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
  });

  test.each<[string, string]>([
    ['baseURL', "Did you mean 'baseUrl'? Known options: "],
    ['maxconcurency', "Did you mean 'maxConcurrency'? Known options: "],
    ['TLS', "Did you mean 'tls'? Known options: "],
    ['token', "unknown option 'token'. Known options: "],
    ['ta', "unknown option 'ta'. Known options: "],
    ['a'.repeat(1e6), '. Known options: '],
  ])('HostingClient suggests the nearest name only if it is similar: %#', (name, text) => {
    const make = () => new HostingClient({ baseUrl, [name]: 1 });
    expect(make).toThrow(expect.objectContaining({ message: expect.stringContaining(text) }));
  });

  test.each<[string, object, string]>([
    ['an Authorization header', { headers: { Authorization: 'x' } }, 'headers.Authorization'],
    ['an invalid header name', { headers: { 'a b': 'x' } }, 'headers.a b'],
    ['a header value with a line break', { headers: { 'x-a': 'x\r\ny: z' } }, 'headers.x-a'],
    ['an invalid signal', { signal: 'stop' }, 'signal'],
  ])("rejects %s in a call's options", async (_name, options, field) => {
    const hosting = new HostingClient({ baseUrl });
    const call = hosting.pulls.get({ owner: 'a', repo: 'b', number: 1 }, options);
    await expect(call).rejects.toMatchObject({ code: 'invalid_request', field });
  });
});

describe('HostingClient methods', () => {
  const hosting = new HostingClient({ baseUrl });
  const place = { owner: 'a', repo: 'b' };
  const change = { ...place, path: 'x', message: 'm', content: { text: 'h' } };
  test.each<[string, () => Promise<unknown>, string]>([
    ['a missing input', () => hosting.pulls.get(undefined as never), 'input'],
    [
      'a string instead of a number',
      () => hosting.pulls.get({ ...place, number: '1' as never }),
      'number',
    ],
    ['a per_page of 0', () => hosting.pulls.list({ ...place, per_page: 0 }).toArray(), 'per_page'],
    [
      'a per_page of 101',
      () => hosting.pulls.list({ ...place, per_page: 101 }).toArray(),
      'per_page',
    ],
    ['a page of 0', () => hosting.pulls.list({ ...place, page: 0 }).toArray(), 'page'],
    [
      'an unknown state',
      () => hosting.pulls.list({ ...place, state: 'merged' as never }).toArray(),
      'state',
    ],
    [
      'a pull request with neither a title nor an issue',
      // @ts-expect-error a caller without types
      () => hosting.pulls.create({ ...place, head: 'h', base: 'b' }),
      'title',
    ],
    [
      'a pull request with both a title and an issue',
      // @ts-expect-error a caller without types
      () => hosting.pulls.create({ ...place, head: 'h', base: 'b', title: 't', issue: 1 }),
      'issue',
    ],
    [
      'an author without an email',
      () => hosting.contents.create({ ...change, author: { name: 'A' } as never }),
      'author',
    ],
    [
      'a committer without a name',
      () => hosting.contents.create({ ...change, committer: { name: '', email: 'e' } }),
      'committer',
    ],
    [
      "content that isn't Base64",
      () => hosting.contents.create({ ...change, content: { base64: 'plain text' } }),
      'content',
    ],
    ['a path that contains `..`', () => hosting.contents.get({ ...place, path: 'a/../b' }), 'path'],
    ['the owner `..`', () => hosting.starring.star({ owner: '..', repo: 'b' }), 'owner'],
    [
      'a stream without a size',
      () =>
        hosting.releases.uploadAsset({
          upload_url: `${baseUrl}{?name}`,
          name: 'x',
          content_type: 'a/b',
          data: Readable.from(['x']),
        }),
      'size',
    ],
    [
      'an invalid media type',
      () =>
        hosting.releases.uploadAsset({
          upload_url: baseUrl,
          name: 'x',
          content_type: 'zip',
          data: Buffer.from('x'),
        }),
      'content_type',
    ],
    [
      'an invalid upload_url',
      () =>
        hosting.releases.uploadAsset({
          upload_url: 'uploads',
          name: 'x',
          content_type: 'a/b',
          data: Buffer.from('x'),
        }),
      'upload_url',
    ],
    ['a negative limit', () => hosting.pulls.list(place).toArray({ limit: -1 }), 'limit'],
  ])('a hosting method rejects %s', async (_name, call, field) => {
    await expect(call()).rejects.toMatchObject({ code: 'invalid_request', field });
  });

  test('rejects an upload_url on an untrusted origin', async () => {
    const upload = hosting.releases.uploadAsset({
      upload_url: 'https://uploads.elsewhere.test/x{?name}',
      name: 'x',
      content_type: 'a/b',
      data: Buffer.from('x'),
    });
    await expect(upload).rejects.toMatchObject({ code: 'configuration', option: 'trustedOrigins' });
  });
});

describe('file content', () => {
  const file: ContentFile = {
    type: 'file',
    encoding: 'base64',
    content: 'aMOp\nbGxv\n',
    size: 6,
    name: 'x',
    path: 'x',
    sha: 's',
    _links: { self: '', git: null, html: null },
  };

  test('contentText() and contentBytes() decode a Base64 file', () => {
    expect(contentText(file)).toBe('héllo');
    expect(contentBytes(file)).toHaveLength(6);
  });

  test.each<[string, Partial<ContentFile>]>([
    ['has an unsupported encoding', { encoding: 'none' }],
    ['is invalid Base64', { content: '****' }],
    ['is truncated', { content: 'aMOp' }],
    ['is larger than 1 MiB', { size: 1024 * 1024 + 1 }],
  ])('contentBytes() suggests contents.getRaw() if the content %s', (_name, change) => {
    expect(() => contentBytes({ ...file, ...change })).toThrow('contents.getRaw');
  });

  test('contentText() rejects content that is not UTF-8', () => {
    expect(() => contentText({ ...file, content: '/w==', size: 1 })).toThrow('UTF-8');
  });
});

describe('createUploadSource()', () => {
  async function read(...given: Parameters<typeof createUploadSource>) {
    const source = createUploadSource(...given);
    const opened = await source.open();
    return {
      bytes: await buffer(opened.stream),
      length: opened.length,
      replayable: source.replayable,
    };
  }

  test('createUploadSource() accepts a path, a file URL, bytes, a Blob or a stream', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    const path = join(folder, 'file');
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'x');
    await writeFile(path, bytes);
    for (const data of [path, pathToFileURL(path), bytes, new Blob([bytes])]) {
      const result = await read('data', data);
      expect(result.bytes.equals(bytes)).toBe(true);
      expect(result).toMatchObject({ length: bytes.length, replayable: true });
    }
    const stream = await read('data', Readable.from([bytes]), bytes.length);
    expect(stream).toMatchObject({ length: bytes.length, replayable: false });
  });

  test.each<[string, unknown]>([
    ['the path of a missing file', join(tmpdir(), 'no', 'such', 'file')],
    ['the path of a folder', tmpdir()],
    ['a URL with a scheme other than file:', new URL('http://127.0.0.1/x')],
    ['a number', 5],
    ['undefined', undefined],
  ])('createUploadSource() rejects %s', async (_name, data) => {
    const attempt = async () => await createUploadSource('data', data as never).open();
    await expect(attempt()).rejects.toMatchObject({ code: 'invalid_request', field: 'data' });
  });

  test('an upload source rejects a second read of its stream', async () => {
    const source = createUploadSource('data', Readable.from(['x']), 1);
    await buffer((await source.open()).stream);
    await expect(source.open()).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'data',
      message: about('data', /has not been read/),
    });
  });
});

describe('withProgress()', () => {
  test('withProgress() reports progress while the data is read', async () => {
    const reports: number[] = [];
    const opened = await createUploadSource('data', Buffer.alloc(2_500_000)).open();
    await buffer(withProgress(opened, ({ sent }) => reports.push(sent)));
    expect(reports.at(-1)).toBe(2_500_000);
    expect(reports.length).toBeGreaterThan(2);
  });

  test('withProgress() closes the stream if the listener throws', async () => {
    const other = await createUploadSource('data', Buffer.alloc(10)).open();
    const metered = withProgress(other, () => {
      throw new Error('enough');
    });
    await expect(buffer(metered)).rejects.toThrow('enough');
    expect(other.stream.destroyed).toBe(true);
  });
});

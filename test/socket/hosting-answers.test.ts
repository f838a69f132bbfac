import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ContentFile, contentBytes, contentText } from '../../src/hosting/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const here = { owner: 'mona', repo: 'sandbox' };
const respondWith = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const server = await serve((_request, response) => sendJson(response, body, 200, headers));
  return { server, client: createClient(server) };
};

describe('gitRefs.get()', () => {
  test('gitRefs.get() rejects a response with several references, and suggests gitRefs.list', async () => {
    const { client } = await respondWith([{ ref: 'refs/heads/ab' }, { ref: 'refs/heads/ac' }]);
    const error = await rejectionOf(client.gitRefs.get({ ...here, ref: 'heads/a' }));
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).toContain('gitRefs.list');
  });

  test("gitRefs.get() doesn't suggest gitRefs.list for an invalid response that isn't an array", async () => {
    const { client } = await respondWith({ ref: 7 });
    const error = await rejectionOf(client.gitRefs.get({ ...here, ref: 'heads/a' }));
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).not.toContain('gitRefs.list');
  });
});

describe('rateLimit.get()', () => {
  const bucket = { limit: 60, remaining: 59, reset: 1_700_000_000 };

  test('rateLimit.get() accepts a response with only one quota', async () => {
    const { client } = await respondWith({ rate: bucket });
    expect(await client.rateLimit.get()).toEqual({
      core: { limit: 60, remaining: 59, reset: new Date(1_700_000_000_000), resource: 'core' },
    });
  });

  test('rateLimit.get() omits invalid quotas if validation is off', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { resources: { core: { limit: 1, remaining: 0 }, search: 'none' } }),
    );
    const budgets = await createClient(server, { validation: 'off' }).rateLimit.get();
    expect(budgets).toEqual({
      core: { limit: 1, remaining: 0, reset: undefined, resource: 'core' },
    });
  });
});

describe('downloadAsset() with a JSON response', () => {
  const asset = { ...here, id: 12 };

  test.each([{}, { query: { a: 'b' } }])(
    "downloadAsset() rejects the asset's metadata if `extra` is %j",
    async (extra) => {
      const { client } = await respondWith({ id: 12 });
      const error = await rejectionOf(client.releases.downloadAsset(asset, { extra }));
      expect(error).toMatchObject({ code: 'response_body' });
      expect(String(error)).toContain('browser_download_url');
    },
  );

  test.each([
    ['if the response has a file name', { 'content-disposition': 'attachment; filename=a.json' }],
    ['if the media type only resembles JSON', { 'content-type': 'application/json-seq' }],
  ])('downloadAsset() returns a JSON asset %s', async (_what, headers) => {
    const { client } = await respondWith({ a: 1 }, headers);
    expect(await text(await client.releases.downloadAsset(asset))).toBe('{"a":1}');
  });

  test('downloadAsset() returns a JSON asset after a redirect to another path', async () => {
    const server = await serve((request, response) =>
      request.url.startsWith('/store')
        ? sendJson(response, { a: 1 })
        : response.writeHead(302, { location: '/store/releases/assets/12/a.json' }).end(),
    );
    const stream = await createClient(server).releases.downloadAsset(asset);
    expect(await text(stream)).toBe('{"a":1}');
  });
});

test('adminStats.get() rejects invalid statistics for all types and for a single type', async () => {
  const { client } = await respondWith({ repos: 'many' });
  for (const type of ['all', 'repos'] as const) {
    expect(await rejectionOf(client.adminStats.get({ type }))).toMatchObject({
      code: 'response_shape',
    });
  }
});

describe('contentBytes and contentText', () => {
  const file = (bytes: Buffer, change: Partial<ContentFile> = {}): ContentFile => {
    const passed = { encoding: 'base64', size: bytes.length, content: bytes.toString('base64') };
    // `as`: only these fields are read.
    return { path: 'a', ...passed, ...change } as ContentFile;
  };
  const short = Buffer.from('hello');

  test('contentBytes accepts content of 1 MiB, but rejects longer content', () => {
    expect(contentBytes(file(Buffer.alloc(1_048_576)))).toHaveLength(1_048_576);
    expect(() => contentBytes(file(Buffer.alloc(1_048_577)))).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'content' }),
    );
  });

  test.each<[string, ContentFile]>([
    ['an unsupported encoding', file(short, { encoding: 'none', content: '', size: 0 })],
    ['a size that differs from the decoded length', file(short, { size: 4 })],
    ['invalid Base64', file(short, { content: '!!!!' })],
    [
      'invalid characters after the Base64',
      file(short, { content: `${short.toString('base64')}!!!!` }),
    ],
  ])('contentBytes rejects content with %s', (_what, odd) => {
    expect(() => contentBytes(odd)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: 'content',
        message: expect.stringContaining('contents.getRaw'),
      }),
    );
  });

  test("contentText rejects bytes that aren't valid UTF-8", () => {
    expect(contentText(file(short))).toBe('hello');
    expect(() => contentText(file(Buffer.from([0xff])))).toThrow(
      expect.objectContaining({ field: 'content', cause: expect.any(TypeError) }),
    );
  });
});

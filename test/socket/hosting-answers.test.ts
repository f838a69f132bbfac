import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ContentFile, contentBytes, contentText } from '../../src/hosting/index.js';
import { clientOf, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const here = { owner: 'mona', repo: 'sandbox' };
const answering = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const server = await serve((_request, response) => sendJson(response, body, 200, headers));
  return { server, client: clientOf(server) };
};

describe('a reference', () => {
  test('several that begin like it are not it, and the list has them', async () => {
    const { client } = await answering([{ ref: 'refs/heads/ab' }, { ref: 'refs/heads/ac' }]);
    const error = await rejectionOf(client.gitRefs.get({ ...here, ref: 'heads/a' }));
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).toContain('gitRefs.list');
  });

  test('another odd answer says nothing of a list', async () => {
    const { client } = await answering({ ref: 7 });
    const error = await rejectionOf(client.gitRefs.get({ ...here, ref: 'heads/a' }));
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).not.toContain('gitRefs.list');
  });
});

describe('the rate limit', () => {
  const bucket = { limit: 60, remaining: 59, reset: 1_700_000_000 };

  test('of a server that knows one budget alone', async () => {
    const { client } = await answering({ rate: bucket });
    expect(await client.rateLimit.get()).toEqual({
      core: { limit: 60, remaining: 59, reset: new Date(1_700_000_000_000), resource: 'core' },
    });
  });

  test('with validation off, what is no budget is left out', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { resources: { core: { limit: 1, remaining: 0 }, search: 'none' } }),
    );
    const budgets = await clientOf(server, { validation: 'off' }).rateLimit.get();
    expect(budgets).toEqual({
      core: { limit: 1, remaining: 0, reset: undefined, resource: 'core' },
    });
  });
});

describe('an asset that comes as JSON', () => {
  const asset = { ...here, id: 12 };

  test.each([{}, { query: { a: 'b' } }])('is its description, not its bytes: %j', async (extra) => {
    const { client } = await answering({ id: 12 });
    const error = await rejectionOf(client.releases.downloadAsset(asset, { extra }));
    expect(error).toMatchObject({ code: 'response_body' });
    expect(String(error)).toContain('browser_download_url');
  });

  test.each([
    ['with a name to save it by', { 'content-disposition': 'attachment; filename=a.json' }],
    ['with a label that only begins like JSON', { 'content-type': 'application/json-seq' }],
  ])('is the asset %s', async (_what, headers) => {
    const { client } = await answering({ a: 1 }, headers);
    expect(await text(await client.releases.downloadAsset(asset))).toBe('{"a":1}');
  });

  test('is the asset where a store has it', async () => {
    const server = await serve((request, response) =>
      request.url.startsWith('/store')
        ? sendJson(response, { a: 1 })
        : response.writeHead(302, { location: '/store/releases/assets/12/a.json' }).end(),
    );
    const stream = await clientOf(server).releases.downloadAsset(asset);
    expect(await text(stream)).toBe('{"a":1}');
  });
});

test('statistics of all kinds are validated as those of one', async () => {
  const { client } = await answering({ repos: 'many' });
  for (const type of ['all', 'repos'] as const) {
    expect(await rejectionOf(client.adminStats.get({ type }))).toMatchObject({
      code: 'response_shape',
    });
  }
});

describe('content of a file', () => {
  const file = (bytes: Buffer, change: Partial<ContentFile> = {}): ContentFile => {
    const given = { encoding: 'base64', size: bytes.length, content: bytes.toString('base64') };
    // `as`: only these parts are read.
    return { path: 'a', ...given, ...change } as ContentFile;
  };
  const short = Buffer.from('hello');

  test('of just 1 MB is whole, one byte more is refused', () => {
    expect(contentBytes(file(Buffer.alloc(1_048_576)))).toHaveLength(1_048_576);
    expect(() => contentBytes(file(Buffer.alloc(1_048_577)))).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'content' }),
    );
  });

  test.each<[string, ContentFile]>([
    ['another encoding', file(short, { encoding: 'none', content: '', size: 0 })],
    ['another length', file(short, { size: 4 })],
    ['no Base64', file(short, { content: '!!!!' })],
    ['Base64 and more', file(short, { content: `${short.toString('base64')}!!!!` })],
  ])('with %s is refused', (_what, odd) => {
    expect(() => contentBytes(odd)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: 'content',
        message: expect.stringContaining('contents.getRaw'),
      }),
    );
  });

  test('that is no UTF-8 is no text', () => {
    expect(contentText(file(short))).toBe('hello');
    expect(() => contentText(file(Buffer.from([0xff])))).toThrow(
      expect.objectContaining({ field: 'content', cause: expect.any(TypeError) }),
    );
  });
});

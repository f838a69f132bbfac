import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ContentFile,
  contentBytes,
  contentText,
  type HostingClient,
  Release,
} from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { listening, sendJson, serve, serveRaw } from '../support/server.js';

const repo = { owner: 'o', repo: 'r' };

describe('non-ASCII URLs in headers', () => {
  it('the client percent-encodes a non-ASCII redirect target', async () => {
    const server = await serveRaw((socket, index) => {
      const body = '[]';
      const head =
        index === 0
          ? 'HTTP/1.1 302 Found\r\nlocation: /api/v3/é/ü?q=ß\r\ncontent-length: 0'
          : `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}`;
      socket.write(Buffer.from(`${head}\r\n\r\n${index === 0 ? '' : body}`));
    });
    await createClient(server).pulls.list(repo).toArray();
    expect(server.log[1]).toBe('GET /api/v3/%C3%A9/%C3%BC?q=%C3%9F');
  });
});

describe('responses to writes', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const drifted = { id: '7', tag_name: null };
  const serveDrift = () => serve((_request, response) => sendJson(response, drifted, 201));
  const input = { ...repo, tag_name: 'v1' };
  const ignore = () => undefined;

  it('a write returns a response that does not match its model and logs the differences', async () => {
    const lines: string[] = [];
    const warn = (line: string) => lines.push(line);
    const log = { debug: ignore, info: ignore, error: ignore, warn };
    const client = createClient(await serveDrift(), { log });
    expect(await client.releases.create(input)).toEqual(drifted);
    expect(lines).toEqual([
      expect.stringMatching(/^releases.create: the response does not match Release: .*tag_name/),
    ]);
    expect(await client.request('POST /x', {}, { schema: Release })).toEqual(drifted);
  });

  it.each(['client', 'call', 'TRIFORGE_VALIDATION'])(
    "a write rejects with a ResponseShapeError if the %s sets validation: 'strict'",
    async (source) => {
      const strict = { validation: 'strict' } as const;
      if (source === 'TRIFORGE_VALIDATION') vi.stubEnv(source, 'strict');
      const client = createClient(await serveDrift(), source === 'client' ? strict : {});
      const call = client.releases.create(input, source === 'call' ? strict : undefined);
      await expect(call).rejects.toMatchObject({ code: 'response_shape', mayHaveActed: true });
    },
  );

  it('TRIFORGE_VALIDATION sets the default for reads, which the validation option overrides', async () => {
    const server = await serveDrift();
    const get = { ...repo, id: 7 };
    await expect(createClient(server).releases.get(get)).rejects.toThrow('does not match Release');
    vi.stubEnv('TRIFORGE_VALIDATION', 'warn');
    expect(await createClient(server).releases.get(get)).toEqual(drifted);
    const strict = createClient(server, { validation: 'strict' });
    await expect(strict.releases.get(get)).rejects.toThrow('does not match Release');
    vi.stubEnv('TRIFORGE_VALIDATION', 'loose');
    expect(() => createClient(server)).toThrow(
      `TRIFORGE_VALIDATION: must be 'strict', 'warn' or 'off' (got "loose")`,
    );
  });
});

describe('charsets', () => {
  const serveLatin1 = (text: string, charset: string, status = 200) =>
    serve((_request, response) =>
      response
        .writeHead(status, { 'content-type': `application/json; charset=${charset}` })
        .end(Buffer.from(text, 'latin1')),
    );
  const failure = '{"success":false,"statusMessage":"Name ungültig"}';
  const createSupport = async (charset: string, text = failure) => {
    const { origin } = await serveLatin1(text, charset);
    const client = new SupportClient({ baseUrl: origin, auth: { accessToken: 'abcdef0123' } });
    onTestFinished(() => client.close());
    return client;
  };

  it.each([
    ['iso-8859-1', 'Name ungültig'],
    ['utf-8', 'Name ung�ltig'],
  ])("a failed write with the charset %s reports the server's reason", async (charset, said) => {
    const { contacts } = await createSupport(charset);
    const error = await rejectionOf(contacts.update({ contact_id: 1, name: 'x' }));
    expect(error).toMatchObject({ code: 'operation_failed', statusMessage: said });
  });
});

describe('HTML pages instead of files', () => {
  const page = '<!DOCTYPE html><title>Sign in</title>';
  const servePage = (headers: Record<string, string> = {}) =>
    serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page),
    );
  const file = { ...repo, path: 'docs/index.html' };
  const html = { headers: { accept: 'text/html' } };

  it.each<[method: string, download: (client: HostingClient) => Promise<unknown>]>([
    ['releases.downloadAsset', ({ releases }) => releases.downloadAsset({ ...repo, id: 1 })],
    [
      'releases.downloadAsset with `to`',
      ({ releases }) => releases.downloadAsset({ ...repo, id: 1 }, { to: 'never-written' }),
    ],
  ])('%s rejects an HTML page', async (_method, download) => {
    const error = await rejectionOf(download(createClient(await servePage())));
    expect(error).toMatchObject({ code: 'response_body', reason: 'unexpected_type' });
    expect(String(error)).toContain('HTML page, such as a sign-in page, instead of the file');
  });

  it('downloads accept an HTML file', async () => {
    const { contents, releases } = createClient(await servePage());
    const bytes = { as: 'bytes' } as const;
    expect(String(await contents.getRaw(file, bytes))).toBe(page);
    const readme = await contents.getRawReadme(repo, { ...bytes, ...html });
    expect(String(readme)).toBe(page);
    const asset = await releases.downloadAsset({ ...repo, id: 1 }, { ...bytes, ...html });
    expect(String(asset)).toBe(page);
    const attachment = await servePage({ 'content-disposition': 'attachment; filename=a.html' });
    const attached = createClient(attachment).releases.downloadAsset({ ...repo, id: 1 }, bytes);
    expect(String(await attached)).toBe(page);
  });
});

describe('error messages', () => {
  it('the error message suggests http:// if an https URL points to a server without TLS', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const { port } = await listening(server);
    const client = createClient({ origin: `https://127.0.0.1:${port}` });
    const error = await rejectionOf(client.pulls.get({ ...repo, number: 1 }));
    expect(error).toMatchObject({ code: 'connection' });
    expect(String(error)).toContain('should start with http://');
  });
});

const here = { owner: 'mona', repo: 'sandbox' };
const respondWith = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const server = await serve((_request, response) => sendJson(response, body, 200, headers));
  return { server, client: createClient(server) };
};

describe('gitRefs.get()', () => {
  it('gitRefs.get() rejects a response with several references, and suggests gitRefs.list', async () => {
    const { client } = await respondWith([{ ref: 'refs/heads/ab' }, { ref: 'refs/heads/ac' }]);
    const error = await rejectionOf(client.gitRefs.get({ ...here, ref: 'heads/a' }));
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).toContain('gitRefs.list');
  });
});

describe('rateLimit.get()', () => {
  const bucket = { limit: 60, remaining: 59, reset: 1_700_000_000 };

  it('rateLimit.get() accepts a response with only one quota', async () => {
    const { client } = await respondWith({ rate: bucket });
    expect(await client.rateLimit.get()).toEqual({
      core: { limit: 60, remaining: 59, reset: new Date(1_700_000_000_000), resource: 'core' },
    });
  });
});

describe('downloadAsset() with a JSON response', () => {
  const asset = { ...here, id: 12 };

  it("downloadAsset() rejects the asset's metadata", async () => {
    const { client } = await respondWith({ id: 12 });
    const error = await rejectionOf(client.releases.downloadAsset(asset));
    expect(error).toMatchObject({ code: 'response_body', reason: 'unexpected_type' });
    expect(String(error)).toContain('browser_download_url');
  });

  it.each([
    ['if the response has a file name', { 'content-disposition': 'attachment; filename=a.json' }],
    ['if the media type only resembles JSON', { 'content-type': 'application/json-seq' }],
  ])('downloadAsset() returns a JSON asset %s', async (_what, headers) => {
    const { client } = await respondWith({ a: 1 }, headers);
    expect(await text(await client.releases.downloadAsset(asset))).toBe('{"a":1}');
  });
});

it('adminStats.get() rejects invalid statistics for all types and for a single type', async () => {
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

  it.each<[string, ContentFile]>([
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

  it('contentText decodes lines of Base64, and rejects bytes that are not valid UTF-8', () => {
    expect(contentText(file(short))).toBe('hello');
    const lines = file(Buffer.from('héllo'), { content: 'aMOp\nbGxv\n' });
    expect(contentText(lines)).toBe('héllo');
    expect(() => contentText(file(Buffer.from([0xff])))).toThrow(
      expect.objectContaining({ field: 'content', cause: expect.any(TypeError) }),
    );
  });
});

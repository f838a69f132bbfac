import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
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

  it('the client percent-encodes a non-ASCII URL of the next page', async () => {
    const server = await serveRaw((socket, index) => {
      const link = index === 0 ? 'link: </api/v3/repos/o/r/pulls?after=é>; rel="next"\r\n' : '';
      socket.write(Buffer.from(`HTTP/1.1 200 OK\r\n${link}content-length: 2\r\n\r\n[]`));
    });
    await createClient(server).pulls.list(repo).toArray();
    expect(server.log[1]).toBe('GET /api/v3/repos/o/r/pulls?after=%C3%A9');
  });

  it('the client reads a Location header with invalid UTF-8 as Latin-1', async () => {
    const server = await serveRaw((socket, index) => {
      const head = index === 0 ? '302 Found\r\nlocation: /\u00e9' : '200 OK';
      const body = index === 0 ? '' : '[]';
      socket.write(
        Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`, 'latin1'),
      );
    });
    await createClient(server).pulls.list(repo).toArray();
    expect(server.log[1]).toBe('GET /%C3%A9');
  });
});

it('response.url masks the token, even in an unknown query parameter', async () => {
  const token = '0123456789abcdef0123';
  const server = await serve((_request, response, index) => {
    if (index === 0) response.writeHead(302, { location: `/api/v3/x?oauth_key=${token}` }).end();
    else sendJson(response, {});
  });
  const client = createClient(server, { auth: { type: 'token', token }, validation: 'off' });
  const { response } = await client.pulls.get({ ...repo, number: 1 }).withResponse();
  expect(response.url).toBe(`${server.origin}/api/v3/x?oauth_key=***`);
});

describe('asset downloads', () => {
  const respondWith = (headers: Record<string, string>) =>
    serve((_request, response) => response.writeHead(200, headers).end('{"id":1}'));
  const json = { 'content-type': 'application/json; charset=utf-8' };

  it('an asset download rejects JSON that describes the asset', async () => {
    const client = createClient(await respondWith(json));
    const error = await rejectionOf(client.releases.downloadAsset({ ...repo, id: 1 }));
    expect(error).toMatchObject({ code: 'response_body', reason: 'unexpected_type' });
  });

  it('an asset download accepts a JSON file with Content-Disposition', async () => {
    const disposition = { ...json, 'content-disposition': 'attachment; filename=a.json' };
    const client = createClient(await respondWith(disposition));
    const file = await client.releases.downloadAsset({ ...repo, id: 1 });
    expect(String(await buffer(file))).toBe('{"id":1}');
  });

  it('an asset download accepts a JSON file from a storage server', async () => {
    const store = await respondWith(json);
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${store.origin}/a.json` }).end(),
    );
    const file = await createClient(server).releases.downloadAsset({ ...repo, id: 1 });
    expect(String(await buffer(file))).toBe('{"id":1}');
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

  it('the error message contains the number of attempts after repeated connection failures', async () => {
    const server = await serveRaw((socket) => socket.destroy());
    const error = await rejectionOf(createClient(server).pulls.get({ ...repo, number: 1 }));
    expect(String(error)).toContain(`${server.log.length} attempts`);
    expect(server.log.length).toBeGreaterThan(1);
    const once = await rejectionOf(
      createClient(server, { retry: false }).pulls.get({ ...repo, number: 1 }),
    );
    expect(String(once)).not.toContain('attempts');
  });

  it('the error message suggests other credentials if the server rejects an access token', async () => {
    const server = await serve((_request, response) => sendJson(response, {}, 401));
    const auth = { accessToken: 'an-old-token' };
    const client = new SupportClient({ baseUrl: server.origin, auth });
    const error = await rejectionOf(client.contacts.get({ contact_id: 1 }));
    expect(String(error)).toContain('{ userName, apiKey, password }');
    await client.close();
  });
});

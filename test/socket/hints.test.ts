import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { OAuthWebFlow } from '../../src/hosting/index.js';
import { createFailureError } from '../../src/transport/response/failure.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve, serveRaw } from '../support/server.js';
import { context, failure } from '../unit/transport/response/failures.js';

const head = 'HTTP/1.1 200 OK\r\n';

describe('error hints', () => {
  it('error messages mention the auth option after a 401', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { message: 'Bad credentials' }, 401),
    );
    const client = createClient(server, { auth: { type: 'token', token: 'a-wrong-token' } });
    const error = await rejectionOf(client.request('GET /x'));
    expect(error).toHaveProperty('message', expect.stringContaining('Check auth'));
  });

  it.each([
    ['ENOTFOUND', 'https://code.example.com/x', 'baseUrl'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'https://code.example.com/x', 'tls: { servername }'],
    ['HPE_INVALID_CONSTANT', 'http://code.example.com:443/x', 'https://'],
    ['UND_ERR_SOCKET', 'http://code.example.com:443/x', 'https://'],
  ])('error messages mention $2 if a request to $1 fails with $0', (code, url, hint) => {
    const cause = Object.assign(new Error('failed'), { code });
    const request = { operation: 'op', method: 'GET', url };
    const { message } = createFailureError(failure('connection', { cause }), context({ request }));
    expect(message.replace(`[GET ${url}]`, '')).toContain(hint);
  });

  it('error messages contain the code of an unknown host only once', () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND a'), { code: 'ENOTFOUND' });
    const { message } = createFailureError(failure('connection', { cause }), context());
    expect(message).toContain('failed: getaddrinfo ENOTFOUND a. Check the host name in baseUrl.');
  });

  it('an error for an invalid call option has no cause with the same message', async () => {
    const client = createClient({ origin: 'http://127.0.0.1:1' });
    const options: object = { timout: 1 };
    const error = await rejectionOf(
      client.pulls.get({ owner: 'a', repo: 'b', number: 1 }, options),
    );
    expect(error).toMatchObject({
      message: expect.stringContaining("unknown option 'timout'. Did you mean 'timeout'? Known"),
    });
    expect(error).not.toHaveProperty('cause');
  });

  it("error messages name OAuthWebFlow's options", async () => {
    const application = { clientId: '0'.repeat(20), clientSecret: '1'.repeat(40) };
    const exchange = async (authUrl: string) => {
      await using flow = new OAuthWebFlow({ authUrl, ...application, retry: false });
      return await rejectionOf(flow.exchangeCode({ code: 'a-code' }));
    };
    const closing = await serveRaw((socket) => socket.end());
    expect(await exchange(closing.origin)).toHaveProperty(
      'message',
      expect.stringContaining('use https:// in authUrl.'),
    );
    const rejecting = await serve((_request, response) => sendJson(response, {}, 401));
    expect(await exchange(rejecting.origin)).toHaveProperty(
      'message',
      expect.stringContaining('Check clientId and clientSecret.'),
    );
  });

  it.each<[when: string, respond: (socket: Socket, index: number) => unknown]>([
    ['the body is truncated', (socket) => socket.end(`${head}content-length: 9\r\n\r\n{}`)],
    [
      'the connection breaks after an earlier response',
      (socket, index) =>
        index === 0 ? socket.write(`${head}content-length: 2\r\n\r\n{}`) : socket.end(),
    ],
  ])("error messages don't mention TLS if %s", async (_when, respond) => {
    const client = createClient(await serveRaw(respond), { retry: false });
    await client.request('GET /x').catch(() => undefined);
    await sleep(50); // undici reuses the connection only after a few turns of the event loop.
    const error = await rejectionOf(
      client.request(
        'POST /x',
        {},
        { body: { data: JSON.stringify({}), contentType: 'application/json' } },
      ),
    );
    expect(error).toHaveProperty('message', expect.not.stringContaining('TLS'));
    expect(error).toHaveProperty('message', expect.stringContaining('UND_ERR_SOCKET'));
  });
});

it('an error for missing credentials names the method', async () => {
  await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1' });
  expect(await rejectionOf(client.settings.get())).toMatchObject({
    message: expect.stringMatching(/^settings\.get: auth: is required\. Pass \{ licenseMd5 \}/),
  });
});

it('settings.update() rejects an unknown settings group without sending a request', async () => {
  const server = await serve((_request, response) => response.writeHead(204).end());
  await using client = new ConsoleClient({
    baseUrl: server.origin,
    auth: { licenseMd5: '0'.repeat(32) },
  });
  // JavaScript callers may pass unknown settings.
  const misspelt: object = { enterprize: { private_mode: true } };
  const error = await rejectionOf(client.settings.update(misspelt));
  expect(error).toMatchObject({ code: 'invalid_request', field: 'settings.enterprize' });
  expect(server.log).toEqual([]);
});

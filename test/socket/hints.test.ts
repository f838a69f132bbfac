import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { OAuthWebFlow } from '../../src/hosting/index.js';
import { createFailureError } from '../../src/transport/response/failure.js';
import { createClient, emptyJson, rejectionOf } from '../support/client.js';
import { sendJson, serve, serveRaw } from '../support/server.js';
import { context, failure } from '../unit/transport/response/failures.js';

/** Returns the error that a call rejects with. */
async function errorOf(call: Promise<unknown>): Promise<Error> {
  const error = await rejectionOf(call);
  if (error instanceof Error) return error;
  throw new TypeError('expected an error');
}

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
    [401, 'application/json', '{"message":"Bad credentials"}'],
    [404, 'application/json', '{"message":"Not Found"}'],
    [403, 'application/xml', '<Error><Code>AccessDenied</Code></Error>'],
  ])(
    'error messages name the origin that received no credentials before it sent a %i',
    async (status, type, body) => {
      const other = await serve((_request, response) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      );
      const server = await serve((_request, response) =>
        response.writeHead(302, { location: `${other.origin}/moved` }).end(),
      );
      const auth = { type: 'token', token: 'a-good-token' } as const;
      const { message } = await errorOf(createClient(server, { auth }).request('GET /x'));
      expect(message).toContain(`the response is from ${other.origin}, which received no credent`);
      expect(message).toContain(`If you trust ${other.origin}, add it to trustedOrigins.`);
      expect(message).not.toContain('Check auth');
      const trustedOrigins = [other.origin];
      const trusted = createClient(server, { auth, trustedOrigins });
      expect((await errorOf(trusted.request('GET /x'))).message).not.toContain('trustedOrigins');
      const anonymous = await errorOf(createClient(server).request('GET /x'));
      expect(anonymous.message, 'there are no credentials').not.toContain('trustedOrigins');
    },
  );

  it('error messages of a redirected console name the port that received no credentials', async () => {
    const other = await serve((_request, response) => response.writeHead(401).end());
    const server = await serve((request, response) =>
      response.writeHead(301, { location: `${other.origin}${request.url}` }).end(),
    );
    const auth = { licenseMd5: '0'.repeat(32) };
    await using client = new ConsoleClient({ baseUrl: server.origin, auth, retry: false });
    expect((await errorOf(client.settings.get())).message).toContain(
      `If you trust ${other.origin}, add it to trustedOrigins.`,
    );
  });

  it('error messages mention /api/v3/ after a 404 with an HTML page, unless baseUrl contains it', async () => {
    const server = await serve(({ url }, response) =>
      url.endsWith('/json')
        ? sendJson(response, { message: 'Not Found' }, 404)
        : response.writeHead(404, { 'content-type': 'text/html' }).end('<!DOCTYPE html>'),
    );
    const advice = 'baseUrl must include the path /api/v3/';
    const wrong = createClient(server, { baseUrl: server.origin });
    expect((await errorOf(wrong.request('GET /x'))).message).toContain(advice);
    expect((await errorOf(wrong.request('GET /json'))).message).not.toContain(advice);
    expect((await errorOf(createClient(server).request('GET /x'))).message).not.toContain(advice);
  });

  it.each(['/setup/api', '/setup/api/'])(
    'error messages mention a console baseUrl that ends in %s',
    async (path) => {
      const server = await serve((_request, response) => sendJson(response, {}, 404));
      const auth = { licenseMd5: '0'.repeat(32) };
      await using client = new ConsoleClient({ baseUrl: `${server.origin}${path}`, auth });
      expect((await errorOf(client.settings.get())).message).toContain(
        'Remove /setup/api from baseUrl, as in https://code.example.com:8443.',
      );
    },
  );

  const vendorAdvice = "GitHub Enterprise needs vendor: 'github'.";

  it.each([
    ['a 415', 415, {}, undefined, true],
    ['a 415 from a client with a vendor', 415, {}, 'github', false],
    [
      'a 415 from a server with the default vendor',
      415,
      { 'x-service-media-type': 'x' },
      undefined,
      false,
    ],
    ['stars without starred_at', 200, {}, undefined, true],
    ['stars without starred_at for a client with a vendor', 200, {}, 'github', false],
  ])(
    'error messages after %s mention a forgotten vendor: $4',
    async (_what, status, headers, vendor, does) => {
      const user = { login: 'mona', id: 1, avatar_url: 'a', url: 'u' };
      const server = await serve((_request, response) =>
        response.writeHead(status, headers).end(JSON.stringify(status === 200 ? [user] : {})),
      );
      const { starring } = createClient(server, { vendor });
      const list = starring.listStargazers({ owner: 'a', repo: 'b', mediaType: 'star' });
      const { message } = await errorOf(list.toArray());
      expect(message.includes(vendorAdvice), message).toBe(does);
    },
  );

  it('error messages mention no vendor if the response of the default media type is invalid', async () => {
    const server = await serve((_request, response) => response.end('[{}]'));
    const list = createClient(server).starring.listStargazers({ owner: 'a', repo: 'b' });
    const { message } = await errorOf(list.toArray());
    expect(message).toContain('does not match');
    expect(message).not.toContain('vendor');
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
    const error = await rejectionOf(client.request('POST /x', {}, emptyJson));
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

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ExchangeInput, HostingClient, OAuthWebFlow } from '../../src/hosting/index.js';
import { createEmulator } from '../../src/testing/index.js';
import { rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { clientId, clientSecret, code, fields, flowTo } from './oauth-server.js';

describe('exchangeCode()', () => {
  it('sends a single POST with the client ID, secret, code and redirect URI', async () => {
    const { server, flow } = await flowTo((response) => sendJson(response, fields));
    await flow.exchangeCode({
      code,
      redirectUri: 'https://app.test/cb',
      requestedScopes: ['gist'],
    });
    const [request] = server.requests;
    expect(server.log).toEqual(['POST /web/login/oauth/access_token']);
    expect(request?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': expect.stringMatching(/^triforge\//),
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: 'https://app.test/cb',
    });
  });

  it("sends the flow's redirect URI if one is set", async () => {
    const respond = (response: ServerResponse) => sendJson(response, fields);
    const withOne = await flowTo(respond, { redirectUri: 'https://app.test/cb' });
    const withNone = await flowTo(respond);
    await withOne.flow.exchangeCode({ code });
    await withNone.flow.exchangeCode({ code });
    const sent = [withOne, withNone].map(({ server }) =>
      new URLSearchParams(server.requests[0]?.body).get('redirect_uri'),
    );
    expect(sent).toEqual(['https://app.test/cb', null]);
  });

  it.each<[unknown, string]>([
    [{}, 'code'],
    [{ code: '' }, 'code'],
    [{ code, format: 'yaml' }, 'format'],
    [{ code, requestedScopes: 'user' }, 'requestedScopes'],
    [{ code, redirectUri: 'nowhere' }, 'redirectUri'],
    [{ code, other: 1 }, 'other'],
    [undefined, 'code'],
  ])('rejects the input %j without sending a request', async (input, field) => {
    const { server, flow } = await flowTo((response) => sendJson(response, fields));
    // `as`: JavaScript callers may pass anything.
    const error = await rejectionOf(flow.exchangeCode(input as ExchangeInput));
    expect(error).toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])(
    'rejects a %i to the same or another origin',
    async (status) => {
      const stranger = await serve((_request, response) =>
        sendJson(response, { ...fields, access_token: 'forged' }),
      );
      const places = [
        '/web/x?client_id=the-id&client_secret=a-secret',
        `${stranger.origin}/x?code=${code}&client_secret=${clientSecret}`,
      ];
      for (const location of places) {
        const { server, flow } = await flowTo((response) =>
          response.writeHead(status, { location }).end(),
        );
        const error = await rejectionOf(flow.exchangeCode({ code }));
        expect(error).toMatchObject({
          code: 'redirect',
          reason: 'not_allowed',
          mayHaveActed: status === 303,
        });
        expect(inspect(error, { depth: 9 })).not.toMatch(/the-id|a-secret|code-of-this/);
        expect(server.log).toEqual(['POST /web/login/oauth/access_token']);
      }
      expect(stranger.log).toEqual([]);
    },
  );

  it('does not retry after a broken connection', async () => {
    const { server, flow } = await flowTo((response) => response.destroy());
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: true });
    expect(server.log).toHaveLength(1);
  });

  it('rejects with the abort reason', async () => {
    const { server, flow } = await flowTo(() => undefined);
    const abort = new AbortController();
    const failing = rejectionOf(flow.exchangeCode({ code }, { signal: abort.signal }));
    while (server.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    abort.abort(new Error('gone'));
    expect(await failing).toMatchObject({ message: 'gone' });
  });
});

it.each<[string, (flow: OAuthWebFlow) => PromiseLike<void>]>([
  ['close()', (flow) => flow.close()],
  ['[Symbol.asyncDispose]()', (flow) => flow[Symbol.asyncDispose]()],
])('OAuthWebFlow closes its sockets when %s is called', async (_name, end) => {
  const { server, flow } = await flowTo((response) => {
    // Without this header, undici would soon close the connection itself.
    response.setHeader('keep-alive', 'timeout=600');
    return sendJson(response, fields);
  });
  await flow.exchangeCode({ code });
  const [socket] = server.sockets;
  const ended = socket && once(socket, 'close');
  await end(flow);
  await ended;
  expect(await server.open()).toBe(0);
});

const callbackUrl = 'http://127.0.0.1:1/callback';

async function world(secretOfFlow?: string) {
  const emulator = createEmulator();
  const { url: authUrl, hostingUrl } = await emulator.listen();
  const application = emulator.hosting.addApplication('App', { callbackUrl });
  const { clientId, clientSecret } = application;
  const flow = new OAuthWebFlow({
    authUrl,
    clientId,
    clientSecret: secretOfFlow ?? clientSecret,
  });
  const hosting = new HostingClient({ baseUrl: hostingUrl });
  onTestFinished(async () => {
    await Promise.all([flow.close(), hosting.close()]);
    await emulator.close();
  });
  /** Acts as the user's browser and returns the callback URL. */
  const decide = async (authorizeUrl: string, decision: 'approve' | 'deny') => {
    const { searchParams, origin, pathname } = new URL(authorizeUrl);
    const body = new URLSearchParams([...searchParams, ['decision', decision]]);
    const response = await fetch(origin + pathname, { method: 'POST', body, redirect: 'manual' });
    return response.headers.get('location') ?? '';
  };
  return { application, flow, hosting, decide };
}

describe('OAuthWebFlow with the emulator', () => {
  it.each(['json', 'form', 'xml'] as const)(
    'exchanges a code for a token in the %s format',
    async (format) => {
      const { flow, hosting, decide } = await world();
      const { url, state } = flow.authorizeUrl({ scopes: ['user', 'user:email', 'gist'] });
      const { code } = flow.parseCallback(await decide(url, 'approve'), { state });
      const requestedScopes = ['user:email', 'gist', 'repo'];
      const token = await flow.exchangeCode({ code, format, requestedScopes });
      expect(token).toMatchObject({
        tokenType: 'bearer',
        scopes: ['user', 'gist'],
        missingScopes: ['repo'],
      });
      const auth = { type: 'token', token: token.accessToken } as const;
      const page = await hosting.withAuth(auth).starring.listStarred().pages().next();
      expect(page.value?.response.scopes.granted).toEqual(['user', 'gist']);
    },
  );

  it('rejects a code that was already used', async () => {
    const { flow, decide } = await world();
    const { url, state } = flow.authorizeUrl();
    const { code } = flow.parseCallback(await decide(url, 'approve'), { state });
    await flow.exchangeCode({ code });
    for (const format of ['json', 'form', 'xml'] as const) {
      expect(await rejectionOf(flow.exchangeCode({ code, format }))).toMatchObject({
        code: 'oauth',
        error: 'bad_verification_code',
        errorDescription: expect.stringContaining('incorrect or expired'),
        errorUri: expect.stringContaining('#bad-verification-code'),
      });
    }
  });

  it('reports errors from the callback', async () => {
    const { application, flow, decide } = await world();
    const read = async (redirectUri?: string) => {
      const { url, state } = flow.authorizeUrl({ redirectUri });
      const callback = await decide(url, 'deny');
      return await rejectionOf((async () => flow.parseCallback(callback, { state }))());
    };
    expect(await read()).toMatchObject({ error: 'access_denied' });
    expect(await read('http://127.0.0.1:1/elsewhere')).toMatchObject({
      error: 'redirect_uri_mismatch',
    });
    application.suspended = true;
    expect(await read()).toMatchObject({ error: 'application_suspended' });
  });

  it('reports errors from the code exchange', async () => {
    const { flow } = await world('x'.repeat(40));
    expect(await rejectionOf(flow.exchangeCode({ code: 'any' }))).toMatchObject({
      error: 'incorrect_client_credentials',
    });
  });
});

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ExchangeInput, OAuthWebFlow } from '../../src/hosting/index.js';
import { rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { clientId, clientSecret, code, fields, flowTo } from './oauth-server.js';

describe('exchangeCode()', () => {
  test('exchangeCode() sends a single POST with the client ID, secret, code and redirect URI', async () => {
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

  test("exchangeCode() sends the flow's redirect URI if one is set", async () => {
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

  test.each<[unknown, string]>([
    [{}, 'code'],
    [{ code: '' }, 'code'],
    [{ code, format: 'yaml' }, 'format'],
    [{ code, requestedScopes: 'user' }, 'requestedScopes'],
    [{ code, redirectUri: 'nowhere' }, 'redirectUri'],
    [{ code, other: 1 }, 'other'],
    [undefined, 'code'],
  ])('exchangeCode() rejects the input %j without sending a request', async (input, field) => {
    const { server, flow } = await flowTo((response) => sendJson(response, fields));
    // `as`: JavaScript callers may pass anything.
    const error = await rejectionOf(flow.exchangeCode(input as ExchangeInput));
    expect(error).toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  test('exchangeCode() rejects a 307 to another origin', async () => {
    const stranger = await serve((_request, response) => sendJson(response, fields));
    const { flow } = await flowTo((response) =>
      response.writeHead(307, { location: `${stranger.origin}/login` }).end(),
    );
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toMatchObject({ code: 'redirect' });
    expect(stranger.log).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])(
    'exchangeCode() rejects a %i to the same or another origin',
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

  test('exchangeCode() does not retry after a broken connection', async () => {
    const { server, flow } = await flowTo((response) => response.destroy());
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: true });
    expect(server.log).toHaveLength(1);
  });

  test('exchangeCode() rejects with the abort reason', async () => {
    const { server, flow } = await flowTo(() => undefined);
    const abort = new AbortController();
    const failing = rejectionOf(flow.exchangeCode({ code }, { signal: abort.signal }));
    while (server.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    abort.abort(new Error('gone'));
    expect(await failing).toMatchObject({ message: 'gone' });
  });
});

test.each<[string, (flow: OAuthWebFlow) => PromiseLike<void>]>([
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

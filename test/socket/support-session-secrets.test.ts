import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isTriforgeError, SupportClient } from '../../src/index.js';
import { rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { auth, world } from './support-world.js';

describe('support sessions', () => {
  test('the client keeps the API key and the password out of later errors', async () => {
    const { apiKey, password } = auth;
    const echo = `no ${apiKey}, no ${password}`;
    const home = await serve((request, response) =>
      request.url === '/authenticate'
        ? sendJson(response, { success: true, access_token: 'a-token', expires: 'never' })
        : sendJson(response, { message: echo, statusMessage: echo }, 400),
    );
    const client = new SupportClient({ baseUrl: home.origin, auth });
    onTestFinished(() => client.close());
    const error = await rejectionOf(client.me());
    expect(inspect(error, { depth: 9 })).not.toContain(apiKey);
    expect(inspect(error, { depth: 9 })).not.toContain(password);
  });

  test('the client keeps a replaced session token out of errors and away from other origins', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    let opened = 0;
    const home = await serve(({ url }, response) => {
      if (url === '/authenticate') {
        const expires = '2099-01-01T00:00:00+0000';
        return sendJson(response, { success: true, access_token: `session-${++opened}`, expires });
      }
      if (opened === 1) return sendJson(response, {}, 401);
      const nested = encodeURIComponent('/me?access_token=session-1');
      return url.startsWith('/me')
        ? sendJson(response, { statusMessage: 'not session-1' }, 400)
        : response.writeHead(302, { location: `${stranger.origin}/?rd=${nested}` }).end();
    });
    const client = new SupportClient({ baseUrl: home.origin, auth });
    onTestFinished(() => client.close());
    for (let call = 0; call < 2; call++) {
      expect(inspect(await rejectionOf(client.me()), { depth: 9 })).not.toContain('session-1');
    }
    const call = client.request('GET /x');
    expect(await rejectionOf(call)).toMatchObject({ reason: 'contains_secret' });
    expect(opened).toBe(2);
    expect(stranger.requests).toEqual([]);
  });
});

test('errors and printed support clients contain no secrets', async () => {
  const { client } = await world({
    respond: (request, response) => {
      // The server echoes everything it receives.
      response.end(
        JSON.stringify({
          success: false,
          statusMessage: `refused: ${request.url} ${request.body}`,
        }),
      );
    },
  });
  const errors: unknown[] = [];
  await client.contacts
    .update({ contact_id: 1, name: 'x' })
    .catch((error: unknown) => errors.push(error));
  await client.contacts.get({ contact_id: 1 }).catch((error: unknown) => errors.push(error));
  await client
    .withAuth({ accessToken: 'token-number-77' })
    .me()
    .catch((error: unknown) => errors.push(error));
  expect(errors.every(isTriforgeError)).toBe(true);
  expect(errors).toHaveLength(3);
  const shown = [client, client.contacts, ...errors].map(
    (each) => inspect(each, { depth: 20, showHidden: false }) + JSON.stringify(each) + String(each),
  );
  for (const text of shown) {
    for (const secret of [auth.password, auth.apiKey, 'token-number'])
      expect(text).not.toContain(secret);
  }
  await client.close();
});

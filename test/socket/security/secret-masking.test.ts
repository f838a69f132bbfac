import { describe, expect, it } from 'vitest';
import type { Route } from '../../../src/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve, type TestServer } from '../../support/server.js';
import { base64, encode } from './encodings.js';
import { shown, watchEvents } from './planted.js';
import { token } from './query-token.js';

describe('secret masking', () => {
  const echo = () =>
    serve(({ url, headers, body }, response) => {
      const all = `${url} ${JSON.stringify(headers)} ${body}`;
      sendJson(
        response,
        {
          message: all,
          errors: [{ message: all }],
          documentation_url: `http://x/?${encode(all)}`,
        },
        422,
      );
    });
  const planted = 'pl4nted-value';

  it.each([
    'x-authorization',
    'x-forwarded-auth',
    'x-jwt-assertion',
    'x-service-otp',
    'x-passphrase',
    'x-passcode',
    'x-session-cookie',
    'x-bearer',
  ])('errors mask the value of the header %s', async (name) => {
    const server = await echo();
    const headers = { [name]: planted };
    const calls = [
      createClient(server, { headers }).request('GET /x'),
      createClient(server).request('GET /x', {}, { headers }),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    }
  });

  it.each([
    ['Bearer pl4nted-value', 'pl4nted-value'],
    ['token  pl4nted-value', 'pl4nted-value'],
    [`Basic ${base64('jo:pl4nted-value:x')}`, 'pl4nted-value:x'],
    ['sid=pl4nted-value; path=/', 'pl4nted-value'],
    ['Signature keyId="jo",signature="pl4nted+/value="', 'pl4nted+/value='],
  ])('errors mask the secret in the header value "%s"', async (value, secret) => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const home = await serve((request, response) =>
      request.url.endsWith('/from')
        ? response
            .writeHead(302, { location: `${stranger.origin}/?t=${encode(`x=${secret}`)}` })
            .end()
        : sendJson(response, { message: `no session ${secret} here` }, 422),
    );
    for (const name of ['x-authorization', 'x-session-cookie', 'x-token']) {
      const headers = { [name]: value };
      const call = createClient(home).request('GET /x', {}, { headers });
      for (const each of shown(await rejectionOf(call))) expect(each).not.toContain('pl4nted');
      const redirected = createClient(home, { headers }).request('GET /from');
      expect(await rejectionOf(redirected)).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it.each<[Route, object, object?]>([
    ['POST /x', { passphrase: planted }],
    ['POST /x', { passcode: planted, a: [{ PassPhrase: planted }] }],
    ['POST /x', { otp_code: planted }, { encoding: 'form' }],
    ['POST /x', { token: new URL(`http://x/${planted}`) }],
    ['POST /x', { token: { toJSON: () => ({ inner: planted }) } }],
    ['POST /x/{token}', { token: planted }],
    ['POST /x{/secret*}', { secret: [planted, 'b'] }],
  ])('errors and events mask a secret in the inputs of %s: %o', async (route, inputs, options) => {
    const events = watchEvents();
    const call = createClient(await echo()).request(route, { ...inputs }, options);
    for (const each of [...shown(await rejectionOf(call)), ...events]) {
      expect(each).not.toContain('pl4nted');
    }
  });

  it('errors mask a secret that only toJSON() returns', async () => {
    const client = createClient(await echo());
    class Hidden {
      readonly #value = planted;
      toJSON() {
        return { value: this.#value };
      }
    }
    const values = [
      new URL(`http://x/${planted}`),
      new Hidden(),
      [new Hidden()],
      new String(planted),
    ];
    for (const value of values) {
      const error = await rejectionOf(client.request('POST /v', { value }, { secret: ['value'] }));
      for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    }
  });

  it('errors mask credentials of an earlier attempt', async () => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const sent: string[] = [];
    const home: TestServer = await serve((request, response) => {
      sent.push(request.url);
      if (sent.length === 1) return sendJson(response, {}, 503);
      const location = `${stranger.origin}/login?rd=${encode(`${home.origin}${sent[0]}`)}`;
      return response.writeHead(302, { location }).end();
    });
    let calls = 0;
    const auth = () => {
      calls++;
      return { type: 'token', token: `${token}-${calls}`, in: 'query' } as const;
    };
    const client = createClient(home, { auth, retry: { baseDelay: 1 } });
    const error = await rejectionOf(client.request('GET /x'));
    expect(calls).toBe(2);
    expect(error).toMatchObject({ reason: 'contains_secret' });
    for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    expect(stranger.requests).toEqual([]);
  });
});

import { inspect } from 'node:util';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import type { HostingClient } from '../../../src/hosting/index.js';
import type { Route } from '../../../src/index.js';
import { createClient, rejectionOf, watchRejections } from '../../support/client.js';
import { sendJson, serve } from '../../support/server.js';
import { base64, encode, inQuery, queryToken, shown, watchEvents } from './planted.js';

/** Starts a server that echoes the request in each part of an error response. */
const echo = () =>
  serve(({ url, headers, body }, response) => {
    const all = `${url} ${JSON.stringify(headers)} ${body}`;
    const value: unknown = body.startsWith('{') ? JSON.parse(body) : undefined;
    const documentation_url = `http://x/?${encode(all)}`;
    sendJson(response, { message: all, errors: [{ message: all }], documentation_url, value }, 422);
  });

const planted = 'pl4nted-value';
const number = 914_273_645;
const isText = (value: unknown) => typeof value === 'string';
const traces = /pl4nted|914.?273.?645|2031-01-02T03/;

describe('an error', () => {
  it.each([
    'x-authorization',
    'x-service-otp',
    'x-passphrase',
    'x-session-cookie',
    'x-gatewaykey',
    'x-api-key',
    'Key',
  ])('masks the value of the header %s', async (name) => {
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
    [`Basic ${base64('jo:pl4nted-value:x')}`, 'pl4nted-value:x'],
    ['sid=pl4nted-value; path=/', 'pl4nted-value'],
    ['Signature keyId="jo",signature="pl4nted+/value="', 'pl4nted+/value='],
  ])('masks the secret in the header value "%s"', async (value, secret) => {
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

  it('masks the token and the headers that beforeRequest added to any attempt', async () => {
    const seen: unknown[] = [];
    const server = await serve(({ headers }, response) => {
      seen.push(headers['x-api-key'], headers.authorization?.replace('token ', ''));
      sendJson(response, { message: seen.join() }, seen.length < 4 ? 503 : 422);
    });
    const client = createClient(server, {
      auth: { type: 'token', token: queryToken },
      hooks: { beforeRequest: ({ attempt }) => ({ 'x-api-key': `pl4nted-${attempt}` }) },
    });
    const error = await rejectionOf(client.request('GET /x'));
    expect(error).toMatchObject({ code: 'unprocessable' });
    expect(seen).toHaveLength(4);
    for (const each of shown(error)) expect(each).not.toContain('pl4nted');
  });

  it.each<[Route, object, object?]>([
    ['POST /x', { passphrase: planted }],
    ['POST /x', { otp_code: planted }, { encoding: 'form' }],
    ['POST /x', { token: { toJSON: () => ({ inner: planted }) } }],
    ['POST /x/{token}', { token: planted }],
    ['POST /x', { accessKey: planted }],
    ['POST /x', { credentials: { user: planted } }],
    ['POST /x', { otp: number }, { encoding: 'form' }],
  ])(
    "and the call's events mask a secret in the inputs of %s: %o",
    async (route, inputs, options) => {
      const events = watchEvents();
      const call = createClient(await echo()).request(route, { ...inputs }, options);
      for (const each of [...shown(await rejectionOf(call)), ...events]) {
        expect(each).not.toMatch(traces);
      }
    },
  );

  class Hidden {
    readonly #value = planted;
    toJSON() {
      return { value: this.#value };
    }
  }

  it.each<[string, unknown]>([
    ['a list', ['pl4nted-one', 'pl4nted-two']],
    ['a date', new Date('2031-01-02T03:04:05.678Z')],
    ['an object with toJSON()', new Hidden()],
  ])('masks %s in an input that the option `secret` names, as events do', async (_name, value) => {
    const events = watchEvents();
    const client = createClient(await echo());
    const secret = { secret: ['value'] };
    const calls = [client.request('POST /vault', { value }, secret)];
    const isFlat = typeof value === 'number' || (Array.isArray(value) && value.every(isText));
    if (isFlat) {
      calls.push(
        client.request('POST /vault', { value }, { ...secret, encoding: 'form' }),
        client.request('GET /vault', { value }, secret),
      );
    }
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      for (const each of [...shown(error), ...events]) expect(each).not.toMatch(traces);
    }
  });
});

it('errors, events and log lines hide a token in the host name', async () => {
  const token = 'pl4nted-lab3l';
  const events = watchEvents();
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  const client = createClient(
    { origin: `http://${token}.localhost:1` },
    {
      auth: { type: 'token', token },
      retry: false,
      log: { debug: note, info: note, warn: note, error: note },
    },
  );
  const error = await rejectionOf(client.request('GET /x'));
  for (const each of [...shown(error), ...events, ...lines, inspect(client, { depth: 9 })]) {
    expect(each).not.toContain('pl4nted');
  }
});

const here = { owner: 'mona', repo: 'sandbox' };
const basic = { type: 'basic', username: 'mona', password: 'hush-hush' } as const;

/** Calls a server that responds with `text`. Returns the printed error and the sent body. */
async function reject(text: string, call: (client: HostingClient) => PromiseLike<unknown>) {
  const server = await serve((_request, response) => sendJson(response, { message: text }, 422));
  const error = await rejectionOf(call(createClient(server, { auth: basic })));
  expect(error).toMatchObject({ code: 'unprocessable' });
  return { message: String(error), sent: server.requests[0]?.body ?? '' };
}

describe('hook settings', () => {
  const config =
    (settings: Readonly<Record<string, string | boolean>>) => (client: HostingClient) =>
      client.hooks.create({ ...here, name: 'irc', config: settings });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a secret', { secret: 'qz7wv' }, 'qz7wv'],
    ["a service's own secret setting", { token: 'qz7wv' }, 'qz7wv'],
    ['a password in a URL', { url: 'https://me:qzxwv@h.test/' }, 'qzxwv'],
    [
      'a password in a URL that the server decodes',
      { url: 'https://me:qzx%20wv@h.test/' },
      'qzx wv',
    ],
  ])('the error of hooks.create() masks %s', async (_title, settings, secret) => {
    const { message } = await reject(`it said <${secret}>`, config(settings));
    expect(message).toContain('it said <***>');
  });
});

describe('hub subscriptions', () => {
  const topic = 'https://code.test/mona/sandbox/events/push';
  const subscribe = (callback: string, secret?: string) => (client: HostingClient) =>
    client.hub.subscribe({ 'hub.topic': topic, 'hub.callback': callback, 'hub.secret': secret });

  it.each<[string, string, string | undefined, string]>([
    ['the secret', 'https://h.test/', 'qz7wv', 'qz7wv'],
    ['a secret setting in the query', 'service://irc?token=qz7wv', undefined, 'qz7wv'],
    ['a password in the callback', 'https://me:qzxwv@h.test/', undefined, 'qzxwv'],
  ])('the error of hub.subscribe() masks %s', async (_title, callback, secret, text) => {
    const { message } = await reject(`it said <${text}>`, subscribe(callback, secret));
    expect(message).toContain('it said <***>');
  });
});

/** Returns all printed forms of a call's error as one string. */
const printed = async (call: Promise<unknown>) => shown(await rejectionOf(call)).join('\n');

it('an error hides request options that a dispatcher adds to its own error', async () => {
  const dispatcher = new Agent().compose(() => (options, handler) => {
    const error = Object.assign(new Error('no mock'), { options });
    handler.onResponseError?.(
      // The client's handler doesn't use this controller.
      { abort: () => undefined } as never,
      error,
    );
    return true;
  });
  for (const auth of [{ type: 'token', token: queryToken } as const, inQuery]) {
    const nowhere = { origin: 'http://127.0.0.1:1' };
    const client = createClient(nowhere, { auth, dispatcher, retry: false });
    const text = await printed(client.request('GET /x'));
    expect(text).toContain('no mock');
    expect(text).not.toContain('pl4nted');
  }
});

it('an error hides a secret passed as an invalid number, header or token', async () => {
  const client = createClient({ origin: 'http://127.0.0.1:1' });
  // @ts-expect-error: JavaScript callers may pass anything.
  const call = client.pulls.get({ ...here, number: planted });
  expect(await printed(call)).not.toContain('pl4nted');
  const headers = { 'x-a': `${planted}\r\nx-b: 1` };
  expect(await printed(client.request('GET /x', {}, { headers }))).not.toContain('pl4nted');
  const auth = () => ({ type: 'token', token: `${planted}\r\nx: y` }) as const;
  expect(await printed(client.request('GET /x', {}, { auth }))).not.toContain('pl4nted');
});

it('a failed call causes no unhandled rejection if the caller handles its promise or that of withResponse()', async () => {
  const rejections = watchRejections();
  const client = createClient(await echo());
  expect(await rejectionOf(client.request('GET /x').withResponse())).toBeInstanceOf(Error);
  const call = client.request('GET /x');
  expect(await rejectionOf(call)).toBe(await rejectionOf(call.withResponse()));
  expect(await rejections()).toEqual([]);
});

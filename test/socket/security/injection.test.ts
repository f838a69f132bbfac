import { describe, expect, it, onTestFinished } from 'vitest';
import { isTriforgeError } from '../../../src/errors/index.js';
import {
  HostingClient,
  type HostingClientOptions,
  OAuthWebFlow,
} from '../../../src/hosting/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve, serveRaw } from '../../support/server.js';
import { respond } from '../faults/fault-table.js';

const breaks = ['\r\nx-evil: 1', '\0', '\r\n\r\nGET /evil HTTP/1.1'];

/** Client options whose values are sent in headers or in the URL. */
const options: Readonly<Record<string, (value: string) => Partial<HostingClientOptions>>> = {
  userAgent: (value) => ({ userAgent: `me/1${value}` }),
  'a token': (value) => ({ auth: { type: 'token', token: `t${value}` } }),
  'a token from a function': (value) => ({
    auth: async () => ({ type: 'token', token: `t${value}` }),
  }),
  'a one-time password': (value) => ({
    auth: { type: 'basic', username: 'jo', password: 'p', otp: `1${value}` },
  }),
  'a base URL': (value) => ({ baseUrl: `http://127.0.0.1:1${value}` }),
};

const calls: Readonly<
  Record<string, (client: HostingClient, value: string) => PromiseLike<unknown>>
> = {
  'a header value': (client, value) =>
    client.request('GET /x', {}, { headers: { 'x-a': `b${value}` } }),
  "a header's name": (client, value) =>
    client.request('GET /x', {}, { headers: { [`x-a${value}`]: 'b' } }),
  'the accept option': (client, value) =>
    client.request('GET /x', {}, { headers: { accept: `text/plain${value}` } }),
  "an upload's type": (client, value) =>
    client.releases.uploadAsset({
      upload_url: 'http://127.0.0.1:1/',
      name: 'a',
      content_type: `text/plain${value}`,
      data: Buffer.from('x'),
    }),
};

describe('control characters', () => {
  for (const value of breaks) {
    for (const [name, make] of Object.entries(options)) {
      it(`the client rejects ${JSON.stringify(value)} in ${name}`, async () => {
        const heads: string[] = [];
        const server = await serveRaw((socket, index, head) => {
          heads.push(head);
          const wantsOtp = '401 No\nx-service-otp: required; app';
          socket.write(index === 0 ? respond(wantsOtp, '{}') : respond('200 OK', '{}'));
        });
        const acting = (async () => await createClient(server, make(value)).request('GET /x'))();
        const error = await rejectionOf(acting);
        expect(isTriforgeError(error), String(error)).toBe(true);
        expect(heads.join('\n')).not.toMatch(/evil/);
      });
    }
    for (const [name, call] of Object.entries(calls)) {
      it(`the client rejects ${JSON.stringify(value)} in ${name}`, async () => {
        const server = await serve((_seen, response) => sendJson(response, {}));
        const client = createClient(server, { trustedOrigins: ['http://127.0.0.1:1'] });
        const error = await rejectionOf((async () => await call(client, value))());
        expect(error).toMatchObject({ code: 'invalid_request' });
        expect(server.requests).toEqual([]);
      });
    }
  }

  it.each(breaks)(
    'the client rejects %j in paths, but encodes the value in queries and forms',
    async (value) => {
      const heads: string[] = [];
      const server = await serveRaw((socket, _index, head) => {
        heads.push(head);
        socket.write(respond('200 OK', '{}'));
      });
      const client = createClient(server, { validation: 'off' });
      await client.request('GET /x', { [value]: value });
      for (const send of [
        () => client.request('GET /x/{name}', { name: value }),
        () => client.pulls.get({ owner: value, repo: 'r', number: 1 }),
      ]) {
        expect(await rejectionOf(send())).toMatchObject({ code: 'invalid_request' });
      }
      await client.request('POST /x', { [value]: value }, { encoding: 'form' });
      const flow = new OAuthWebFlow({
        authUrl: server.origin,
        clientId: 'a'.repeat(20),
        clientSecret: 'b'.repeat(40),
      });
      onTestFinished(() => flow.close());
      expect(flow.authorizeUrl({ state: value }).url).not.toMatch(/[\r\n\0]/);
      for (const head of heads) {
        expect(head).not.toMatch(/^x-evil|^GET \/evil/m);
        expect(head.split('\r\n')[0]).toMatch(/^\S+ \S+ HTTP\/1\.1$/);
      }
    },
  );
});

describe('Object.prototype', () => {
  const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const polluted = () => Reflect.get({}, 'polluted');

  it.each(['200 OK', '422 No'])(
    'Object.prototype stays unchanged after a response with __proto__ and the status %s',
    async (head) => {
      const fields =
        '__proto__: 1\nconstructor: 2\nlink: </x>; rel="__proto__ constructor"; __proto__=x\nx-ratelimit-resource: __proto__\nx-oauth-scopes: __proto__';
      const body = `{"errors":[${evil}],"message":"x","data":${evil}}`;
      const server = await serveRaw((socket) => socket.write(respond(`${head}\n${fields}`, body)));
      const outcome: unknown = await createClient(server, { retry: false })
        .request('GET /x')
        .withResponse()
        .catch((error: unknown) => error);
      const response: unknown = Reflect.get(Object(outcome), 'response');
      // Reads the properties that are derived from headers.
      for (const part of ['links', 'headers', 'scopes', 'rateLimit']) {
        JSON.stringify(Reflect.get(Object(response), part));
      }
      expect(polluted()).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  it('Object.prototype stays unchanged after inputs with __proto__ and constructor', async () => {
    const server = await serve((_seen, response) => sendJson(response, {}));
    const client = createClient(server, { validation: 'off' });
    const input: object = JSON.parse(evil);
    await client.request('POST /x{?a}', { ...JSON.parse(evil), ...input });
    for (const act of [
      () => client.request('GET /x', { ...JSON.parse(evil) }),
      () => client.request('POST /x', { ...JSON.parse(evil) }, { encoding: 'form' }),
      () => client.request('GET /x', {}, JSON.parse(evil)),
      () => client.request('GET /x', {}, { headers: JSON.parse(evil) }),
      () => client.hooks.create({ owner: 'o', repo: 'r', name: 'web', config: JSON.parse(evil) }),
      () => new HostingClient(JSON.parse(evil)),
    ]) {
      await (async () => await act())().catch(() => undefined);
      expect(polluted()).toBeUndefined();
    }
  });
});

describe('response boundaries', () => {
  it('an encoded line break in Location never splits the next request', async () => {
    const heads: string[] = [];
    const server = await serveRaw((socket, index, head) => {
      heads.push(head);
      if (index > 0) return socket.write(respond('200 OK', '{"ok":true}'));
      return socket.write(respond('302 Found\nlocation: /y%0d%0ax-evil:%201?a=%0d%0ab:%20c', ''));
    });
    expect(await createClient(server).request('GET /x')).toEqual({ ok: true });
    expect(heads[1]).toMatch(/^GET \/y%0d%0ax-evil:%201\?a=%0d%0ab:%20c HTTP\/1\.1\r\n/);
    expect(heads[1]).not.toMatch(/^x-evil/im);
  });
});

import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient, type HostingClientOptions } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import type { LimitFacts } from '../../../src/transport/limits/credential-limits.js';
import { listening, sendJson, serve } from '../../support/server.js';
import { OpenStore } from '../cache-world.js';
import {
  authority,
  clientCertificate,
  clientKey,
  serverCertificate,
  serverKey,
} from '../private-authority.js';
import { keys } from '../tls-servers.js';

const ann = { ca: authority, cert: clientCertificate, key: clientKey };
const bob = { ca: authority, cert: serverCertificate, key: serverKey };
const nobody = { ca: authority };

/**
 * Starts a server that identifies callers by certificate. All responses have the same ETag, and
 * `/from` redirects to `to`.
 */
async function serveByCertificate(to?: string) {
  const seen: string[] = [];
  const options = { ...keys, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    const socket = request.socket as TLSSocket; // `as`: an https server has only TLS sockets.
    const name = String(socket.getPeerCertificate()?.subject?.CN ?? 'nobody');
    seen.push(`${request.url} ${name}`);
    if (request.url === '/from' && to !== undefined) {
      response.writeHead(302, { location: to }).end();
    } else if (request.url === '/authenticate') {
      const expires = '2099-01-01T00:00:00+0000';
      response.end(JSON.stringify({ success: true, access_token: `of ${name}`, expires }));
    } else if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify({ name }));
  });
  const { port } = await listening(server);
  return { seen, origin: `https://localhost:${port}` };
}

function createClient(origin: string, options: Partial<HostingClientOptions>): HostingClient {
  const client = new HostingClient({ baseUrl: origin, retry: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Sends one request with a new client. */
async function requestOnce(origin: string, options: Partial<HostingClientOptions>) {
  const client = createClient(origin, options);
  const { data, response } = await client.request('GET /x').withResponse();
  await client.close();
  return { data, fromCache: response.fromCache };
}

describe('client certificates with a shared store', () => {
  it('a client never receives cached responses for another certificate', async () => {
    const { origin } = await serveByCertificate();
    const store = new OpenStore();
    const auth = { type: 'token', token: 'of-both' } as const;
    for (const credentials of [{}, { auth }]) {
      for (const fromCache of [false, true]) {
        for (const [tls, name] of [
          [ann, 'A client'],
          [bob, 'localhost'],
          [nobody, 'nobody'],
        ] as const) {
          const response = await requestOnce(origin, { tls, cache: { store }, ...credentials });
          expect(response).toEqual({ data: { name }, fromCache });
        }
      }
    }
    expect(store.entries.size).toBe(6);
  });

  it('clients with the same certificate share a cache entry', async () => {
    const { origin } = await serveByCertificate();
    const store = new OpenStore();
    for (const tls of [ann, { ...ann, cert: Buffer.from(`${ann.cert}\n`) }]) {
      await requestOnce(origin, { tls, cache: { store } });
    }
    expect(store.entries.size).toBe(1);
  });

  it('clients with different certificates use separate quotas', async () => {
    const { origin } = await serveByCertificate();
    const credentials = new Set<string>();
    const shared = {
      exchangeLimits: async (credential: string, _bucket: string, facts: LimitFacts) => {
        credentials.add(credential);
        return facts;
      },
    };
    for (const tls of [ann, bob, nobody, ann]) {
      await requestOnce(origin, { tls, rateLimit: { shared } });
    }
    expect(credentials.size).toBe(3);
  });
});

describe('credentials in changing objects', () => {
  it("the client keeps its certificate even if the caller's buffers change", async () => {
    const { origin } = await serveByCertificate();
    const [cert, key, ca] = [ann.cert, ann.key, ann.ca].map((text) =>
      Buffer.from(text.padEnd(2000)),
    );
    const authorities = ca === undefined ? [] : [ca];
    const client = createClient(origin, { tls: { ca: authorities, cert, key } });
    cert?.fill(bob.cert.padEnd(2000));
    key?.fill(bob.key.padEnd(2000));
    ca?.fill(0);
    authorities.pop();
    expect(await client.request('GET /x')).toEqual({ name: 'A client' });
  });

  it('the client presents a certificate that `tls` inherits from its prototype', async () => {
    const { origin } = await serveByCertificate();
    const client = createClient(origin, { tls: Object.create(ann) });
    expect(await client.request('GET /x')).toEqual({ name: 'A client' });
  });

  it("SupportClient keeps its credentials even if the caller's object changes", async () => {
    const passwords: (string | null)[] = [];
    const server = await serve(({ url, body }, response) => {
      if (url === '/authenticate') passwords.push(new URLSearchParams(body).get('password'));
      sendJson(response, { success: true, access_token: 't0ken-of-one' });
    });
    const auth = { userName: 'jo', apiKey: 'an-api-key', password: 'pa55word' };
    const client = new SupportClient({ baseUrl: server.origin, auth, retry: false });
    onTestFinished(() => client.close());
    auth.password = 'an0ther-word';
    await client.request('GET /x');
    expect(passwords).toEqual(['pa55word']);
  });
});

it("a client doesn't present its certificate after a redirect through an untrusted origin", async () => {
  const home = await serveByCertificate();
  const stranger = await serveByCertificate(`${home.origin}/to`);
  const start = await serveByCertificate(`${stranger.origin}/from`);
  const trustedOrigins = [home.origin];
  await createClient(start.origin, { tls: ann, trustedOrigins }).request('GET /from');
  expect(start.seen).toEqual(['/from A client']);
  expect(stranger.seen).toEqual(['/from nobody']);
  expect(home.seen).toEqual(['/to nobody']);
});

it('rateLimit.current reports the quota of a client with a certificate', async () => {
  const options = { ...keys, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (_request, response) => {
    const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' };
    response.writeHead(200, limits).end('{}');
  });
  const { port } = await listening(server);
  const client = createClient(`https://localhost:${port}`, { tls: ann });
  await client.request('GET /x');
  expect(client.rateLimit.current).toMatchObject({ limit: 60, remaining: 59 });
});

import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/index.js';
import { HostingClient } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import {
  type Handler,
  type Seen,
  sendJson,
  serve,
  serveRaw,
  type TestServer,
} from '../../support/server.js';
import { respond } from '../faults/fault-table.js';

const secret = 'pl4nted-5ecret';
const hash = 'deadbeef5ec2e7deadbeef5ec2e71234';

/** Returns the parts of a request that could contain a credential, raw and decoded. */
function whole({ url, headers, body }: Seen): string {
  const basic = /Basic (\S+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  return [url, decodeURIComponent(url), inspect(headers), body, Buffer.from(basic, 'base64')].join(
    '\n',
  );
}

function expectNothing(stranger: TestServer): void {
  for (const seen of stranger.requests) {
    expect(whole(seen)).not.toContain(secret);
    expect(whole(seen)).not.toContain(hash);
    expect(seen.headers).not.toHaveProperty('authorization');
  }
}

/** Calls to each API with each kind of credentials, in headers, queries and bodies. */
const families: Readonly<Record<string, (origin: string) => readonly [object, Promise<unknown>]>> =
  {
    'a hosting token': (baseUrl) => {
      const client = new HostingClient({ baseUrl, auth: { type: 'token', token: secret } });
      return [client, client.rateLimit.get()];
    },
    'a hosting token in the query': (baseUrl) => {
      const auth = { type: 'token', token: secret, in: 'query' } as const;
      const client = new HostingClient({ baseUrl, auth });
      return [client, client.rateLimit.get()];
    },
    'a hosting password': (baseUrl) => {
      const auth = { type: 'basic', username: 'jo', password: secret, otp: secret } as const;
      const client = new HostingClient({ baseUrl, auth });
      return [client, client.starring.star({ owner: 'o', repo: 'r' })];
    },
    'a support read': (baseUrl) => {
      const client = new SupportClient({ baseUrl, auth: { accessToken: secret } });
      return [client, client.me()];
    },
    'a support write': (baseUrl) => {
      const client = new SupportClient({ baseUrl, auth: { accessToken: secret } });
      return [client, client.contacts.update({ contact_id: 1, name: 'x' })];
    },
    'a support session': (baseUrl) => {
      const auth = { userName: 'jo', apiKey: secret, password: secret };
      const client = new SupportClient({ baseUrl, auth });
      return [client, client.me()];
    },
    'a console hash': (baseUrl) => {
      const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: hash } });
      return [client, client.maintenance.get()];
    },
    'a console hash in the query': (baseUrl) => {
      const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: hash, in: 'query' } });
      return [client, client.configCheck()];
    },
    'a console write': (baseUrl) => {
      const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: hash } });
      return [client, client.settings.update({ enterprise: { private_mode: true } })];
    },
  };

describe('untrusted redirect targets', () => {
  for (const [family, call] of Object.entries(families)) {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`the client sends no credentials to an untrusted redirect target after a ${status} (${family})`, async () => {
        const stranger = await serve((_seen, response) =>
          sendJson(response, { message: 'x' }, 401, { 'x-service-otp': 'required; app' }),
        );
        const server: TestServer = await serve((seen, response) => {
          // The redirect repeats the query, which can contain credentials.
          const query = seen.url.split('?')[1] ?? '';
          response.writeHead(status, { location: `${stranger.origin}/taken?${query}` }).end();
        });
        const [client, calling] = call(server.origin);
        onTestFinished(() => Reflect.apply(Reflect.get(client, 'close'), client, []));
        await rejectionOf(calling);
        expectNothing(stranger);
        expect(stranger.requests.length, 'requested at most once').toBeLessThan(2);
      });
    }
  }
});

describe('redirects to an untrusted origin', () => {
  it('a retry after a redirect starts at the trusted origin and leaks no credentials', async () => {
    const stranger = await serve((_seen, response, index) =>
      index === 0 ? response.destroy() : sendJson(response, { ok: true }),
    );
    const server = await serve((_seen, response) =>
      response.writeHead(302, { location: `${stranger.origin}/x` }).end(),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret } });
    expect(await client.request('GET /x')).toEqual({ ok: true });
    expect([server.requests.length, stranger.requests.length]).toEqual([2, 2]);
    for (const seen of server.requests) expect(seen.headers.authorization).toBe(`token ${secret}`);
    expectNothing(stranger);
  });

  it('a retried list page leaks no credentials to an untrusted redirect target', async () => {
    const stranger = await serve((_seen, response, index) =>
      index === 0 ? sendJson(response, {}, 500) : sendJson(response, [2]),
    );
    const server: TestServer = await serve((seen, response) =>
      seen.url.includes('page=2')
        ? response.writeHead(307, { location: `${stranger.origin}/x` }).end()
        : sendJson(response, [1], 200, { link: `<${server.origin}/api/v3/x?page=2>; rel="next"` }),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret } });
    expect(await client.paginate('GET /x').toArray()).toEqual([1, 2]);
    expectNothing(stranger);
  });
});

describe('the permanent-redirect cache', () => {
  const home: Handler = (seen, response) => sendJson(response, { home: seen.url });

  it('the permanent-redirect cache excludes redirects to another origin', async () => {
    const stranger = await serve((_seen, response) => sendJson(response, { stranger: true }));
    const server = await serve((seen, response, index) =>
      index === 0
        ? response.writeHead(301, { location: `${stranger.origin}/x` }).end()
        : home(seen, response, index),
    );
    const client = createClient(server);
    expect(await client.request('GET /x')).toEqual({ stranger: true });
    expect(await client.request('GET /x')).toEqual({ home: '/api/v3/x' });
  });

  it('the permanent-redirect cache excludes redirects from another origin', async () => {
    const stranger: TestServer = await serve((_seen, response) =>
      response.writeHead(301, { location: `${server.origin}/api/v3/evil` }).end(),
    );
    const server: TestServer = await serve((seen, response, index) =>
      seen.url === '/api/v3/out'
        ? response.writeHead(302, { location: `${stranger.origin}/x` }).end()
        : home(seen, response, index),
    );
    const client = createClient(server);
    expect(await client.request('GET /out')).toEqual({ home: '/api/v3/evil' });
    expect(await client.request('GET /x')).toEqual({ home: '/api/v3/x' });
    expect(await client.request('GET /out')).toEqual({ home: '/api/v3/evil' });
    expect(server.log.filter((line) => line.endsWith('/out'))).toHaveLength(2);
  });

  it("the permanent-redirect cache excludes redirects to another port with the server's host as userinfo", async () => {
    const other = await serve((_seen, response) => sendJson(response, { other: true }));
    const server: TestServer = await serve((seen, response, index) =>
      index === 0
        ? response
            .writeHead(301, {
              location: `http://127.0.0.1:${server.port}@127.0.0.1:${other.port}/x`,
            })
            .end()
        : home(seen, response, index),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret } });
    expect(await client.request('GET /x')).toEqual({ other: true });
    expect(await client.request('GET /x')).toEqual({ home: '/api/v3/x' });
    expectNothing(other);
  });

  it('the permanent-redirect cache separates entries by query and contains no credentials', async () => {
    const server = await serve((seen, response, index) =>
      seen.url.startsWith('/api/v3/x?page=1')
        ? response.writeHead(301, { location: `/moved?access_token=${secret}` }).end()
        : home(seen, response, index),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret, in: 'query' } });
    await client.request('GET /x', { page: 1 });
    expect(inspect(client, { showHidden: true, depth: 20 })).not.toContain(secret);
    expect(await client.request('GET /x', { page: 2 })).toEqual({
      home: `/api/v3/x?page=2&access_token=${secret}`,
    });
    const other = client.withAuth({ type: 'token', token: 'another' });
    await other.request('GET /x', { page: 1 });
    expect(server.requests.at(-1)?.url).toBe('/moved');
  });
});

describe('response boundaries', () => {
  it('an unrequested response never reaches a later call', async () => {
    const evil = respond('200 OK', '{"evil":true}');
    const server = await serveRaw((socket, index) =>
      socket.write(Buffer.concat([respond('200 OK', `{"index":${index}}`), evil])),
    );
    const client = createClient(server, { retry: { baseDelay: 0 } });
    const results = [];
    for (let count = 0; count < 5; count++) {
      results.push(await client.request('GET /x').catch((error: unknown) => error));
    }
    expect(inspect(results)).not.toContain('evil');
  });

  it('a response ends at its Content-Length, even if the body contains another response', async () => {
    const split = '"\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nset-cookie: a=b\\r\\n\\r\\n{}"';
    const server = await serveRaw((socket, index) =>
      socket.write(respond('200 OK', index === 0 ? split : '{"next":true}')),
    );
    const client = createClient(server);
    expect(await client.request('GET /x')).toBe(JSON.parse(split));
    expect(await client.request('GET /x')).toEqual({ next: true });
  });

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

  it('a bare carriage return in a header value never adds a header', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nx-a: 1\rx-evil: 2\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const client = createClient(server, { retry: false });
    const outcome = await client
      .request('GET /x')
      .withResponse()
      .catch((error: unknown) => error);
    expect(inspect(outcome)).not.toContain('x-evil');
  });
});

import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve, type TestServer } from '../support/server.js';

/** Starts a server that redirects `/api/v3/a` and responds normally to other paths. */
function redirecting(status: number, location: string | undefined): Promise<TestServer> {
  return serve((request, response) => {
    if (request.url !== '/api/v3/a') return sendJson(response, { url: request.url });
    return response.writeHead(status, location === undefined ? {} : { location }).end('moved');
  });
}

const post = ['POST /a', { x: 1 }] as const;

describe('redirects', () => {
  const permanent = [301, 308];
  for (const status of [301, 302, 307, 308]) {
    it(`the client resends a POST after a ${status}, and ${permanent.includes(status) ? 'remembers' : "doesn't remember"} the target`, async () => {
      const server = await redirecting(status, '/b?q=1');
      const client = createClient(server);
      for (let count = 0; count < 2; count++) {
        expect(await client.request(...post)).toEqual({ url: '/b?q=1' });
      }
      expect(server.log).toEqual(
        permanent.includes(status)
          ? ['POST /api/v3/a', 'POST /b?q=1', 'POST /b?q=1']
          : ['POST /api/v3/a', 'POST /b?q=1', 'POST /api/v3/a', 'POST /b?q=1'],
      );
      for (const request of server.requests) {
        expect(request.body).toBe('{"x":1}');
        expect(request.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    });
  }

  it('the client follows a 303 after a POST with a GET that has no body', async () => {
    const server = await redirecting(303, '/b');
    await createClient(server).request(...post);
    expect(server.log).toEqual(['POST /api/v3/a', 'GET /b']);
    expect(server.requests[1]).toMatchObject({ body: '' });
    expect(server.requests[1]?.headers).not.toHaveProperty('content-type');
  });

  it('the client follows a 303 after a HEAD with another HEAD', async () => {
    const server = await redirecting(303, '/b');
    await createClient(server).request('HEAD /a');
    expect(server.log).toEqual(['HEAD /api/v3/a', 'HEAD /b']);
  });

  it('the client sets response.url to the target of a redirect', async () => {
    const server = await redirecting(302, 'b');
    const { response } = await createClient(server).request('GET /a').withResponse();
    expect(response.url).toBe(`${server.origin}/api/v3/b`);
  });

  it('the client remembers permanent redirects separately for each credential', async () => {
    const server = await serve((request, response) => {
      const who = request.headers.authorization ?? 'nobody';
      if (request.url !== '/api/v3/user') return sendJson(response, { url: request.url, who });
      return response.writeHead(301, { location: `/of/${who.replace('token ', '')}` }).end();
    });
    const client = createClient(server);
    const [ann, bob] = ['ann', 'bob'].map((token) => client.withAuth({ type: 'token', token }));
    for (let count = 0; count < 2; count++) {
      expect(await client.request('GET /user')).toEqual({ url: '/of/nobody', who: 'nobody' });
      expect(await ann?.request('GET /user')).toEqual({ url: '/of/ann', who: 'token ann' });
      expect(await bob?.request('GET /user')).toEqual({ url: '/of/bob', who: 'token bob' });
    }
    expect(server.log.filter((line) => line === 'GET /api/v3/user')).toHaveLength(3);
    await createClient(server).request('GET /user');
    expect(server.log.filter((line) => line === 'GET /api/v3/user')).toHaveLength(4);
  });

  it('a permanent redirect applies only to the redirected method', async () => {
    const server = await redirecting(301, '/b');
    const client = createClient(server);
    await client.request(...post);
    await client.request('DELETE /a');
    await client.request('GET /a');
    expect(server.log.filter((line) => line.endsWith(' /api/v3/a'))).toEqual([
      'POST /api/v3/a',
      'DELETE /api/v3/a',
      'GET /api/v3/a',
    ]);
  });

  it.each([
    ['cache-control', 'no-store'],
    ['cache-control', 'max-age=60, Private'],
    ['vary', 'Accept, Authorization'],
    ['vary', 'Authorization , Accept'],
    ['vary', '*'],
  ])("the client doesn't remember a redirect with the header %s: %s", async (name, value) => {
    const server = await serve((request, response) => {
      if (request.url === '/b') return sendJson(response, {});
      return response.writeHead(301, { location: '/b', [name]: value }).end();
    });
    const client = createClient(server);
    for (let count = 0; count < 2; count++) await client.request('GET /a');
    expect(server.log).toEqual(['GET /api/v3/a', 'GET /b', 'GET /api/v3/a', 'GET /b']);
  });

  it('the client remembers a permanent redirect to a trusted origin', async () => {
    const trusted = await serve((_request, response) => sendJson(response, { moved: true }));
    const server = await serve((_request, response) =>
      response.writeHead(301, { location: `${trusted.origin}/b` }).end(),
    );
    const client = createClient(server, { trustedOrigins: [trusted.origin] });
    for (let count = 0; count < 2; count++) await client.request('GET /a');
    expect([server.log, trusted.log]).toEqual([['GET /api/v3/a'], ['GET /b', 'GET /b']]);
  });

  it('a reverse redirect replaces a remembered redirect', async () => {
    let moved = true;
    const server = await serve((request, response) => {
      const here = request.url === (moved ? '/b' : '/api/v3/a');
      if (here) return sendJson(response, { ok: true });
      return response.writeHead(301, { location: moved ? '/b' : '/api/v3/a' }).end();
    });
    const client = createClient(server);
    await client.request('GET /a');
    moved = false;
    for (let count = 0; count < 3; count++) {
      expect(await client.request('GET /a')).toEqual({ ok: true });
    }
    // The second call discovers the new redirect, and later calls use it.
    const first = ['GET /api/v3/a', 'GET /b'];
    expect(server.log).toEqual([...first, 'GET /b', ...Array(3).fill('GET /api/v3/a')]);
  });

  it("the client resends an upload's data after a 307", async () => {
    const server = await serve((request, response) =>
      request.url.startsWith('/up')
        ? response.writeHead(307, { location: '/there' }).end()
        : sendJson(response, {}),
    );
    const call = createClient(server, { validation: 'off' }).releases.uploadAsset({
      upload_url: `${server.origin}/up{?name}`,
      name: 'a',
      content_type: 'text/plain',
      data: Buffer.from('all of it'),
    });
    await call;
    expect(server.requests.map(({ body }) => body)).toEqual(['all of it', 'all of it']);
  });
});

describe('redirected uploads', () => {
  it('the client rejects a redirected upload whose stream was already read', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(307, { location: '/there' }).end(),
    );
    const call = createClient(server).releases.uploadAsset({
      upload_url: `${server.origin}/up`,
      name: 'a',
      content_type: 'text/plain',
      data: Readable.from([Buffer.from('once')]),
      size: 4,
    });
    expect(await rejectionOf(call)).toMatchObject({ reason: 'not_replayable' });
    expect(server.requests).toHaveLength(1);
  });
});

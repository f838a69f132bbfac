import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../src/index.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { type Handler, listening, nobody, sendJson, serve, serveRaw } from '../support/server.js';

const ok: Handler = (_request, response) => sendJson(response, { ok: true });
const limit = (remaining: number, seconds = 600) => ({
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + seconds}`,
});

/** Faults that make a request fail. */
const faults: Readonly<Record<string, Handler>> = {
  'a connection reset': (_request, response) => response.destroy(),
  'a 500': (_request, response) => sendJson(response, { message: 'oops' }, 500),
  'a truncated body': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  },
  'a 503 with Retry-After': (_request, response) =>
    sendJson(response, {}, 503, { 'retry-after': '0' }),
  'a 429 with Retry-After': (_request, response) =>
    sendJson(response, {}, 429, { 'retry-after': '0' }),
  'a 403 for a secondary limit': (_request, response) =>
    sendJson(response, { message: 'You have exceeded a secondary rate limit' }, 403, {
      'retry-after': '0',
    }),
};
const before = ['a 429 with Retry-After', 'a 403 for a secondary limit'];

const methods: readonly [string, Route, { idempotent?: boolean }, boolean][] = [
  ['a GET', 'GET /x', {}, true],
  ['a POST', 'POST /x', {}, false],
  ['an idempotent PUT', 'PUT /x', { idempotent: true }, true],
];

describe('retries', () => {
  for (const [fault, handler] of Object.entries(faults)) {
    for (const [name, route, options, safe] of methods) {
      const again = safe || before.includes(fault);
      it(`the client ${again ? 'retries' : 'does not retry'} ${name} after ${fault}`, async () => {
        const server = await serve((seen, response, index) =>
          (index === 0 ? handler : ok)(seen, response, index),
        );
        const call = createClient(server).request(route, { a: 1 }, options);
        if (again) expect(await call).toEqual({ ok: true });
        else expect(await rejectionOf(call)).toBeInstanceOf(Error);
        expect(server.requests).toHaveLength(again ? 2 : 1);
        if (again) expect((await call.withResponse()).response.attempts).toBe(2);
      });
    }

    it(`the client does not retry after ${fault} if retry is false`, async () => {
      const server = await serve(handler);
      await rejectionOf(createClient(server).request('GET /x', {}, { retry: false }));
      expect(server.requests).toHaveLength(1);
    });
  }

  it('the client retries a POST until the server accepts connections', async () => {
    const { origin, port } = await nobody();
    const bodies: number[] = [];
    const later = createServer((_request, response) => {
      bodies.push(1);
      response.end('{"ok":true}');
    });
    const client = createClient({ origin }, { retry: { limit: 100, baseDelay: 20, maxDelay: 20 } });
    const call = client.request('POST /x', { a: 1 });
    setTimeout(() => listening(later, { port }), 30);
    expect(await call).toEqual({ ok: true });
    expect(bodies).toEqual([1]);
    const alone = createClient({ origin: 'http://127.0.0.1:1' });
    const error = await rejectionOf(alone.request('POST /', { a: 1 }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    expect(String(error)).toMatch(/ECONNREFUSED.*did not execute/);
  });
});

describe('404 responses', () => {
  const target = { owner: 'o', repo: 'r' };
  const lost: Handler = (_request, response, index) =>
    index === 0 ? response.destroy() : sendJson(response, { message: 'Not Found' }, 404);

  it('the client treats a 404 for a retried DELETE as a success', async () => {
    const server = await serve(lost);
    expect(await createClient(server).starring.unstar(target)).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  it('the client treats a 404 for a retried GET as an error', async () => {
    const call = createClient(await serve(lost)).request('GET /x');
    expect(await rejectionOf(call)).toMatchObject({ code: 'not_found' });
  });

  it('the client treats a 404 for a DELETE as an error if the first attempt got a 429', async () => {
    const server = await serve((_request, response, index) =>
      index === 0
        ? sendJson(response, {}, 429, { 'retry-after': '0' })
        : sendJson(response, { message: 'Not Found' }, 404),
    );
    const call = createClient(server).releases.delete({ ...target, id: 1 });
    expect(await rejectionOf(call)).toMatchObject({ status: 404, mayHaveActed: false });
    expect(server.requests).toHaveLength(2);
  });
});

describe('Retry-After', () => {
  it('the client rejects the call if Retry-After exceeds the total timeout', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, {}, 503, { 'retry-after': '20' }),
    );
    const call = createClient(server).request('GET /x', {}, { timeout: 19_000 });
    expect(await rejectionOf(call)).toMatchObject({ code: 'server' });
  });

  it('Retry-After delays the retry', async () => {
    const times: number[] = [];
    const server = await serve((seen, response, index) => {
      times.push(performance.now());
      if (index > 0) return ok(seen, response, index);
      return sendJson(response, {}, 503, { 'retry-after': '1' });
    });
    await createClient(server).request('GET /x');
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });
});

describe('rate limits', () => {
  it('the client rejects a call without sending it if the quota is exhausted', async () => {
    const server = await serve((_request, response) => sendJson(response, {}, 200, limit(0)));
    const client = createClient(server, { auth: { type: 'token', token: 't' } });
    await client.request('GET /x');
    expect(client.rateLimit.current).toMatchObject({ limit: 60, remaining: 0 });
    const error = await rejectionOf(client.request('GET /x'));
    expect(error).toMatchObject({
      code: 'rate_limit',
      reason: 'primary',
      resetAt: expect.any(Date),
    });
    expect(String(error)).toContain('not sent');
    await client.withAuth({ type: 'token', token: 'other' }).request('GET /x');
    expect(server.requests).toHaveLength(2);
  });

  it('the client ignores rate limits from an untrusted redirect target', async () => {
    const stranger = await serve((_request, response) =>
      sendJson(response, {}, 429, { ...limit(0), 'retry-after': '50' }),
    );
    const server = await serve((seen, response, index) =>
      index === 0
        ? response.writeHead(302, { location: stranger.origin }).end()
        : ok(seen, response, index),
    );
    const client = createClient(server);
    await rejectionOf(client.request('GET /x'));
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });
});

describe('writes redirected by a 303', () => {
  for (const [name, fail] of Object.entries(faults)) {
    it(`the client sends a write only once if the GET after its 303 gets ${name}`, async () => {
      const server = await serve((seen, response, index) => {
        if (seen.method === 'POST') response.writeHead(303, { location: '/result' }).end();
        else fail(seen, response, index);
      });
      const call = createClient(server).request('POST /x', { a: 1 });
      expect(await rejectionOf(call)).toMatchObject({ mayHaveActed: true });
      expect(server.log.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    });
  }

  it('the client sets mayHaveActed if the target of a 303 refuses connections', async () => {
    const { origin } = await nobody();
    const server = await serve((_seen, response) =>
      response.writeHead(303, { location: `${origin}/result` }).end(),
    );
    const call = createClient(server).request('POST /x', { a: 1 });
    expect(await rejectionOf(call)).toMatchObject({ code: 'connection', mayHaveActed: true });
    expect(server.log, 'a POST is never sent twice').toHaveLength(1);
  });
});

describe('truncated error responses', () => {
  for (const [status, mayHaveActed, output] of [
    ['403 Forbidden', false, 'The server did not execute the request.'],
    ['500 Oops', true, 'The server may have executed the request.'],
  ] as const) {
    it(`the client reports "${output}" for a truncated response with the status ${status}`, async () => {
      const server = await serveRaw((socket) =>
        socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\n{"mess`),
      );
      const call = createClient(server).request('POST /x', { a: 1 });
      const error = await rejectionOf(call);
      expect(error).toMatchObject({ reason: 'truncated', mayHaveActed });
      expect(String(error)).toContain(output);
      expect(String(error)).not.toContain('The server executed');
    });
  }
});

it('a timeout while credentials are renewed sets mayHaveActed if an earlier attempt was sent', async () => {
  const server = await serve((_request, response) => response.destroy());
  let requests = 0;
  const timers = holdTimers();
  const client = createClient(server, {
    timeout: { total: heldLimit },
    auth: () => {
      requests++;
      return requests === 1 ? { type: 'token', token: 't' } : new Promise(() => undefined);
    },
  });
  const failing = rejectionOf(client.starring.star({ owner: 'o', repo: 'r' }));
  await until('credentials were requested again', () => requests === 2);
  timers.runOut();
  const error = await failing;
  expect(error).toMatchObject({ code: 'timeout', reason: 'total', mayHaveActed: true });
  expect(server.log, 'the second attempt was never sent').toHaveLength(1);
});

describe('error responses', () => {
  for (const [status, headers, mayHaveActed] of [
    [403, {}, false],
    [503, { 'retry-after': '3600' }, true],
    [503, { 'retry-after': '0' }, true],
  ] as const) {
    const when = 'retry-after' in headers ? ` with Retry-After: ${headers['retry-after']}` : '';
    it(`the client sets mayHaveActed to ${mayHaveActed} after a ${status}${when}`, async () => {
      const server = await serve((_seen, response) => sendJson(response, {}, status, headers));
      const call = createClient(server).request('POST /x', { a: 1 });
      expect(await rejectionOf(call)).toMatchObject({ status, mayHaveActed });
    });
  }

  it('the client sets mayHaveActed if an earlier attempt of the call lost its connection', async () => {
    const server = await serve((_seen, response, index) => {
      if (index === 0) response.destroy();
      else sendJson(response, { message: 'no' }, 403);
    });
    const call = createClient(server).starring.star({ owner: 'o', repo: 'r' });
    expect(await rejectionOf(call)).toMatchObject({ code: 'permission', mayHaveActed: true });
  });
});

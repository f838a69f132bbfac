import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../src/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { type Handler, listening, nobody, sendJson, serve } from '../support/server.js';
import {
  type Ending,
  type FaultCase,
  fine,
  ok,
  once,
  onHttp,
  testFaults,
} from './faults/fault-table.js';

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
          (index === 0 ? handler : fine)(seen, response, index),
        );
        const call = createClient(server).request(route, { a: 1 }, options);
        if (again) expect(await call).toEqual({ ok: true });
        else expect(await rejectionOf(call)).toBeInstanceOf(Error);
        expect(server.requests).toHaveLength(again ? 2 : 1);
        if (again) expect((await call.withResponse()).response.attempts).toBe(2);
      });
    }
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
        : fine(seen, response, index),
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
});

describe('error responses', () => {
  it('the client sets mayHaveActed if an earlier attempt of the call lost its connection', async () => {
    const server = await serve((_seen, response, index) => {
      if (index === 0) response.destroy();
      else sendJson(response, { message: 'no' }, 403);
    });
    const call = createClient(server).starring.star({ owner: 'o', repo: 'r' });
    expect(await rejectionOf(call)).toMatchObject({ code: 'permission', mayHaveActed: true });
  });
});

/** A `Retry-After` value and its meaning. */
interface Form {
  readonly name: string;
  readonly header: () => string;
  /** Offset of the response's `Date` from the local clock, in seconds. */
  readonly serverClock?: number;
  /** Wait in seconds. */
  readonly means: number;
}
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const forms: readonly Form[] = [
  { name: '600 seconds', header: () => '600', means: 600 },
  { name: 'zero seconds', header: () => '0', means: 0 },
  {
    name: 'a date by a clock that is one hour ahead',
    header: () => inSeconds(3600 + 600).toUTCString(),
    serverClock: 3600,
    means: 600,
  },
];

function refuse(status: number, { header, serverClock = 0 }: Form): Handler {
  return (_seen, response) =>
    sendJson(response, { message: 'later' }, status, {
      'retry-after': header(),
      date: inSeconds(serverClock).toUTCString(),
    });
}

/**
 * Matches a time `seconds` from now, ±15 s. HTTP dates have no milliseconds, and tests take time.
 */
const around = (seconds: number) =>
  expect.toSatisfy(
    (at: unknown) =>
      at instanceof Date && Math.abs(at.getTime() - Date.now() - seconds * 1000) < 15_000,
    `in ${seconds} s`,
  );

/**
 * Creates the expected outcome if the server responds with 503 once. A write is never retried,
 * regardless of the wait that the server requests.
 */
function unavailable({ means }: Form): Readonly<Record<'GET' | 'POST', Ending>> {
  const retryAt = around(means);
  const error = { name: 'ServerError', status: 503, retryAt, mayHaveActed: true };
  return { GET: means > 0 ? { error } : { result: ok, attempts: 2 }, POST: { error } };
}

function tooMany({ means }: Form): Readonly<Record<'GET' | 'POST', Ending>> {
  if (means === 0) {
    const again = { result: ok, attempts: 2 };
    return { GET: again, POST: again };
  }
  const resetAt = around(means);
  const error = { name: 'RateLimitError', reason: 'secondary', status: 429, resetAt };
  const later = { error: { ...error, mayHaveActed: false } };
  return { GET: later, POST: later };
}

const options = { retry: { limit: 2, baseDelay: 0, maxRetryAfter: 30_000 } };

testFaults(
  'Retry-After in a 503',
  'a 503 with a Retry-After of',
  forms.map(
    (form): FaultCase => ({
      name: form.name,
      place: onHttp(once(refuse(503, form))),
      options,
      ends: unavailable(form),
    }),
  ),
);

testFaults(
  'Retry-After in a 429',
  'a 429 with a Retry-After of',
  forms.map(
    (form): FaultCase => ({
      name: form.name,
      place: onHttp(once(refuse(429, form))),
      options,
      ends: tooMany(form),
    }),
  ),
);

/**
 * Creates the headers for an exhausted quota that resets in `reset` seconds. The server's clock is
 * `ahead` seconds ahead of the local clock.
 */
const usedUp = (ahead: number, reset: number) => ({
  date: inSeconds(ahead).toUTCString(),
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${Math.ceil(inSeconds(ahead + reset).getTime() / 1000)}`,
});

testFaults('quotas and server errors', 'a server', [
  {
    name: 'whose clock is one hour behind, and whose quota resets in 1 s,',
    place: onHttp(once((_seen, response) => sendJson(response, {}, 403, usedUp(-3600, 1)))),
    options: { ...options, rateLimit: { onLimit: 'wait', maxWait: 60_000 } },
    ends: { POST: { result: ok, attempts: 2 } },
  },
  {
    name: 'whose clock is one hour ahead, and whose quota was already exhausted,',
    place: onHttp((seen, response, index) =>
      index === 0 ? sendJson(response, {}, 200, usedUp(3600, 1)) : fine(seen, response, index),
    ),
    options: { ...options, rateLimit: { onLimit: 'wait', maxWait: 60_000 } },
    before: 1,
    ends: { GET: { result: ok } },
  },
  {
    name: 'whose quota resets after maxWait',
    place: onHttp((_seen, response) => sendJson(response, {}, 403, usedUp(0, 600))),
    options: { ...options, rateLimit: { onLimit: 'wait', maxWait: 1000 } },
    ends: {
      GET: { error: { name: 'RateLimitError', reason: 'primary', resetAt: around(600) } },
      POST: { error: { name: 'RateLimitError', reason: 'primary', mayHaveActed: false } },
    },
  },
]);

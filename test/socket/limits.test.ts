import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LimitStore } from '../../src/index.js';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';

const ok: Handler = (_request, response) => sendJson(response, { ok: true });
const budget = (remaining: number, reset = Date.now() / 1000 + 600) => ({
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-reset': `${Math.ceil(reset)}`,
});
const status = (remaining: number) => ({
  resources: { core: { limit: 60, remaining, reset: Math.ceil(Date.now() / 1000 + 600) } },
});
/** A time in the year 2538, in seconds since the epoch. */
const absurd = 17_925_000_000;

describe('rate-limit pauses', () => {
  it('a rate-limit pause ends when rateLimit.get() reports an available quota', async () => {
    const server = await serve((request, response, index) => {
      if (index === 0) sendJson(response, {}, 200, budget(0, absurd));
      else if (request.url.endsWith('/rate_limit')) sendJson(response, status(59), 200, budget(59));
      else ok(request, response, index);
    });
    const client = createClient(server);
    await client.request('GET /x');
    const refused = await rejectionOf(client.request('GET /x'));
    expect(refused).toMatchObject({ code: 'rate_limit', reason: 'primary' });
    // Quotas are hourly, so no wait exceeds an hour.
    expect(refused).toHaveProperty('resetAt', expect.toSatisfy(withinAnHour, 'within an hour'));
    await client.rateLimit.get();
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });

  it('the client pauses for at most an hour, even after a Retry-After of several years', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, {}, 429, { 'retry-after': '999999999' }),
    );
    const client = createClient(server, { rateLimit: { maxWait: 1000 } });
    expect(await rejectionOf(client.request('GET /x'))).toMatchObject({
      reason: 'secondary',
    });
    const refused = await rejectionOf(client.request('GET /x'));
    expect(refused).toHaveProperty('resetAt', expect.toSatisfy(withinAnHour, 'within an hour'));
    expect(server.requests).toHaveLength(1);
  });

  it("a 403 with a long Retry-After and a JSON message doesn't delay calls for other resources", async () => {
    const body = { message: 'Repository access blocked' };
    const server = await serve((_request, response, index) =>
      index === 0
        ? sendJson(response, body, 403, { 'retry-after': '999999999' })
        : sendJson(response, { ok: true }),
    );
    const client = createClient(server);
    expect(await rejectionOf(client.request('GET /x'))).toMatchObject({
      code: 'permission',
    });
    expect(await client.request('GET /y')).toEqual({ ok: true });
  });
});

const withinAnHour = (at: unknown) =>
  at instanceof Date && at.getTime() - Date.now() <= 3_600_000 && at.getTime() > Date.now();
it('rateLimit.get() maps a response with several quotas to the shape of rateLimit.current', async () => {
  const resources = { core: bucket(7), graphql: bucket(3), odd: 'x' };
  const server = await serve((_request, response) =>
    sendJson(response, { resources, rate: bucket(7) }),
  );
  const limits = await createClient(server).rateLimit.get();
  const reset = new Date(1_394_242_647_000);
  expect(limits.core).toEqual({ limit: 10, remaining: 7, reset, resource: 'core' });
  expect(limits.graphql?.remaining).toBe(3);
  expect(limits.odd).toBeUndefined();
});

function bucket(remaining: number) {
  return { limit: 10, remaining, reset: 1_394_242_647 };
}

it('an error for an unsent call masks the credentials in its URL', async () => {
  const token = 'ghp_0123456789abcdefXYZ';
  const server = await serve((_request, response) =>
    sendJson(response, {}, 429, { 'retry-after': '600' }),
  );
  const client = createClient(server, { auth: { type: 'token', token } });
  const call = () => client.request('GET /x/{name}/y', { name: token, note: token });
  await rejectionOf(call());
  const error = await rejectionOf(call());
  expect(String(error)).toContain('was not sent');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
});

it('an error for a retry that the limit prevents counts the attempts that were sent', async () => {
  const server = await serve((_request, response) => sendJson(response, {}, 500, budget(0)));
  const client = createClient(server, { retry: { baseDelay: 1 } });
  const error = await rejectionOf(client.request('GET /x'));
  expect(server.log).toHaveLength(1);
  expect(error).toMatchObject({ code: 'rate_limit', response: { attempts: 1 } });
  expect(String(error)).toContain('the retry was not sent');
});

it('a store that returns an invalid quota causes no failed calls', async () => {
  const quota = { limit: 50, remaining: 0, reset: Number.NaN, ends: Number.NaN };
  const rejections = watchRejections();
  const server = await serve((_request, response) => sendJson(response, {}));
  // `as`: a custom store can return anything.
  const shared = { exchangeLimits: async () => ({ pause: 0, quota }) } as unknown as LimitStore;
  const client = createClient(server, { rateLimit: { shared } });
  for (let count = 0; count < 3; count++) await client.request('GET /x');
  expect(await rejections()).toEqual([]);
});

it('triforge:wait subscribers run in the context of the waiting call', async () => {
  const storage = new AsyncLocalStorage<string>();
  onTestFinished(() => storage.disable());
  const published: unknown[] = [];
  const note = () => {
    published.push(storage.getStore());
  };
  subscribe('triforge:wait', note);
  onTestFinished(() => void unsubscribe('triforge:wait', note));
  const held: ServerResponse[] = [];
  const server = await serve((_request, response) => held.push(response));
  const hosting = createClient(server, { maxConcurrency: 1, rateLimit: { onLimit: 'wait' } });
  const first = storage.run('first', () => hosting.request('GET a'));
  await until('the first request arrived', () => held.length === 1);
  const controller = new AbortController();
  const { signal } = controller;
  const second = storage.run('second', () => hosting.request('GET b', {}, { signal }));
  const third = storage.run('third', () => hosting.request('GET c', {}, { signal }));
  const failing = Promise.all([rejectionOf(second), rejectionOf(third)]);
  const [response] = held;
  if (!response) throw new Error('nothing was sent');
  sendJson(response, {}, 200, budget(0));
  await first;
  await until('both calls wait', () => published.length >= 4);
  controller.abort();
  await failing;
  // Each call waits for a permit first and then for the rate limit.
  expect(published).toEqual(['second', 'third', 'second', 'third']);
});

/** Serves a list of four pages with two items each. */
async function fourPages() {
  const server = await serve((request, response) => {
    const page = Number(new URL(request.url, server.origin).searchParams.get('page') ?? 1);
    const url = (number: number) => `<${server.origin}/api/v3/things?page=${number}>`;
    const link = `${url(page + 1)}; rel="next", ${url(4)}; rel="last"`;
    sendJson(response, [page * 10, page * 10 + 1], 200, page < 4 ? { link } : {});
  });
  return server;
}

const all = [10, 11, 20, 21, 30, 31, 40, 41];

describe('lists under fake timers', () => {
  it.each([
    ['page by page', {}],
    ['with pages in parallel', { concurrency: 3 }],
  ])('a list under fake timers returns every item %s', async (_name, options) => {
    const client = createClient(await fourPages());
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const items: unknown[] = [];
    for await (const item of client.paginate('GET /things', {}, options)) items.push(item);
    expect(items).toEqual(all);
    expect(await client.paginate('GET /things', {}, options).toArray()).toEqual(all);
    expect(await client.paginate('GET /things', {}, options).first()).toBe(10);
  });
});

describe('rate-limit waits under fake timers', () => {
  it.each([
    ['the end of a secondary limit', 429, { 'retry-after': '30' }, 1],
    [
      'the end of the rate-limit window',
      200,
      {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${Math.floor(Date.now() / 1000) + 60}`,
      },
      2,
    ],
  ])(
    'a rate-limit wait ends when the fake clock reaches %s',
    async (_name, status, headers, calls) => {
      const server = await serve((_request, response, index) =>
        sendJson(response, { index }, index === 0 ? status : 200, index === 0 ? headers : {}),
      );
      const client = createClient(server, { rateLimit: { onLimit: 'wait' } });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      if (calls === 2) await client.request('GET /x');
      let isDone = false;
      const call = client.request('GET /x').then((value) => {
        isDone = true;
        return value;
      });
      await vi.waitUntil(() => vi.getTimerCount() > 0 && server.requests.length > 0);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(isDone).toBe(false);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await call).toEqual({ index: 1 });
    },
  );
});

const day = 86_400_000;

/** Changes the system clock, as an administrator or a time server can. Timers keep running. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

const usedUp = (seconds: number) => ({
  date: new Date().toUTCString(),
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${Math.floor(Date.now() / 1000) + seconds}`,
});

describe.each([
  ['back', -day],
  ['forward', day],
])('a clock set %s by a day', (_direction, by) => {
  it("a clock change doesn't prolong the wait for a quota reset", async () => {
    const server = await serve((_request, response, index) =>
      index === 0 ? sendJson(response, {}, 200, usedUp(2)) : sendJson(response, { ok: true }),
    );
    const client = createClient(server, { rateLimit: { onLimit: 'wait', maxWait: 5000 } });
    await client.request('GET /x');
    setClock(by);
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });
});

it("RateLimitError.resetAt matches retryAfter even if the server's clock is wrong", async () => {
  const past = Date.UTC(2014, 5, 1);
  const server = await serve((_request, response) =>
    sendJson(response, { message: 'API rate limit exceeded' }, 403, {
      ...usedUp(0),
      date: new Date(past).toUTCString(),
      'x-ratelimit-reset': `${past / 1000 + 90}`,
    }),
  );
  const client = createClient(server);
  for (const sent of ['refused by the server', 'known before it is sent']) {
    const before = Date.now();
    const error = Object(await rejectionOf(client.request('GET /x')));
    expect(error, sent).toMatchObject({ code: 'rate_limit', reason: 'primary' });
    expect(error.retryAfter, sent).toBeGreaterThan(60_000);
    expect(error.retryAfter, sent).toBeLessThanOrEqual(90_000);
    expect(error.resetAt.getTime(), sent).toBeGreaterThanOrEqual(before + error.retryAfter - 1000);
    expect(error.resetAt.getTime(), sent).toBeLessThanOrEqual(Date.now() + error.retryAfter);
    expect(error.response.rateLimit.reset, sent).toEqual(new Date(past + 90_000));
  }
  expect(server.requests).toHaveLength(1);
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

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
  it('a clock change leaves the pause for a secondary limit unchanged', async () => {
    const server = await serve((_request, response, index) =>
      index === 0
        ? sendJson(response, {}, 429, { 'retry-after': '1' })
        : sendJson(response, { ok: true }),
    );
    const client = createClient(server, { retry: { limit: 0 }, rateLimit: { maxWait: 500 } });
    await rejectionOf(client.request('GET /x'));
    setClock(by);
    const refused = await rejectionOf(client.request('GET /x'));
    expect(refused).toMatchObject({ code: 'rate_limit', reason: 'secondary' });
    const { retryAfter, resetAt } = Object(refused);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(1000);
    expect(Math.abs(resetAt.getTime() - Date.now() - retryAfter)).toBeLessThan(500);
    const patient = createClient(server);
    expect(await patient.request('GET /x')).toEqual({ ok: true });
    await new Promise((resolve) => setTimeout(resolve, retryAfter));
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });

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

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LimitStore } from '../../src/index.js';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { type Handler, nobody, sendJson, serve } from '../support/server.js';

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

  it.each([['a JSON message', { message: 'Repository access blocked' }]])(
    "a 403 with a long Retry-After and %s doesn't delay calls for other resources",
    async (_name, body) => {
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
    },
  );
});

it("a call isn't retried after a 429 from an untrusted origin", async () => {
  const stranger = await serve((_request, response) =>
    sendJson(response, {}, 429, { 'retry-after': '0' }),
  );
  const home = await serve((_request, response) =>
    response.writeHead(302, { location: `${stranger.origin}/x` }).end(),
  );
  await rejectionOf(createClient(home).request('GET /x'));
  expect(stranger.requests).toHaveLength(1);
});

const withinAnHour = (at: unknown) =>
  at instanceof Date && at.getTime() - Date.now() <= 3_600_000 && at.getTime() > Date.now();

describe('calls without a response', () => {
  it("calls to an unreachable server don't count against the quota", async () => {
    const server = await serve((_request, response, index) => {
      if (index === 0) sendJson(response, {}, 200, budget(3));
    });
    const { origin } = await nobody();
    let isDown = false;
    const agent = new Agent();
    const dispatcher = agent.compose(
      (dispatch) => (options, handler) =>
        dispatch(isDown ? { ...options, origin } : options, handler),
    );
    onTestFinished(() => agent.destroy());
    const client = createClient(server, { dispatcher, retry: false });
    await client.request('GET /x');
    isDown = true;
    const failing = Array.from({ length: 5 }, () => rejectionOf(client.request('GET /x')));
    for (const error of await Promise.all(failing)) {
      expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    }
    isDown = false;
    const calls = Array.from({ length: 3 }, () => rejectionOf(client.request('GET /x')));
    await until('all calls are sent', () => server.requests.length === 4);
    await client.close();
    await Promise.all(calls);
  });
});

describe('rateLimit.get()', () => {
  it('rateLimit.get() bypasses maxConcurrency', async () => {
    let release = () => {};
    const server = await serve((request, response, index) => {
      if (!request.url.endsWith('/rate_limit')) ok(request, response, index);
      else if (index === 0) release = () => sendJson(response, status(59), 200, budget(59));
      else sendJson(response, status(59), 200, budget(59));
    });
    const client = createClient(server, { maxConcurrency: 1 });
    const pending = client.rateLimit.get();
    await until('a request arrived', () => server.requests.length === 1);
    expect(await client.request('GET /x')).toEqual({ ok: true });
    await client.rateLimit.get();
    release();
    await pending;
  });
});

describe('an auth function', () => {
  it('the client calls an auth function again for a write that waits a long time', async () => {
    const server = await serve((_request, response) => sendJson(response, {}));
    let calls = 0;
    const client = createClient(server, {
      auth: async () => {
        calls++;
        return { type: 'token', token: 'x'.repeat(40) };
      },
      rateLimit: { writeInterval: 1100 },
      validation: 'off',
    });
    const release = { owner: 'o', repo: 'r', tag_name: 'v1' };
    await Promise.all([client.releases.create(release), client.releases.create(release)]);
    expect(server.requests).toHaveLength(2);
    expect(calls).toBe(3);
  });
});
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

it('rateLimit.get() waits for the reset if the server refuses it because of the quota', async () => {
  const reset = Math.ceil(Date.now() / 1000) + 1;
  const server = await serve((_request, response) =>
    Date.now() < reset * 1000
      ? sendJson(response, { message: 'API rate limit exceeded' }, 403, budget(0, reset))
      : sendJson(response, status(59), 200, budget(59)),
  );
  await createClient(server, { rateLimit: { onLimit: 'wait' } }).rateLimit.get();
  expect(server.requests.length).toBeLessThan(4);
});

it.each([{ limit: 50, remaining: 0, reset: Number.NaN, ends: Number.NaN }, 10n, 'text'])(
  'a store that returns an invalid quota causes no failed calls (quota: %o)',
  async (quota) => {
    const rejections = watchRejections();
    const server = await serve((_request, response) => sendJson(response, {}));
    // `as`: a custom store can return anything.
    const shared = { exchangeLimits: async () => ({ pause: 0, quota }) } as unknown as LimitStore;
    const client = createClient(server, { rateLimit: { shared } });
    for (let count = 0; count < 3; count++) await client.request('GET /x');
    expect(await rejections()).toEqual([]);
  },
);

it.each([
  ['before', 0],
  ['after', 1],
])(
  'a refused call waits if the store reports a later window %s the refusal',
  async (_when, exchanges) => {
    const reset = Math.ceil(Date.now() / 1000) + 1;
    const server = await serve((_request, response) =>
      Date.now() < reset * 1000
        ? sendJson(response, { message: 'API rate limit exceeded' }, 403, budget(0, reset))
        : sendJson(response, {}, 200, budget(59)),
    );
    const quota = { limit: 60, remaining: 40, reset: reset + 600, ends: 600_000 };
    let exchanged = 0;
    const exchangeLimits = async () => ({
      pause: 0,
      quota: exchanged++ < exchanges ? undefined : quota,
    });
    const client = createClient(server, {
      rateLimit: { onLimit: 'wait', shared: { exchangeLimits } },
    });
    await client.request('GET /x');
    expect(server.requests.length).toBeLessThan(4);
  },
);

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
  const logged: unknown[] = [];
  const line = () => {
    logged.push(storage.getStore());
  };
  const log = { debug: () => undefined, info: line, warn: () => undefined, error: () => undefined };
  const hosting = createClient(server, { maxConcurrency: 1, rateLimit: { onLimit: 'wait' }, log });
  const first = storage.run('first', () => hosting.request('GET a'));
  await until('the first request arrived', () => held.length === 1);
  const controller = new AbortController();
  const { signal } = controller;
  const second = storage.run('second', () => hosting.request('GET b', {}, { signal }));
  const third = storage.run('third', () => hosting.request('GET c', {}, { signal }));
  const failing = Promise.all([rejectionOf(second), rejectionOf(third)]);
  const [response] = held;
  if (!response) throw new Error('nothing was sent');
  const reset = Math.ceil(Date.now() / 1000) + 600;
  sendJson(response, {}, 200, {
    'x-ratelimit-limit': 60,
    'x-ratelimit-remaining': 0,
    'x-ratelimit-reset': reset,
  });
  await first;
  await until('both calls wait', () => published.length >= 4);
  controller.abort();
  await failing;
  // Each call waits for a permit first and then for the rate limit.
  expect(published).toEqual(['second', 'third', 'second', 'third']);
  expect(logged).toEqual(expect.arrayContaining(['second', 'third']));
  expect(logged.filter((context) => context === 'first')).toHaveLength(1);
});

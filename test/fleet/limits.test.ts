import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { createClient, until } from '../support/client.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { sendJson, serve } from '../support/server.js';
import { limitedServer, sum } from './limited-server.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('clients with shared limits', () => {
  const redis = useRedis();

  async function store() {
    return redisStore(await connectRedis(redis.server.url), { timeout: 20_000 });
  }

  it.each([
    [8, 20],
    [24, 12],
  ])(
    'clients with shared limits exhaust a quota without a rejected request (clients: %i, maxConcurrency: %i)',
    async (clients, maxConcurrency) => {
      const server = await limitedServer(100);
      const token = 'a-token';
      const one = async () => {
        const client = createClient(server, {
          auth: { type: 'token', token },
          rateLimit: { shared: await store() },
          maxConcurrency,
        });
        const lane = async () => {
          try {
            for (;;) await client.request({ path: '/x' });
          } catch (error) {
            expect(error).toMatchObject({ code: 'rate_limit', reason: 'primary' });
          }
        };
        await Promise.all(Array.from({ length: 8 }, lane));
      };
      await Promise.all(Array.from({ length: clients }, one));
      expect([sum(server.served), sum(server.refused)]).toEqual([100, 0]);
      expect(server.most()).toBeLessThanOrEqual(maxConcurrency);
    },
  );

  it('clients with shared limits send up to 64 concurrent calls each by default', async () => {
    const server = await limitedServer(10_000);
    const rateLimit = { shared: await store() };
    const clients = Array.from({ length: 2 }, () => createClient(server, { rateLimit }));
    const waves = async (client: (typeof clients)[number]) => {
      for (let wave = 0; wave < 3; wave++) {
        await Promise.all(Array.from({ length: 100 }, () => client.request({ path: '/x' })));
      }
    };
    await Promise.all(clients.map(waves));
    expect(server.most()).toBeGreaterThan(64);
    expect(server.most()).toBeLessThanOrEqual(128);
  });

  it('clients with shared limits respect maxConcurrency again after Redis loses its data', async () => {
    let [inFlight, most] = [0, 0];
    const server = await serve(async (_request, response) => {
      most = Math.max(most, ++inFlight);
      await sleep(15);
      inFlight--;
      sendJson(response, {});
    });
    let stopped = false;
    onTestFinished(() => {
      stopped = true;
    });
    /** Creates a client and keeps four of its calls in flight. */
    const load = async () => {
      const client = createClient(server, {
        rateLimit: { shared: await store() },
        maxConcurrency: 4,
      });
      const lane = async () => {
        while (!stopped) await client.request({ path: '/x' });
      };
      return Promise.all(Array.from({ length: 4 }, lane));
    };
    const first = load();
    await until('the first client has all slots', () => most === 4);
    const others = [load(), load()];
    for (let round = 0; round < 10; round++) {
      await redis.client.flushAll();
      await sleep(20);
    }
    await until('at most four calls are in flight', async () => {
      const from = server.requests.length;
      most = inFlight;
      await until('all clients made calls', () => server.requests.length > from + 100);
      return most <= 4;
    });
    stopped = true;
    await Promise.all([first, ...others]);
  });

  it('requests aborted in flight count against a shared quota', async () => {
    const server = await limitedServer(40, { latency: 30 });
    const auth = { type: 'token', token: 'of-aborted-calls' } as const;
    const open = async () => createClient(server, { auth, rateLimit: { shared: await store() } });
    const [one, other] = [await open(), await open()];
    await one.request({ path: '/x' });
    const abort = new AbortController();
    const aborted = Array.from({ length: 10 }, () =>
      one.request({ path: '/x' }, { signal: abort.signal }),
    );
    await until('all of them were sent', () => sum(server.served) === 11);
    abort.abort();
    await Promise.allSettled(aborted);
    const calls = [one, other].flatMap((client) =>
      Array.from({ length: 40 }, () => client.request({ path: '/x' })),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(29);
    expect([sum(server.served), sum(server.refused)]).toEqual([40, 0]);
  });

  it('a client with shared limits continues after a rate-limit window with a limit of 0', async () => {
    let limit = 0;
    const server = await serve((_request, response) => {
      const reset = Math.floor(Date.now() / 1000) - 10;
      const headers = { 'x-ratelimit-limit': `${limit}`, 'x-ratelimit-remaining': `${limit}` };
      sendJson(response, {}, 200, { ...headers, 'x-ratelimit-reset': `${reset}` });
    });
    const client = createClient(server, {
      auth: { type: 'token', token: 'of-nothing' },
      rateLimit: { shared: await store() },
    });
    for (let call = 0; call < 3; call++) await client.request({ path: '/x' });
    limit = 50;
    await Promise.all(Array.from({ length: 20 }, () => client.request({ path: '/x' })));
    expect(server.requests).toHaveLength(23);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient } from '../../src/hosting/client.js';
import type { NodeRedisClient } from '../../src/redis/index.js';
import { redisStore } from '../../src/redis/index.js';
import { SupportClient } from '../../src/support/client.js';
import { createClient, gate, until, watchRejections } from '../support/client.js';
import { RedisProxy } from '../support/redis-proxy.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { serve } from '../support/server.js';
import { limitedServer } from './limited-server.js';

const key = 'a key that all processes of the fleet know';
const auth = { userName: 'ann', apiKey: 'the-api-key', password: 'the-password' };

/** Serves sessions and responses with validators. Waits for `gate` before each response. */
async function service(gate?: Promise<void>) {
  return await serve(async (request, response) => {
    await gate;
    if (request.url.endsWith('/authenticate')) {
      response.end('{"success":true,"access_token":"a-token"}');
      return;
    }
    response.writeHead(200, { etag: `"${request.url}"` });
    response.end('{"id":1,"success":true,"logged_in":true}');
  });
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore with a slow Redis', () => {
  const redis = useRedis();

  const locks = () => redis.client.keys('triforge:k:*');

  /** Waits until all locks are released. Their leases would end only after ten seconds. */
  async function released(): Promise<void> {
    await until('all locks are released', async () => {
      const names = await locks();
      for (const name of names) {
        const left = await redis.client.pTTL(name);
        if (left > 0) expect(left, 'the lock was left behind').toBeGreaterThan(3000);
      }
      return names.length === 0;
    });
  }

  async function proxied() {
    const proxy = await RedisProxy.start(redis.server.port);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return proxy;
  }

  const nodeRedis = (url = redis.server.url, reconnects = true) =>
    connectRedis(url, { reconnectStrategy: reconnects ? () => 20 : false });

  function hosting(origin: string, client: NodeRedisClient | Redis, timeout = 50) {
    const created = new HostingClient({
      baseUrl: origin,
      cache: { store: redisStore(client, { key, timeout }) },
    });
    onTestFinished(() => created.close());
    return created;
  }

  function support(origin: string, client: NodeRedisClient | Redis, timeout = 50) {
    const store = redisStore(client, { key, timeout });
    const created = new SupportClient({ baseUrl: `${origin}/api/v2`, auth, session: { store } });
    onTestFinished(() => created.close());
    return created;
  }

  it.each<[string, (origin: string, client: NodeRedisClient, timeout?: number) => () => unknown]>([
    [
      'a cached call',
      (origin, client, timeout) => {
        const created = hosting(origin, client, timeout);
        return () => created.request({ path: '/x' });
      },
    ],
    [
      'a sign-in',
      (origin, client, timeout) => {
        const created = support(origin, client, timeout);
        return () => created.me();
      },
    ],
  ])(
    'redisStore causes no unhandled rejection if a slow connection breaks during %s',
    async (_what, callOf) => {
      const unhandled = watchRejections();
      const { opened, open } = gate();
      const server = await service(opened);
      const first = callOf(server.origin, await nodeRedis(), 20_000)();
      await until('the first call has the lock', async () => (await locks()).length === 1);
      const proxy = await proxied();
      const client = await nodeRedis(proxy.url, false);
      proxy.delay = 150;
      const second = callOf(server.origin, client)();
      await until('the second call was sent', () => server.requests.length === 2);
      await sleep(150);
      proxy.cut();
      await until('the client is disconnected', () => !client.isReady);
      open();
      await Promise.all([first, second]);
      expect(await unhandled()).toEqual([]);
    },
  );

  it('redisStore causes no unhandled rejection if its Redis client closes while a call waits for a lock', async () => {
    const unhandled = watchRejections();
    const { opened, open } = gate();
    const server = await service(opened);
    const first = hosting(server.origin, await nodeRedis()).request({ path: '/x' });
    await until('the first call has the lock', async () => (await locks()).length === 1);
    const client = await nodeRedis();
    const second = hosting(server.origin, client, 20_000).request({ path: '/x' });
    await sleep(30);
    client.destroy();
    await until('the second call was sent', () => server.requests.length === 2);
    open();
    await Promise.all([first, second]);
    expect(await unhandled()).toEqual([]);
  });

  it.each(['a cached call', 'a sign-in'])(
    'redisStore releases a lock that is granted too late for %s',
    async (what) => {
      const server = await service();
      const proxy = await proxied();
      const client = await nodeRedis(proxy.url);
      proxy.delay = 200;
      if (what === 'a sign-in') await support(server.origin, client).me();
      else await hosting(server.origin, client).request({ path: '/x' });
      proxy.delay = 0;
      // This wait is long enough for the lock to be granted.
      await sleep(300);
      await released();
    },
  );

  it.each(['redis', 'ioredis'])(
    'redisStore sends fewer than 10 commands to a hanging Redis through %s, and releases all locks',
    async (library) => {
      const server = await service();
      const real = library === 'redis' ? await nodeRedis() : new Redis(redis.server.url);
      if (real instanceof Redis) onTestFinished(() => real.disconnect());
      let [sent, waiting] = [0, 0];
      const send: NodeRedisClient['sendCommand'] = async (args, options) => {
        sent++;
        waiting++;
        const [name = '', ...others] = args;
        try {
          return real instanceof Redis
            ? await real.callBuffer(String(name), ...others)
            : await real.sendCommand(args, options);
        } finally {
          waiting--;
        }
      };
      const client = hosting(server.origin, { sendCommand: send });
      const signedIn = support(server.origin, { sendCommand: send });
      await client.request({ path: '/first' });
      redis.server.signal('SIGSTOP');
      onTestFinished(() => redis.server.signal('SIGCONT'));
      sent = 0;
      for (let at = 0; at < 300; at++) await client.request({ path: `/x/${at}` });
      await signedIn.me();
      expect(sent).toBeLessThan(10);
      redis.server.signal('SIGCONT');
      await until('all commands have ended', () => waiting === 0);
      await released();
      await until('the cache is used again', async () => {
        await client.request({ path: '/first' });
        return (
          (await client.request({ path: '/first' }).withResponse()).response.status === 200 &&
          (await redis.client.keys('triforge:c:*')).length > 0
        );
      });
    },
  );

  it('redisStore retries a lock release if the connection breaks', async () => {
    const { opened, open } = gate();
    const server = await service(opened);
    const proxy = await proxied();
    const client = await nodeRedis(proxy.url);
    const call = hosting(server.origin, client).request({ path: '/x' });
    await until('the call has the lock', async () => (await locks()).length === 1);
    await until('the request is sent', () => server.requests.length === 1);
    proxy.delay = 10_000;
    open();
    await call;
    await sleep(20);
    proxy.cut();
    proxy.delay = 0;
    await released();
  });

  it('redisStore releases a lock that was granted to an aborted call', async () => {
    const server = await service();
    const proxy = await proxied();
    const client = await nodeRedis(proxy.url);
    proxy.delay = 100;
    const controller = new AbortController();
    const { signal } = controller;
    const call = hosting(server.origin, client, 20_000).request({ path: '/x' }, { signal });
    await until('the call requests the lock', async () => (await locks()).length === 1);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await released();
  });

  it('each client sends one call at a time if Redis never responds in time', async () => {
    const server = await limitedServer(100_000, { latency: 20 });
    const proxy = await proxied();
    proxy.delay = 200;
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const shared = redisStore(await nodeRedis(proxy.url), { key });
        return createClient(server, { rateLimit: { shared }, maxConcurrency: 6 });
      }),
    );
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: 10 }, () => client.request({ path: '/x' }))),
    );
    expect(server.requests).toHaveLength(60);
    expect(server.most()).toBeLessThanOrEqual(6);
  });
});

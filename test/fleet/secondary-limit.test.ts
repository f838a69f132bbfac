import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { clientOf, rejectionOf } from '../support/client.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { sendJson, serve } from '../support/server.js';

/** A server that rejects more than 8 requests in 100 ms, with a `Retry-After` of 1 s. */
async function secondaryServer() {
  let accepted: number[] = [];
  let requests = 0;
  const server = await serve((_request, response) => {
    requests++;
    const now = performance.now();
    accepted = accepted.filter((at) => at > now - 100);
    if (accepted.length >= 8) {
      const message = 'You have exceeded a secondary rate limit.';
      sendJson(response, { message }, 403, { 'retry-after': '1' });
      return;
    }
    accepted.push(now);
    sendJson(response, { ok: true });
  });
  return Object.assign(server, { requests: () => requests });
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('clients that share limits, at a secondary limit', () => {
  const redis = useRedis();

  async function connect(server: Awaited<ReturnType<typeof secondaryServer>>) {
    const shared = redisStore(await connectRedis(redis.server.url), { timeout: 20_000 });
    return clientOf(server, { auth: { type: 'token', token: 'one' }, rateLimit: { shared } });
  }

  it('lose no call of eight clients, with at most 3 requests per call', async () => {
    const server = await secondaryServer();
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect(server)));
    const calls = clients.flatMap((client) =>
      Array.from({ length: 20 }, () => client.request({ path: '/x' })),
    );
    await Promise.all(calls);
    expect(server.requests()).toBeLessThanOrEqual(3 * calls.length);
  });

  it('pause a client that starts after the one that learned of the pause is gone', async () => {
    const server = await secondaryServer();
    const first = await connect(server);
    const burst = Array.from({ length: 20 }, () => first.request({ path: '/x' }, { retry: false }));
    await Promise.allSettled(burst);
    await first.close({ gracePeriod: 0 });
    const before = server.requests();
    const late = clientOf(server, {
      auth: { type: 'token', token: 'one' },
      rateLimit: { shared: redisStore(await connectRedis(redis.server.url)), maxWait: 100 },
    });
    expect(await rejectionOf(late.request({ path: '/x' }))).toMatchObject({
      code: 'rate_limit',
      reason: 'secondary',
    });
    expect(server.requests()).toBe(before);
  });
});

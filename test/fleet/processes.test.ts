import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longExtent } from '../support/extent.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { sendJson, serve } from '../support/server.js';
import { compileWorker, Fleet } from './fleet.js';
import { limitedServer, sum } from './limited-server.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('a fleet of processes', () => {
  const redis = useRedis();
  let worker: Awaited<ReturnType<typeof compileWorker>>;
  beforeAll(async () => {
    worker = await compileWorker();
  });
  afterAll(() => worker.remove());

  // The timeout is long, so the counts below don't depend on the machine's speed.
  const work = { lanes: 8, calls: 10_000, maxConcurrency: 64, timeout: 20_000, tokens: ['one'] };

  it.each(
    longExtent
      ? [
          [8, 500, ['one']],
          [32, 500, ['one']],
          [8, 500, ['one', 'two']],
        ]
      : [[4, 120, ['one', 'two']]],
  )(
    'a fleet sends no request beyond the quota (processes: %i, quota: %i, credentials: %j)',
    async (processes, limit, tokens) => {
      const server = await limitedServer(limit, { latency: 20 });
      const fleet = await Fleet.start(worker.path, processes);
      const { origin } = server;
      await fleet.work({ ...work, kind: 'budget', redis: redis.server.url, origin, tokens });
      expect(sum(server.refused)).toBe(0);
      // A lane ends when one quota is exhausted. With two credentials, part of the other quota may
      // remain.
      if (tokens.length === 1) expect(sum(server.served)).toBe(limit);
      expect(server.most()).toBeLessThanOrEqual(64);
    },
    240_000,
  );

  const seeds = longExtent ? 20 : 1;
  it.each(Array.from({ length: seeds }, (_, seed) => seed))(
    'a fleet neither loses nor repeats calls of surviving processes (seed %i)',
    async (seed) => {
      const server = await limitedServer(1_000_000, { latency: 2 });
      const processes = longExtent ? 8 : 3;
      const killed = longExtent ? 3 : 1;
      const calls = 100;
      const fleet = await Fleet.start(worker.path, processes);
      const { origin } = server;
      // There are as many slots as lanes, so the survivors need the slots of the killed processes.
      const working = fleet.work({
        ...work,
        kind: 'budget',
        redis: redis.server.url,
        origin,
        calls,
        maxConcurrency: 8,
      });
      for (let at = 0; at < killed; at++) {
        const after = 10 + ((seed * 37 + at * 53) % 90);
        while (server.requests.length < after * (at + 1))
          await new Promise((resolve) => setTimeout(resolve, 1));
        fleet.kill(at);
      }
      const done = (await working).slice(killed);
      for (const each of done) {
        expect(each?.failed).toEqual([]);
        expect(new Set(each?.responses).size).toBe(calls);
      }
      const responded = new Set(done.flatMap((each) => each?.responses ?? []));
      const sent = server.requests.map(
        ({ url }) => new URL(url, origin).searchParams.get('id') ?? '',
      );
      const counts = new Map<string, number>();
      for (const id of sent) counts.set(id, (counts.get(id) ?? 0) + 1);
      for (const id of responded) expect(counts.get(id)).toBe(1);
    },
    120_000,
  );

  // This test is retried, because the machine may stall for longer than a lock's lease.
  it('a fleet with a shared cache downloads each response body only once', {
    retry: 2,
    timeout: 240_000,
  }, async () => {
    const processes = longExtent ? 8 : 4;
    const lists = longExtent ? 100 : 20;
    let bodies = 0;
    const server = await serve((request, response) => {
      const etag = `"${request.url}"`;
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, { etag }).end();
        return;
      }
      bodies++;
      sendJson(response, [{ text: 'x'.repeat(5000) }], 200, { etag });
    });
    const fleet = await Fleet.start(worker.path, processes);
    const { origin } = server;
    const done = await fleet.work({
      ...work,
      kind: 'lists',
      redis: redis.server.url,
      origin,
      calls: lists,
      lanes: 4,
    });
    for (const each of done) {
      expect(each?.failed).toEqual([]);
      expect(each?.responses).toHaveLength(lists);
    }
    expect(bodies).toBe(lists);
  });
});

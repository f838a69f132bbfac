import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { longExtent } from '../support/extent.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { sendJson, serve } from '../support/server.js';
import { compileWorker, Fleet } from './fleet.js';

/** A request as the server received it. */
interface Arrival {
  readonly at: number;
  /** Time at which the process started the request, by the machine's clock. */
  readonly startedAt: number;
  readonly process: string;
  readonly call: number;
  readonly isAccepted: boolean;
}

/**
 * Starts a server that accepts `limit` requests per 100 ms, and rejects other requests with a
 * `Retry-After` of `pause` seconds.
 */
async function secondaryServer({ limit = 8, pause = 1 } = {}) {
  const arrivals: Arrival[] = [];
  let accepted: number[] = [];
  const server = await serve((request, response) => {
    const at = performance.now();
    accepted = accepted.filter((each) => each > at - 100);
    const isAccepted = accepted.length < limit;
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('id') ?? '';
    const [process = '', call = ''] = id.split('-');
    const startedAt = Number(request.headers['x-started']);
    arrivals.push({ at, startedAt, process, call: Number(call), isAccepted });
    if (!isAccepted) {
      const message = 'You have exceeded a secondary rate limit.';
      sendJson(response, { message }, 403, { 'retry-after': `${pause}` });
      return;
    }
    accepted.push(at);
    sendJson(response, { ok: true });
  });
  return Object.assign(server, { arrivals });
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('clients with a shared secondary limit', () => {
  const redis = useRedis();

  async function connect(server: Awaited<ReturnType<typeof secondaryServer>>) {
    const shared = redisStore(await connectRedis(redis.server.url), { timeout: 20_000 });
    return createClient(server, { auth: { type: 'token', token: 'one' }, rateLimit: { shared } });
  }

  it('clients with a shared secondary limit send at most 3 requests per call on average', async () => {
    const server = await secondaryServer();
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect(server)));
    const calls = clients.flatMap((client) =>
      Array.from({ length: 20 }, () => client.request({ path: '/x' })),
    );
    await Promise.all(calls);
    expect(server.arrivals.length).toBeLessThanOrEqual(3 * calls.length);
  });

  it('a client shares its pause with a client that starts after it has closed', async () => {
    const server = await secondaryServer();
    const first = await connect(server);
    const burst = Array.from({ length: 20 }, () => first.request({ path: '/x' }, { retry: false }));
    await Promise.allSettled(burst);
    await first.close({ gracePeriod: 0 });
    const before = server.arrivals.length;
    const late = createClient(server, {
      auth: { type: 'token', token: 'one' },
      rateLimit: { shared: redisStore(await connectRedis(redis.server.url)), maxWait: 100 },
    });
    expect(await rejectionOf(late.request({ path: '/x' }))).toMatchObject({
      code: 'rate_limit',
      reason: 'secondary',
    });
    expect(server.arrivals).toHaveLength(before);
  });
});

describe.skipIf(!engine)('processes with shared limits', () => {
  const redis = useRedis();
  let worker: Awaited<ReturnType<typeof compileWorker>>;
  beforeAll(async () => {
    worker = await compileWorker();
  });
  afterAll(() => worker.remove());

  const work = { maxConcurrency: 64, timeout: 20_000, tokens: ['one'] };

  // This test is retried, because a process may be interrupted after a start and before it reads
  // the time.
  it('processes share a write interval, and each process starts its calls in order', {
    retry: 2,
    timeout: 120_000,
  }, async () => {
    const [processes, calls, writeInterval] = [2, longExtent ? 50 : 15, 100];
    const server = await secondaryServer({ limit: Number.POSITIVE_INFINITY });
    const fleet = await Fleet.start(worker.path, processes);
    const { origin } = server;
    const where = { redis: redis.server.url, origin };
    const ways = { kind: 'writes' as const, lanes: calls, calls, writeInterval };
    const done = await fleet.work({ ...work, ...where, ...ways });
    expect(done.flatMap((each) => each?.failed)).toEqual([]);
    expect(server.arrivals).toHaveLength(processes * calls);
    const starts = server.arrivals.toSorted((a, b) => a.startedAt - b.startedAt);
    const times = starts.map(({ startedAt }) => startedAt);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps.filter((gap) => gap < 95)).toEqual([]);
    const names = new Set(starts.map(({ process }) => process));
    expect(names.size).toBe(processes);
    for (const name of names) {
      const own = starts.filter(({ process }) => process === name);
      expect(own.map(({ call }) => call)).toEqual(Array.from({ length: calls }, (_, at) => at));
    }
    // Processes take turns.
    const half = new Set(starts.slice(0, calls).map(({ process }) => process));
    expect(half.size).toBe(processes);
  });

  it('processes with shared limits send at most 3 requests per call on average', async () => {
    const [processes, calls] = [8, longExtent ? 60 : 15];
    const server = await secondaryServer({ pause: 2 });
    const fleet = await Fleet.start(worker.path, processes);
    const { origin } = server;
    const where = { redis: redis.server.url, origin };
    const done = await fleet.work({ ...work, ...where, kind: 'budget', lanes: calls, calls });
    expect(done.flatMap((each) => each?.failed)).toEqual([]);
    expect(done.flatMap((each) => each?.responses)).toHaveLength(processes * calls);
    expect(server.arrivals.length).toBeLessThanOrEqual(3 * processes * calls);
  }, 120_000);

  it('processes stay paused even if the process that received the rejection dies', async () => {
    const arrivals: Arrival[] = [];
    const server = await serve(async (request, response) => {
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('id') ?? '';
      const isAccepted = arrivals.length !== 40;
      const [process = ''] = id.split('-');
      arrivals.push({ at: performance.now(), startedAt: 0, process, call: 0, isAccepted });
      await sleep(20);
      if (isAccepted) sendJson(response, { ok: true });
      else sendJson(response, { message: 'secondary rate limit' }, 403, { 'retry-after': '4' });
    });
    const fleet = await Fleet.start(worker.path, 4);
    const { origin } = server;
    const where = { redis: redis.server.url, origin };
    // Without `maxConcurrency` and a quota, the processes share nothing except pauses.
    const ways = { kind: 'budget' as const, lanes: 1, calls: 10_000, maxConcurrency: undefined };
    const working = fleet.work({ ...work, ...where, ...ways });
    await until('a call is rejected', () => arrivals.length > 40);
    const rejected = arrivals[40];
    // Redis needs a moment to receive the pause.
    await sleep(200);
    fleet.killProcess(Number(rejected?.process));
    await sleep(3000);
    const age = ({ at }: Arrival) => at - (rejected?.at ?? 0);
    expect(arrivals.filter((each) => age(each) > 1200 && age(each) < 3000)).toEqual([]);
    await until('the others continue', () => arrivals.some((each) => age(each) > 4000));
    for (let at = 0; at < 4; at++) fleet.kill(at);
    await working;
  }, 60_000);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { SupportClient } from '../../src/support/client.js';
import { rejectionOf, until } from '../support/client.js';
import { fullExtent, longExtent } from '../support/extent.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { serve } from '../support/server.js';
import { compileWorker, Fleet } from './fleet.js';

const key = 'a key that all processes of the fleet know';
const auth = { userName: 'ann', apiKey: 'the-api-key', password: 'the-password' };

/** Starts a support service whose sessions a test can end. Waits `latency` ms per response. */
async function service(latency = 0) {
  let sessions = 0;
  const server = await serve(async (request, response) => {
    if (latency > 0) await sleep(latency);
    if (request.url.endsWith('/authenticate')) {
      sessions++;
      const expires = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}+0000`;
      response.end(JSON.stringify({ success: true, access_token: `token-${sessions}`, expires }));
    } else if (request.url.includes(`access_token=token-${sessions}`) && !ended()) {
      response.end('{"success":true,"logged_in":true}');
    } else {
      response.writeHead(401).end('{"success":false}');
    }
  });
  let last = 0;
  const ended = () => last === sessions;
  return {
    server,
    sessions: () => sessions,
    end: () => {
      last = sessions;
    },
  };
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('support sessions in Redis', () => {
  const redis = useRedis();

  async function connected(reconnects = true) {
    return await connectRedis(redis.server.url, reconnects ? {} : { reconnectStrategy: false });
  }

  async function client(origin: string, secret = key): Promise<SupportClient> {
    const store = redisStore(await connected(), { key: secret, timeout: 20_000 });
    const created = new SupportClient({ baseUrl: `${origin}/api/v2`, auth, session: { store } });
    onTestFinished(() => created.close());
    return created;
  }

  it('16 support clients open one session, and another after the first expires', async () => {
    const { server, sessions, end } = await service();
    const clients = await Promise.all(Array.from({ length: 16 }, () => client(server.origin)));
    await Promise.all(clients.flatMap((each) => [each.me(), each.me()]));
    expect(sessions()).toBe(1);
    end();
    await Promise.all(clients.flatMap((each) => [each.me(), each.me()]));
    expect(sessions()).toBe(2);
  });

  it('many processes share one session, and open only one more if it expires', async () => {
    const { server, sessions, end } = await service(5);
    const worker = await compileWorker();
    onTestFinished(worker.remove);
    const processes = fullExtent ? 16 : 4;
    const fleet = await Fleet.start(worker.path, processes);
    const [calls, lanes] = [40, 4];
    const working = fleet.work({
      kind: 'session',
      redis: redis.server.url,
      origin: server.origin,
      calls,
      lanes,
      tokens: [],
      maxConcurrency: 64,
      timeout: 20_000,
    });
    const begun = () => server.requests.length;
    await until('the server has received some calls', () => begun() > processes * 10);
    expect(sessions()).toBe(1);
    end();
    for (const each of await working) {
      expect(each?.failed).toEqual([]);
      expect(each?.responses).toHaveLength(calls);
    }
    expect(sessions()).toBe(2);
    expect(begun(), 'calls in flight when the session ended are sent again').toBeGreaterThan(
      processes * calls + 2,
    );
  });

  it('redisStore decrypts a session only with the key and the account that it was saved with', async () => {
    const { server, sessions } = await service();
    await (await client(server.origin)).me();
    const raw = await connected();
    const names = await raw.keys('*:s:*');
    const values = await Promise.all(names.map((name) => raw.get(name)));
    expect(values.length).toBeGreaterThan(0);
    expect(`${names} ${values}`).not.toMatch(/token-1|ann|the-/);
    await (await client(server.origin, 'another key, of other processes, as long')).me();
    expect(sessions()).toBe(2);

    const store = redisStore(raw, { key });
    await store.saveSession('one', { accessToken: 'of one', lifetime: 60_000 });
    const [found] = (await raw.keys('*:s:*')).filter((name) => !names.includes(name));
    await store.saveSession('two', { accessToken: 'of two', lifetime: 60_000 });
    expect(await store.loadSession('one')).toMatchObject({ accessToken: 'of one' });
    for (const name of await raw.keys('*:s:*')) {
      if (found && name !== found) await raw.copy(found, name, { REPLACE: true });
    }
    expect(await store.loadSession('two')).toBeUndefined();
  });

  it('SupportClient falls back to a local session with a warning if Redis is unavailable', async () => {
    const { server, sessions } = await service();
    const gone = await connected(false);
    const store = redisStore(gone, { key });
    gone.destroy();
    const lines: string[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (line: string) => lines.push(line) };
    const created = new SupportClient({
      baseUrl: `${server.origin}/api/v2`,
      auth,
      session: { store },
      log,
    });
    expect(await created.me()).toMatchObject({ logged_in: true });
    expect(sessions()).toBe(1);
    expect(lines.filter((line) => line.includes('the session store'))).toHaveLength(1);
    await created.close();
  });

  it.each([
    [400, 'bad_request'],
    [401, 'authentication'],
    [404, 'not_found'],
    [503, 'server'],
  ])(
    '12 support clients send a single sign-in request if the server responds with %i',
    async (status, code) => {
      const server = await serve((_request, response) => response.writeHead(status).end('{}'));
      const clients = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const store = redisStore(await connected(), { key, timeout: 20_000 });
          const baseUrl = `${server.origin}/api/v2`;
          const created = new SupportClient({ baseUrl, auth, session: { store }, retry: false });
          onTestFinished(() => created.close());
          return created;
        }),
      );
      for (let round = 0; round < 3; round++) {
        const outcomes = await Promise.allSettled(clients.map((each) => each.me()));
        for (const outcome of outcomes) {
          expect(outcome).toMatchObject({ status: 'rejected', reason: { code, status } });
        }
      }
      expect(server.requests).toHaveLength(1);
    },
  );

  // This test takes 25 s, so only `npm run fleets` runs it.
  it.runIf(longExtent)(
    '12 support clients send a single sign-in request even if its rejection arrives after the lock expired',
    async () => {
      const server = await serve(async (_request, response) => {
        await sleep(25_000);
        response.writeHead(401).end('{}');
      });
      const clients = await Promise.all(Array.from({ length: 12 }, () => client(server.origin)));
      const outcomes = await Promise.allSettled(clients.map((each) => each.me()));
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'authentication' } });
      }
      expect(server.requests).toHaveLength(1);
    },
    60_000,
  );

  it('SupportClient opens a new session if both its own and the stored session have expired', async () => {
    const { server, sessions, end } = await service();
    const [idle, busy] = [await client(server.origin), await client(server.origin)];
    await idle.me();
    end();
    await busy.me();
    end();
    await idle.me();
    await busy.me();
    expect(sessions()).toBe(3);
  });

  it('SupportClient signs in again even if a clock change makes a stored failure expire too late', async () => {
    let status = 401;
    const server = await serve((_request, response) => {
      response.writeHead(status).end('{"success":true,"logged_in":true,"access_token":"a"}');
    });
    const created = await client(server.origin);
    expect(await rejectionOf(created.me())).toMatchObject({ code: 'authentication' });
    const [name = ''] = await redis.client.keys('triforge:f:*');
    expect(await redis.client.pExpire(name, 3_600_000)).toBe(1);
    status = 200;
    await created.me();
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('SupportClient rejects a redisStore without a key as its session store', async () => {
    const store = redisStore(await connected());
    const options = { baseUrl: 'http://127.0.0.1', auth, session: { store } };
    // @ts-expect-error: this store can't contain a session.
    expect(() => new SupportClient(options)).toThrow(
      'session.store: must be a store for sessions. Pass key to redisStore.',
    );
  });
});

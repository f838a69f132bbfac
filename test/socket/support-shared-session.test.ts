import { describe, expect, onTestFinished, test } from 'vitest';
import { SupportClient, type SupportClientOptions } from '../../src/support/index.js';
import type {
  SessionStore,
  StoredFailure,
  StoredSession,
} from '../../src/transport/stores/stores.js';
import { until } from '../support/client.js';
import { recordChannel } from '../unit/transport/recorded-events.js';
import { auth, world } from './support-world.js';

/** Creates an in-memory session store whose content a test can inspect. `own` replaces methods. */
function sharing(own: Partial<SessionStore> = {}) {
  const kept = new Map<string, StoredSession>();
  const failures = new Map<string, StoredFailure>();
  const owners = new Map<string, string>();
  const locks: string[] = [];
  const store: SessionStore = {
    loadSession: async (account) => kept.get(account),
    saveSession: async (account, session) => {
      kept.set(account, session);
    },
    loadFailure: async (account) => failures.get(account),
    saveFailure: async (account, failure) => {
      failures.set(account, failure);
    },
    acquireLock: async (name, owner) => {
      locks.push(name);
      const holder = owners.get(name) ?? owner;
      owners.set(name, holder);
      return holder;
    },
    lockOwner: async (name) => owners.get(name),
    releaseLock: async (name, owner) => {
      if (owners.get(name) === owner) owners.delete(name);
    },
    ...own,
  };
  return { store, kept, failures, locks, held: () => owners.size };
}

/** Creates a client with the shared store, as another process would. */
function sharer(
  { origin }: { readonly origin: string },
  store: SessionStore,
  options: Partial<SupportClientOptions> = {},
): SupportClient {
  const client = new SupportClient({
    baseUrl: `${origin}/api/v2`,
    auth,
    session: { store },
    retry: false,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** Starts a service with an open session, as if another process had opened it. */
async function opened() {
  const { client, ...service } = await world();
  const { accessToken } = await client.authenticate();
  await client.close();
  return { ...service, session: { accessToken, lifetime: 60_000 } };
}

describe('shared support sessions', () => {
  test('opens and renews one session for all processes', async () => {
    const { server, sessions, expire } = await world();
    const { store, kept, locks, held } = sharing();
    const [one, other] = [sharer(server, store), sharer(server, store)];
    await one.me();
    await other.me();
    expect(sessions()).toBe(1);
    expect(locks).toHaveLength(1);
    expire();
    await one.me();
    await other.me();
    expect(sessions()).toBe(2);
    expect([...kept.values()]).toEqual([
      { accessToken: 'token-number-2', lifetime: expect.any(Number) },
    ]);
    await until('every lock is released', () => held() === 0);
  });

  test('separates accounts and services, and hides credentials in keys', async () => {
    const { server, sessions } = await world();
    const { store, kept, locks } = sharing();
    await sharer(server, store).me();
    await sharer(server, store, { auth: { ...auth, password: 'another' } }).me();
    await sharer(server, store, { baseUrl: `${server.origin}/other/v2` }).me();
    expect(sessions()).toBe(3);
    expect(kept.size).toBe(3);
    expect(new Set(locks).size).toBe(3);
    const named = [...kept.keys(), ...locks].join();
    for (const part of Object.values(auth)) expect(named).not.toContain(part);
  });

  test('waits for another process that opens the session', async () => {
    const { server, sessions, session } = await opened();
    let owner: string | undefined = 'another';
    let requests = 0;
    let saved: StoredSession | undefined;
    const { store } = sharing({
      loadSession: async () => saved,
      acquireLock: async () => {
        requests += 1;
        return 'another';
      },
      lockOwner: async () => owner,
    });
    const call = sharer(server, store).me();
    await until('the lock is requested', () => requests === 1);
    saved = session;
    owner = undefined;
    await call;
    expect(sessions(), "only the other process's session").toBe(1);
    expect(requests).toBe(1);
  });

  test('reuses a session that was saved before the client got the lock', async () => {
    const { server, sessions, session } = await opened();
    const found = [undefined, session];
    const { store, held } = sharing({ loadSession: async () => found.shift() });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
    await until('the lock is released', () => held() === 0);
  });

  test('opens a session without the store if others take the lock four times', async () => {
    const { server, sessions } = await world();
    let requests = 0;
    const { store, kept } = sharing({
      acquireLock: async () => {
        requests += 1;
        return 'another';
      },
    });
    await sharer(server, store).me();
    expect(requests).toBe(4);
    expect(sessions()).toBe(1);
    expect(kept.size).toBe(0);
  });

  test('pauses sign-ins for 30 s after rejected credentials', async () => {
    const { server, sessions } = await world({
      authenticate: (response) => response.writeHead(401).end('{"statusMessage":"wrong"}'),
    });
    const { store, failures, held } = sharing();
    const rejected = { name: 'AuthenticationError', code: 'authentication', status: 401 };
    await expect(sharer(server, store).me()).rejects.toMatchObject(rejected);
    await until('the lock is released', () => held() === 0);
    const other = sharer(server, store);
    await expect(other.me()).rejects.toMatchObject({
      ...rejected,
      message: expect.stringMatching(
        /wrong.*\(reported by another process, next attempt in 30 s\)$/,
      ),
      request: { operation: 'authenticate', method: 'POST' },
      response: { status: 401, url: `${server.origin}/api/v2/authenticate` },
    });
    expect(sessions()).toBe(1);
    expect([...failures.values()]).toEqual([{ failure: expect.any(String), lifetime: 30_000 }]);
    for (const part of Object.values(auth))
      expect(JSON.stringify([...failures])).not.toContain(part);
    failures.clear();
    await expect(other.me()).rejects.toMatchObject(rejected);
    expect(sessions()).toBe(2);
  });

  test.each<[string, number, string, object, number]>([
    [
      'a 200 with success: false',
      200,
      '{"success":false,"statusMessage":"no"}',
      { code: 'authentication', status: 200 },
      30_000,
    ],
    ['a 403', 403, '{"message":"no"}', { code: 'permission', reason: 'forbidden' }, 30_000],
    [
      'a lockout',
      403,
      '{"message":"Maximum number of login attempts exceeded"}',
      { code: 'permission', reason: 'login_lockout' },
      30_000,
    ],
    ['a 429', 429, '{}', { code: 'rate_limit', reason: 'secondary' }, 5000],
    ['a 503', 503, '{}', { code: 'server', status: 503 }, 5000],
    ['a 404', 404, '{}', { status: 404 }, 5000],
    ['a 400', 400, '{}', { code: 'bad_request' }, 5000],
    ['a 409', 409, '{}', { code: 'conflict' }, 5000],
    ['a 422', 422, '{}', { code: 'unprocessable' }, 5000],
    ['a 302', 302, '{}', { code: 'redirect', reason: 'not_allowed' }, 5000],
    ['a 418', 418, '{}', { code: 'unexpected_status', status: 418 }, 5000],
    [
      'a 200 with an HTML page',
      200,
      '<html>Sign in</html>',
      { code: 'response_body', reason: 'unexpected_type', status: 200, response: { status: 200 } },
      5000,
    ],
    ['a 200 without a body', 200, '', { code: 'response_body', reason: 'empty' }, 5000],
    [
      'a 200 with a token of the wrong type',
      200,
      '{"access_token":7}',
      { code: 'response_shape', issues: [{ path: ['access_token'] }], response: { status: 200 } },
      5000,
    ],
    ['a 200 with an array', 200, '[]', { code: 'response_shape', issues: [{ path: [] }] }, 5000],
  ])(
    'shares the failure of a sign-in that gets %s',
    async (_what, status, body, error, lifetime) => {
      const { server, sessions } = await world({
        authenticate: (response) => response.writeHead(status).end(body),
      });
      const { store, failures } = sharing();
      await expect(sharer(server, store).me()).rejects.toMatchObject(error);
      await expect(sharer(server, store).me()).rejects.toMatchObject(error);
      expect(sessions()).toBe(1);
      expect([...failures.values()]).toMatchObject([{ lifetime }]);
    },
  );

  test("doesn't share a connection failure", async () => {
    const { server, sessions } = await world({
      authenticate: (response) => response.destroy(),
    });
    const { store, failures } = sharing();
    for (const count of [1, 2]) {
      await expect(sharer(server, store).me()).rejects.toMatchObject({ code: 'connection' });
      expect(sessions()).toBe(count);
    }
    expect(failures.size).toBe(0);
  });

  test('shares the issues of an invalid response, but not its data', async () => {
    const { server } = await world({
      authenticate: (response) => response.end('{"access_token":7,"new_token":"s3cret-t0ken"}'),
    });
    const { store, failures } = sharing();
    const shape = { code: 'response_shape', issues: [{ path: ['access_token'] }] };
    await expect(sharer(server, store).me()).rejects.toMatchObject(shape);
    await expect(sharer(server, store).me()).rejects.toMatchObject({ ...shape, data: undefined });
    expect(JSON.stringify([...failures])).not.toContain('s3cret');
  });

  test("doesn't share a truncated response", async () => {
    const { server, sessions } = await world({
      authenticate: (response) => {
        response.writeHead(200, { 'content-length': '99' }).write('{');
        setImmediate(() => response.destroy());
      },
    });
    const { store, failures } = sharing();
    for (const count of [1, 2]) {
      const error = { code: 'response_body', reason: 'truncated' };
      await expect(sharer(server, store).me()).rejects.toMatchObject(error);
      expect(sessions()).toBe(count);
    }
    expect(failures.size).toBe(0);
  });

  const request = { operation: 'a', method: 'POST', url: 'b' };
  const response = { status: 200, statusText: 'OK', headers: {}, url: 'b', attempts: 1 };
  const shape = { message: 'x', request, response, code: 'response_shape' };
  test.each([
    '',
    'null',
    '{}',
    '{"message":"x","request":{}}',
    JSON.stringify(shape),
    JSON.stringify({ ...shape, issues: [{ message: 1 }] }),
    JSON.stringify({ ...shape, issues: [{ message: 'x', path: 7 }] }),
    JSON.stringify({ ...shape, code: 'response_body' }),
  ])('opens a session despite the invalid stored failure %j', async (failure) => {
    const { server, sessions } = await world();
    const { store } = sharing({ loadFailure: async () => ({ failure, lifetime: 1000 }) });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });

  test('prefers a stored session to a stored failure', async () => {
    const { server, sessions, session } = await opened();
    const { store } = sharing({
      loadSession: async () => session,
      loadFailure: async () => ({ failure: '{}', lifetime: 1000 }),
    });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });

  test("renews if the server rejects both the client's and the stored session", async () => {
    const { server, sessions, expire } = await world();
    const { store } = sharing();
    const [idle, busy] = [sharer(server, store), sharer(server, store)];
    await idle.me();
    expire();
    await busy.me();
    expire();
    // The client's own session and the stored session have both expired.
    await idle.me();
    expect(sessions()).toBe(3);
    await busy.me();
    expect(sessions()).toBe(3);
  });

  test('reloads the session at most twice per call', async () => {
    const { server, sessions, expire } = await world();
    let found = 0;
    const { store } = sharing({
      loadSession: async () => ({ accessToken: `stale ${++found}`, lifetime: 60_000 }),
    });
    expire();
    await expect(sharer(server, store).me()).rejects.toMatchObject({ code: 'authentication' });
    expect([sessions(), found]).toEqual([0, 3]);
  });

  test('ignores an expired stored session', async () => {
    const { server, sessions, session } = await opened();
    const { store } = sharing({ loadSession: async () => ({ ...session, lifetime: 0 }) });
    await sharer(server, store).me();
    expect(sessions()).toBe(2);
  });

  test.each(['loadSession', 'loadFailure', 'saveSession', 'acquireLock'] as const)(
    'falls back to a local session and reports it if %s fails',
    async (method) => {
      const { server, sessions } = await world();
      const reported = recordChannel('triforge:store');
      const { store } = sharing({ [method]: () => Promise.reject(new Error('gone')) });
      const client = sharer(server, store);
      await client.me();
      await client.me();
      expect(sessions()).toBe(1);
      expect(reported).toContainEqual({ store: 'session', state: 'lost', reason: 'gone' });
    },
  );

  test('waits for a slow store within the timeout', async () => {
    const { server, sessions, session } = await opened();
    const { store } = sharing({
      timeout: 60_000,
      loadSession: () =>
        new Promise((resolve) => {
          setTimeout(resolve, 100, session);
        }),
    });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });

  test('opens a session without the store if the store exceeds its timeout', async () => {
    const { server, sessions } = await world();
    const { store } = sharing({ timeout: 1, loadSession: () => new Promise(() => {}) });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });
});

test.each<[string, unknown, string]>([
  ['null', null, 'session'],
  ['a missing store', {}, 'session.store'],
  ['an unknown option', { store: sharing().store, key: 'x' }, 'session.key'],
  [
    'a store without loadSession',
    { store: { ...sharing().store, loadSession: 1 } },
    'session.store',
  ],
  [
    'a store without saveSession',
    { store: { ...sharing().store, saveSession: 1 } },
    'session.store',
  ],
  [
    'a store without acquireLock',
    { store: { ...sharing().store, acquireLock: 1 } },
    'session.store',
  ],
  [
    'a store without loadFailure',
    { store: { ...sharing().store, loadFailure: 1 } },
    'session.store',
  ],
])('the session option rejects %s', (_what, session, option) => {
  const make = () =>
    new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth, session: session as never });
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
});

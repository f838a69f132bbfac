import { describe, expect, onTestFinished, test } from 'vitest';
import { SupportClient, type SupportClientOptions } from '../../src/support/index.js';
import type { SessionStore, StoredSession } from '../../src/transport/policy/stores.js';
import { until } from '../support/client.js';
import { eventsOf } from '../unit/transport/heard-events.js';
import { auth, world } from './support-world.js';

/** What processes share, in memory, with methods of a test's own; and what it was asked. */
function sharing(own: Partial<SessionStore> = {}) {
  const kept = new Map<string, StoredSession>();
  const locks: string[] = [];
  let held = 0;
  const store: SessionStore = {
    loadSession: async (account) => kept.get(account),
    saveSession: async (account, session) => {
      kept.set(account, session);
    },
    lock: async (name) => {
      locks.push(name);
      held += 1;
      return {
        taken: undefined,
        release: async () => {
          held -= 1;
        },
      };
    },
    ...own,
  };
  return { store, kept, locks, held: () => held };
}

/** Another process: a client of the same service, with the same store. */
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

/** A service, and the session that a process opened there which is not ours. */
async function opened() {
  const { client, ...service } = await world();
  const { accessToken } = await client.authenticate();
  await client.close();
  return { ...service, session: { accessToken, lifetime: 60_000 } };
}

describe('a session that processes share', () => {
  test('is opened by one, kept for the others, and renewed by one', async () => {
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
    await until('every lock is let go of', () => held() === 0);
  });

  test('is of one account of one service, which are not told by name', async () => {
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

  test('is waited for while another opens it', async () => {
    const { server, sessions, session } = await opened();
    let letGo = () => {};
    const taken = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let asked = 0;
    let saved: StoredSession | undefined;
    const { store } = sharing({
      loadSession: async () => saved,
      lock: async () => {
        asked += 1;
        return { taken, release: async () => {} };
      },
    });
    const call = sharer(server, store).me();
    await until('the lock is asked for', () => asked === 1);
    saved = session;
    letGo();
    await call;
    expect(sessions(), 'the one that another opened').toBe(1);
    expect(asked).toBe(1);
  });

  test('that another saved before the lock came is taken', async () => {
    const { server, sessions, session } = await opened();
    const found = [undefined, session];
    const { store, held } = sharing({ loadSession: async () => found.shift() });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
    await until('the lock is let go of', () => held() === 0);
  });

  test('is opened alone where others get the lock four times, one after the other', async () => {
    const { server, sessions } = await world();
    let asked = 0;
    const { store, kept } = sharing({
      lock: async () => {
        asked += 1;
        return { taken: Promise.resolve(), release: async () => {} };
      },
    });
    await sharer(server, store).me();
    expect(asked).toBe(4);
    expect(sessions()).toBe(1);
    expect(kept.size).toBe(0);
  });

  test('lets go of the lock where it can not be opened, and tries again at the next call', async () => {
    const { server, sessions } = await world({
      authenticate: (response) => response.writeHead(401).end(),
    });
    const { store, locks, held } = sharing();
    const client = sharer(server, store);
    for (const count of [1, 2]) {
      await expect(client.me()).rejects.toMatchObject({ code: 'authentication' });
      expect(sessions()).toBe(count);
      expect(locks).toHaveLength(count);
      await until('the lock is let go of', () => held() === 0);
    }
  });

  test.each(['loadSession', 'saveSession', 'lock'] as const)(
    'is the client’s own where %s fails, which is told once',
    async (method) => {
      const { server, sessions } = await world();
      const told = eventsOf('triforge:store');
      const { store } = sharing({ [method]: () => Promise.reject(new Error('gone')) });
      const client = sharer(server, store);
      await client.me();
      await client.me();
      expect(sessions()).toBe(1);
      expect(told).toContainEqual({ store: 'session', state: 'lost', reason: 'gone' });
    },
  );

  test('is waited for as long as the store says', async () => {
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

  test('is not waited for where the store never answers', async () => {
    const { server, sessions } = await world();
    const { store } = sharing({ timeout: 1, loadSession: () => new Promise(() => {}) });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });
});

test.each<[string, unknown, string]>([
  ['nothing', null, 'session'],
  ['no store', {}, 'session.store'],
  ['an option that is not known', { store: sharing().store, key: 'x' }, 'session.key'],
  ['a store that loads none', { store: { ...sharing().store, loadSession: 1 } }, 'session.store'],
  ['a store that saves none', { store: { ...sharing().store, saveSession: 1 } }, 'session.store'],
  ['a store without locks', { store: { ...sharing().store, lock: 1 } }, 'session.store'],
])('the option session: %s is refused', (_what, session, option) => {
  const make = () =>
    new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth, session: session as never });
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
});

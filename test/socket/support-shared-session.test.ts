import { describe, expect, test } from 'vitest';
import { SupportClient } from '../../src/support/index.js';
import type { StoredSession } from '../../src/transport/stores/stores.js';
import { until } from '../support/client.js';
import { recordChannel } from '../unit/transport/recorded-events.js';
import { opened, sharer, sharing } from './session-sharing.js';
import { auth, world } from './support-world.js';

describe('shared support sessions', () => {
  test('clients with a shared store open and renew one session together', async () => {
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

  test('a shared store separates accounts and services, and its keys contain no credentials', async () => {
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

  test('SupportClient waits while another process opens the session', async () => {
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

  test('SupportClient reuses a session that was saved before it got the lock', async () => {
    const { server, sessions, session } = await opened();
    const found = [undefined, session];
    const { store, held } = sharing({ loadSession: async () => found.shift() });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
    await until('the lock is released', () => held() === 0);
  });

  test('the client opens a session without the store after four failed attempts to get the lock', async () => {
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

  test('SupportClient prefers a stored session to a stored failure', async () => {
    const { server, sessions, session } = await opened();
    const { store } = sharing({
      loadSession: async () => session,
      loadFailure: async () => ({ failure: '{}', lifetime: 1000 }),
    });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });

  test('the client opens a new session if both its own and the stored session have expired', async () => {
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

  test('SupportClient reloads a stored session at most twice per call', async () => {
    const { server, sessions, expire } = await world();
    let found = 0;
    const { store } = sharing({
      loadSession: async () => ({ accessToken: `stale ${++found}`, lifetime: 60_000 }),
    });
    expire();
    await expect(sharer(server, store).me()).rejects.toMatchObject({ code: 'authentication' });
    expect([sessions(), found]).toEqual([0, 3]);
  });

  test('SupportClient ignores an expired stored session', async () => {
    const { server, sessions, session } = await opened();
    const { store } = sharing({ loadSession: async () => ({ ...session, lifetime: 0 }) });
    await sharer(server, store).me();
    expect(sessions()).toBe(2);
  });

  test.each(['loadSession', 'loadFailure', 'saveSession', 'acquireLock'] as const)(
    'the client falls back to a local session and reports the session store as lost if %s fails',
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

  test("SupportClient waits for a slow session store within the store's timeout", async () => {
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

  test('SupportClient opens a session without the store if the store exceeds its timeout', async () => {
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

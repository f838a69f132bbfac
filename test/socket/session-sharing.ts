import { onTestFinished } from 'vitest';
import { SupportClient, type SupportClientOptions } from '../../src/support/index.js';
import type {
  SessionStore,
  StoredFailure,
  StoredSession,
} from '../../src/transport/stores/stores.js';
import { auth, world } from './support-world.js';

/** Creates an in-memory session store whose content a test can inspect. `own` replaces methods. */
export function sharing(own: Partial<SessionStore> = {}) {
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

/** Creates a client with the shared store, to act as another process. */
export function sharer(
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
export async function opened() {
  const { client, ...service } = await world();
  const { accessToken } = await client.authenticate();
  await client.close();
  return { ...service, session: { accessToken, lifetime: 60_000 } };
}

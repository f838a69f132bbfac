import type { StoreAccess } from '../transport/policy/store-access.js';
import type { SessionStore, StoredSession } from '../transport/policy/stores.js';

/** Whoever opens a session for all has so long, in ms, until another may. */
const lease = 10_000;

/** A lock that others got so often, one after the other, is not waited for any longer. */
const mostWaits = 3;

/** The session that processes share: one of them opens it, the others wait for it. */
export class SharedSession {
  readonly #store: SessionStore;
  readonly #access: StoreAccess;
  readonly #account: string;

  /** @param account names whose session it is, without a secret. */
  constructor(store: SessionStore, access: StoreAccess, account: string) {
    this.#store = store;
    this.#access = access;
    this.#account = account;
  }

  /**
   * The session that another process opened, or one that this one opens. Without the store, each
   * process has its own.
   * @param rejected a token that the server does not take any more.
   */
  async get(
    rejected: string | undefined,
    open: () => Promise<StoredSession>,
  ): Promise<StoredSession> {
    for (let waits = 0; waits <= mostWaits; waits++) {
      const found = await this.#find(rejected);
      if (found) return found;
      const lock = await this.#access.ask(() =>
        this.#store.lock(`session ${this.#account}`, lease),
      );
      if (!lock) break;
      if (lock.taken) {
        await this.#access.ask(() => lock.taken, lease);
        continue;
      }
      try {
        return (await this.#find(rejected)) ?? (await this.#openForAll(open));
      } finally {
        void this.#access.ask(() => lock.release());
      }
    }
    return await open();
  }

  async #find(rejected: string | undefined): Promise<StoredSession | undefined> {
    const found = await this.#access.ask(() => this.#store.loadSession(this.#account));
    return found && found.accessToken !== rejected ? found : undefined;
  }

  async #openForAll(open: () => Promise<StoredSession>): Promise<StoredSession> {
    const session = await open();
    await this.#access.ask(() => this.#store.saveSession(this.#account, session));
    return session;
  }
}

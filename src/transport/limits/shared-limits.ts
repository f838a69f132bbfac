import type { Publish } from '../request/diagnostics.js';
import { StoreAccess } from '../stores/store-access.js';
import type { StoreSettings } from '../stores/stores.js';
import type { CredentialLimits, LimitFacts } from './credential-limits.js';

/** Store through which processes share the limits that servers reported. */
export interface LimitStore extends StoreSettings {
  /**
   * Combines a process's facts with the stored facts and returns the result. The later window wins.
   * Within a window, the smaller `remaining` wins. The pause that ends later wins. Facts expire
   * when the window or the pause ends.
   * @param credential opaque key for the service and the credential.
   * @param bucket kind of requests that the quota applies to, such as `core`.
   */
  exchangeLimits(credential: string, bucket: string, facts: LimitFacts): Promise<LimitFacts>;
}

/** How a client shares its limits. */
export interface Sharing {
  readonly store: LimitStore;
  /** Base URL of the service. Keeps its limits separate from other services' limits. */
  readonly scope: string;
  readonly publish: Publish;
}

/** Minimum time in ms from one exchange to the next non-urgent exchange. */
const interval = 100;

/**
 * Publishes the limits that responses report, and applies the limits that other processes publish.
 * Calls never wait for an exchange. While the store is unavailable, a process knows only its own
 * limits.
 */
export class SharedLimits {
  readonly #store: LimitStore;
  readonly #scope: string;
  readonly #clock: () => number;
  readonly #onChange: (limits: CredentialLimits) => void;
  readonly #access: StoreAccess;
  /** Buckets whose requests started or ended since the last exchange. */
  readonly #active = new Map<CredentialLimits, Set<string>>();
  #exchangedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange called when another process's facts change a credential's limits. */
  constructor(
    { store, scope, publish }: Sharing,
    clock: () => number,
    onChange: (limits: CredentialLimits) => void,
  ) {
    this.#store = store;
    this.#scope = scope;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#access = new StoreAccess('limits', store.timeout ?? 50, publish);
  }

  /**
   * Schedules an exchange of a bucket's facts.
   * @param isUrgent whether other processes need the facts immediately.
   */
  schedule(limits: CredentialLimits, bucket: string, isUrgent = false): void {
    const buckets = this.#active.get(limits) ?? new Set<string>();
    this.#active.set(limits, buckets.add(bucket));
    if (this.#timer && !isUrgent) return;
    clearTimeout(this.#timer);
    const delay = isUrgent ? 0 : this.#exchangedAt + interval - this.#clock();
    this.#timer = setTimeout(() => this.#exchangeAll(), Math.max(0, delay)).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #exchangeAll(): void {
    const active = [...this.#active];
    this.#active.clear();
    this.#timer = undefined;
    this.#exchangedAt = this.#clock();
    for (const [limits, buckets] of active) {
      for (const bucket of buckets) void this.#exchange(limits, bucket);
    }
  }

  async #exchange(limits: CredentialLimits, bucket: string): Promise<void> {
    const key = `${this.#scope} ${limits.credential}`;
    const facts = limits.facts(bucket, this.#clock());
    const others = await this.#access.request(async () =>
      checkFacts(await this.#store.exchangeLimits(key, bucket, facts)),
    );
    if (others && limits.adopt(bucket, others, this.#clock())) this.#onChange(limits);
  }
}

/** @throws {TypeError} if the store returned invalid facts. */
function checkFacts({ pause, quota }: LimitFacts): LimitFacts {
  for (const value of [pause, ...(quota ? Object.values(quota) : [])]) {
    if (!Number.isFinite(value) || value < 0)
      throw new TypeError('the store returned invalid limits');
  }
  return { pause, quota };
}

import type { RateLimit } from '../../response-info.js';
import { maxWindow } from '../http/headers.js';
import type { Publish } from '../request/diagnostics.js';
import { StoreAccess, type StoreSettings } from '../stores/stores.js';

/** Reason for a wait, as in the `triforge:wait` event. */
export type WaitReason = 'quota' | 'pause' | 'pace' | 'write_interval' | 'slot';

/** Reason why a call can't start yet. */
export interface Block {
  readonly reason: WaitReason;
  /** End of the wait on the limiter's clock. Infinity if the wait lasts until another call ends. */
  readonly until: number;
  /** Minimum time in ms between the starts of calls that wait for this reason. Default: 0. */
  readonly interval?: number | undefined;
  /** The exhausted quota. Undefined for other reasons. */
  readonly limit?: RateLimit | undefined;
}

/** Minimum time between writes, in ms. */
export interface WriteInterval {
  readonly always: number;
  /** Applies for a minute after the pause that a refused write causes. */
  readonly afterRefusal: number;
}

/** Time in ms from the end of a pause until the pace and learned write interval are forgotten. */
const memory = 60_000;

/** Slowest pace, in ms between two starts. Also the pace of probes. */
const slowest = 1000;

/** Pace after the first accepted probe, in ms between two starts. */
const firstPace = 100;

/** Factor by which the pace slows down if the server refuses the pace at which doubling stopped. */
const slowdown = 1.5;

/** Factor by which the pace speeds up with each accepted request once doubling has stopped. */
const speedup = 0.998;

/** Maximum delay of a call's start, in ms, that doesn't also delay later calls. */
const tolerance = 10;

/** Another process's pause counts as the same pause if it ends at most this many ms later. */
const samePause = 100;

/** A quota that a response reported. Times are on the limiter's clock. */
export interface Quota {
  /** Last reported quota. */
  readonly last: RateLimit;
  /** End of the window. Undefined if the server doesn't report it. */
  readonly resetAt: number | undefined;
  readonly reportedAt: number;
}

/** Requests that use the same quota. */
export interface Bucket {
  readonly name: string;
  inFlight: number;
  /** Undefined until a response reports a quota. */
  quota: Quota | undefined;
}

/** A request that has started. */
interface Started {
  readonly startedAt: number;
  /** Whether the request probed for the end of the last pause. */
  readonly isProbe: boolean;
}

/** Quota and pause that servers reported for one credential. */
export interface LimitFacts {
  /** Quota in one bucket. Undefined if it is unknown or its window has ended. */
  readonly quota:
    | {
        readonly limit: number;
        readonly remaining: number;
        /** End of the window on the server's clock, in seconds since the epoch. */
        readonly reset: number;
        /** Time in ms until the window ends. */
        readonly ends: number;
      }
    | undefined;
  /** Time in ms until the credential's pause ends. 0 if it isn't paused. */
  readonly pause: number;
}

/**
 * The limits of one credential: quotas that responses reported, the pause after a refusal, the pace
 * of calls after a pause, and the interval between writes. Times are in ms on the limiter's clock.
 *
 * After a pause, one probe per second starts. Once a probe is accepted, each accepted request
 * doubles the rate, up to the rate that the server accepted before its last refusal. After that,
 * the rate rises slowly. A refused probe only lengthens the pause, because it doesn't show that the
 * rate is too high. The rate is forgotten a minute after the last pause.
 */
export class CredentialLimits {
  readonly #buckets = new Map<string, Bucket>();
  readonly #writeInterval: WriteInterval;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #pausedAt = Number.NEGATIVE_INFINITY;
  /** Whether no request has been accepted since the last pause. */
  #isProbing = false;
  /** Milliseconds between two starts, while requests are paced. */
  #pace = 0;
  /** Pace at which doubling stops, because the server refused a faster pace. 0 if unknown. */
  #stop = 0;
  /** Number of requests accepted since the last pause, and when the first of them started. */
  #accepted = 0;
  #acceptedFrom = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  #lastWrite = Number.NEGATIVE_INFINITY;
  /** When the learned write interval ends. */
  #writesPacedUntil = Number.NEGATIVE_INFINITY;

  /** @param credential fingerprint of the credentials. */
  constructor(
    readonly credential: string,
    writeInterval: WriteInterval,
  ) {
    this.#writeInterval = writeInterval;
  }

  bucket(name: string): Bucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = { name, inFlight: 0, quota: undefined };
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  /** Returns why a request can't start yet. Undefined if it can start. */
  findBlock(bucket: Bucket | undefined, writes: boolean, now: number): Block | undefined {
    if (this.#pausedUntil > now) return { reason: 'pause', until: this.#pausedUntil };
    if (bucket) {
      const block = bucket.quota && findQuotaBlock(bucket.quota, bucket.inFlight, now);
      if (block) return block;
      if (now > this.#pausedUntil + memory) {
        this.#pace = 0;
        this.#stop = 0;
        this.#isProbing = false;
      }
      const until = this.#lastStart + this.#pace;
      // The calls behind the next one start faster as soon as a probe is accepted.
      if (this.#pace > 0 && until > now) return { reason: 'pace', until, interval: this.#stop };
    }
    if (!writes) return undefined;
    const { always, afterRefusal } = this.#writeInterval;
    const interval = now < this.#writesPacedUntil ? Math.max(always, afterRefusal) : always;
    const until = this.#lastWrite + interval;
    return interval > 0 && until > now ? { reason: 'write_interval', until, interval } : undefined;
  }

  /** Records the start of a request. Returns whether the request is a probe. */
  start(bucket: Bucket | undefined, writes: boolean, now: number): boolean {
    if (bucket) {
      bucket.inFlight++;
      const due = this.#lastStart + this.#pace;
      // Timers fire late. Measure the next interval from the time when this start was due.
      this.#lastStart = now - due <= tolerance ? due : now;
    }
    if (writes) this.#lastWrite = now;
    return this.#isProbing;
  }

  /**
   * Forgets the start of a request that wasn't sent. The intervals before that start have passed,
   * so the next request can start immediately.
   */
  cancelStart(startedAt: number): void {
    if (this.#lastWrite === startedAt) this.#lastWrite = Number.NEGATIVE_INFINITY;
    if (startedAt - this.#lastStart <= tolerance) this.#lastStart = Number.NEGATIVE_INFINITY;
  }

  /** Records that the server didn't refuse a request. */
  accept(startedAt: number): void {
    if (startedAt <= this.#pausedAt || this.#pace === 0) return;
    this.#accepted++;
    if (this.#isProbing) {
      this.#acceptedFrom = startedAt;
      this.#isProbing = false;
      this.#pace = Math.max(this.#stop, firstPace);
    } else if (this.#pace > this.#stop) {
      this.#pace = Math.max(this.#stop, this.#pace / 2);
    } else {
      this.#stop *= speedup;
      this.#pace = this.#stop;
    }
  }

  /**
   * Pauses the credential for at most an hour after the server refused a request. A refusal that
   * demands no wait has a reason other than the rate, so it has no effect.
   */
  refuse({ startedAt, isProbe }: Started, writes: boolean, ms: number, now: number): void {
    if (ms <= 0) return;
    // Requests that started before the pause belong to the burst that caused it.
    const isTooFast = startedAt > this.#pausedAt && !isProbe;
    if (isTooFast && this.#accepted > 0) {
      const measured = (now - this.#acceptedFrom) / this.#accepted;
      this.#stop = Math.min(slowest, Math.max(measured, this.#stop * slowdown));
    }
    this.pause(ms, now);
    if (writes) this.#writesPacedUntil = this.#pausedUntil + memory;
  }

  /** Pauses the credential for `ms` milliseconds, but at most an hour. */
  pause(ms: number, now: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(ms, maxWindow));
    this.#pausedAt = now;
    this.#isProbing = true;
    this.#accepted = 0;
    this.#pace = slowest;
    // The first probe starts as soon as the pause ends.
    this.#lastStart = Number.NEGATIVE_INFINITY;
  }

  /**
   * Updates a quota. Responses may arrive out of order. Unless the request started after the last
   * report, the later window wins. Within a window, the smaller remaining count wins.
   * @param startedAt when the request started. Default: unknown, for another process's report.
   */
  report(name: string, seen: Quota, startedAt = Number.NEGATIVE_INFINITY): void {
    const bucket = this.bucket(name);
    const known = bucket.quota;
    if (known && startedAt <= known.reportedAt && isOutdated(seen.last, known.last)) return;
    bucket.quota = seen;
  }

  /** Returns the quota and pause to share with other processes. */
  facts(name: string, now: number): LimitFacts {
    const { last, resetAt = now } = this.bucket(name).quota ?? {};
    const quota =
      last?.reset && resetAt > now
        ? {
            limit: last.limit,
            remaining: last.remaining,
            reset: last.reset.getTime() / 1000,
            ends: resetAt - now,
          }
        : undefined;
    return { quota, pause: Math.max(0, this.#pausedUntil - now) };
  }

  /**
   * Applies the quota and pause that other processes reported. Returns whether they changed this
   * credential's limits.
   */
  adopt(name: string, { quota, pause }: LimitFacts, now: number): boolean {
    const bucket = this.bucket(name);
    const known = bucket.quota;
    // A later window from the store must not end an exhausted window early.
    const isExhausted = known?.last.remaining === 0 && (known.resetAt ?? now) > now;
    if (quota && !isExhausted) {
      const { limit, remaining, reset, ends } = quota;
      const last = { limit, remaining, reset: new Date(reset * 1000), resource: name };
      const resetAt = now + Math.min(ends, maxWindow);
      this.report(name, { last, resetAt, reportedAt: now });
    }
    const isLonger = now + pause > this.#pausedUntil + samePause;
    if (pause > samePause && isLonger) this.pause(pause, now);
    return isLonger || known?.last.remaining !== bucket.quota?.last.remaining;
  }
}

/** Returns why a quota forbids another request. A new window starts with the full limit. */
function findQuotaBlock(
  { last, resetAt }: Quota,
  inFlight: number,
  now: number,
): Block | undefined {
  // A mock or a server without limits may report a limit of 0.
  if (resetAt === undefined || last.limit === 0) return undefined;
  const left = resetAt <= now ? last.limit : last.remaining;
  if (left > inFlight) return undefined;
  if (left <= 0) return { reason: 'quota', until: resetAt, limit: last };
  // The requests in flight may use up the quota. If none is in flight, send one to find out.
  return inFlight > 0 ? { reason: 'quota', until: Number.POSITIVE_INFINITY } : undefined;
}

/** Returns whether a report is older than the known report. */
function isOutdated(seen: RateLimit, known: RateLimit): boolean {
  if (!seen.reset || !known.reset) return false;
  const [then, now] = [known.reset.getTime(), seen.reset.getTime()];
  return then > now || (then === now && known.remaining < seen.remaining);
}

/** Store in which processes share the limits that servers reported. */
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

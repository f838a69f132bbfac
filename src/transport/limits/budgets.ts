import type { RateLimit } from '../../response-info.js';
import { computeTimeToReset, maxWindow, parseRateLimit, type RawHeaders } from '../http/headers.js';
import type { IsPrefetch } from '../request/prefetch.js';
import type { ReportedBudget } from './shared-limits.js';
import { UnreportedRequests } from './unreported-requests.js';

/** Maximum number of quotas to keep. The oldest quota is dropped first. */
const maxBudgets = 1000;

/** Known state of a credential's quota in one bucket. */
interface Budget {
  /** Last reported quota. Outdated responses are ignored. */
  readonly last: RateLimit;
  /** End of the window on the limiter's clock. Undefined if the server doesn't report it. */
  readonly resetAt: number | undefined;
  /** Sequence number of the event that reported the quota. */
  readonly reportedAt: number;
  /** Requests that used this quota and got no rate-limit report. Undefined if there are none. */
  unreported: UnreportedRequests | undefined;
}

/** Permit that a call acquires from the limiter, and releases when the call ends. */
export interface Permit {
  /** Fingerprint of the credentials that own the quota. */
  readonly credential: string;
  readonly operation: string;
  /**
   * Whether the call ignores the quota and the concurrency limit. Only the client's pauses and the
   * write interval delay such a call.
   */
  readonly exemptFromLimits: boolean;
  /** Whether the request may change data on the server. */
  readonly writes: boolean;
  /** When the request was sent, on the limiter's clock. */
  readonly startedAt?: number | undefined;
  /** Returns whether the request is a prefetch. Undefined if the request is never a prefetch. */
  isPrefetch?: IsPrefetch | undefined;
  /** The request's use of the quota. Set while the call holds the permit. */
  reservation?: Reservation | undefined;
}

/** Quota unit that a request uses from the moment it may be sent until its response arrives. */
export interface Reservation {
  /**
   * Key of the quota that the request counts against. The response may report a different bucket.
   */
  readonly key: string;
  /** The reservation's sequence number among all recorded events. */
  readonly sequence: number;
}

/** Reason for a wait, as in the `triforge:wait` event. */
export type WaitReason = 'quota' | 'pause' | 'slow_start' | 'write_interval' | 'slot';

/** Reason why a call can't be sent yet. */
export interface Rejected {
  /** The last known quota. Undefined if the call doesn't wait for a quota. */
  readonly limit: RateLimit | undefined;
  /** When the wait ends, on the limiter's clock. */
  readonly until: number;
  readonly reason: WaitReason;
  /** Time in ms between the starts of calls that wait for the same reason. Default: 0. */
  readonly interval?: number;
}

type KeyedRequest = Pick<Permit, 'credential' | 'operation'> &
  Partial<Pick<Permit, 'exemptFromLimits'>>;

type Counted = Pick<Permit, 'credential' | 'operation' | 'startedAt'>;

/** Key for requests that use no quota. Can't collide, because quota keys contain a space. */
const exemptKey = 'exempt';

/** Quotas of all credentials, as reported in one client's responses. */
export class Budgets {
  readonly #clock: () => number;
  readonly #budgets = new Map<string, Budget>();
  #newest = '';
  /** Buckets of operations that don't count against `core`. */
  readonly #buckets = new Map<string, string>();
  /** Number of unreleased reservations, by quota key. */
  readonly #inFlight = new Map<string, number>();
  /** Sequence number of the last event, such as a reservation or a response. */
  #events = 0;
  /** The last key, cached because most of a client's calls use the same key. */
  #lastKey = { credential: '', bucket: 'core', key: formatBudgetKey('', 'core') };

  /** @param clock monotonic clock in ms. The system clock could be set back while calls wait. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Returns a credential's last known quota. */
  last(credential: string): RateLimit | undefined {
    return this.#budgets.get(formatBudgetKey(credential, 'core'))?.last;
  }

  /** Returns the key of the quota that a request counts against. */
  quotaKey({ credential, operation, exemptFromLimits }: KeyedRequest): string {
    if (exemptFromLimits) return exemptKey;
    const bucket = this.#buckets.get(operation) ?? 'core';
    const last = this.#lastKey;
    if (last.credential === credential && last.bucket === bucket) return last.key;
    const key = formatBudgetKey(credential, bucket);
    this.#lastKey = { credential, bucket, key };
    return key;
  }

  /** Number of events so far, such as reservations and responses. */
  get events(): number {
    return this.#events;
  }

  /** Returns whether a quota can be shared with other processes. */
  isShareable(key: string): boolean {
    return this.#budgets.get(key)?.resetAt !== undefined;
  }

  /**
   * Returns a quota to share with other processes. This process's unreported requests are
   * subtracted. Undefined if the end of the quota's window is unknown.
   */
  getReport(key: string): ReportedBudget | undefined {
    const budget = this.#budgets.get(key);
    if (budget?.resetAt === undefined || !budget.last.reset) return undefined;
    const { limit, remaining, reset } = budget.last;
    const spent = budget.unreported?.count(true) ?? 0;
    return {
      limit,
      // Keep at least one request, because only a response can show that the quota is used up.
      remaining: Math.max(Math.min(1, remaining), remaining - spent),
      reset: reset.getTime() / 1000,
      ends: budget.resetAt - this.#clock(),
    };
  }

  /**
   * Adopts a quota from another process, unless a response after the `asOf` event reported newer
   * values.
   */
  adopt(key: string, reported: ReportedBudget, asOf: number): void {
    const known = this.#budgets.get(key);
    const { limit, remaining } = reported;
    const seen = {
      limit,
      remaining,
      reset: new Date(reported.reset * 1000),
      resource: parseBucket(key),
    };
    if (known && known.reportedAt > asOf && isOutdated(seen, known.last)) return;
    known?.unreported?.share(asOf);
    this.#keep(key, seen, this.#clock() + Math.min(reported.ends, maxWindow));
  }

  /**
   * Returns why a request can't be sent yet, or undefined if it can. A blocked request waits for
   * the window to end, or for another response (`turn`). If unreported requests may have exhausted
   * the quota, requests are sent one at a time to learn the server's count.
   * @param parts known number of clients that share the quota in equal parts.
   */
  blockedBy(key: string, parts = 1): Rejected | 'turn' | undefined {
    const budget = this.#budgets.get(key);
    if (budget?.resetAt === undefined) return undefined;
    const { last, resetAt, unreported } = budget;
    const inFlight = this.#inFlight.get(key) ?? 0;
    const taken = inFlight * parts;
    // Avoid reading the clock if enough units are left in this window and the next.
    if (taken + (unreported?.length ?? 0) < Math.min(last.remaining, last.limit)) return undefined;
    const inWindow = resetAt > this.#clock();
    if (inWindow && last.remaining <= 0) return { limit: last, until: resetAt, reason: 'quota' };
    // A new window starts with its full limit.
    const left = inWindow ? last.remaining : last.limit;
    return inFlight > 0 && taken + (unreported?.count(inWindow) ?? 0) >= left ? 'turn' : undefined;
  }

  /**
   * Returns whether one more request leaves at least one unit for other requests.
   * @param waiting number of calls that wait for this quota.
   * @param parts number of clients that share the quota in equal parts.
   */
  hasSpare(key: string, waiting: number, parts: number): boolean {
    const budget = this.#budgets.get(key);
    if (!budget) return true;
    const { last, resetAt, unreported } = budget;
    const taken = ((this.#inFlight.get(key) ?? 0) + waiting + 1) * parts;
    if (taken + (unreported?.length ?? 0) < Math.min(last.remaining, last.limit)) return true;
    const inWindow = resetAt === undefined || resetAt > this.#clock();
    const spent = taken + (unreported?.count(inWindow) ?? 0);
    return spent < (inWindow ? last.remaining : last.limit);
  }

  /**
   * Records a request that is about to be sent.
   * @param isCounted whether the request uses a unit of the quota until {@link release} is called.
   */
  reserve(key: string, isCounted = true): Reservation {
    if (isCounted) this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1);
    this.#events += 1;
    return { key, sequence: this.#events };
  }

  /** Ends a reservation after the response, or when no response will arrive. */
  release({ key }: Reservation): void {
    const others = (this.#inFlight.get(key) ?? 1) - 1;
    // Keep the last entry, because deleting an entry for every call is slow.
    if (others > 0 || this.#inFlight.size === 1) this.#inFlight.set(key, others);
    else this.#inFlight.delete(key);
  }

  /** Records a request that ended without a report, although the server may have counted it. */
  miss({ key }: Reservation): void {
    const budget = this.#budgets.get(key);
    if (!budget) return;
    const { resetAt } = budget;
    const at = this.#clock();
    this.#events += 1;
    budget.unreported ??= new UnreportedRequests();
    budget.unreported.add({ sequence: this.#events, at }, resetAt === undefined || resetAt > at);
  }

  /**
   * Updates a quota from a response's headers.
   * @returns the key of the quota. Undefined if the response reports no quota.
   */
  correct(reservation: Reservation, request: Counted, headers: RawHeaders): string | undefined {
    const seen = parseRateLimit(headers);
    if (!seen) return undefined;
    const { credential, operation } = request;
    const bucket = seen.resource ?? 'core';
    if (bucket === 'core') this.#buckets.delete(operation);
    else this.#buckets.set(operation, bucket);
    // Omit `exemptFromLimits`, because the response to an exempt request also reports a quota.
    const key = this.quotaKey({ credential, operation });
    const known = this.#budgets.get(key);
    // The response to a request sent after the last report contains newer values.
    const concurrent = known !== undefined && reservation.sequence < known.reportedAt;
    if (concurrent && isOutdated(seen, known.last)) return key;
    known?.unreported?.report(reservation.sequence, request.startedAt ?? this.#clock());
    const left = seen.reset && computeTimeToReset(seen.reset, headers, Date.now());
    this.#keep(key, seen, left === undefined ? undefined : this.#clock() + left);
    return key;
  }

  clear(): void {
    this.#budgets.clear();
  }

  #keep(key: string, last: RateLimit, resetAt: number | undefined): void {
    this.#events += 1;
    const unreported = this.#budgets.get(key)?.unreported;
    // Keep the map ordered by age.
    if (key !== this.#newest) this.#budgets.delete(key);
    this.#newest = key;
    this.#budgets.set(key, { last, resetAt, reportedAt: this.#events, unreported });
    if (this.#budgets.size <= maxBudgets) return;
    const oldest = this.#budgets.keys().next();
    if (!oldest.done) this.#budgets.delete(oldest.value);
  }
}

/**
 * Returns whether a response is outdated, because responses can arrive out of order. An outdated
 * response reports an earlier window, or more remaining requests in the same window.
 */
function isOutdated(seen: RateLimit, known: RateLimit): boolean {
  if (!seen.reset || !known.reset) return false;
  const [then, now] = [known.reset.getTime(), seen.reset.getTime()];
  return then > now || (then === now && known.remaining < seen.remaining);
}

function formatBudgetKey(credential: string, bucket: string): string {
  return `${credential} ${bucket}`;
}

function parseBucket(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1);
}

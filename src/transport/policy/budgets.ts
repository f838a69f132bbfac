import type { RateLimit } from '../../response-info.js';
import { headerOf, parseHttpDate, parseRateLimit, type RawHeaders } from '../http/header-fields.js';
import type { IsAhead } from '../request/ahead.js';
import type { ToldBudget } from './stores.js';

/** Budgets are hourly: a window that ends later is a mistake, and nobody is told to wait longer, in ms. */
export const longestWindow = 3_600_000;

/** More budgets than this are of credentials long gone; the oldest is forgotten. */
const mostBudgets = 1000;

/** More requests without a word of their budget are not remembered: the network is down. */
const mostUnheard = 1000;

/** What is known of one credential's budget in one bucket. */
interface Budget {
  /** As the server said, the lowest of one window. */
  readonly last: RateLimit;
  /** When the window ends, by the limiter's clock; undefined if the server does not say. */
  readonly resetAt: number | undefined;
  /** When it was told, in the order of events. */
  readonly toldAt: number;
  /** When requests ended that the server may have counted, and of which this budget tells nothing yet. */
  readonly unheard: number[];
}

/** What the limiter knows of a call, which acquires and releases it as its permit. */
export interface Permit {
  /** Whose budget: a fingerprint of the credentials. */
  readonly credential: string;
  readonly operation: string;
  /** Held up by a pause of the whole client only: not by the budget, nor by the calls in flight. */
  readonly exemptFromLimits: boolean;
  /** Undefined if the response is needed in any case. */
  isAhead?: IsAhead | undefined;
  /** Set by the limiter as long as the call is let in. */
  reservation?: Reservation | undefined;
}

/** One request's share of a budget, from when it may be sent until its answer is there. */
export interface Reservation {
  /** The budget it was counted on: its bucket may turn out to be another one. */
  readonly key: string;
  /** When it was made, in the order of events. */
  readonly sequence: number;
}

/** Why a call may not be sent now. */
export interface Rejected {
  /** The limit as last seen; undefined for a pause of the whole client. */
  readonly limit: RateLimit | undefined;
  /** When the wait ends, by the limiter's clock. */
  readonly until: number;
}

type Counted = Pick<Permit, 'credential' | 'operation'>;

/** The budgets of all credentials, as the answers of one client tell them. */
export class Budgets {
  readonly #clock: () => number;
  readonly #budgets = new Map<string, Budget>();
  #newest = '';
  /** Buckets of operations that do not count on `core`. */
  readonly #buckets = new Map<string, string>();
  /** Reserved and not answered yet, by budget. */
  readonly #inFlight = new Map<string, number>();
  /** Numbers reservations and answers in their order. */
  #events = 0;
  /** The key asked for last: most calls of a client ask for the same. */
  #lastKey = { credential: '', bucket: 'core', key: keyOf('', 'core') };

  /** @param clock monotonic clock in milliseconds: the system's may be set back while calls wait. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The budget of a credential as last seen. */
  last(credential: string): RateLimit | undefined {
    return this.#budgets.get(keyOf(credential, 'core'))?.last;
  }

  /** Which budget a request counts on. */
  keyOf({ credential, operation }: Counted): string {
    return this.#keyFor(credential, this.#buckets.get(operation) ?? 'core');
  }

  /** How many reservations and answers there were. */
  get events(): number {
    return this.#events;
  }

  /** There is something to tell others of a budget. */
  isTold(key: string): boolean {
    return this.#budgets.get(key)?.resetAt !== undefined;
  }

  /** What is known of a budget, to be told to others; undefined where the end of its window is unknown. */
  told(key: string): ToldBudget | undefined {
    const budget = this.#budgets.get(key);
    if (budget?.resetAt === undefined || !budget.last.reset) return undefined;
    const { limit, remaining, reset } = budget.last;
    return {
      limit,
      remaining,
      reset: reset.getTime() / 1000,
      ends: budget.resetAt - this.#clock(),
    };
  }

  /** Takes over what others told, unless an answer that came after the event `asOf` knows better. */
  adopt(key: string, told: ToldBudget, asOf: number): void {
    const known = this.#budgets.get(key);
    const { limit, remaining } = told;
    const seen = { limit, remaining, reset: new Date(told.reset * 1000), resource: bucketOf(key) };
    if (known && known.toldAt > asOf && isOutdated(seen, known.last)) return;
    this.#keep(key, seen, this.#clock() + Math.min(told.ends, longestWindow), asOf);
  }

  /**
   * What is in the way: a window that must end, an answer that must come first (`turn`), or nothing.
   * @param parts how many clients share it, each a part, as far as is known.
   */
  blockedBy(key: string, parts = 1): Rejected | 'turn' | undefined {
    const budget = this.#budgets.get(key);
    if (budget?.resetAt === undefined) return undefined;
    const { last, resetAt } = budget;
    const inFlight = this.#inFlight.get(key) ?? 0;
    // Enough in this window and in the next: the time does not matter.
    if (inFlight * parts < Math.min(last.remaining, last.limit)) return undefined;
    const inWindow = resetAt > this.#clock();
    if (inWindow && last.remaining <= 0) return { limit: last, until: resetAt };
    // A window that nothing is known of yet has its whole limit.
    const left = inWindow ? last.remaining : last.limit;
    return inFlight > 0 && inFlight * parts >= left ? 'turn' : undefined;
  }

  /**
   * Whether one more request leaves at least one for others.
   * @param waiting calls that wait for this budget.
   * @param parts number of clients that share it in equal parts.
   */
  hasSpare(key: string, waiting: number, parts: number): boolean {
    const budget = this.#budgets.get(key);
    if (!budget) return true;
    const { last, resetAt, unheard } = budget;
    const taken = ((this.#inFlight.get(key) ?? 0) + waiting + 1) * parts + unheard.length;
    if (taken < Math.min(last.remaining, last.limit)) return true;
    const isOver = resetAt !== undefined && resetAt <= this.#clock();
    return taken < (isOver ? last.limit : last.remaining);
  }

  /** Counts a request that will be sent. */
  reserve(key: string): Reservation {
    this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1);
    return this.note(key);
  }

  /** Notes when a request is sent that is not counted. */
  note(key: string): Reservation {
    this.#events += 1;
    return { key, sequence: this.#events };
  }

  /** Its answer is there, or none will come. */
  release({ key }: Reservation): void {
    const others = (this.#inFlight.get(key) ?? 1) - 1;
    // The only one stays: a map from which is deleted by every call is slow.
    if (others > 0 || this.#inFlight.size === 1) this.#inFlight.set(key, others);
    else this.#inFlight.delete(key);
  }

  /** It ended without a word of its budget: aborted, perhaps, after it was sent. Only requests ahead heed it. */
  miss({ key }: Reservation): void {
    const unheard = this.#budgets.get(key)?.unheard;
    if (unheard && unheard.length < mostUnheard) unheard.push(this.#events);
  }

  /**
   * Takes over what an answer tells.
   * @returns the budget that it tells of; undefined where it tells of none.
   */
  correct(reservation: Reservation, request: Counted, headers: RawHeaders): string | undefined {
    const seen = parseRateLimit(headers);
    if (!seen) return undefined;
    const bucket = seen.resource ?? 'core';
    if (bucket === 'core') this.#buckets.delete(request.operation);
    else this.#buckets.set(request.operation, bucket);
    const key = this.#keyFor(request.credential, bucket);
    const known = this.#budgets.get(key);
    // What was asked for after the last answer is news, whatever that one said.
    const concurrent = known !== undefined && reservation.sequence < known.toldAt;
    if (concurrent && isOutdated(seen, known.last)) return key;
    this.#keep(key, seen, this.#end(seen, headers), reservation.sequence);
    return key;
  }

  /** Forgets what answers told. */
  clear(): void {
    this.#budgets.clear();
  }

  /** @param asOf event from which on requests may not be counted in it. */
  #keep(key: string, last: RateLimit, resetAt: number | undefined, asOf: number): void {
    this.#events += 1;
    const missed = this.#budgets.get(key)?.unheard;
    const unheard = missed?.length ? missed.filter((at) => at >= asOf) : (missed ?? []);
    // The newest stands last, where it stays if it is told again.
    if (key !== this.#newest) this.#budgets.delete(key);
    this.#newest = key;
    this.#budgets.set(key, { last, resetAt, toldAt: this.#events, unheard });
    if (this.#budgets.size <= mostBudgets) return;
    const oldest = this.#budgets.keys().next();
    if (!oldest.done) this.#budgets.delete(oldest.value);
  }

  /** When a window ends, by the limiter's clock: the server's own clock says how long it still takes. */
  #end({ reset }: RateLimit, headers: RawHeaders): number | undefined {
    if (reset === undefined) return undefined;
    const serverNow = parseHttpDate(headerOf(headers, 'date') ?? '') ?? Date.now();
    return this.#clock() + Math.min(reset.getTime() - serverNow, longestWindow);
  }

  #keyFor(credential: string, bucket: string): string {
    const last = this.#lastKey;
    if (last.credential === credential && last.bucket === bucket) return last.key;
    const key = keyOf(credential, bucket);
    this.#lastKey = { credential, bucket, key };
    return key;
  }
}

/** Of two answers whose order is not known: one of a former window, or one that another has overtaken. */
function isOutdated(seen: RateLimit, known: RateLimit): boolean {
  if (!seen.reset || !known.reset) return false;
  const [then, now] = [known.reset.getTime(), seen.reset.getTime()];
  return then > now || (then === now && known.remaining < seen.remaining);
}

function keyOf(credential: string, bucket: string): string {
  return `${credential} ${bucket}`;
}

function bucketOf(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1);
}

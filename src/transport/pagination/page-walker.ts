import { isTriforgeError } from '../../errors/index.js';
import { captureStack } from '../../errors/triforge-error.js';
import { declinedAhead } from '../request/ahead.js';
import { publish } from '../request/diagnostics.js';
import { setImmediate } from '../request/event-loop.js';
import type { FetchedPage, Outlook, Page, PageArrived, PageFetcher } from './page.js';

/** A page that was fetched, or why it was not; undefined if the consumer left first. Never a rejected promise. */
type Fetched<T> = { readonly fetched: FetchedPage<T> } | { readonly error: unknown } | undefined;

/** One page that was asked for. */
interface Asked<T> {
  readonly cursor: string | undefined;
  readonly abort: AbortController;
  /** No page before it had said yet that it is the next one. */
  readonly guessed: boolean;
  /** Whether its turn hasn't come yet. */
  isAhead: boolean;
  result: Promise<Fetched<T>>;
  /** Its answer is there. */
  answered: boolean;
  failed: boolean;
}

/** How far a crawl may run ahead of its consumer. */
export type Pace =
  /** Never: a page is fetched when it is asked for. */
  | 'on-demand'
  /** The next pages while the current one is worked on, from the second page on or from {@link PageWalker.prefetch}. */
  | 'follow'
  /** The next pages always: the consumer wants them all. */
  | 'all';

/** How a list is walked. */
export interface Walk {
  /** The cursor of its first page. */
  readonly from?: string | undefined;
  readonly pace: Pace;
  /** Most pages that are asked for and not taken yet. Default 1. */
  readonly concurrency?: number | undefined;
  /** Most items that are wanted: no page is asked for ahead that lies beyond. Default no limit. */
  readonly limit?: number | undefined;
  /** The caller's signal, whose reason keeps its stack. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Walks the pages of one list in their order. The next ones are asked for as soon as an awaited answer
 * is there, before it is decoded, so that the server works while we do; what came ahead waits until it is
 * taken. Which page is next each page says itself, when it is taken: what was asked for ahead and is not
 * that is dropped. Requests ahead are sent from a `setImmediate`: a synchronous send would open
 * a second socket, and an immediate `break` then costs nothing.
 */
export class PageWalker<T> {
  readonly #fetch: PageFetcher<T>;
  readonly #pace: Pace;
  readonly #concurrency: number;
  /** Asked for before their turn, in their order. */
  readonly #ahead: Asked<T>[] = [];
  #awaited: Asked<T> | undefined;
  #cursor: string | undefined;
  #pages = 0;
  #ended = false;
  #deadEnd: (() => Error) | undefined;
  readonly #signal: AbortSignal | undefined;
  /** Items that are still wanted. */
  #wanted: number;
  /** The most items that a page had. */
  #longest = 0;
  /** How many pages may be ahead: the concurrency, but fewer while guesses turn out wrong. */
  #window: number;
  /** Where the next page is, and perhaps those after it. */
  #outlook: Pick<Outlook, 'cursor'> & Partial<Outlook> = nowhere;
  /** Pages between the one that gave the outlook and the first ahead: 1 while that one is awaited. */
  #gap = 0;
  /** What pages said of the list's end: the one before, and the furthest. */
  #end: number | undefined;
  #furthest = 0;

  constructor(fetch: PageFetcher<T>, walk: Walk) {
    const { from, pace, concurrency = 1, limit = Number.POSITIVE_INFINITY } = walk;
    this.#fetch = fetch;
    this.#signal = walk.signal;
    this.#cursor = from;
    this.#pace = pace;
    this.#concurrency = concurrency;
    this.#window = concurrency;
    this.#wanted = limit;
  }

  /** The next page; undefined after the last one, and after {@link close}. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#ended) return undefined;
    try {
      const page = await this.#take();
      return this.#ended ? undefined : page;
    } catch (error) {
      if (this.#ended) return undefined; // closed while it was awaited
      this.close();
      throw error;
    }
  }

  /** Starts to fetch the next pages soon, if there are any. The limiter declines those that would use the last of a budget. */
  prefetch(): void {
    void this.#fill();
  }

  /** Aborts what is in flight; nothing more will come. */
  close(): void {
    this.#ended = true;
    this.#awaited?.abort.abort();
    this.#drop(0);
  }

  async #take(): Promise<Page<T> | undefined> {
    if (this.#deadEnd) throw this.#deadEnd();
    if (this.#pages > 0 && this.#cursor === undefined) return undefined;
    const promised = this.#outlook.cursor(2);
    const early = this.#ahead.shift();
    const asked = early ?? this.#ask(this.#cursor);
    asked.isAhead = false;
    this.#awaited = asked;
    this.#gap = 1;
    if (!early) this.#send(asked);
    // While guesses turn out wrong, what it says itself is waited for.
    if (this.#window > 1) this.prefetch();
    let fetched = await this.#came(asked, early !== undefined);
    if (!fetched) return undefined;
    if (this.#endsEarly(fetched, asked)) {
      // It was asked for before the page before it was there: the list may have grown since.
      this.#awaited = this.#ask(this.#cursor);
      this.#send(this.#awaited);
      fetched = await this.#came(this.#awaited, false);
      if (!fetched) return undefined;
    }
    const { page, deadEnd } = fetched.inTurn?.() ?? fetched;
    this.#awaited = undefined;
    this.#pages++;
    this.#cursor = page.cursor;
    this.#deadEnd = deadEnd;
    this.#wanted -= page.items.length;
    this.#longest = Math.max(this.#longest, page.items.length);
    this.#learn({ page, outlook: fetched.outlook }, promised);
    return page;
  }

  /** What a page says, in its turn, of those after it. */
  #learn({ page, outlook }: FetchedPage<T>, promised: string | undefined): void {
    const { cursor } = page;
    if (this.#ahead[0]?.cursor !== cursor) this.#drop(0);
    if (promised !== undefined) {
      this.#window = promised === cursor ? Math.min(this.#concurrency, this.#window * 2) : 1;
    }
    this.#lookOut(cursor, cursor === undefined ? undefined : outlook);
  }

  /** Guesses are made only where more than the next page may be asked for. */
  #lookOut(cursor: string | undefined, outlook: FetchedPage<T>['outlook']): void {
    const further = this.#concurrency > 1 ? outlook?.() : undefined;
    this.#outlook = further ?? { cursor: (steps) => (steps === 1 ? cursor : undefined) };
    this.#gap = 0;
  }

  /**
   * Tells where a page is not what the pages before it made of it.
   * @returns whether it ends the list before others say that it ends, or is empty, though it was only guessed.
   */
  #endsEarly({ page, deadEnd, outlook }: FetchedPage<T>, { guessed }: Asked<T>): boolean {
    const told = this.#concurrency > 1 ? outlook?.() : undefined;
    if (!told) return false;
    const isEmpty = page.items.length === 0 && this.#pages > 0;
    const hasMoved = this.#end !== undefined && this.#end !== told.end;
    this.#end = told.end;
    this.#furthest = Math.max(this.#furthest, told.end);
    if (isEmpty || hasMoved) {
      publish('triforge:list:moved', () => ({
        request: told.request(),
        reason: isEmpty ? 'empty' : 'end',
      }));
    }
    if (!guessed || deadEnd || page.cursor !== undefined) return false;
    return isEmpty || told.end < this.#furthest;
  }

  /** An answer is there and not decoded yet: if it is awaited, the next pages are asked for first. */
  #arrived(
    asked: Asked<T>,
    next: string | undefined,
    outlook: FetchedPage<T>['outlook'],
  ): Promise<unknown> | undefined {
    if (asked !== this.#awaited || (this.#pages === 0 && this.#pace !== 'all')) return undefined;
    const [first] = this.#ahead;
    if (first && first.cursor !== next) return undefined;
    this.#lookOut(next, outlook);
    return this.#fill();
  }

  /** Asks for as many pages as there is room for. @returns a promise of when the requests are on their way, if there are any. */
  #fill(): Promise<unknown> | undefined {
    if (this.#ended || this.#pace === 'on-demand' || this.#ahead.at(-1)?.failed) return undefined;
    const isWaiting = this.#awaited !== undefined && !this.#awaited.answered;
    const room = Math.min(
      this.#window - Number(isWaiting),
      this.#pagesWanted() - Number(this.#awaited !== undefined),
    );
    let sent: Promise<unknown> | undefined;
    while (this.#ahead.length < room) {
      const step = this.#gap + this.#ahead.length + 1;
      const cursor = this.#outlook.cursor(step);
      if (cursor === undefined) break;
      const asked = this.#ask(cursor, step > 1);
      asked.isAhead = true;
      this.#ahead.push(asked);
      sent = this.#sendSoon(asked);
    }
    return sent;
  }

  /** How many more pages are needed in any case: 0 if the number of items on the next ones is unknown. */
  #pagesWanted(): number {
    if (this.#wanted === Number.POSITIVE_INFINITY) return this.#wanted;
    const { size = 0 } = this.#outlook;
    return size === 0 ? 0 : Math.ceil(this.#wanted / Math.max(this.#longest, size));
  }

  #ask(cursor: string | undefined, guessed = false): Asked<T> {
    const abort = new AbortController();
    const result = Promise.resolve(undefined);
    return { cursor, abort, guessed, isAhead: false, result, answered: false, failed: false };
  }

  #send(asked: Asked<T>): void {
    const arrived: PageArrived = (next, outlook) => {
      asked.answered = true;
      return this.#arrived(asked, next, outlook);
    };
    const { cursor, abort } = asked;
    asked.result = this.#fetch(cursor, abort.signal, arrived, () => asked.isAhead).then(
      (fetched) => {
        asked.answered = true;
        return { fetched };
      },
      (error: unknown) => {
        const place = this.#ahead.indexOf(asked);
        const isDeclined = error === declinedAhead;
        asked.failed = !isDeclined;
        // A declined page is requested again in its turn.
        if (place >= 0) this.#drop(isDeclined ? place : place + 1);
        return { error };
      },
    );
  }

  /** @returns a promise of when the request is on its way, or never will be. */
  #sendSoon(asked: Asked<T>): Promise<void> {
    return new Promise((sent) => {
      asked.result = new Promise((resolve) => {
        setImmediate(() => {
          if (asked.abort.signal.aborted) {
            resolve(undefined);
          } else {
            this.#send(asked);
            resolve(asked.result);
          }
          // undici looks at an idle socket for one more turn before it writes.
          setImmediate(sent);
        });
      });
    });
  }

  /** Aborts what was asked for ahead, from a place on. */
  #drop(from: number): void {
    for (const { abort } of this.#ahead.splice(from)) abort.abort();
  }

  async #came(asked: Asked<T>, early: boolean): Promise<FetchedPage<T> | undefined> {
    const result = await asked.result;
    if (!result) return undefined;
    if ('fetched' in result) return result.fetched;
    if (result.error === declinedAhead) {
      // Its turn came just then.
      this.#send(asked);
      return this.#came(asked, false);
    }
    // The page failed before anyone awaited it: the stack must show who requests it now.
    const { error } = result;
    if (early && isTriforgeError(error) && error !== this.#signal?.reason) captureStack(error);
    throw error;
  }
}

const nowhere = { cursor: () => undefined };

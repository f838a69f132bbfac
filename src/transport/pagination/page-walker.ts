import { isTriforgeError } from '../../errors/index.js';
import { captureStack } from '../../errors/triforge-error.js';
import { declinedAhead } from '../request/ahead.js';
import { publish } from '../request/diagnostics.js';
import { setImmediate } from '../request/event-loop.js';
import type { FetchedPage, Outlook, Page, PageArrived, PageFetcher } from './page.js';

/**
 * A fetched page or its error; undefined if the consumer stopped first. Its promise never rejects.
 */
type Fetched<T> = { readonly fetched: FetchedPage<T> } | { readonly error: unknown } | undefined;

/** A requested page. */
interface PageRequest<T> {
  readonly cursor: string | undefined;
  readonly abort: AbortController;
  /** Whether it was requested before its predecessor named it as the next page. */
  readonly guessed: boolean;
  /** Whether its turn hasn't come yet. */
  isAhead: boolean;
  result: Promise<Fetched<T>>;
  /** Whether its response has arrived. */
  answered: boolean;
  failed: boolean;
}

/** When pages may be fetched ahead of the consumer. */
export type Pace =
  /** Never: each page is fetched when the consumer requests it. */
  | 'on-demand'
  /** While the consumer processes a page, from page 2 on or from {@link PageWalker.prefetch}. */
  | 'follow'
  /** Always, because the consumer wants all pages. */
  | 'all';

/** Options of a {@link PageWalker}. */
export interface Walk {
  /** Cursor of the first page. */
  readonly from?: string | undefined;
  readonly pace: Pace;
  /** Maximum number of pages that are requested and not consumed yet. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Maximum number of items. Pages beyond it are not fetched ahead. Default: no limit. */
  readonly limit?: number | undefined;
  /** The caller's signal, whose reason keeps its stack. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Walks the pages of one list in order. The next pages are requested as soon as an awaited response
 * arrives, before it is decoded, so that client and server work in parallel. Each page decides
 * which page follows when it is consumed; pages that were fetched ahead on a wrong guess are
 * dropped. Requests ahead are sent from a `setImmediate`, because a synchronous send would open a
 * second socket. As a result, an immediate `break` sends no extra request.
 */
export class PageWalker<T> {
  readonly #fetch: PageFetcher<T>;
  readonly #pace: Pace;
  readonly #concurrency: number;
  /** Pages requested ahead, in order. */
  readonly #ahead: PageRequest<T>[] = [];
  #awaited: PageRequest<T> | undefined;
  #cursor: string | undefined;
  #pages = 0;
  #ended = false;
  #deadEnd: (() => Error) | undefined;
  readonly #signal: AbortSignal | undefined;
  /** Number of items still wanted. */
  #wanted: number;
  /** Largest number of items on a page so far. */
  #longest = 0;
  /** Number of pages that may be requested ahead. Below the concurrency after wrong guesses. */
  #window: number;
  /** Cursors of the next page and, if known, of later ones. */
  #outlook: Pick<Outlook, 'cursor'> & Partial<Outlook> = nowhere;
  /** Pages between the outlook's source and the first page ahead: 1 while that page is awaited. */
  #gap = 0;
  /** End of the list as reported by the previous page, and the furthest end reported. */
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

  /** Resolves to the next page, or undefined after the last one or {@link close}. */
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

  /** Requests the next pages soon, unless a request would use the last of a quota. */
  prefetch(): void {
    void this.#fill();
  }

  /** Ends the walk and aborts requests in flight. */
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
    // After a wrong guess, wait for this page to name the next one.
    if (this.#window > 1) this.prefetch();
    let fetched = await this.#came(asked, early !== undefined);
    if (!fetched) return undefined;
    if (this.#endsEarly(fetched, asked)) {
      // It was requested before its predecessor arrived, so the list may have grown since.
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

  /** Updates the guesses with what a consumed page reports about later ones. */
  #learn({ page, outlook }: FetchedPage<T>, promised: string | undefined): void {
    const { cursor } = page;
    if (this.#ahead[0]?.cursor !== cursor) this.#drop(0);
    if (promised !== undefined) {
      this.#window = promised === cursor ? Math.min(this.#concurrency, this.#window * 2) : 1;
    }
    this.#lookOut(cursor, cursor === undefined ? undefined : outlook);
  }

  /** Guesses later pages only if more than one page may be requested ahead. */
  #lookOut(cursor: string | undefined, outlook: FetchedPage<T>['outlook']): void {
    const further = this.#concurrency > 1 ? outlook?.() : undefined;
    this.#outlook = further ?? { cursor: (steps) => (steps === 1 ? cursor : undefined) };
    this.#gap = 0;
  }

  /**
   * Publishes an event if a page differs from what earlier pages predicted.
   * @returns whether a guessed page is empty, or ends the list earlier than other pages report.
   */
  #endsEarly({ page, deadEnd, outlook }: FetchedPage<T>, { guessed }: PageRequest<T>): boolean {
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

  /** Requests the next pages when an awaited response arrives, before it is decoded. */
  #arrived(
    asked: PageRequest<T>,
    next: string | undefined,
    outlook: FetchedPage<T>['outlook'],
  ): Promise<unknown> | undefined {
    if (asked !== this.#awaited || (this.#pages === 0 && this.#pace !== 'all')) return undefined;
    const [first] = this.#ahead;
    if (first && first.cursor !== next) return undefined;
    this.#lookOut(next, outlook);
    return this.#fill();
  }

  /** Requests pages ahead, if there are any. The returned promise resolves when they are sent. */
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

  /** Number of further pages that are certainly needed. 0 if the page size is unknown. */
  #pagesWanted(): number {
    if (this.#wanted === Number.POSITIVE_INFINITY) return this.#wanted;
    const { size = 0 } = this.#outlook;
    return size === 0 ? 0 : Math.ceil(this.#wanted / Math.max(this.#longest, size));
  }

  #ask(cursor: string | undefined, guessed = false): PageRequest<T> {
    const abort = new AbortController();
    const result = Promise.resolve(undefined);
    return { cursor, abort, guessed, isAhead: false, result, answered: false, failed: false };
  }

  #send(asked: PageRequest<T>): void {
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

  /** @returns a promise that resolves when the request is sent or dropped. */
  #sendSoon(asked: PageRequest<T>): Promise<void> {
    return new Promise((sent) => {
      asked.result = new Promise((resolve) => {
        setImmediate(() => {
          if (asked.abort.signal.aborted) {
            resolve(undefined);
          } else {
            this.#send(asked);
            resolve(asked.result);
          }
          // undici checks an idle socket for one more turn before it writes.
          setImmediate(sent);
        });
      });
    });
  }

  /** Aborts requests ahead, starting at an index. */
  #drop(from: number): void {
    for (const { abort } of this.#ahead.splice(from)) abort.abort();
  }

  async #came(asked: PageRequest<T>, early: boolean): Promise<FetchedPage<T> | undefined> {
    const result = await asked.result;
    if (!result) return undefined;
    if ('fetched' in result) return result.fetched;
    if (result.error === declinedAhead) {
      // The page was declined just as it became needed.
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

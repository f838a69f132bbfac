import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { HostingClient } from '../../src/hosting/index.js';
import type { ClientOptions } from '../../src/index.js';
import type { ListOptions, Paginated } from '../../src/transport/pagination/paginated.js';
import { type Seen, sendJson, serve } from './server.js';

/** A list's state at the time of a request. */
export interface ListState {
  /** Number of items. */
  readonly total: number;
}

/** A list that changes while it is read. */
export interface Script {
  readonly perPage: number;
  /**
   * Returns the list's state when a page is requested. `page` counts from 1, and `requests` is the
   * number of earlier requests.
   */
  state(page: number, requests: number): ListState;
  /** Delay of a page's response in ms. */
  delay?(page: number): number;
  /** Sends a different response for a page and returns true. */
  instead?(page: number, response: ServerResponse): boolean | Promise<boolean>;
  /** Number of requests that the rate limit allows. */
  readonly budget?: number;
}

/** A changing list and a client for it. */
export interface Moving {
  list(options?: ListOptions & { signal?: AbortSignal }): Paginated<unknown>;
  /** Numbers of the requested pages, in order of arrival. */
  readonly requests: number[];
  /** Returns the highest number of requests that were in flight at the same time. */
  readonly most: () => number;
  /** Returns the number of open sockets. */
  readonly open: () => Promise<number>;
  close(): Promise<void>;
}

/** Returns a page's items, which are consecutive numbers. */
function getItems({ total }: ListState, from: number, count: number): number[] {
  const end = Math.min(total, from + count);
  return Array.from({ length: Math.max(0, end - from) }, (_each, index) => from + index);
}

/** Starts a server with one list. `respond` sends a regular page. */
async function moving(
  script: Script,
  pageOf: (url: URL) => number,
  respond: (page: number, state: ListState, response: ServerResponse, origin: string) => void,
) {
  const requests: number[] = [];
  let inFlight = 0;
  let most = 0;
  const reset = Math.ceil(Date.now() / 1000) + 3000;
  let left = script.budget ?? Number.POSITIVE_INFINITY;
  const handle = async (request: Seen, response: ServerResponse) => {
    const page = pageOf(new URL(request.url, 'http://x'));
    const state = script.state(page, requests.length);
    requests.push(page);
    inFlight += 1;
    most = Math.max(most, inFlight);
    response.once('close', () => {
      inFlight -= 1;
    });
    if (script.budget !== undefined) {
      left -= 1;
      response.setHeader('x-ratelimit-limit', script.budget);
      response.setHeader('x-ratelimit-remaining', Math.max(0, left));
      response.setHeader('x-ratelimit-reset', reset);
    }
    const delay = script.delay?.(page) ?? 0;
    if (delay > 0) await sleep(delay);
    if (left < 0) {
      sendJson(response, { message: 'API rate limit exceeded' }, 403);
      return;
    }
    if ((await script.instead?.(page, response)) === true) return;
    respond(page, state, response, server.origin);
  };
  const server = await serve(handle);
  return { server, requests, most: () => most, open: () => server.open() };
}

/** Creates a list paginated by `Link` headers, as in the hosting API. */
export async function movingLinks(
  script: Script,
  options: Partial<ClientOptions> = {},
): Promise<Moving> {
  const { perPage } = script;
  const world = await moving(
    script,
    (url) => Number(url.searchParams.get('page') ?? 1),
    (page, state, response, origin) => {
      const last = Math.max(1, Math.ceil(state.total / perPage));
      const to = (number: number, rel: string) =>
        `<${origin}/api/v3/items?page=${number}&per_page=${perPage}>; rel="${rel}"`;
      const links = [
        ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
        ...(page > 1 ? [to(1, 'first'), to(page - 1, 'prev')] : []),
      ];
      const link = links.length > 0 ? { link: links.join(', ') } : {};
      sendJson(response, getItems(state, (page - 1) * perPage, perPage), 200, link);
    },
  );
  const client = new HostingClient({
    baseUrl: `${world.server.origin}/api/v3`,
    retry: { baseDelay: 0 },
    ...options,
  });
  onTestFinished(() => client.close());
  return {
    ...world,
    list: (each) => client.paginate('GET /items', { per_page: perPage }, each),
    close: async () => {
      await client.close();
      await world.server.close();
    },
  };
}

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { HostingClient } from '../../src/hosting/client.js';
import { type ClientOptions, SupportClient } from '../../src/index.js';
import type { ListOptions, Paginated } from '../../src/transport/pagination/paginated.js';
import { type Seen, sendJson, serve } from './server.js';

/** What a list is when one of its pages is asked for. */
export interface ListState {
  /** How many items it has. */
  readonly total: number;
  /** How many were put before the first: the items of page 1 are not what they were. */
  readonly shift?: number | undefined;
}

/** A list that moves while it is read. */
export interface Script {
  readonly perPage: number;
  /** The list as a page finds it; `page` counts from 1, `asked` says how many were asked for before. */
  state(page: number, asked: number): ListState;
  /** Milliseconds until a page is answered. */
  delay?(page: number): number;
  /** Answers a page otherwise: true where it did. `times` counts from 1 how often it was asked for. */
  instead?(page: number, response: ServerResponse, times: number): boolean | Promise<boolean>;
  /** Requests that the budget has. */
  readonly budget?: number;
}

/** One client of one moving list. */
export interface Moving {
  list(options?: ListOptions & { signal?: AbortSignal }): Paginated<unknown>;
  /** The pages that were asked for, in the order they came in. */
  readonly asked: number[];
  /** The most that were in flight at once. */
  readonly most: () => number;
  /** Sockets that are open now. */
  readonly open: () => Promise<number>;
  close(): Promise<void>;
}

/** Items of a page: numbers, whatever page they stand on. */
function itemsOf({ total, shift = 0 }: ListState, from: number, count: number): number[] {
  const end = Math.min(total, from + count);
  return Array.from({ length: Math.max(0, end - from) }, (_each, index) => from + index - shift);
}

/** A server of one list. @param answer writes a page that nothing is wrong with. */
async function moving(
  script: Script,
  pageOf: (url: URL) => number | undefined,
  answer: (page: number, state: ListState, response: ServerResponse, origin: string) => void,
) {
  const asked: number[] = [];
  let inFlight = 0;
  let most = 0;
  const reset = Math.ceil(Date.now() / 1000) + 3000;
  let left = script.budget ?? Number.POSITIVE_INFINITY;
  const handle = async (request: Seen, response: ServerResponse) => {
    const page = pageOf(new URL(request.url, 'http://x'));
    if (page === undefined) {
      const expires = '2099-01-01T00:00:00+0000';
      response.end(JSON.stringify({ success: true, access_token: 'a-token', expires }));
      return;
    }
    const state = script.state(page, asked.length);
    asked.push(page);
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
    const times = asked.filter((each) => each === page).length;
    if ((await script.instead?.(page, response, times)) === true) return;
    answer(page, state, response, server.origin);
  };
  const server = await serve(handle);
  return { server, asked, most: () => most, open: () => server.open() };
}

/** A list by `Link` headers, as the hosting API has them. */
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
      sendJson(response, itemsOf(state, (page - 1) * perPage, perPage), 200, link);
    },
  );
  const client = new HostingClient({
    baseUrl: `${world.server.origin}/api/v3`,
    retry: { baseDelay: 0 },
    ...options,
  });
  onTestFinished(() => client.close());
  const request = { path: '/items', query: { per_page: perPage } };
  return {
    ...world,
    list: (each) => client.paginate(request, each),
    close: async () => {
      await client.close();
      await world.server.close();
    },
  };
}

/** A search by `count` and `index`, as the support API has them. */
export async function movingSearch(
  script: Script,
  options: Partial<ClientOptions> = {},
): Promise<Moving> {
  const { perPage } = script;
  const world = await moving(
    script,
    (url) =>
      url.pathname.endsWith('/authenticate')
        ? undefined
        : Math.floor(Number(url.searchParams.get('index') ?? 0) / perPage) + 1,
    (page, state, response) => {
      const items = itemsOf(state, (page - 1) * perPage, perPage);
      sendJson(response, { success: true, total: state.total, items });
    },
  );
  const client = new SupportClient({
    baseUrl: `${world.server.origin}/api/v2/`,
    auth: { userName: 'nightly', apiKey: 'api-key-of-nightly', password: 'pass-of-nightly' },
    retry: { baseDelay: 0 },
    ...options,
  });
  onTestFinished(() => client.close());
  const request = { path: '/contact', query: { count: perPage } };
  return {
    ...world,
    list: (each) => client.paginate(request, each),
    close: async () => {
      await client.close();
      await world.server.close();
    },
  };
}

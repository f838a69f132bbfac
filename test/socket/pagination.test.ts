import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { HostingClient } from '../../src/hosting/index.js';
import type { ListOptions, Paginated } from '../../src/transport/pagination/paginated.js';
import { createClient, rejectionOf, turns, until, watchRejections } from '../support/client.js';
import { type PageQuirks, pagesSeen, servePages } from '../support/pages.js';
import { sendJson, serve, type TestServer } from '../support/server.js';

const items = 'GET /items';

/** Objects available to a consumer. */
interface World {
  readonly server: TestServer;
  readonly client: HostingClient;
  readonly list: Paginated<unknown>;
  readonly controller: AbortController;
}

/** One way to use a list and the expected result. */
interface ConsumerCase {
  readonly name: string;
  readonly quirks?: PageQuirks;
  /** Uses the list. The test compares the returned value with `result`. */
  readonly run: (world: World) => Promise<unknown>;
  readonly result: unknown;
  /** Expected numbers of the requested pages, in order. */
  readonly seen: readonly number[];
}

/** Collects items until `stop` returns true. */
async function walk(list: Paginated<unknown>, stop: (item: unknown) => boolean | Promise<boolean>) {
  const got: unknown[] = [];
  for await (const item of list) {
    got.push(item);
    if (await stop(item)) break;
  }
  return got;
}

/** Waits until page 2 was requested and, if `arrives` is set, until the response has arrived. */
async function prefetched(server: TestServer, arrives = false): Promise<true> {
  await until('page 2 was requested', () => server.requests.length === 2);
  if (arrives) await turns(20);
  return true;
}

const all = [11, 12, 13, 21, 22, 23, 31, 32, 33];

const complete: readonly ConsumerCase[] = [
  {
    name: 'iterates over all pages',
    run: ({ list }) => walk(list, () => false),
    result: all,
    seen: [1, 2, 3],
  },
  {
    name: 'limits toArray() to one item more than a page contains',
    run: ({ list }) => list.toArray({ limit: 4 }),
    result: all.slice(0, 4),
    seen: [1, 2],
  },
  {
    name: 'iterates over pages()',
    run: async ({ list }) => {
      const pages: unknown[] = [];
      for await (const page of list.pages()) pages.push([page.items, page.cursor?.slice(-6)]);
      return pages;
    },
    result: [
      [[11, 12, 13], 'page=2'],
      [[21, 22, 23], 'page=3'],
      [[31, 32, 33], undefined],
    ],
    seen: [1, 2, 3],
  },
];

const boom = new Error('boom');

const abandoned: readonly ConsumerCase[] = [
  {
    name: 'never calls next()',
    run: async ({ list }) => {
      const iterator = list[Symbol.asyncIterator]();
      await turns(3);
      return await iterator.return?.();
    },
    result: { done: true, value: undefined },
    seen: [],
  },
  {
    name: 'breaks while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, server }) => walk(list, (item) => item === 12 && prefetched(server)),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'aborts the signal while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, controller, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item === 12 && (await prefetched(server))) controller.abort(boom);
          return false;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: 'aborts the signal in the middle of a page',
    run: async ({ list, controller }) => {
      const seen: unknown[] = [];
      const walking = walk(list, (item) => {
        seen.push(item);
        if (item === 12) controller.abort(boom);
        return false;
      });
      return [await rejectionOf(walking), seen];
    },
    result: [boom, [11, 12]],
    seen: [1],
  },
];

describe.each([
  ['a list', complete],
  ['an abandoned list', abandoned],
])('%s', (_unit, cases) => {
  it.each(cases.map((each) => [each.seen, each.name, each] as const))(
    'requests pages %j and leaves no socket open if the consumer %s',
    async (_seen, _name, each) => {
      const rejections = watchRejections();
      const server = await servePages(each.quirks);
      const client = createClient(server);
      const controller = new AbortController();
      const list = client.paginate(items, {}, { signal: controller.signal });

      expect(await each.run({ server, client, list, controller })).toEqual(each.result);

      expect(pagesSeen(server)).toEqual(each.seen);
      expect(server.most, 'requests in flight at once').toBeLessThanOrEqual(1);
      await until('no listener is left on the signal', () => {
        return getEventListeners(controller.signal, 'abort').length === 0;
      });
      expect(await rejections()).toEqual([]);
      await client.close();
      await until('no socket is open', async () => (await server.open()) === 0);
    },
  );
});

it('a list follows its next-page link to another trusted origin', async () => {
  const other = await serve((request, response) =>
    sendJson(response, [request.headers.authorization]),
  );
  const server = await servePages({
    headers: () => ({ link: `<${other.origin}/more>; rel="next"` }),
  });
  const client = createClient(server, {
    auth: { type: 'token', token: 't0ken' },
    trustedOrigins: [other.origin],
  });
  expect(await client.paginate(items).toArray()).toEqual([11, 12, 13, 'token t0ken']);
});

/** Reads a list of five pages in which page 3 links back to page 2. Pauses after each item. */
async function readInCircle(options: ListOptions) {
  const server = await servePages({
    pages: 5,
    headers: (page, origin): Record<string, string> => {
      const back = page === 3 ? 2 : page + 1;
      const to = (number: number, rel: string) =>
        `<${origin}/api/v3/items?page=${number}>; rel="${rel}"`;
      return page < 5 ? { link: `${to(back, 'next')}, ${to(5, 'last')}` } : {};
    },
  });
  const items: unknown[] = [];
  let error: unknown;
  try {
    for await (const item of createClient(server).paginate('GET /items', {}, options)) {
      items.push(item);
      await turns(20);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { items, error, requests: pagesSeen(server) };
}

it.each([1, 4])(
  'iterating over a circular list throws before the client requests a page twice (concurrency: %i)',
  async (concurrency) => {
    const { items, error, requests } = await readInCircle({ concurrency });
    expect(items).toEqual([11, 12, 13, 21, 22, 23, 31, 32, 33]);
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(requests, 'each page is requested once').toEqual([...new Set(requests)]);
  },
);

const repo = { owner: 'o', repo: 'r' };
const modes = ['strict', 'warn', 'off'] as const;
const noLists: readonly unknown[] = [{}, 'text', null];
const cases = modes.flatMap((validation) =>
  noLists.map((body) => [validation, JSON.stringify(body), body] as const),
);

const respondWith = (body: unknown) => serve((_request, response) => sendJson(response, body));

describe.each(cases)('validation "%s" with the list response %s', (validation, _text, body) => {
  const shape = { code: 'response_shape' };

  it("every way to read a list throws a ResponseShapeError if a page isn't an array", async () => {
    const client = createClient(await respondWith(body), { validation });
    const list = client.pulls.list(repo);
    expect(await rejectionOf(list.toArray())).toMatchObject(shape);
    expect(await rejectionOf(list.first())).toMatchObject(shape);
    expect(await rejectionOf(list.pages().next())).toMatchObject(shape);
    expect(await rejectionOf(list[Symbol.asyncIterator]().next())).toMatchObject(shape);
    const raw = client.paginate('GET /x');
    expect(await rejectionOf(raw.toArray())).toMatchObject(shape);
  });
});

const invalid = { code: 'invalid_request', field: 'from' };

const pulls = '/api/v3/repos/o/r/pulls';
const issues = '/api/v3/repos/o/r/issues';

/** Starts a server with a list of three pages, whose next-page links name the repository's ID. */
const world = () =>
  serve((request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    const next = `http://${request.headers.host}/api/v3/repositories/7/pulls?state=open&page=${page + 1}`;
    sendJson(response, [{ number: page }], 200, page < 3 ? { link: `<${next}>; rel="next"` } : {});
  });

describe('a list with a stored cursor', () => {
  it('resumes even if the cursor identifies the repository by ID', async () => {
    const server = await world();
    const client = createClient(server, { validation: 'off' });
    const input = { ...repo, state: 'open' as const };
    const first = await client.pulls.list(input).pages().next();
    const cursor: string = first.value?.cursor ?? '';
    expect(cursor).toContain('/repositories/7/pulls');
    const rest = await client.pulls.list(input, { from: cursor }).toArray();
    expect(rest).toEqual([{ number: 2 }, { number: 3 }]);
    expect(server.log[1]).toBe('GET /api/v3/repos/o/r/pulls?state=open&page=2');
  });

  it.each([
    ["a value other than that of the list's filter", `${pulls}?page=2&state=open`],
    ['a filter that the list does not have', `${pulls}?page=2&state=closed&head=evil`],
    ['the path of another list', '/api/v3/user/keys?page=2&state=closed'],
    ['two page numbers', `${pulls}?page=2&page=3&state=closed`],
  ])('rejects a cursor with %s', async (_what, path) => {
    const server = await world();
    const list = createClient(server).pulls.list(
      { ...repo, state: 'closed' },
      { from: `${server.origin}${path}` },
    );
    expect(await rejectionOf(list.toArray())).toMatchObject(invalid);
    expect(server.log).toEqual([]);
  });

  it.each([
    ['without any filters', `${pulls}?page=2`, '?state=closed&page=2'],
    ['with credentials', `${pulls}?page=2&access_token=evil`, '?state=closed&page=2'],
    [
      'with an opaque page token',
      `${pulls}?after=Y3Vy%3D%3D&per_page=5`,
      '?state=closed&after=Y3Vy%3D%3D&per_page=5',
    ],
  ])("sends a cursor only to the caller's list if the cursor is %s", async (_what, path, query) => {
    const server = await world();
    const client = createClient(server, { validation: 'off' });
    const input = { ...repo, state: 'closed' } as const;
    await client.pulls.list(input, { from: `${server.origin}${path}` }).first();
    expect(server.log).toEqual([`GET ${pulls}${query}`]);
  });

  it("replaces the caller's page number with the cursor's, but no other parameter", async () => {
    const server = await world();
    await createClient(server)
      .paginate(
        'GET repos/o/r/issues',
        { page: 1, per_page: 50, since: '2024' },
        { from: `${server.origin}${issues}?since=2024&per_page=50&page=2` },
      )
      .first();
    expect(server.log).toEqual([`GET ${issues}?per_page=50&since=2024&page=2`]);
  });
});

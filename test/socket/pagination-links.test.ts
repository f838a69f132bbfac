import { describe, expect, it } from 'vitest';
import { isTriforgeError } from '../../src/errors/index.js';
import type { ListOptions } from '../../src/transport/pagination/paginated.js';
import { createClient, rejectionOf, turns } from '../support/client.js';
import { pagesSeen, servePages } from '../support/pages.js';
import { sendJson, serve, serveRaw } from '../support/server.js';

const items = 'GET /items';

async function theConsumer(
  list: AsyncIterable<unknown>,
  take: (item: unknown) => unknown = () => turns(10),
): Promise<void> {
  for await (const item of list) await take(item);
}

/** Invalid `Link` headers of page 2, each with the expected error message. */
const bad: readonly [name: string, link: (origin: string) => string, message: RegExp][] = [
  [
    'a next page that was already fetched',
    (origin) => `<${origin}/api/v3/items>; rel="next"`,
    /already fetched/,
  ],
  [
    'a link from page 2 to itself',
    (origin) => `<${origin}/api/v3/items?page=2>; rel=next`,
    /already/,
  ],
  [
    'a next page on another origin',
    () => '<https://evil.example/items?page=3>; rel="next"',
    /next page is on https:\/\/evil\.example, which is not in trustedOrigins/,
  ],
  [
    'a next page on another port',
    () => '<http://127.0.0.1:1/api/v3/items?page=3>; rel="next"',
    /not in trustedOrigins/,
  ],
  ['an unterminated URL', () => '<http://x/?page=3; rel="next"', /cannot be read/],
  ['an unterminated rel', () => '</items?page=3>; rel="next', /cannot be read/],
  [
    'an invalid URL as the next page',
    () => '<http://:x>; rel="next"',
    /next page's URL is invalid/,
  ],
];

describe('the next-page link of a list', () => {
  it.each(bad)('is rejected if it is %s', async (_what, link, message) => {
    const server = await servePages({
      headers: (page, origin): Record<string, string> => (page === 2 ? { link: link(origin) } : {}),
    });
    const error = await rejectionOf(createClient(server).paginate(items).toArray());
    expect(error).toMatchObject({
      name: 'ResponseShapeError',
      message: expect.stringMatching(message),
      request: { url: `${server.origin}/api/v3/items?page=2` },
    });
    expect(pagesSeen(server)).toEqual([1, 2]);
  });

  it.each<[name: string, link: (origin: string) => string]>([
    [
      'other relations on other origins',
      (origin) =>
        `<https://evil.example/d>; rel="deprecation"; title="a, b", <${origin}/api/v3/items?page=3>; rel=next, <mailto:x>; rel="alternate"`,
    ],
    ['a relative URL', () => '<?page=3>; rel="next"'],
    ['several relations', () => '</api/v3/items?page=3>; rel="last next"'],
    [
      'another next link that is anchored to a different resource',
      (origin) =>
        `<https://evil.example/>; rel=next; anchor="#x", <${origin}/api/v3/items?page=3>; rel=next`,
    ],
  ])('is accepted with %s', async (_what, link) => {
    const server = await servePages({
      headers: (page, origin): Record<string, string> => (page === 2 ? { link: link(origin) } : {}),
    });
    expect(await createClient(server).paginate(items).toArray()).toHaveLength(9);
  });

  it('is followed to another trusted origin', async () => {
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
});

describe('a connection that is lost in the middle of page 2', () => {
  it.each([0, 2])(
    "rejects the list after %i retries, with the page's URL in the error",
    async (limit) => {
      const server = await servePages({
        instead: {
          2: (response) => {
            response.writeHead(200, { 'content-length': '1000' });
            response.write('[1, 2', () => response.destroy());
          },
        },
      });
      const got: unknown[] = [];
      const list = createClient(server, { retry: { limit, baseDelay: 0 } }).paginate(items);
      const error = await rejectionOf(theConsumer(list, (item) => got.push(item)));
      expect(error).toMatchObject({
        name: 'ResponseBodyError',
        reason: 'truncated',
        message: expect.stringContaining(`${server.origin}/api/v3/items?page=2`),
      });
      expect(got).toEqual([11, 12, 13]);
      expect(pagesSeen(server)).toEqual([1, 2, ...Array.from({ length: limit }, () => 2)]);
    },
  );

  it('does not affect the list if a retry succeeds', async () => {
    let killed = false;
    const server = await servePages({
      instead: {
        2: (response) => {
          if (killed) return sendJson(response, [21]);
          killed = true;
          response.writeHead(200, { 'transfer-encoding': 'chunked' });
          response.write('[1, 2', () => response.destroy());
        },
      },
    });
    expect(await createClient(server).paginate(items).toArray()).toEqual([11, 12, 13, 21]);
  });
});

it("the stack of a failed page's error contains the consumer's line, even for a prefetched page", async () => {
  const server = await servePages({
    instead: { 2: (response) => sendJson(response, { message: 'gone' }, 404) },
  });
  for (const prefetch of [true, false]) {
    const error = await rejectionOf(
      theConsumer(createClient(server).paginate(items, {}, { prefetch })),
    );
    expect(isTriforgeError(error) && error.stack).toMatch(/at (?:async )?theConsumer/);
    expect(isTriforgeError(error) && error.stack).toMatch(/^NotFoundError: request: 404 gone/);
  }
});

describe('a hostile Link header', () => {
  const head = (link: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nlink: ${link}\r\n\r\n[]`;

  it.each([
    ['opening brackets', '<'],
    ['commas', ','],
    ['semicolons', '<a>;;;;'],
    ['quotes', '<a>; a="'],
    ['whitespace', '<a> \t '],
    ['hundreds of links', '<a>; rel="x", '],
  ])(
    'makes a list empty or rejects it with a ResponseShapeError if it consists of %s',
    async (_what, unit) => {
      const link = unit.repeat(Math.floor(15_000 / unit.length));
      const server = await serveRaw((socket) => socket.write(head(link)));
      const outcome = await createClient(server)
        .paginate(items)
        .toArray()
        .catch((error: unknown) => error);
      if (Array.isArray(outcome)) expect(outcome).toEqual([]);
      else expect(outcome).toMatchObject({ name: 'ResponseShapeError' });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('causes a connection error without a retry if it exceeds the size limit', async () => {
    const server = await serveRaw((socket) => socket.write(head('<a>, '.repeat(8000))));
    const error = await rejectionOf(createClient(server).paginate(items).toArray());
    expect(error).toMatchObject({ code: 'connection' });
    expect(server.requests, 'a retry would get the same header').toHaveLength(1);
  });
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

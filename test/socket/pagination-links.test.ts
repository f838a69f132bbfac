import { describe, expect, it } from 'vitest';
import { isTriforgeError } from '../../src/errors/index.js';
import { createClient, rejectionOf, turns } from '../support/client.js';
import { pagesSeen, servePages } from '../support/pages.js';
import { sendJson, serve, serveRaw } from '../support/server.js';

const items = 'GET /items';

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

describe('next-page links', () => {
  for (const [name, link, message] of bad) {
    it(`a list rejects ${name}`, async () => {
      const server = await servePages({
        headers: (page, origin): Record<string, string> =>
          page === 2 ? { link: link(origin) } : {},
      });
      const error = await rejectionOf(createClient(server).paginate(items).toArray());
      expect(error).toMatchObject({
        name: 'ResponseShapeError',
        message: expect.stringMatching(message),
        request: { url: `${server.origin}/api/v3/items?page=2` },
      });
      expect(pagesSeen(server)).toEqual([1, 2]);
    });
  }

  const good: readonly [name: string, link: (origin: string) => string][] = [
    [
      'other relations on other origins',
      (origin) =>
        `<https://evil.example/d>; rel="deprecation"; title="a, b", <${origin}/api/v3/items?page=3>; rel=next, <mailto:x>; rel="alternate"`,
    ],
    ['a relative next page', () => '<?page=3>; rel="next"'],
    ['a next page among several relations', () => '</api/v3/items?page=3>; rel="last next"'],
    [
      'another next link that is anchored to a different resource',
      (origin) =>
        `<https://evil.example/>; rel=next; anchor="#x", <${origin}/api/v3/items?page=3>; rel=next`,
    ],
  ];
  for (const [name, link] of good) {
    it(`a list accepts ${name}`, async () => {
      const server = await servePages({
        headers: (page, origin): Record<string, string> =>
          page === 2 ? { link: link(origin) } : {},
      });
      expect(await createClient(server).paginate(items).toArray()).toHaveLength(9);
    });
  }

  it('a list follows a next link to another trusted origin', async () => {
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

describe('connections lost in the middle of page 2', () => {
  for (const limit of [0, 2]) {
    it(`a connection lost during page 2 rejects the list after ${limit} retries, with the page's URL in the error`, async () => {
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
      const error = await rejectionOf(
        (async () => {
          for await (const item of list) got.push(item);
        })(),
      );
      expect(error).toMatchObject({
        name: 'ResponseBodyError',
        reason: 'truncated',
        message: expect.stringContaining(`${server.origin}/api/v3/items?page=2`),
      });
      expect(got).toEqual([11, 12, 13]);
      expect(pagesSeen(server)).toEqual([1, 2, ...Array.from({ length: limit }, () => 2)]);
    });
  }

  it('the client continues a list if a retry succeeds after the connection was lost during page 2', async () => {
    let killed = false;
    const server = await servePages({
      gate: async () => undefined,
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

describe('failed pages', () => {
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

  it("a page that isn't an array causes a ResponseShapeError", async () => {
    const server = await serve((_request, response) => sendJson(response, { items: [] }));
    const error = await rejectionOf(createClient(server).paginate(items).toArray());
    expect(error).toMatchObject({ name: 'ResponseShapeError' });
  });
});

async function theConsumer(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of list) await turns(10);
}

describe('hostile Link headers', () => {
  const head = (link: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nlink: ${link}\r\n\r\n[]`;

  const shapes: readonly [name: string, unit: string][] = [
    ['opening brackets', '<'],
    ['commas', ','],
    ['semicolons', '<a>;;;;'],
    ['quotes', '<a>; a="'],
    ['whitespace', '<a> \t '],
    ['hundreds of links', '<a>; rel="x", '],
  ];
  for (const [name, unit] of shapes) {
    it(`a list is empty or throws a ResponseShapeError if its Link header consists of ${name}`, async () => {
      const link = unit.repeat(Math.floor(15_000 / unit.length));
      const server = await serveRaw((socket) => socket.write(head(link)));
      const outcome = await createClient(server)
        .paginate(items)
        .toArray()
        .catch((error: unknown) => error);
      if (Array.isArray(outcome)) expect(outcome).toEqual([]);
      else expect(outcome).toMatchObject({ name: 'ResponseShapeError' });
      expect(server.requests).toHaveLength(1);
    });
  }

  it('a Link header above the size limit causes a connection error without a retry', async () => {
    const server = await serveRaw((socket) => socket.write(head('<a>, '.repeat(8000))));
    const error = await rejectionOf(createClient(server).paginate(items).toArray());
    expect(error).toMatchObject({ code: 'connection' });
    expect(server.requests, 'a retry would get the same header').toHaveLength(1);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { SupportClient, type SupportClientOptions } from '../../src/support/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { byExtent } from '../support/extent.js';
import { sendJson, serve, type TestServer } from '../support/server.js';
import { world } from './support-world.js';

const repo = { owner: 'o', repo: 'r' };
const modes = ['strict', 'warn', 'off'] as const;
const noLists: readonly unknown[] = [{}, { message: 'ok' }, 'text', 7, true, null, { length: 3 }];
const cases = modes.flatMap((validation) =>
  noLists.map((body) => [validation, JSON.stringify(body), body] as const),
);

const respondWith = (body: unknown) => serve((_request, response) => sendJson(response, body));

function supportClient({ origin }: TestServer, options: Partial<SupportClientOptions> = {}) {
  const auth = { accessToken: 'tok' };
  const client = new SupportClient({ baseUrl: origin, auth, ...options });
  onTestFinished(() => client.close());
  return client;
}

describe.each(cases)('validation "%s" with the list response %s', (validation, _text, body) => {
  const shape = { code: 'response_shape' };

  it("each method that reads a list throws a ResponseShapeError if a page isn't an array", async () => {
    const client = createClient(await respondWith(body), { validation });
    const list = client.pulls.list(repo);
    expect(await rejectionOf(list.toArray())).toMatchObject(shape);
    expect(await rejectionOf(list.first())).toMatchObject(shape);
    expect(await rejectionOf(list.pages().next())).toMatchObject(shape);
    expect(await rejectionOf(list[Symbol.asyncIterator]().next())).toMatchObject(shape);
    const raw = client.paginate('GET /x');
    expect(await rejectionOf(raw.toArray())).toMatchObject(shape);
  });

  it('each support search throws a ResponseShapeError if a page contains no list', async () => {
    const client = supportClient(await respondWith(body), { validation });
    expect(await rejectionOf(client.contacts.search({}).toArray())).toMatchObject(shape);
    expect(await rejectionOf(client.cases.search({}).first())).toMatchObject(shape);
    expect(await rejectionOf(client.paginate('GET /x').toArray())).toMatchObject(shape);
  });
});

it.each([null, 'abc', -1, 1e300, {}])(
  'a search without validation ignores the invalid total %j',
  async (total) => {
    const server = await serve((_request, response, index) =>
      sendJson(response, { total, items: index < 3 ? [{ id: index }] : [] }),
    );
    const client = supportClient(server, { validation: 'off' });
    expect(await client.contacts.search({}).toArray()).toHaveLength(3);
  },
);

describe('a ResponseShapeError', () => {
  it('contains at most 20 issues', async () => {
    const items = Array.from({ length: 100_000 }, () => ({ id: 'x' }));
    const client = createClient(await respondWith(items), { retry: false });
    const error = await rejectionOf(client.pulls.list(repo).toArray());
    expect(error).toMatchObject({ code: 'response_shape' });
    expect((error as { issues: unknown[] }).issues.length).toBeLessThanOrEqual(20);
  });

  it('reports many invalid entries of a union type', async () => {
    const items = Array.from({ length: byExtent(20_000, 200_000, 200_000) }, () => ({
      type: 'file',
      size: 'x',
    }));
    const client = createClient(await respondWith(items), { retry: false });
    const error = await rejectionOf(client.contents.get({ ...repo, path: 'docs' }));
    expect(error).toMatchObject({ code: 'response_shape' });
  });

  it.each([
    ['a long name', { ['x'.repeat(100_000)]: 1 }],
    ['a name with control characters', { 'a\u001b[31m\u009b2Jb': 1 }],
  ])('prints fewer than 3000 characters on one line for %s', async (_what, groups) => {
    const client = createClient(await respondWith(groups), { retry: false });
    const error = await rejectionOf(client.adminStats.get({ type: 'all' }));
    expect(String(error).length).toBeLessThan(3000);
    expect(String(error)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

/** Creates a client for a server that sends the pages in order. */
async function searching(...pages: readonly unknown[]) {
  const server = await serve((_request, response, index) => sendJson(response, pages[index]));
  return supportClient(server);
}

describe('a support search', () => {
  it.each<[string, unknown]>([
    ['in `items` next to other arrays', { total: 2, facets: ['x'], items: [1, 2] }],
    [
      'in the only array of an envelope, under any name',
      { total: 2, success: true, contacts: [1, 2] },
    ],
    ['in an array without an envelope', [1, 2]],
  ])('finds records %s', async (_name, page) => {
    const client = await searching(page, []);
    expect(await client.paginate('GET /contact').toArray()).toEqual([1, 2]);
  });

  it('rejects an envelope with two arrays, neither named items', async () => {
    const client = await searching({ contacts: [1], users: [2] });
    expect(await rejectionOf(client.paginate('GET /contact').toArray())).toMatchObject({
      code: 'response_shape',
    });
  });

  const fitting = z.object({ id: z.number().transform(String) });
  const other = z.object({ id: z.string() });

  it.each<[string, (client: SupportClient, schema: z.ZodType) => unknown]>([
    [
      "a request's schema",
      (client, schema) => client.paginate('GET /contact', {}, { schema }).toArray(),
    ],
    [
      'the schema of as()',
      (client, schema) => client.paginate('GET /contact').as(schema).toArray(),
    ],
  ])('validates each record with %s', async (_name, read) => {
    const page = { total: 1, items: [{ id: 7 }] };
    const client = await searching(page, page);
    expect(await read(client, fitting)).toEqual([{ id: '7' }]);
    const error = await rejectionOf(Promise.resolve(read(client, other)));
    expect(error).toMatchObject({ code: 'response_shape', issues: [{}] });
  });
});

/** Runs a search and returns each request's `index` parameter, or null if a request has none. */
async function getIndexes(search: (client: SupportClient) => { toArray(): Promise<unknown> }) {
  const pages = [[{ id: 1 }, { id: 2 }], [{ id: 3 }], []];
  let page = 0;
  const { client, server } = await world({
    respond: (_request, response) => response.end(JSON.stringify(pages[page++])),
  });
  onTestFinished(() => client.close());
  await search(client).toArray();
  const urls = server.log.map((line) => new URL(line.slice(line.indexOf('/')), server.origin));
  return urls
    .filter(({ pathname }) => !pathname.endsWith('/authenticate'))
    .map(({ searchParams }) => searchParams.get('index'));
}

it('a search without an index omits the parameter for the first page', async () => {
  expect(await getIndexes(({ contacts }) => contacts.search())).toEqual([null, '2', '3']);
});

it('a search with an index of 0 sends index=0 for the first page', async () => {
  const indexes = await getIndexes(({ contacts }) => contacts.search({ index: 0 }));
  expect(indexes).toEqual(['0', '2', '3']);
});

it('a cursor overrides the index, even if the cursor is 0', async () => {
  const indexes = await getIndexes(({ contacts }) => contacts.search({ index: 5 }, { from: '0' }));
  expect(indexes).toEqual(['0', '2', '3']);
});

import { describe, expect, it } from 'vitest';
import { SupportClient } from '../../src/support/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { byExtent } from '../support/extent.js';
import { sendJson, serve } from '../support/server.js';

const repo = { owner: 'o', repo: 'r' };
const modes = ['strict', 'warn', 'off'] as const;
const noLists: readonly unknown[] = [{}, { message: 'ok' }, 'text', 7, true, null, { length: 3 }];
const cases = modes.flatMap((validation) =>
  noLists.map((body) => [validation, JSON.stringify(body), body] as const),
);

const respondWith = (body: unknown) => serve((_request, response) => sendJson(response, body));

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
    const { origin } = await respondWith(body);
    const client = new SupportClient({
      baseUrl: origin,
      auth: { accessToken: 'tok' },
      validation,
    });
    expect(await rejectionOf(client.contacts.search({}).toArray())).toMatchObject(shape);
    expect(await rejectionOf(client.cases.search({}).first())).toMatchObject(shape);
    expect(await rejectionOf(client.paginate('GET /x').toArray())).toMatchObject(shape);
    await client.close();
  });
});

it.each([null, 'abc', -1, 1e300, {}])(
  'a search without validation ignores the invalid total %j',
  async (total) => {
    const server = await serve((_request, response, index) =>
      sendJson(response, { total, items: index < 3 ? [{ id: index }] : [] }),
    );
    const auth = { accessToken: 'tok' };
    const client = new SupportClient({ baseUrl: server.origin, auth, validation: 'off' });
    expect(await client.contacts.search({}).toArray()).toHaveLength(3);
    await client.close();
  },
);

describe('ResponseShapeError', () => {
  it('a ResponseShapeError contains at most 20 issues', async () => {
    const items = Array.from({ length: 100_000 }, () => ({ id: 'x' }));
    const client = createClient(await respondWith(items), { retry: false });
    const error = await rejectionOf(client.pulls.list(repo).toArray());
    expect(error).toMatchObject({ code: 'response_shape' });
    expect((error as { issues: unknown[] }).issues.length).toBeLessThanOrEqual(20);
  });

  it('a call reports many invalid entries of a union type as a ResponseShapeError', async () => {
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
  ])(
    'a ResponseShapeError prints fewer than 3000 characters on one line for %s',
    async (_what, groups) => {
      const client = createClient(await respondWith(groups), { retry: false });
      const error = await rejectionOf(client.adminStats.get({ type: 'all' }));
      expect(String(error).length).toBeLessThan(3000);
      expect(String(error)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    },
  );
});

describe('stored cursors', () => {
  const world = () =>
    serve((request, response) => {
      const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
      const next = `http://${request.headers.host}/api/v3/repositories/7/pulls?state=open&page=${page + 1}`;
      sendJson(
        response,
        [{ number: page }],
        200,
        page < 3 ? { link: `<${next}>; rel="next"` } : {},
      );
    });

  it('the client resumes a list from a cursor that identifies the repository by ID', async () => {
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
    ['another list', '/api/v3/user/keys?page=2'],
    ['the same list of another repository', '/api/v3/repos/o/secret/pulls?page=2'],
    ["a resource that isn't a list", '/api/v3/user'],
    ['a path with ..', '/api/v3/repos/o/r/pulls/../../secret/pulls?page=2'],
    ['a path with an encoded ..', '/api/v3/repos/o/r/%2e%2e/secret/pulls?page=2'],
  ])('a list with a stored cursor never requests %s', async (_what, path) => {
    const server = await world();
    const client = createClient(server, { validation: 'off' });
    const from = `${server.origin}${path}`;
    await client.pulls
      .list(repo, { from })
      .first()
      .catch(() => undefined);
    expect(server.log.filter((line) => !line.startsWith('GET /api/v3/repos/o/r/pulls?'))).toEqual(
      [],
    );
  });

  it("the client rejects a cursor whose filters differ from the call's filters", async () => {
    const server = await world();
    const list = createClient(server).pulls.list(
      { ...repo, state: 'closed' },
      { from: `${server.origin}/api/v3/repos/o/r/pulls?state=open&page=2` },
    );
    expect(await rejectionOf(list.toArray())).toMatchObject({
      code: 'invalid_request',
      field: 'from',
    });
    expect(server.log).toEqual([]);
  });

  const pulls = '/api/v3/repos/o/r/pulls';
  it.each([
    ['a filter that the list does not have', `${pulls}?page=2&state=closed&head=evil`],
    ["a second value for the list's filter", `${pulls}?page=2&state=closed&state=open`],
    ["the list's filter twice", `${pulls}?page=2&state=closed&state=closed`],
    ['a parameter in a different case', `${pulls}?page=2&state=closed&Head=evil`],
    ['a parameter with brackets in its name', `${pulls}?page=2&state=closed&state[]=open`],
    ["an input that the call doesn't set", `${pulls}?page=2&state=closed&sort=updated`],
    ['two page numbers', `${pulls}?page=2&page=3&state=closed`],
    ['an unknown parameter', `${pulls}?page=2&state=closed&x=1`],
  ])('a list rejects a stored cursor with %s', async (_what, path) => {
    const server = await world();
    const list = createClient(server).pulls.list(
      { ...repo, state: 'closed' },
      { from: `${server.origin}${path}` },
    );
    expect(await rejectionOf(list.toArray())).toMatchObject({
      code: 'invalid_request',
      field: 'from',
    });
    expect(server.log).toEqual([]);
  });

  it.each([
    ['without any filters', `${pulls}?page=2`, '?state=closed&page=2'],
    [
      'with a filter hidden after a semicolon',
      `${pulls}?page=2;state=open`,
      '?state=closed&page=2%3Bstate%3Dopen',
    ],
    [
      'with an encoded filter',
      `${pulls}?page=2%26state=open`,
      '?state=closed&page=2%26state%3Dopen',
    ],
    ['with credentials', `${pulls}?page=2&access_token=evil`, '?state=closed&page=2'],
    [
      'with an opaque page token',
      `${pulls}?after=Y3Vy%3D%3D&per_page=5`,
      '?state=closed&after=Y3Vy%3D%3D&per_page=5',
    ],
  ])("the client uses a cursor %s only for the caller's list", async (_what, path, query) => {
    const server = await world();
    const client = createClient(server, { validation: 'off' });
    const input = { ...repo, state: 'closed' } as const;
    await client.pulls.list(input, { from: `${server.origin}${path}` }).first();
    expect(server.log).toEqual([`GET ${pulls}${query}`]);
  });

  const issues = '/api/v3/repos/o/r/issues';
  it.each([
    ['since', '2024-01-01', '1970-01-01'],
    ['per_page', '50', '1'],
    ['limit', '50', '1'],
    ['after', 'x', 'y'],
  ])(
    "the client rejects a cursor that changes the caller's %s parameter",
    async (name, own, other) => {
      const server = await world();
      const client = createClient(server);
      const [path, query] = [
        client.paginate(
          `GET repos/o/r/issues?${name}=${own}`,
          {},
          { from: `${server.origin}${issues}?page=2&${name}=${other}` },
        ),
        client.paginate(
          'GET repos/o/r/issues',
          { [name]: own },
          { from: `${server.origin}${issues}?page=2&${name}=${other}` },
        ),
      ];
      for (const list of [path, query]) {
        const error = await rejectionOf(list.toArray());
        expect(error).toMatchObject({ code: 'invalid_request', field: 'from' });
        expect(String(error)).toContain(`"${name}"`);
      }
      expect(server.log).toEqual([]);
    },
  );

  it("the client rejects a cursor that changes a parameter in the caller's `extra`", async () => {
    const server = await world();
    const list = createClient(server).pulls.list(repo, {
      from: `${server.origin}${pulls}?page=2&since=1970-01-01`,
      extra: { query: { since: '2024-01-01' } },
    });
    expect(await rejectionOf(list.toArray())).toMatchObject({ field: 'from' });
    expect(server.log).toEqual([]);
  });

  it("a stored cursor replaces the caller's page number, but no other parameter", async () => {
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

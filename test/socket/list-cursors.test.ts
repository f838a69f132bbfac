import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const repo = { owner: 'o', repo: 'r' };
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
  it("resumes at the cursor's page", async () => {
    const client = createClient(await world());
    const { value } = await client.paginate('GET /items').pages().next();
    const from = JSON.parse(JSON.stringify(value.cursor));
    const rest = await client.paginate('GET /repositories/7/pulls', { state: 'open' }, { from });
    expect(await rest.toArray()).toEqual([{ number: 2 }, { number: 3 }]);
  });

  it.each(['https://evil.example/api/v3/items?page=2', 'page=2', '', '/api/v3/items'])(
    'rejects the cursor "%s"',
    async (from) => {
      const server = await world();
      const list = createClient(server).paginate('GET /items', {}, { from });
      expect(await rejectionOf(list.toArray())).toMatchObject(invalid);
      expect(server.log).toEqual([]);
    },
  );

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
    ['another list', '/api/v3/user/keys?page=2'],
    ['the same list of another repository', '/api/v3/repos/o/secret/pulls?page=2'],
    ['a path with ..', '/api/v3/repos/o/r/pulls/../../secret/pulls?page=2'],
  ])('never requests %s', async (_what, path) => {
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

  it.each([
    ["a value other than that of the list's filter", `${pulls}?page=2&state=open`],
    ['a filter that the list does not have', `${pulls}?page=2&state=closed&head=evil`],
    ["a second value for the list's filter", `${pulls}?page=2&state=closed&state=open`],
    ["an input that the call doesn't set", `${pulls}?page=2&state=closed&sort=updated`],
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
    [
      'with a filter hidden after a semicolon',
      `${pulls}?page=2;state=open`,
      '?state=closed&page=2%3Bstate%3Dopen',
    ],
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

  it.each([
    ['since', '2024-01-01', '1970-01-01'],
    ['limit', '50', '1'],
    ['after', 'x', 'y'],
  ])("rejects a cursor that changes the caller's %s parameter", async (name, own, other) => {
    const server = await world();
    const client = createClient(server);
    const from = `${server.origin}${issues}?page=2&${name}=${other}`;
    for (const list of [
      client.paginate(`GET repos/o/r/issues?${name}=${own}`, {}, { from }),
      client.paginate('GET repos/o/r/issues', { [name]: own }, { from }),
    ]) {
      const error = await rejectionOf(list.toArray());
      expect(error).toMatchObject(invalid);
      expect(String(error)).toContain(`"${name}"`);
    }
    expect(server.log).toEqual([]);
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

import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './rocket.js';
import { api, mona, origin, sendRequest } from './send-request.js';

// Tests behavior that third-party clients and older clients depend on.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const rocket = () => findRocket(emulator);

describe('response URLs', () => {
  test("a response links an organization under /orgs, but a repository's owner under /users", async () => {
    const { data } = await sendRequest(emulator, 'GET /orgs/acme');
    expect(data).toMatchObject({ login: 'acme', type: 'Organization', url: `${api}/orgs/acme` });
    expect((await sendRequest(emulator, `GET ${data.repos_url.slice(api.length)}`)).status).toBe(
      200,
    );
    expect((await sendRequest(emulator, 'GET /orgs/mona')).status).toBe(404);
    const repo = await sendRequest(emulator, 'GET /repos/acme/rocket');
    expect(repo.data.owner.url).toBe(`${api}/users/acme`);
  });

  test('every URL in the API root except /hub responds with 200', async () => {
    const { data } = await sendRequest(emulator, 'GET /');
    const bare = Object.values<string>(data).filter((url) => !/\{(?!\?)/.test(url));
    expect(bare.length).toBeGreaterThan(4);
    for (const url of bare) {
      const path = url.slice(api.length).replace(/\{.*/, '');
      const found = await sendRequest(emulator, `GET ${path}`, { auth: mona });
      expect([path, found.status]).toEqual([path, path === '/hub' ? 404 : 200]);
    }
    expect((await sendRequest(emulator, 'GET /api/v3/')).data).toEqual(data);
  });
});

describe('POST as an alias for PATCH', () => {
  test.each<
    [string, (own: { team: number; release: number; hook: number }) => string, object, object]
  >([
    [
      'a pull request',
      () => '/repos/acme/rocket/pulls/1',
      { title: 'By POST' },
      { title: 'By POST' },
    ],
    ['a team', ({ team }) => `/teams/${team}`, { name: 'By POST' }, { name: 'By POST' }],
    [
      'a release',
      ({ release }) => `/repos/acme/rocket/releases/${release}`,
      { body: 'n' },
      { body: 'n' },
    ],
    [
      'a hook',
      ({ hook }) => `/repos/acme/rocket/hooks/${hook}`,
      { active: false },
      { active: false },
    ],
  ])('POST updates %s, as PATCH does', async (_what, getPath, body, expected) => {
    const [release] = rocket().releases;
    const hook = emulator.hosting.addHook('acme/rocket', { url: 'http://127.0.0.1:9/' });
    const team = emulator.hosting.addTeam('acme', 'New');
    const own = { team: team.id, release: release?.id ?? 0, hook: hook.id };
    const { status, data } = await sendRequest(emulator, `POST ${getPath(own)}`, { body });
    expect(status).toBe(200);
    expect(data).toMatchObject(expected);
  });

  test('POST updates a reference and an authorization, as PATCH does', async () => {
    const sha = rocket().refs.get('heads/main')?.sha;
    const ref = await sendRequest(
      emulator,
      'POST /repos/acme/rocket/git/refs/heads/feature/part-1',
      {
        body: { sha },
      },
    );
    expect([ref.status, ref.data.object.sha]).toEqual([200, sha]);
    const { id } = emulator.hosting.addToken('mona', ['repo']);
    const changed = await sendRequest(emulator, `POST /authorizations/${id}`, {
      auth: mona,
      body: { add_scopes: ['gist'] },
    });
    expect(changed.data.scopes).toEqual(['repo', 'gist']);
  });
});

test('every response repeats its status in a Status header', async () => {
  const getStatus = async (what: string, how = {}) =>
    (await sendRequest(emulator, what, how)).headers.status;
  expect(await getStatus('GET /repos/acme/rocket')).toBe('200 OK');
  expect(await getStatus('GET /repos/acme/none')).toBe('404 Not Found');
  expect(await getStatus('GET /user', { auth: 'token wrong' })).toBe('401 Unauthorized');
  expect(await getStatus('PUT /user/starred/acme/rocket')).toBe('204 No Content');
  const { headers } = await sendRequest(emulator, 'GET /repos/acme/rocket');
  const again = { headers: { 'if-none-match': String(headers.etag) } };
  expect(await getStatus('GET /repos/acme/rocket', again)).toBe('304 Not Modified');
});

test('POST /authorizations with empty client_id and client_secret creates a personal token', async () => {
  const body = { note: 'n', client_id: '', client_secret: '' };
  const { status, data } = await sendRequest(emulator, 'POST /authorizations', {
    auth: mona,
    body,
  });
  expect([status, data.app.client_id]).toEqual([201, '0'.repeat(20)]);
});

describe('POST /hub from third-party clients', () => {
  const fields = {
    'hub.mode': 'subscribe',
    'hub.topic': `${origin}/acme/rocket/events/push`,
    'hub.callback': 'http://127.0.0.1:9/',
  };
  const send = (change: object, how: object = {}) =>
    sendRequest(emulator, 'POST /hub', {
      auth: mona,
      body: new URLSearchParams({ ...fields, ...change }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      ...how,
    });

  test('POST /hub accepts a multipart form and rejects JSON', async () => {
    const boundary = 'x-y';
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const body = `${parts.join('')}--${boundary}--\r\n`;
    expect((await send({}, { body, headers })).status).toBe(204);
    expect(rocket().hooks).toHaveLength(1);
    expect((await send({}, { body: body.slice(0, 90), headers })).status).toBe(400);
    expect(
      (await send({}, { body: '{}', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(415);
  });

  test('POST /hub ignores the origin in a topic URL', async () => {
    const elsewhere = { 'hub.topic': 'https://code.example.com/acme/rocket/events/push' };
    expect((await send(elsewhere)).status).toBe(204);
    expect(rocket().hooks).toMatchObject([{ events: ['push'] }]);
  });

  test('POST /hub responds with 401 to a token', async () => {
    expect((await send({}, { auth: `token ${seeded.token}` })).status).toBe(401);
  });
});

describe('star lists', () => {
  const accept = (type: string) => ({ headers: { accept: type } });

  test.each(['application/vnd.service.star+json', 'application/vnd.service.v3.star+json'])(
    'star lists contain starred_at for Accept: %s',
    async (type) => {
      emulator.clock.advance(60_000);
      await sendRequest(emulator, 'PUT /user/starred/acme/rocket');
      const starredAt = emulator.clock.iso();
      const gazers = await sendRequest(
        emulator,
        'GET /repos/acme/rocket/stargazers?per_page=100&page=2',
        accept(type),
      );
      expect(gazers.data.at(-1)).toMatchObject({ starred_at: starredAt, user: { login: 'mona' } });
      for (const path of ['/user/starred', '/users/mona/starred']) {
        const { data } = await sendRequest(emulator, `GET ${path}`, accept(type));
        expect(data[0]).toMatchObject({
          starred_at: starredAt,
          repo: { full_name: 'acme/rocket' },
        });
        expect(data[0].repo).toHaveProperty('owner');
      }
    },
  );

  test('star lists omit starred_at for other media types', async () => {
    for (const type of ['application/json', 'application/vnd.other.star+json']) {
      const { data } = await sendRequest(emulator, 'GET /user/starred', accept(type));
      expect(data[0]).not.toHaveProperty('starred_at');
      expect(data[0]).toHaveProperty('full_name');
    }
  });
});

test("POST /orgs/:org/teams accepts repo_names with or without the organization's name", async () => {
  const body = { name: 'Both', repo_names: ['rocket', 'acme/secret'] };
  const { status, data } = await sendRequest(emulator, 'POST /orgs/acme/teams', { body });
  expect([status, data.repos_count]).toEqual([201, 2]);
  const foreign = { name: 'Not ours', repo_names: ['project-1'] };
  expect((await sendRequest(emulator, 'POST /orgs/acme/teams', { body: foreign })).status).toBe(
    422,
  );
});

describe('DELETE /repos/:owner/:repo/contents/:path', () => {
  const getSha = () => rocket().branches.get('main')?.get('README.md')?.sha ?? '';

  test.each<[string, (sha: string) => [query: string, body: object | undefined]]>([
    [
      'the query',
      (sha) => [
        `?message=gone&sha=${sha}&branch=main&author%5Bname%5D=A&author%5Bemail%5D=a@b.c`,
        undefined,
      ],
    ],
    ['the body', (sha) => ['', { message: 'gone', sha, author: { name: 'A', email: 'a@b.c' } }]],
  ])('DELETE /repos/:owner/:repo/contents/:path reads inputs from %s', async (_where, inputs) => {
    const [query, body] = inputs(getSha());
    const { status, data } = await sendRequest(
      emulator,
      `DELETE /repos/acme/rocket/contents/README.md${query}`,
      { body },
    );
    expect(status).toBe(200);
    expect(data).toMatchObject({
      content: null,
      commit: { message: 'gone', author: { name: 'A' } },
    });
    expect(getSha()).toBe('');
  });

  test('DELETE /repos/:owner/:repo/contents/:path responds with 500 if the author in the query has no email', async () => {
    const query = `?message=gone&sha=${getSha()}&author[name]=A`;
    expect(
      (await sendRequest(emulator, `DELETE /repos/acme/rocket/contents/README.md${query}`)).status,
    ).toBe(500);
  });
});

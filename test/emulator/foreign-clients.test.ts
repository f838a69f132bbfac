import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './rocket.js';
import { api, basic, mona, origin, sendRequest } from './send-request.js';
import { parseRedirect } from './web-flow-requests.js';

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

describe('requests of widespread clients', () => {
  const here = '/repos/acme/rocket';
  const file = { message: 'm', content: 'YQ' };

  test('an empty target_commitish selects the default branch', async () => {
    const body = { tag_name: 'v9', target_commitish: '' };
    const made = await sendRequest(emulator, `POST ${here}/releases`, { body });
    expect(made.status).toBe(201);
    expect(made.data.target_commitish).toBe('main');
    const path = `${here}/releases/${made.data.id}`;
    const changed = await sendRequest(emulator, `PATCH ${path}`, { body });
    expect(changed.data.target_commitish).toBe('main');
  });

  test('an empty branch selects the default branch', async () => {
    const body = { ...file, branch: '' };
    expect((await sendRequest(emulator, `PUT ${here}/contents/new`, { body })).status).toBe(201);
    expect(rocket().branches.get('main')?.has('new')).toBe(true);
  });

  test('Basic credentials can have a token as the username or the password', async () => {
    for (const auth of [basic(seeded.token, ''), basic('mona', seeded.token)]) {
      const { status, headers } = await sendRequest(emulator, 'GET /user', { auth });
      expect([status, headers['x-oauth-scopes']]).toEqual([
        200,
        'repo, user, admin:org, admin:repo_hook',
      ]);
    }
  });

  test.each<[string, string, string]>([
    ['correct', seeded.clientSecret, 'access_token'],
    ['wrong', 'wrong', 'error'],
  ])('POST /login/oauth/access_token reads %s Basic credentials', async (_how, secret, member) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const approval = new URLSearchParams({ client_id: seeded.clientId, decision: 'approve' });
    const approved = await sendRequest(emulator, 'POST /login/oauth/authorize', {
      auth: null,
      body: `${approval}`,
      headers: form,
    });
    const { code } = parseRedirect(approved);
    const { data } = await sendRequest(emulator, 'POST /login/oauth/access_token', {
      auth: basic(seeded.clientId, secret),
      body: `grant_type=authorization_code&code=${code}`,
      headers: { ...form, accept: 'application/json' },
    });
    expect(Object.keys(data)).toContain(member);
  });

  test("GET /user/emails returns the caller's address", async () => {
    const { data } = await sendRequest(emulator, 'GET /user/emails');
    expect(data).toEqual([{ email: 'mona@example.com', primary: true, verified: true }]);
    const { token } = emulator.hosting.addToken('mona', ['repo']);
    const auth = `token ${token}`;
    expect((await sendRequest(emulator, 'GET /user/emails', { auth })).status).toBe(404);
  });

  test.each([
    ['github', 201],
    ['company', 422],
  ])('POST /hooks without a name responds as the vendor %s with %i', async (vendor, status) => {
    const own = createEmulator({ vendor });
    const body = { config: { url: 'http://127.0.0.1:9/' } };
    const { status: actual, data } = await sendRequest(own, `POST ${here}/hooks`, { body });
    expect(actual).toBe(status);
    if (status === 201) expect(data.name).toBe('web');
  });

  test.each(['lander', 'probe'])('the seed contains the repository acme/%s', async (name) => {
    expect((await sendRequest(emulator, `GET /repos/acme/${name}`)).status).toBe(200);
  });

  test('the head of a pull request from a fork follows pushes until it is closed', async () => {
    const { hosting } = emulator;
    const fork = hosting.addRepo('ada-0', 'rocket', { forkOf: 'acme/rocket' });
    const body = { title: 't', head: 'ADA-0:main', base: 'main' };
    const made = await sendRequest(emulator, `POST ${here}/pulls`, { body });
    const path = `${here}/pulls/${made.data.number}`;
    const head = async () => (await sendRequest(emulator, `GET ${path}`)).data.head;
    const push = () => {
      hosting.addFile(fork, 'a', `${emulator.clock.advance(1000)}`);
      return fork.refs.get('heads/main')?.sha;
    };
    const pushed = push();
    expect(await head()).toMatchObject({ label: 'ada-0:main', sha: pushed });
    const listed = await sendRequest(emulator, `GET ${here}/pulls?head=Ada-0:main`);
    expect(listed.data.map((pull: { head: object }) => pull.head)).toMatchObject([{ sha: pushed }]);
    await sendRequest(emulator, `PATCH ${path}`, { body: { state: 'closed' } });
    push();
    expect((await head()).sha).toBe(pushed);
  });

  test('logins and names match in any case, and responses contain the stored case', async () => {
    const repo = await sendRequest(emulator, 'GET /repos/ACME/Rocket');
    expect(repo.data.full_name).toBe('acme/rocket');
    expect((await sendRequest(emulator, 'GET /users/MONA')).data.login).toBe('mona');
    const auth = basic('Mona', seeded.password);
    expect((await sendRequest(emulator, 'GET /user', { auth })).data.login).toBe('mona');
    expect((await sendRequest(emulator, 'GET /users/MONA/repos')).data).toHaveLength(30);
    expect((await sendRequest(emulator, 'GET /orgs/Acme/teams')).data).not.toEqual([]);
    expect(() => emulator.hosting.addUser('Mona')).toThrow('must be unique');
    emulator.hosting.renameRepo('acme/rocket', 'Rocket');
    expect((await sendRequest(emulator, 'GET /repos/acme/rocket')).data.name).toBe('Rocket');
  });

  test('a browser_download_url serves the asset of a public repository', async () => {
    const { hosting } = emulator;
    const release = hosting.addRelease(rocket(), 'v/9');
    hosting.addAsset(release, 'a b.txt', { content: Buffer.from('a') });
    const { data } = await sendRequest(emulator, `GET ${here}/releases/tags/v/9`);
    const url = data.assets[0].browser_download_url;
    const fetched = await emulator.respond(new Request(url));
    expect([fetched.status, await fetched.text()]).toEqual([200, 'a']);
    rocket().isPrivate = true;
    expect((await emulator.respond(new Request(url))).status).toBe(404);
  });

  test.each(['a', 'YQ=', 'YQ===', 'Y_Q=', 'YQ==YQ=='])(
    'PUT /repos/:owner/:repo/contents/:path responds with 422 to the invalid Base64 %j',
    async (content) => {
      const body = { ...file, content };
      expect((await sendRequest(emulator, `PUT ${here}/contents/new`, { body })).status).toBe(422);
    },
  );
});

describe('allowOrigins', () => {
  test('only pages from allowed origins can read responses', async () => {
    const own = createEmulator({ allowOrigins: ['https://app.test'] });
    const { url } = await own.listen();
    const ask = async (from: string, method = 'GET') => {
      const preflight = { 'access-control-request-method': 'GET' };
      const sent = { origin: from, ...(method === 'OPTIONS' && preflight) };
      const { status, headers } = await fetch(`${url}/api/v3/`, { method, headers: sent });
      return [status, headers.get('access-control-allow-origin')];
    };
    expect(await ask('https://app.test')).toEqual([200, 'https://app.test']);
    expect(await ask('https://app.test', 'OPTIONS')).toEqual([204, 'https://app.test']);
    expect(await ask('https://other.test', 'OPTIONS')).toEqual([403, null]);
    await own.close();
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { Authorization } from '../../src/hosting/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { basic, crawl, mona, sendRequest, validate } from './send-request.js';

const { clientId, clientSecret, login, token } = seeded;
const app = basic(clientId, clientSecret);
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

describe('/authorizations', () => {
  test("GET /authorizations accepts only the user's Basic credentials", async () => {
    for (const [auth, status] of [
      [mona, 200],
      [`token ${token}`, 403],
      [null, 401],
      [basic(login, 'wrong'), 401],
    ] as const) {
      expect((await sendRequest(emulator, 'GET /authorizations', { auth })).status).toBe(status);
    }
  });

  test('the emulator creates, reads, updates and deletes an authorization', async () => {
    const body = { note: 'script', scopes: ['user', 'gist', 'user:email'] };
    const created = await sendRequest(emulator, 'POST /authorizations', { auth: mona, body });
    expect(created.status).toBe(201);
    const { id, token: value } = validate(Authorization, created.data);
    expect(created.headers.location).toBe(created.data.url);
    expect(created.data).toMatchObject({
      scopes: ['user', 'gist'],
      note: 'script',
      note_url: null,
    });
    const whoami = await sendRequest(emulator, 'GET /user', { auth: `token ${value}` });
    expect(whoami.headers['x-oauth-scopes']).toBe('user, gist');
    const patch = (change: object) =>
      sendRequest(emulator, `PATCH /authorizations/${id}`, { auth: mona, body: change });
    expect((await patch({ add_scopes: ['repo'] })).data.scopes).toEqual(['user', 'gist', 'repo']);
    expect((await patch({ remove_scopes: ['user'], note: 'n' })).data).toMatchObject({
      scopes: ['gist', 'repo'],
      note: 'n',
    });
    expect((await patch({ scopes: [], note_url: 'http://n' })).data.scopes).toEqual([]);
    expect((await patch({ scopes: [], add_scopes: [] })).status).toBe(422);
    expect((await patch({ scopes: ['nonsense'] })).data.message).toContain('nonsense');
    expect((await patch({ scopes: 'repo' })).status).toBe(422);
    expect((await sendRequest(emulator, `GET /authorizations/${id}`, { auth: mona })).status).toBe(
      200,
    );
    expect(
      (await sendRequest(emulator, `DELETE /authorizations/${id}`, { auth: mona })).status,
    ).toBe(204);
    expect((await sendRequest(emulator, `GET /authorizations/${id}`, { auth: mona })).status).toBe(
      404,
    );
    expect((await sendRequest(emulator, 'GET /user', { auth: `token ${value}` })).status).toBe(401);
  });

  test.each<[object, number, object | undefined]>([
    [{}, 422, { field: 'note', code: 'missing_field' }],
    [{ note: 'n', client_id: clientId }, 422, { field: 'client_secret', code: 'missing_field' }],
    [{ note: 'n', client_secret: clientSecret }, 422, { field: 'client_id' }],
    [{ note: 'n', client_id: 'x', client_secret: clientSecret }, 422, { field: 'client_id' }],
    [{ note: 'n', client_id: clientId, client_secret: 'x' }, 422, { code: 'invalid' }],
    [{ note: 'n', client_id: clientId, client_secret: clientSecret }, 201, undefined],
  ])('POST /authorizations responds to %j with a %i', async (body, status, error) => {
    const { data, ...response } = await sendRequest(emulator, 'POST /authorizations', {
      auth: mona,
      body,
    });
    expect(response.status).toBe(status);
    if (error) expect(data.errors[0]).toMatchObject(error);
    else expect(data.app.client_id).toBe(clientId);
  });

  test('PUT /authorizations/clients/:client_id responds with 201 only if the authorization is new', async () => {
    const put = (secret: string) =>
      sendRequest(emulator, `PUT /authorizations/clients/${clientId}`, {
        auth: mona,
        body: { client_secret: secret, scopes: ['gist'] },
      });
    const first = await put(clientSecret);
    expect(first.status).toBe(201);
    const second = await put(clientSecret);
    expect(second.status).toBe(200);
    expect(second.data).toEqual(first.data);
    expect(second.headers.location).toBe(first.data.url);
    expect((await put('x'.repeat(40))).status).toBe(422);
  });

  test('GET /authorizations paginates its list', async () => {
    for (let index = 0; index < 40; index++) emulator.hosting.addToken(login, ['gist']);
    const { items, pages } = await crawl(emulator, '/authorizations', { auth: mona });
    expect([items.length, pages]).toEqual([41, 2]);
    for (const item of items) validate(Authorization, item);
  });
});

describe('/applications/:client_id/tokens', () => {
  const path = (value: string) => `/applications/${clientId}/tokens/${value}`;

  test('an application checks, resets and revokes its token', async () => {
    const { token: value } = emulator.hosting.addToken(login, ['repo'], { clientId });
    const checked = await sendRequest(emulator, `GET ${path(value)}`, { auth: app });
    expect(validate(Authorization, checked.data).user).toMatchObject({ login });
    const reset = await sendRequest(emulator, `POST ${path(value)}`, { auth: app });
    expect(reset.status).toBe(200);
    const next: string = reset.data.token;
    expect(next).not.toBe(value);
    expect((await sendRequest(emulator, `GET ${path(value)}`, { auth: app })).status).toBe(404);
    expect((await sendRequest(emulator, `POST ${path(value)}`, { auth: app })).status).toBe(404);
    expect((await sendRequest(emulator, 'GET /user', { auth: `token ${next}` })).status).toBe(200);
    expect((await sendRequest(emulator, `DELETE ${path(next)}`, { auth: app })).status).toBe(204);
    expect((await sendRequest(emulator, 'GET /user', { auth: `token ${next}` })).status).toBe(401);
  });

  test('the emulator revokes all tokens of an application with one DELETE', async () => {
    const values = ['ada-0', 'alan-1'].map(
      (name) => emulator.hosting.addToken(name, [], { clientId }).token,
    );
    const gone = await sendRequest(emulator, `DELETE /applications/${clientId}/tokens`, {
      auth: app,
    });
    expect(gone.status).toBe(204);
    for (const value of values) {
      expect((await sendRequest(emulator, `GET ${path(value)}`, { auth: app })).status).toBe(404);
    }
    expect(emulator.hosting.state.tokens.has(token)).toBe(true);
  });

  test('/applications/:client_id/tokens shows a token only to its application', async () => {
    const other = emulator.hosting.addApplication('Other');
    const { token: value } = emulator.hosting.addToken(login, [], { clientId });
    const otherApp = basic(other.clientId, other.clientSecret);
    expect((await sendRequest(emulator, `GET ${path(value)}`, { auth: otherApp })).status).toBe(
      404,
    );
    expect((await sendRequest(emulator, `GET ${path(token)}`, { auth: app })).status).toBe(404);
    expect(
      (await sendRequest(emulator, `GET ${path(value)}`, { auth: `token ${token}` })).status,
    ).toBe(401);
    expect(emulator.printRequests()).not.toContain(value);
  });

  test("the emulator doesn't lock out an application after 20 wrong secrets", async () => {
    const { token: value } = emulator.hosting.addToken(login, [], { clientId });
    for (let attempt = 0; attempt < 20; attempt++) {
      const wrong = await sendRequest(emulator, `GET ${path(value)}`, {
        auth: basic(clientId, 'wrong'),
      });
      expect(wrong.status).toBe(401);
    }
    expect((await sendRequest(emulator, `GET ${path(value)}`, { auth: app })).status).toBe(200);
    expect(emulator.printRequests()).not.toContain(value);
  });
});

describe('/authorizations access and updates', () => {
  test("/authorizations shows and updates only the user's own authorizations", async () => {
    const other = emulator.hosting.addToken('ada-0', ['gist']);
    const mine = emulator.hosting.addToken(login, ['repo', 'gist']);
    const { data } = await sendRequest(emulator, 'GET /authorizations', { auth: mona });
    expect(data.map(({ note }: { note: string }) => note)).toEqual(['seed', null]);
    expect(data[1].app.name).toBe('Personal token (API)');
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await sendRequest(emulator, `${method} /authorizations/${other.id}`, {
        auth: mona,
      });
      expect(response.status).toBe(404);
    }
    const change = async (body: object) => {
      const path = `PATCH /authorizations/${mine.id}`;
      const { note, note_url, scopes } = (await sendRequest(emulator, path, { auth: mona, body }))
        .data;
      return [note, note_url, scopes];
    };
    expect(await change({ note: 'n', note_url: 'u' })).toEqual(['n', 'u', ['repo', 'gist']]);
    expect(await change({ add_scopes: ['public_repo', 'user'] })).toEqual([
      ...['n', 'u', ['repo', 'gist', 'user']],
    ]);
    expect(await change({ remove_scopes: ['repo', 'delete_repo'] })).toEqual([
      ...['n', 'u', ['gist', 'user']],
    ]);
    expect(await change({ scopes: ['gist', 'repo:status'] })).toEqual([
      ...['n', 'u', ['gist', 'repo:status']],
    ]);
  });

  test('a second PUT to /authorizations/clients/:client_id keeps the fields that it omits', async () => {
    const { clientId: other, clientSecret: secret } = emulator.hosting.addApplication('Other');
    const put = (id: string, body: object) =>
      sendRequest(emulator, `PUT /authorizations/clients/${id}`, { auth: mona, body });
    const body = { client_secret: secret, scopes: ['gist'], note: 'n', note_url: 'u' };
    const { data } = await put(other, body);
    const app = { name: 'Other', client_id: other };
    expect(data).toMatchObject({ scopes: ['gist'], note: 'n', note_url: 'u', app });
    const again = await put(other, { client_secret: secret });
    expect([again.status, again.data]).toEqual([200, data]);
    const seed = await put(clientId, { client_secret: clientSecret });
    expect([seed.status, seed.data.scopes, seed.data.note]).toEqual([201, [], null]);
    const wrong = await put(other, { client_secret: clientSecret });
    expect(wrong.data.errors).toMatchObject([{ code: 'invalid' }]);
    // An application can manage only its own tokens.
    const path = `/applications/${other}/tokens`;
    expect(
      (await sendRequest(emulator, `DELETE ${path}`, { auth: basic(clientId, clientSecret) }))
        .status,
    ).toBe(404);
    expect((await sendRequest(emulator, 'GET /user', { auth: `token ${data.token}` })).status).toBe(
      200,
    );
  });
});

describe('OAuth scopes', () => {
  test('a 404 for a missing scope lists the accepted scopes in a header', async () => {
    const { token: value } = emulator.hosting.addToken(login, ['gist', 'user:email']);
    const auth = `token ${value}`;
    const star = await sendRequest(emulator, 'PUT /user/starred/acme/rocket', { auth });
    expect(star.status).toBe(404);
    expect(star.headers['x-oauth-scopes']).toBe('gist, user:email');
    expect(star.headers['x-accepted-oauth-scopes']).toBe('public_repo, repo');
    expect((await sendRequest(emulator, 'GET /repos/acme/secret', { auth })).status).toBe(404);
    expect((await sendRequest(emulator, 'GET /repos/acme/rocket', { auth })).status).toBe(200);
  });

  test('a token with the scope admin:repo_hook can read hooks', async () => {
    const { token: value } = emulator.hosting.addToken(login, ['admin:repo_hook']);
    const hooks = await sendRequest(emulator, 'GET /repos/acme/rocket/hooks', {
      auth: `token ${value}`,
    });
    expect(hooks.status).toBe(200);
    expect(hooks.headers['x-accepted-oauth-scopes']).toContain('read:repo_hook');
  });
});

test('a valid client_id and client_secret raise the rate limit of anonymous requests', async () => {
  const query = `client_id=${clientId}&client_secret=${clientSecret}`;
  const known = await sendRequest(emulator, `GET /repos/acme/rocket?${query}`, { auth: null });
  expect(known.headers['x-ratelimit-limit']).toBe('5000');
  const wrong = `client_id=${clientId}&client_secret=nope`;
  expect(
    (await sendRequest(emulator, `GET /repos/acme/rocket?${wrong}`, { auth: null })).status,
  ).toBe(401);
  expect(emulator.printRequests()).not.toContain(clientSecret);
});

test('unlock() lets a locked-out user sign in again', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    await sendRequest(emulator, 'GET /user', { auth: basic(login, 'wrong') });
  }
  expect((await sendRequest(emulator, 'GET /user', { auth: mona })).status).toBe(403);
  emulator.hosting.unlock();
  expect((await sendRequest(emulator, 'GET /user', { auth: mona })).status).toBe(200);
});

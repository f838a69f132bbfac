import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { basic, callHosting, mona } from './send-request.js';

const { clientId, clientSecret, login, token } = seeded;

const app = basic(clientId, clientSecret);

let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);

beforeEach(() => {
  emulator = createEmulator();
});

describe('/applications/:client_id/tokens', () => {
  const path = (value: string) => `/applications/${clientId}/tokens/${value}`;

  it('the emulator revokes all tokens of an application with one DELETE', async () => {
    const values = ['ada-0', 'alan-1'].map(
      (name) => emulator.hosting.addToken(name, [], { clientId }).token,
    );
    const gone = await send(`DELETE /applications/${clientId}/tokens`, {
      auth: app,
    });
    expect(gone.status).toBe(204);
    for (const value of values) {
      expect(await getStatus(`GET ${path(value)}`, { auth: app })).toBe(404);
    }
    expect(emulator.hosting.state.tokens.has(token)).toBe(true);
  });

  it('shows a token only to its application', async () => {
    const other = emulator.hosting.addApplication('Other');
    const { token: value } = emulator.hosting.addToken(login, [], { clientId });
    const otherApp = basic(other.clientId, other.clientSecret);
    expect(await getStatus(`GET ${path(value)}`, { auth: otherApp })).toBe(404);
    expect(await getStatus(`GET ${path(token)}`, { auth: app })).toBe(404);
    expect(await getStatus(`GET ${path(value)}`, { auth: `token ${token}` })).toBe(401);
    expect(emulator.printRequests()).not.toContain(value);
  });

  it("the emulator doesn't lock out an application after 20 wrong secrets", async () => {
    const { token: value } = emulator.hosting.addToken(login, [], { clientId });
    for (let attempt = 0; attempt < 20; attempt++) {
      const wrong = await send(`GET ${path(value)}`, {
        auth: basic(clientId, 'wrong'),
      });
      expect(wrong.status).toBe(401);
    }
    expect(await getStatus(`GET ${path(value)}`, { auth: app })).toBe(200);
    expect(emulator.printRequests()).not.toContain(value);
  });
});

describe('/authorizations access and updates', () => {
  it("/authorizations shows and updates only the user's own authorizations", async () => {
    const other = emulator.hosting.addToken('ada-0', ['gist']);
    const mine = emulator.hosting.addToken(login, ['repo', 'gist']);
    const { data } = await send('GET /authorizations', { auth: mona });
    expect(data.map(({ note }: { note: string }) => note)).toEqual(['seed', null]);
    expect(data[1].app.name).toBe('Personal token (API)');
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await send(`${method} /authorizations/${other.id}`, {
        auth: mona,
      });
      expect(response.status).toBe(404);
    }
    const change = async (body: object) => {
      const path = `PATCH /authorizations/${mine.id}`;
      const { note, note_url, scopes } = (await send(path, { auth: mona, body })).data;
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

  it('a second PUT to /authorizations/clients/:client_id keeps the fields that it omits', async () => {
    const { clientId: other, clientSecret: secret } = emulator.hosting.addApplication('Other');
    const put = (id: string, body: object) =>
      send(`PUT /authorizations/clients/${id}`, { auth: mona, body });
    const body = { client_secret: secret, scopes: ['gist'], note: 'n', note_url: 'u' };
    const { data } = await put(other, body);
    const app = { name: 'Other', client_id: other };
    expect(data).toMatchObject({ scopes: ['gist'], note: 'n', note_url: 'u', app });
    const again = await put(other, { client_secret: secret });
    expect([again.status, again.data, again.headers.location]).toEqual([200, data, data.url]);
    const seed = await put(clientId, { client_secret: clientSecret });
    expect([seed.status, seed.data.scopes, seed.data.note]).toEqual([201, [], null]);
    const wrong = await put(other, { client_secret: clientSecret });
    expect(wrong.data.errors).toMatchObject([{ code: 'invalid' }]);
    // An application can manage only its own tokens.
    const path = `/applications/${other}/tokens`;
    expect(await getStatus(`DELETE ${path}`, { auth: basic(clientId, clientSecret) })).toBe(404);
    expect(await getStatus('GET /user', { auth: `token ${data.token}` })).toBe(200);
  });
});

it.each([
  ["creates a token of the application with the application's credentials", clientId, clientSecret],
  ['creates a personal token with empty application credentials', '', ''],
])('POST /authorizations %s', async (_what, client_id, client_secret) => {
  const body = { note: 'n', client_id, client_secret };
  const { status, data } = await send('POST /authorizations', { auth: mona, body });
  expect([status, data.app.client_id]).toEqual([201, client_id || '0'.repeat(20)]);
});

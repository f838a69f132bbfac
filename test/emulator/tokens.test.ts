import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { basic, callHosting, mona, sendRequest } from './send-request.js';
import {
  asForm,
  callbackUrl,
  callWebFlow,
  createFlowEmulator,
  documentation,
  form,
} from './web-flow-requests.js';

let emulator: Emulator;

describe('authorizations', () => {
  const { clientId, clientSecret, login, token } = seeded;

  const app = basic(clientId, clientSecret);

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
    [
      "creates a token of the application with the application's credentials",
      clientId,
      clientSecret,
    ],
    ['creates a personal token with empty application credentials', '', ''],
  ])('POST /authorizations %s', async (_what, client_id, client_secret) => {
    const body = { note: 'n', client_id, client_secret };
    const { status, data } = await send('POST /authorizations', { auth: mona, body });
    expect([status, data.app.client_id]).toEqual([201, client_id || '0'.repeat(20)]);
  });
});

describe('OAuth tokens', () => {
  const { application, exchange, getCode } = callWebFlow(() => emulator);

  beforeEach(() => {
    emulator = createFlowEmulator();
    application();
  });

  const path = 'POST /login/oauth/access_token';

  describe(path, () => {
    it('returns one token per user and application', async () => {
      emulator.hosting.addApplication('Other', { clientId: 'o', clientSecret: 's', callbackUrl });
      const token = async (fields: Record<string, string>) => {
        const { client_id = 'id' } = fields;
        return (await exchange({ client_id, code: await getCode(fields) })).data;
      };
      const first = await token({ scope: 'repo gist' });
      expect(first).toEqual({
        access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
        scope: 'repo,gist',
        token_type: 'bearer',
      });
      expect(await token({ scope: 'user' })).toEqual({ ...first, scope: 'user' });
      const other = await token({ client_id: 'o' });
      emulator.hosting.signedIn = 'eve';
      const eves = await token({});
      expect(new Set([first, other, eves].map((each) => each.access_token)).size).toBe(3);
      expect([...emulator.hosting.state.tokens.values()]).toMatchObject([
        { login: 'ada', clientId: 'id', scopes: ['user'] },
        { login: 'ada', clientId: 'o', scopes: [] },
        { login: 'eve', clientId: 'id', scopes: [] },
      ]);
    });

    it.each<[string, Record<string, string>, string | undefined, boolean]>([
      ['an unknown application', { client_id: 'x' }, 'incorrect_client_credentials', true],
      [
        'a redirect_uri on another site',
        { redirect_uri: 'https://x.test/cb' },
        'redirect_uri_mismatch',
        true,
      ],
      ['an unknown code', { code: 'x' }, 'bad_verification_code', true],
      ['a code of another application', { client_id: 'o' }, 'bad_verification_code', true],
      [
        'a different redirect URI of the application',
        { redirect_uri: callbackUrl },
        'bad_verification_code',
        false,
      ],
      ["the code's redirect_uri", { redirect_uri: `${callbackUrl}/a` }, undefined, false],
      ['no redirect_uri', {}, undefined, false],
    ])('validates an exchange with %s', async (_what, fields, error, left) => {
      emulator.hosting.addApplication('Other', { clientId: 'o', clientSecret: 's', callbackUrl });
      const code = await getCode({ redirect_uri: `${callbackUrl}/a` });
      const { status, data } = await exchange({ code, ...fields });
      expect(status).toBe(200);
      if (error === undefined) {
        expect(data).toHaveProperty('access_token');
      } else {
        expect(data).toEqual({
          error,
          error_description: expect.stringMatching(/\w/),
          error_uri: `${documentation}#${error.replaceAll('_', '-')}`,
        });
      }
      const again = await exchange({ code });
      expect('access_token' in again.data, 'whether the code is still valid').toBe(left);
    });

    it('accepts a code for ten minutes', async () => {
      const code = await getCode();
      emulator.clock.advance(600_000 - 1);
      expect((await exchange({ code, redirect_uri: callbackUrl })).data).toHaveProperty(
        'scope',
        '',
      );
      const late = await getCode();
      emulator.clock.advance(600_000);
      expect((await exchange({ code: late })).data.error).toBe('bad_verification_code');
    });

    it('returns the token in the format requested by Accept', async () => {
      const respond = async (accept: string) => {
        const { headers, text } = await exchange(
          { code: await getCode({ scope: 'repo' }) },
          accept,
        );
        const token = [...emulator.hosting.state.tokens.keys()][0] ?? '';
        return [headers['content-type'], text.replace(token, 'TOKEN')];
      };
      const plain = 'access_token=TOKEN&scope=repo&token_type=bearer';
      for (const accept of ['*/*', 'text/html', 'application/x-www-form-urlencoded']) {
        expect(await respond(accept)).toEqual([
          'application/x-www-form-urlencoded; charset=utf-8',
          plain,
        ]);
      }
      expect(await respond('application/json; q=1')).toEqual([
        'application/json; charset=utf-8',
        '{"access_token":"TOKEN","scope":"repo","token_type":"bearer"}',
      ]);
      expect(await respond('application/xml')).toEqual([
        'application/xml; charset=utf-8',
        `<?xml version="1.0" encoding="UTF-8"?>
<OAuth>
  <access_token>TOKEN</access_token>
  <scope>repo</scope>
  <token_type>bearer</token_type>
</OAuth>
`,
      ]);
      const { text } = await exchange({ code: 'x' }, 'application/xml');
      expect(text).toContain('<error>bad_verification_code</error>');
      emulator.hosting.addToken('ada', [], { clientId: 'id', token: '<&>' });
      emulator.hosting.state.tokens.delete([...emulator.hosting.state.tokens.keys()][0] ?? '');
      expect((await respond('application/xml'))[1]).toContain('<access_token>&lt;&amp;&gt;</');
    });

    it.each([
      ['application/json', 200],
      ['application/jsonp', 415],
    ])('responds to a body of type %s with a %i', async (type, status) => {
      const body = JSON.stringify({ client_id: 'id', client_secret: 's', code: await getCode() });
      const headers = { 'content-type': type, accept: 'application/json' };
      const response = await sendRequest(emulator, 'POST /login/oauth/access_token', {
        ...{ auth: null, body, headers },
      });
      expect([response.status, response.data.token_type]).toEqual([
        status,
        status === 200 ? 'bearer' : undefined,
      ]);
    });

    it('responds identically to multipart and URL-encoded forms, even if they are empty', async () => {
      const post = async (type: string, body?: string) => {
        const headers = { accept: 'application/json', 'content-type': type };
        return await sendRequest(emulator, path, { auth: null, body, headers });
      };
      const { 'content-type': urlEncoded } = asForm;
      const fields = { client_id: 'id', client_secret: 's', code: 'none' };
      const parts = Object.entries(fields).map(
        ([name, value]) =>
          `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      for (const [inParts, inLine] of [
        [`${parts.join('')}--x--\r\n`, form(fields)],
        [undefined, undefined],
      ]) {
        const first = await post('multipart/form-data; boundary=x', inParts);
        const second = await post(urlEncoded, inLine);
        if (inLine) expect(second.data).toMatchObject({ error: 'bad_verification_code' });
        expect([first.status, first.data]).toEqual([second.status, second.data]);
      }
    });

    it.each([
      ['correct', 's', 'access_token'],
      ['wrong', 'wrong', 'error'],
    ])('verifies a %s secret in Basic credentials', async (_how, secret, member) => {
      const { data } = await sendRequest(emulator, path, {
        auth: basic('id', secret),
        body: form({ grant_type: 'authorization_code', code: await getCode() }),
        headers: { ...asForm, accept: 'application/json' },
      });
      expect(Object.keys(data)).toContain(member);
    });
  });
});

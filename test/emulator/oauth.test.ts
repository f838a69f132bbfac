import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type NewApplication,
  seeded,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, callHosting, mona, type RequestOptions, sendRequest } from './send-request.js';

const documentation = 'https://developer.example.com/v3/oauth/';
const callbackUrl = 'https://app.test/cb';

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

/** Creates an emulator with the users `ada` and `eve`. */
function createFlowEmulator(): Emulator {
  const emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada');
  emulator.hosting.addUser('eve');
  return emulator;
}

/** Returns the redirect's URL and parameters, or the status if the response isn't a redirect. */
function parseRedirect({ status, headers }: Awaited<ReturnType<typeof sendRequest>>): {
  readonly status?: number;
  readonly to?: string;
  readonly code?: string;
  readonly error?: string;
} {
  if (status !== 302) return { status };
  const { origin, pathname, searchParams } = new URL(String(headers.location));
  return { to: origin + pathname, ...Object.fromEntries(searchParams) };
}

/** Returns functions that register applications and call the web flow of the current emulator. */
function callWebFlow(emulator: () => Emulator) {
  function application(input: NewApplication = {}) {
    emulator().hosting.addApplication('<App> & "Co"', {
      ...{ clientId: 'id', clientSecret: 's', callbackUrl, url: 'https://app.test/?a&b', ...input },
    });
  }

  const authorize = async (fields: Record<string, string> = {}) =>
    await sendRequest(
      emulator(),
      `GET /login/oauth/authorize?${form({ client_id: 'id', ...fields })}`,
      {
        auth: null,
      },
    );

  const decide = async (fields: Record<string, string> = {}) => {
    const body = form({ client_id: 'id', decision: 'approve', ...fields });
    return await sendRequest(emulator(), 'POST /login/oauth/authorize', {
      auth: null,
      body,
      headers: asForm,
    });
  };

  const getCode = async (fields: Record<string, string> = {}): Promise<string> => {
    return parseRedirect(await decide(fields)).code ?? '';
  };

  async function exchange(fields: Record<string, string>, accept = 'application/json') {
    const body = form({ client_id: 'id', client_secret: 's', ...fields });
    const headers = { ...asForm, accept };
    return await sendRequest(emulator(), 'POST /login/oauth/access_token', {
      auth: null,
      body,
      headers,
    });
  }

  return { application, authorize, decide, getCode, exchange };
}

describe('OAuth web flow', () => {
  let emulator: Emulator;
  const { application, authorize, decide, exchange } = callWebFlow(() => emulator);

  beforeEach(() => {
    emulator = createFlowEmulator();
    application();
  });

  describe('the authorize page', () => {
    it('shows the application, the user and the scopes', async () => {
      const redirect_uri = `${callbackUrl}/a"b`;
      const scope = 'repo, gist,nonsense public_repo';
      // A decision in the link must not become the user's decision.
      const state = '"><script>';
      const { status, text } = await authorize({ scope, redirect_uri, state, decision: 'approve' });
      expect(status).toBe(200);
      expect(text).toContain('<title>Authorize &lt;App&gt; &amp; &quot;Co&quot;</title>');
      expect(text).toContain('<h1>Authorize &lt;App&gt; &amp; &quot;Co&quot;</h1>');
      expect(text).toContain('<p>Signed in as <strong>ada</strong>');
      expect(text).toContain('<ul><li><code>repo</code></li><li><code>gist</code></li></ul>');
      expect(text).toContain('https://app.test/?a&amp;b</p>');
      expect(text).toMatch(/Redirects to https:\/\/app\.test\/cb\/a&quot;b<\/p>/);
      const forms = [...text.matchAll(/<form method="post" action="(.*?)">(.*?)<\/form>/g)];
      expect(forms.map(([, action]) => action)).toEqual([
        '/login/oauth/authorize',
        '/login/oauth/authorize',
      ]);
      const [approve = '', deny = ''] = forms.map(([, , inner]) => inner ?? '');
      for (const [inner, decision] of [
        [approve, 'approve'],
        [deny, 'deny'],
      ] as const) {
        const inputs = [...inner.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
        expect(inputs).toHaveLength(5);
        expect(Object.fromEntries(inputs.map(([, name, value]) => [name, value]))).toEqual({
          client_id: 'id',
          scope,
          state: '&quot;&gt;&lt;script&gt;',
          redirect_uri: redirect_uri.replace('"', '&quot;'),
          decision,
        });
      }
      expect(approve).toContain(
        '<button id="approve" type="submit" class="main">Authorize</button>',
      );
      expect(deny).toContain('<button id="deny" type="submit">Cancel</button>');
      const plain = (await authorize()).text;
      expect(plain).toContain('<ul><li>public information only</li></ul>');
      expect(plain).toContain('No real access is granted');
      emulator.hosting.signedIn = 'eve';
      expect((await authorize()).text).toContain('<strong>eve</strong>');
      emulator.reset();
      expect(emulator.hosting.signedIn).toBeUndefined();
    });
  });

  describe('the callback URL', () => {
    it('receives a new code in each flow', async () => {
      const first = parseRedirect(await decide({ state: 'x y' }));
      const code = expect.stringMatching(/^[0-9a-f]{20}$/);
      expect(first).toEqual({ to: callbackUrl, code, state: 'x y' });
      const second = parseRedirect(await decide({ redirect_uri: `${callbackUrl}/deep?a=1` }));
      expect(second).toEqual({ to: `${callbackUrl}/deep`, a: '1', code });
      expect(second).not.toMatchObject({ code: first.code });
    });

    it.each<[string, Record<string, string>, NewApplication, object]>([
      [
        'a denial',
        { decision: 'deny', state: 's' },
        {},
        {
          error: 'access_denied',
          error_description: 'The user has denied your application access.',
          state: 's',
        },
      ],
      ['a missing decision', { decision: '' }, {}, { error: 'access_denied' }],
      [
        'a suspended application',
        { redirect_uri: 'https://other.test/' },
        { suspended: true },
        { error: 'application_suspended' },
      ],
      [
        'a mismatched redirect_uri',
        { redirect_uri: 'https://other.test/', state: 's' },
        {},
        { error: 'redirect_uri_mismatch', state: 's' },
      ],
    ])('receives an error for %s', async (_what, fields, input, expected) => {
      application(input);
      const { error } = expected as { error: string }; // `as`: each case contains an `error`.
      expect(parseRedirect(await decide(fields))).toEqual({
        to: callbackUrl,
        error_description: expect.stringMatching(/\w/),
        error_uri: `${documentation}#${error.replaceAll('_', '-')}`,
        ...expected,
      });
      if (!('decision' in fields)) {
        expect(parseRedirect(await authorize(fields))).toMatchObject({ error });
      }
    });

    it('receives a denial at any port that the application allows', async () => {
      const denied = { decision: 'deny', redirect_uri: 'http://localhost:99/cb/x' };
      application({ callbackUrl: 'http://127.0.0.1/cb', anyPort: true });
      expect(parseRedirect(await decide(denied))).toMatchObject({ to: denied.redirect_uri });
      const { redirect_uri: _none, ...bare } = denied;
      expect(parseRedirect(await decide(bare))).toMatchObject({ to: 'http://127.0.0.1/cb' });
      application({ callbackUrl: 'http://localhost:99/cb' });
      expect(parseRedirect(await decide(denied))).toMatchObject({ to: 'http://localhost:99/cb' });
    });

    it.each<[string, boolean, string, string]>([
      [callbackUrl, false, callbackUrl, 'a code'],
      [callbackUrl, false, 'https://app.test:443/cb', 'a code'],
      [callbackUrl, false, 'http://app.test/cb', 'redirect_uri_mismatch'],
      [callbackUrl, false, `${callbackUrl}/`, 'a code'],
      [callbackUrl, false, `${callbackUrl}/a/b?c#d`, 'a code'],
      [callbackUrl, false, `${callbackUrl}x`, 'redirect_uri_mismatch'],
      [callbackUrl, false, 'https://app.test/cb/..%2Fa', 'redirect_uri_mismatch'],
      [callbackUrl, false, 'https://app.test/cb/..a/b..', 'a code'],
      ['https://app.test/cb/', false, 'https://app.test/cb/a', 'a code'],
      ['https://app.test/cb/', false, 'https://app.test/cb', 'redirect_uri_mismatch'],
      ['http://127.0.0.1/cb', true, 'http://localhost:1/cb', 'a code'],
      ['http://localhost/cb', true, 'http://127.10.200.3:9/cb', 'a code'],
      ['http://127.0.0.1/cb', true, 'http://localhost.test/cb', 'redirect_uri_mismatch'],
      [callbackUrl, true, 'http://localhost/cb', 'redirect_uri_mismatch'],
      ['http://127.0.0.1/cb', false, 'http://127.0.0.1:1/cb', 'redirect_uri_mismatch'],
      // Only host, port and path are compared.
      ['http://127.0.0.1:43/cb', false, 'https://127.0.0.1:43/cb', 'a code'],
      ['http://127.0.0.1:43/cb', false, 'http://localhost:43/cb', 'redirect_uri_mismatch'],
      ['http://127.0.0.1:43/cb', false, 'javascript://127.0.0.1:43/cb', 'redirect_uri_mismatch'],
    ])(
      'the callback URL %s (any port: %s) and the redirect_uri %s result in %s',
      async (registered, anyPort, requests, outcome) => {
        application({ callbackUrl: registered, anyPort });
        const found = parseRedirect(await decide({ redirect_uri: requests }));
        expect('error' in found ? found.error : 'code' in found && 'a code').toBe(outcome);
      },
    );
  });

  describe('GET /login/oauth/authorize for a user who already has a token', () => {
    it('redirects with a code for the scopes of the last flow', async () => {
      emulator.hosting.addToken('ada', ['gist'], { clientId: 'id' });
      for (const fields of [{}, { scope: 'repo' }]) {
        const { code = '' } = parseRedirect(await authorize(fields));
        expect((await exchange({ code })).data.scope).toBe('gist');
      }
    });
  });

  describe('/login/oauth/authorize', () => {
    const page = '/login/oauth/authorize';
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const open = async (path: string, how: RequestOptions = {}) =>
      await sendRequest(emulator, `GET ${path}`, { auth: null, headers, ...how });

    it('allow no scripts in their Content-Security-Policy', async () => {
      {
        const { headers: got, text } = await open(`${page}?client_id=id`);
        expect(got['content-type']).toBe('text/html; charset=utf-8');
        expect(got['x-frame-options']).toBe('DENY');
        const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
        const hash = createHash('sha256').update(style).digest('base64');
        const policy = String(got['content-security-policy']);
        for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) {
          expect(policy).toContain(rule);
        }
        expect(policy).toContain(`style-src 'sha256-${hash}'`);
        expect(policy).not.toMatch(/script-src|form-action|unsafe/);
        expect(text).not.toContain('<script');
      }
    });

    it.each(['gone', '<script>', ''])(
      'report an unknown application in JSON (client_id %j)',
      async (client_id) => {
        const message = `No application has the client_id '${client_id}'.`;
        const opened = await open(`${page}?${form({ client_id })}`);
        const body = form({ client_id, decision: 'approve' });
        const how = { auth: null, headers: { ...headers, ...asForm }, body };
        for (const { status, data } of [opened, await sendRequest(emulator, `POST ${page}`, how)]) {
          expect([status, data]).toMatchObject([404, { message }]);
        }
      },
    );

    it('reports an error if no user is signed in', async () => {
      emulator = createEmulator({ seed: false });
      application();
      const { status, text } = await open(`${page}?client_id=id`);
      expect([status, text]).toEqual([404, expect.stringContaining('No user is signed in')]);
    });
  });
});

describe('authorizations and tokens', () => {
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
        expect(await getStatus(`DELETE ${path}`, { auth: basic(clientId, clientSecret) })).toBe(
          404,
        );
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
});

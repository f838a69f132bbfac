import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type NewApplication } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

// Tests the parameters of the OAuth web flow. `oauth-flow.test.ts` tests the flow's steps.

const documentation = 'https://developer.example.com/v3/oauth/';
const callbackUrl = 'https://app.test/cb';
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada');
  emulator.hosting.addUser('eve');
  application();
});

function application(input: NewApplication = {}) {
  emulator.hosting.addApplication('<App> & "Co"', {
    ...{ clientId: 'id', clientSecret: 's', callbackUrl, url: 'https://app.test/?a&b', ...input },
  });
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

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

const authorize = async (fields: Record<string, string> = {}) =>
  await sendRequest(
    emulator,
    `GET /login/oauth/authorize?${form({ client_id: 'id', ...fields })}`,
    {
      auth: null,
    },
  );

const decide = async (fields: Record<string, string> = {}) => {
  const body = form({ client_id: 'id', decision: 'approve', ...fields });
  return await sendRequest(emulator, 'POST /login/oauth/authorize', {
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
  return await sendRequest(emulator, 'POST /login/oauth/access_token', {
    auth: null,
    body,
    headers,
  });
}

describe('authorize page', () => {
  test('shows the application, the user and the scopes', async () => {
    const redirect_uri = `${callbackUrl}/a"b`;
    const { text } = await authorize({ scope: 'repo, gist,nonsense public_repo', redirect_uri });
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
      const inputs = inner.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
      expect(Object.fromEntries([...inputs].map(([, name, value]) => [name, value]))).toEqual({
        client_id: 'id',
        scope: 'repo, gist,nonsense public_repo',
        redirect_uri: redirect_uri.replace('"', '&quot;'),
        decision,
      });
    }
    expect(approve).toContain('<button id="approve" type="submit" class="main">Authorize</button>');
    expect(deny).toContain('<button id="deny" type="submit">Cancel</button>');
    const plain = (await authorize()).text;
    expect(plain).toContain('<ul><li>public information only</li></ul>');
    expect(plain.replace(/^.*<main>|<[^>]*>/gs, '').split(/\s*\n\s*/)).toEqual([
      ...['', 'Authorize &lt;App&gt; &amp; &quot;Co&quot;'],
      ...[
        'Signed in as ada. The application requests:',
        'public information only',
        'https://app.test/?a&amp;b',
      ],
      ...['Authorize', 'Cancel', expect.stringContaining('No real access is granted'), ''],
    ]);
    emulator.hosting.signedIn = 'eve';
    expect((await authorize()).text).toContain('<strong>eve</strong>');
    emulator.reset();
    expect(emulator.hosting.signedIn).toBeUndefined();
  });
});

describe('callback URL', () => {
  test('receives a new code in each flow', async () => {
    const first = parseRedirect(await decide({ state: 'x y' }));
    const code = expect.stringMatching(/^[0-9a-f]{20}$/);
    expect(first).toEqual({ to: callbackUrl, code, state: 'x y' });
    const second = parseRedirect(await decide({ redirect_uri: `${callbackUrl}/deep?a=1` }));
    expect(second).toEqual({ to: `${callbackUrl}/deep`, a: '1', code });
    expect(second).not.toMatchObject({ code: first.code });
  });

  test.each<[string, Record<string, string>, NewApplication, object]>([
    ['a denial', { decision: 'deny', state: 's' }, {}, { error: 'access_denied', state: 's' }],
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

  test('receives a denial at any port that the application allows', async () => {
    const denied = { decision: 'deny', redirect_uri: 'http://localhost:99/cb/x' };
    application({ callbackUrl: 'http://127.0.0.1/cb', anyPort: true });
    expect(parseRedirect(await decide(denied))).toMatchObject({ to: denied.redirect_uri });
    const { redirect_uri: _none, ...bare } = denied;
    expect(parseRedirect(await decide(bare))).toMatchObject({ to: 'http://127.0.0.1/cb' });
    application({ callbackUrl: 'http://localhost:99/cb' });
    expect(parseRedirect(await decide(denied))).toMatchObject({ to: 'http://localhost:99/cb' });
  });

  test.each<[string, boolean, string, string]>([
    [callbackUrl, false, callbackUrl, 'a code'],
    [callbackUrl, false, 'https://app.test:443/cb', 'a code'],
    [callbackUrl, false, 'http://app.test:443/cb', 'a code'],
    [callbackUrl, false, 'http://app.test/cb', 'redirect_uri_mismatch'],
    ['http://app.test/cb', false, 'http://app.test:80/cb', 'a code'],
    ['http://app.test/cb', false, 'https://app.test:80/cb', 'a code'],
    [callbackUrl, false, `${callbackUrl}/`, 'a code'],
    [callbackUrl, false, `${callbackUrl}/a/b?c#d`, 'a code'],
    [callbackUrl, false, `${callbackUrl}x`, 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/x/cb/', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/..%2Fa', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/a%2F..', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/a%5C..%5Cb', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/%', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/..a/b..', 'a code'],
    [callbackUrl, false, 'xhttps://app.test/cb', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'httpsx://app.test/cb', 'redirect_uri_mismatch'],
    ['https://app.test/cb/', false, 'https://app.test/cb/a', 'a code'],
    ['https://app.test/cb/', false, 'https://app.test/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'http://localhost:1/cb', 'a code'],
    ['http://localhost/cb', true, 'http://127.10.200.3:9/cb', 'a code'],
    ['http://[::1]/cb', true, 'https://[::1]:9/cb', 'a code'],
    ['http://127.0.0.1/cb', true, 'http://localhost:1/other', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'xhttp://127.0.0.1/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'http://localhost.test/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'http://xlocalhost/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'http://128.0.0.1/cb', 'redirect_uri_mismatch'],
    [callbackUrl, true, 'http://localhost/cb', 'redirect_uri_mismatch'],
    [callbackUrl, true, `${callbackUrl}/a`, 'a code'],
    ['http://127.0.0.1/cb', false, 'http://127.0.0.1:1/cb', 'redirect_uri_mismatch'],
  ])(
    'compares %s (any port: %s) with %s and returns %s',
    async (registered, anyPort, requests, outcome) => {
      application({ callbackUrl: registered, anyPort });
      const found = parseRedirect(await decide({ redirect_uri: requests }));
      expect('error' in found ? found.error : 'code' in found && 'a code').toBe(outcome);
    },
  );
});

describe('POST /login/oauth/access_token', () => {
  test('returns one token per user and application', async () => {
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

  test.each<[string, Record<string, string>, string | undefined, boolean]>([
    ['an unknown application', { client_id: 'x' }, 'incorrect_client_credentials', true],
    ['a wrong secret', { client_secret: 'x' }, 'incorrect_client_credentials', true],
    [
      'a redirect_uri on another site',
      { redirect_uri: 'https://x.test/cb' },
      'redirect_uri_mismatch',
      true,
    ],
    ['an unknown code', { code: 'x' }, 'bad_verification_code', true],
    [
      'an unknown code with its redirect_uri',
      { code: 'x', redirect_uri: `${callbackUrl}/a` },
      'bad_verification_code',
      true,
    ],
    [
      'a different redirect URI of the application',
      { redirect_uri: callbackUrl },
      'bad_verification_code',
      false,
    ],
    ["the code's redirect_uri", { redirect_uri: `${callbackUrl}/a` }, undefined, false],
    ['no redirect_uri', {}, undefined, false],
  ])('checks an exchange with %s', async (_what, fields, error, left) => {
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

  test('accepts a code for ten minutes', async () => {
    const code = await getCode();
    emulator.clock.advance(600_000 - 1);
    expect((await exchange({ code, redirect_uri: callbackUrl })).data).toHaveProperty('scope', '');
    const late = await getCode();
    emulator.clock.advance(600_000);
    expect((await exchange({ code: late })).data.error).toBe('bad_verification_code');
  });

  test('returns the token in the format requested with Accept', async () => {
    const respond = async (accept: string) => {
      const { headers, text } = await exchange({ code: await getCode({ scope: 'repo' }) }, accept);
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
    emulator.hosting.addToken('ada', [], { clientId: 'id', token: '<&>' });
    emulator.hosting.state.tokens.delete([...emulator.hosting.state.tokens.keys()][0] ?? '');
    expect((await respond('application/xml'))[1]).toContain('<access_token>&lt;&amp;&gt;</');
  });

  test.each([
    ['application/json', 200],
    ['application/vnd.service+json; charset=utf-8', 200],
    ['application/jsonp', 415],
    ['text/plain', 415],
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

  test('prefers form fields to query parameters', async () => {
    const query = form({ client_id: 'id', client_secret: 's', code: await getCode() });
    const path = `POST /login/oauth/access_token?${query}`;
    const headers = { ...asForm, accept: 'application/json' };
    const wrong = await sendRequest(emulator, path, { auth: null, body: 'client_id=x', headers });
    expect(wrong.data.error).toBe('incorrect_client_credentials');
    const right = await sendRequest(emulator, path, { auth: null, body: '', headers });
    expect(right.data).toHaveProperty('access_token');
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type NewApplication } from '../../src/testing/index.js';
import { type RequestOptions, sendRequest } from './send-request.js';
import {
  asForm,
  callbackUrl,
  callWebFlow,
  createFlowEmulator,
  documentation,
  form,
  parseRedirect,
} from './web-flow-requests.js';

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
    [callbackUrl, false, 'https://app.test/x/cb/', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/..%2Fa', 'redirect_uri_mismatch'],
    [callbackUrl, false, 'https://app.test/cb/..a/b..', 'a code'],
    [callbackUrl, false, 'httpsx://app.test/cb', 'redirect_uri_mismatch'],
    ['https://app.test/cb/', false, 'https://app.test/cb/a', 'a code'],
    ['https://app.test/cb/', false, 'https://app.test/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'http://localhost:1/cb', 'a code'],
    ['http://localhost/cb', true, 'http://127.10.200.3:9/cb', 'a code'],
    ['http://127.0.0.1/cb', true, 'http://localhost:1/other', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', true, 'http://localhost.test/cb', 'redirect_uri_mismatch'],
    [callbackUrl, true, 'http://localhost/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', false, 'http://127.0.0.1:1/cb', 'redirect_uri_mismatch'],
    // Only host, port and path are compared.
    ['http://127.0.0.1:43/cb', false, 'https://127.0.0.1:43/cb', 'a code'],
    ['http://127.0.0.1:43/cb', false, 'http://localhost:43/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:43/cb', false, 'javascript://127.0.0.1:43/cb', 'redirect_uri_mismatch'],
    ['http://127.0.0.1/cb', false, 'http://127.0.0.1/cb/../other', 'redirect_uri_mismatch'],
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

  it('report an error if no user is signed in', async () => {
    emulator = createEmulator({ seed: false });
    application();
    const { status, text } = await open(`${page}?client_id=id`);
    expect([status, text]).toEqual([404, expect.stringContaining('No user is signed in')]);
  });
});

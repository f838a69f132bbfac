import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { sendRequest } from './send-request.js';

const { clientId, clientSecret, login } = seeded;
const callback = 'http://127.0.0.1/callback';
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

function authorize(fields: Record<string, string> = {}) {
  const query = form({ client_id: clientId, state: 'xyz', ...fields });
  return sendRequest(emulator, `GET /login/oauth/authorize?${query}`, { auth: null });
}

function decide(decision: string, fields: Record<string, string> = {}) {
  return sendRequest(emulator, 'POST /login/oauth/authorize', {
    auth: null,
    body: form({ client_id: clientId, state: 'xyz', decision, ...fields }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

function exchange(code: string, fields: Record<string, string> = {}, accept = 'application/json') {
  return sendRequest(emulator, 'POST /login/oauth/access_token', {
    auth: null,
    body: form({ client_id: clientId, client_secret: clientSecret, code, ...fields }),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept },
  });
}

function parseRedirect(response: { headers: Readonly<Record<string, unknown>> }): URL {
  return new URL(String(response.headers.location));
}

async function codeFor(fields: Record<string, string> = {}): Promise<string> {
  return parseRedirect(await decide('approve', fields)).searchParams.get('code') ?? '';
}

describe('authorize page', () => {
  test('the authorize page asks the signed-in user for approval', async () => {
    const { status, headers, text } = await authorize({ scope: 'repo,public_repo,gist' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('Authorize Seed application');
    expect(text).toContain(`Signed in as <strong>${login}</strong>`);
    expect(text).toContain('<code>repo</code>');
    expect(text).not.toContain('<code>public_repo</code>');
    expect(text.match(/name="state" value="xyz"/g)).toHaveLength(2);
    expect((await authorize({ state: '"><script>' })).text).not.toContain('<script>');
  });

  test('the authorize page redirects with a code and the state if the user approves', async () => {
    const response = await decide('approve');
    expect(response.status).toBe(302);
    const url = parseRedirect(response);
    expect(url.origin + url.pathname).toBe(callback);
    expect(url.searchParams.get('state')).toBe('xyz');
    expect(url.searchParams.get('code')).toMatch(/^[0-9a-f]{20}$/);
  });

  test('the authorize page redirects with access_denied if the user denies access', async () => {
    const { searchParams } = parseRedirect(await decide('deny'));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
      state: 'xyz',
    });
    expect(searchParams.get('error_uri')).toContain('#access-denied');
  });

  test.each([
    ['accepts', 'http://127.0.0.1/callback'],
    ['accepts', 'http://127.0.0.1/callback/below?x=1'],
    ['rejects', 'http://127.0.0.1/'],
    ['rejects', 'http://127.0.0.1/callbacks'],
    ['accepts', 'http://127.0.0.1:81/callback'],
    ['rejects', 'http://elsewhere.test/callback'],
    ['rejects', 'nonsense'],
  ])('the authorize page %s the redirect_uri %s', async (outcome, redirect_uri) => {
    const accepted = outcome === 'accepts';
    const response = await decide('approve', { redirect_uri });
    const error = parseRedirect(response).searchParams.get('error');
    expect(error).toBe(accepted ? null : 'redirect_uri_mismatch');
    if (accepted) expect(parseRedirect(response).href.startsWith(redirect_uri)).toBe(true);
    else expect(parseRedirect(response).href.startsWith(callback)).toBe(true);
  });

  test('the authorize page rejects an unknown or suspended application', async () => {
    expect((await authorize({ client_id: 'x' })).status).toBe(404);
    const application = emulator.hosting.state.applications.get(clientId);
    if (application) application.suspended = true;
    for (const response of [await authorize(), await decide('approve')]) {
      expect(parseRedirect(response).searchParams.get('error')).toBe('application_suspended');
    }
    emulator = createEmulator({ seed: false });
    emulator.hosting.addApplication('App', { clientId, clientSecret });
    expect((await authorize()).status).toBe(404);
    expect((await decide('approve')).status).toBe(404);
  });

  test('the authorize page redirects a user who already has a token', async () => {
    emulator.hosting.signedIn = 'ada-0';
    emulator.hosting.addToken('ada-0', ['gist'], { clientId });
    const again = await authorize();
    expect(again.status).toBe(302);
    const code = parseRedirect(again).searchParams.get('code') ?? '';
    expect((await exchange(code)).data.scope).toBe('gist');
    // The scopes of the last flow are reused even if the application requests more scopes.
    const more = parseRedirect(await authorize({ scope: 'repo' })).searchParams.get('code') ?? '';
    expect((await exchange(more)).data.scope).toBe('gist');
  });
});

describe('POST /login/oauth/access_token', () => {
  test.each([
    ['application/json', /^\{"access_token":"\w+","scope":"repo,gist","token_type":"bearer"\}$/],
    ['application/xml', /<OAuth>\s*<access_token>\w+<\/access_token>\s*<scope>repo,gist<\/scope>/],
    ['*/*', /^access_token=\w+&scope=repo%2Cgist&token_type=bearer$/],
  ])(
    'POST /login/oauth/access_token returns the token in the format requested with Accept: %s',
    async (accept, pattern) => {
      const { status, text } = await exchange(await codeFor({ scope: 'repo,gist' }), {}, accept);
      expect(status).toBe(200);
      expect(text).toMatch(pattern);
    },
  );

  test('POST /login/oauth/access_token accepts each code only once', async () => {
    const code = await codeFor();
    const { data } = await exchange(code, { redirect_uri: callback });
    const auth = `token ${data.access_token}`;
    const me = await sendRequest(emulator, 'GET /user', { auth });
    expect([me.data.login, me.headers['x-oauth-scopes']]).toEqual([login, '']);
    expect((await exchange(code)).data.error).toBe('bad_verification_code');
    const second = await exchange(await codeFor({ scope: 'gist' }));
    expect(second.data.access_token).toBe(data.access_token);
    expect(second.data.scope).toBe('gist');
  });

  test('POST /login/oauth/access_token reports invalid inputs in a 200 response', async () => {
    const other = emulator.hosting.addApplication('Other');
    const cases: [Record<string, string>, string][] = [
      [{ client_secret: 'x' }, 'incorrect_client_credentials'],
      [{ client_id: 'x' }, 'incorrect_client_credentials'],
      [{ redirect_uri: 'http://elsewhere.test/' }, 'redirect_uri_mismatch'],
      [{ code: 'x' }, 'bad_verification_code'],
      [{ client_id: other.clientId, client_secret: other.clientSecret }, 'bad_verification_code'],
    ];
    for (const [fields, error] of cases) {
      const { status, data } = await exchange(await codeFor(), fields);
      expect([status, data.error]).toEqual([200, error]);
      expect(data.error_description).not.toBe('');
    }
    const code = await codeFor();
    emulator.clock.advance(10 * 60_000);
    const { text } = await exchange(code, {}, 'application/xml');
    expect(text).toContain('<error>bad_verification_code</error>');
  });

  test('POST /login/oauth/access_token accepts inputs as JSON or in the query', async () => {
    const input = { client_id: clientId, client_secret: clientSecret };
    const headers = { accept: 'application/json' };
    const path = 'POST /login/oauth/access_token';
    const body = { ...input, code: await codeFor() };
    expect((await sendRequest(emulator, path, { auth: null, body, headers })).data.token_type).toBe(
      'bearer',
    );
    const query = form({ ...input, code: await codeFor() });
    const requests = await sendRequest(emulator, `${path}?${query}`, { auth: null, headers });
    expect(requests.data.token_type).toBe('bearer');
  });
});

test('an unknown path below /login gets a 404', async () => {
  expect((await sendRequest(emulator, 'GET /login/elsewhere')).status).toBe(404);
});

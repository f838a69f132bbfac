import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OAuthError } from '../../../src/errors/index.js';
import { OAuthWebFlow, type OAuthWebFlowOptions } from '../../../src/hosting/index.js';
import { checkRedirectUri } from '../../../src/hosting/oauth/responses.js';

const clientId = 'client-id-0123456789';
const clientSecret = 'client-secret-0123456789-0123456789-abcd';
const application = { authUrl: 'https://code.example.com', clientId, clientSecret };
const createFlow = (options: Partial<OAuthWebFlowOptions> = {}) =>
  new OAuthWebFlow({ ...application, ...options });

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('expected the call to throw, but it returned');
}

describe('authorizeUrl()', () => {
  test('returns a URL with the client ID, comma-separated scopes and a state', () => {
    const { url, state } = createFlow().authorizeUrl({ scopes: ['user:email', 'gist'] });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe('https://code.example.com/login/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: clientId,
      scope: 'user:email,gist',
      state,
    });
    expect(url).not.toContain(clientSecret);
  });

  test('creates a new 256-bit state for each authorization URL', () => {
    const flow = createFlow();
    const states = Array.from({ length: 100 }, () => flow.authorizeUrl().state);
    expect(new Set(states).size).toBe(100);
    for (const state of states) expect(state).toMatch(/^[\w-]{43}$/);
  });

  test("uses the caller's state and redirectUri", () => {
    const flow = createFlow({
      authUrl: 'https://code.example.com/web/',
      redirectUri: 'https://a.test/cb',
    });
    const given = flow.authorizeUrl({ state: 'a&b', redirectUri: 'https://a.test/cb/deeper?x=1' });
    expect(given.state).toBe('a&b');
    expect(given.url).toBe(
      `https://code.example.com/web/login/oauth/authorize?client_id=${clientId}&redirect_uri=https%3A%2F%2Fa.test%2Fcb%2Fdeeper%3Fx%3D1&state=a%26b`,
    );
    expect(new URL(flow.authorizeUrl().url).searchParams.get('redirect_uri')).toBe(
      'https://a.test/cb',
    );
  });

  test.each([
    [{ state: '' }, 'state'],
    // `as` here and below: callers without types can pass anything.
    [{ state: 7 as unknown as string }, 'state'],
    [{ scopes: [7 as unknown as string] }, 'scopes'],
    [{ scopes: ['user,gist'] }, 'scopes'],
    [{ redirectUri: '/relative' }, 'redirectUri'],
    [{ redirectUri: 'javascript:alert(1)' }, 'redirectUri'],
    [{ redirectUri: 'https://other.test/cb' }, 'redirectUri'],
  ])('rejects the input %j because of the field %s', (input, field) => {
    const flow = createFlow({ callbackUrl: 'https://a.test/cb' });
    expect(thrownBy(() => flow.authorizeUrl(input))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^oauth\.authorizeUrl: /),
      field,
    });
  });

  test('normalizes the redirect URI', () => {
    const odd = 'HTTPS://APP.test:443\\cb\\a/../b';
    const options = [{ callbackUrl: 'https://app.test/cb' }, {}];
    for (const each of options) {
      const { url } = createFlow(each).authorizeUrl({ redirectUri: odd });
      expect(new URL(url).searchParams.get('redirect_uri')).toBe('https://app.test/cb/b');
    }
  });
});

describe('OAuthWebFlow', () => {
  test.each<[Partial<OAuthWebFlowOptions>, string]>([
    [{ authUrl: 'code.example.com' }, 'authUrl'],
    [{ authUrl: 'https://me:secret@code.example.com' }, 'authUrl'],
    [{ clientId: 'short' }, 'clientId'],
    [{ clientId: `${clientId.slice(1)}\n` }, 'clientId'],
    [{ clientSecret: 'short' }, 'clientSecret'],
    [{ callbackUrl: '/cb' }, 'callbackUrl'],
    [{ redirectUri: 'javascript:alert(1)' }, 'redirectUri'],
    [{ redirectUri: 'https://b.test/cb', callbackUrl: 'https://a.test/cb' }, 'redirectUri'],
    [{ timeout: -1 }, 'timeout.total'],
  ])('rejects the options %j and names %s in the error', (options, option) => {
    const error = thrownBy(() => createFlow(options));
    expect(error).toMatchObject({ code: 'configuration', option });
    expect(inspect(error)).not.toContain(clientSecret);
  });

  test('a printed OAuthWebFlow hides the client secret', async () => {
    const flow = createFlow();
    expect(inspect(flow, { depth: 9, showHidden: true })).not.toContain(clientSecret);
    expect(JSON.stringify(flow)).toBe('{}');
    await flow.close();
  });
});

describe('parseCallback()', () => {
  const state = 'the-state-that-was-sent';
  const query = `code=0123456789&state=${state}`;

  test.each([
    ['a URL string', `https://app.test/cb?${query}`],
    ['a URL', new URL(`https://app.test/cb?${query}`)],
    ['a node:http request target', `/cb?${query}`],
    ['URLSearchParams', new URLSearchParams(query)],
  ])('returns the code from a callback passed as %s', (_what, callback) => {
    expect(createFlow().parseCallback(callback, { state })).toEqual({ code: '0123456789' });
  });

  test.each<[string, string, string | undefined]>([
    ['a different state', 'code=1&state=forged', state],
    ['a missing state', 'code=1', state],
    ['an empty state', 'code=1&state=', state],
    ['two states', `code=1&state=${state}&state=forged`, state],
    ['an error without a state', 'error=access_denied', state],
    ['an empty expected state', 'code=1&state=', ''],
    ['a missing session and the state "undefined"', 'code=1&state=undefined', undefined],
  ])('throws a state_mismatch error for %s', (_what, callback, expected) => {
    const error = thrownBy(() =>
      createFlow().parseCallback(`/cb?${callback}`, { state: expected }),
    );
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({ code: 'oauth', error: 'state_mismatch' });
    expect(inspect(error)).not.toContain(state);
  });

  test.each([
    ['redirect_uri_mismatch', 'does not match the registered callback URL'],
    ['access_denied', 'the user rejected the request'],
  ])('explains the error code %s', (word, said) => {
    const error = thrownBy(() =>
      createFlow().parseCallback(`/cb?error=${word}&state=${state}`, { state }),
    );
    expect(error).toMatchObject({ error: word, errorDescription: undefined, errorUri: undefined });
    expect(String(error)).toContain(said);
  });

  test.each([
    ['javascript:alert(1)', undefined],
    ['http://docs.test/denied', 'http://docs.test/denied'],
  ])('reads the error_uri %j as %j', (link, errorUri) => {
    const parameters = new URLSearchParams({ error: 'x', error_uri: link, state });
    expect(thrownBy(() => createFlow().parseCallback(parameters, { state }))).toMatchObject({
      error: 'x',
      errorUri,
    });
  });

  test.each([[''], ['code='], ['code=1&code=2']])(
    'rejects the query "%s", because a query must contain exactly one code',
    (callback) => {
      const error = thrownBy(() =>
        createFlow().parseCallback(`/cb?state=${state}&${callback}`, { state }),
      );
      expect(error).toMatchObject({ error: 'bad_verification_code' });
    },
  );
});

describe('checkRedirectUri()', () => {
  const registered = 'https://app.test/cb';

  test.each([
    [registered, registered],
    ['https://app.test:443/cb', registered],
    ['https://app.test/cb/a/../b', registered],
    ['https://app.test/cb/x', 'https://app.test/cb/'],
    ['https://app.test/any', 'https://app.test'],
    ['http://app.test:80/', 'http://app.test'],
  ])('allows the redirect URI %s for the callback URL %s', (uri, callback) => {
    expect(() => checkRedirectUri(uri, callback)).not.toThrow();
  });

  test.each([
    ['https://app.test/path/callback-evil', 'path'],
    ['https://app.test/path/callback/../../evil', 'path'],
    ['https://app.test/path/callback/%2e%2e/evil', 'path'],
    ['https://app.test/path/callback/..%2fevil', "'..'"],
    ['https://app.test\\path\\callback\\..\\evil', 'path'],
    ['https://app.test:8443/path/callback', 'port'],
    ['http://app.test/path/callback', 'https'],
    ['https://evil.test/path/callback', 'host'],
    ['https://app.test.evil.test/path/callback', 'host'],
    ['https://app.test@evil.test/path/callback', 'username'],
    ['//app.test/path/callback', 'absolute http or https URL'],
  ])('rejects the redirect URI %s and mentions "%s" in the error', (uri, reason) => {
    const error = thrownBy(() => checkRedirectUri(uri, 'https://app.test/path/callback'));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'redirectUri' });
    expect(String(error)).toContain(reason);
  });

  test.each([
    ['dots before path parameters', '..;/evil'],
    ['double-encoded dots', '%252e%252e/evil'],
    ['dots encoded many times', `%${'25'.repeat(50)}2e./x`],
    ['fullwidth dots', '%ef%bc%8e%ef%bc%8e/evil'],
    ['dots in overlong UTF-8', '%c0%ae%c0%ae/x'],
  ])('rejects a redirect URI whose path contains %s', (_name, rest) => {
    expect(thrownBy(() => checkRedirectUri(`${registered}/${rest}`, registered))).toMatchObject({
      code: 'invalid_request',
      field: 'redirectUri',
    });
  });
});

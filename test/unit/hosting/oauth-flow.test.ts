import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isTriforgeError } from '../../../src/errors/index.js';
import { OAuthWebFlow, type OAuthWebFlowOptions } from '../../../src/hosting/index.js';

import { clientId, clientSecret, createFlow, thrownBy } from './oauth-flow.js';

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

  test('omits empty scopes and unset parameters from the authorization URL', () => {
    const parameters = (scopes?: string[]) => [
      ...new URL(createFlow().authorizeUrl({ scopes }).url).searchParams.keys(),
    ];
    expect(parameters()).toEqual(['client_id', 'state']);
    expect(parameters([])).toEqual(['client_id', 'state']);
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
    [{ state: '\ud800' }, 'state'],
    // `as` here and below: callers without types can pass anything.
    [{ state: 7 as unknown as string }, 'state'],
    [{ scope: 'user', scopes: undefined }, 'scope'],
    [{ scopes: [7 as unknown as string] }, 'scopes'],
    [{ scopes: ['user,gist'] }, 'scopes'],
    [{ scopes: ['user gist'] }, 'scopes'],
    [{ scopes: [''] }, 'scopes'],
    [{ redirectUri: '/relative' }, 'redirectUri'],
    [{ redirectUri: 'https://other.test/cb' }, 'redirectUri'],
  ])('rejects the input %j because of the field %s', (input, field) => {
    const flow = createFlow({ callbackUrl: 'https://a.test/cb' });
    expect(thrownBy(() => flow.authorizeUrl(input))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^oauth\.authorizeUrl: /),
      field,
    });
  });
});

describe('OAuthWebFlow', () => {
  test.each<[Partial<OAuthWebFlowOptions>, string]>([
    [{ authUrl: 'code.example.com' }, 'authUrl'],
    [{ authUrl: 'ftp://code.example.com' }, 'authUrl'],
    [{ authUrl: 'https://me:secret@code.example.com' }, 'authUrl'],
    [{ authUrl: 'https://code.example.com/?a=1' }, 'authUrl'],
    [{ authUrl: 'xhttps://code.example.com' }, 'authUrl'],
    [{ clientId: 'short' }, 'clientId'],
    [{ clientId: ` ${clientId.slice(1)}` }, 'clientId'],
    [{ clientId: `${clientId.slice(1)}\n` }, 'clientId'],
    // `as`: callers without types can pass anything.
    [{ clientId: Array.from(clientId) as unknown as string }, 'clientId'],
    [{ clientSecret: 'short' }, 'clientSecret'],
    [{ clientSecret: ' '.repeat(40) }, 'clientSecret'],
    [{ vendor: 'two words' }, 'vendor'],
    [{ redirectUri: '/cb' }, 'redirectUri'],
    [{ callbackUrl: '/cb' }, 'callbackUrl'],
    [{ callbackUrl: 'ftp://a.test/cb' }, 'callbackUrl'],
    [{ redirectUri: 'javascript:alert(1)' }, 'redirectUri'],
    [{ redirectUri: 'https://b.test/cb', callbackUrl: 'https://a.test/cb' }, 'redirectUri'],
    [{ timeout: -1 }, 'timeout.total'],
  ])('rejects the options %j and names %s in the error', (options, option) => {
    const error = thrownBy(() => createFlow(options));
    expect(error).toMatchObject({ code: 'configuration', option });
    expect(inspect(error)).not.toContain(clientSecret);
  });

  test("explains a rejected redirect URI in the error's cause", () => {
    expect(thrownBy(() => createFlow({ redirectUri: '/cb' }))).toMatchObject({
      cause: { code: 'invalid_request', field: 'redirectUri' },
    });
  });

  test('rejects null as the options', () => {
    const nothing: OAuthWebFlowOptions = JSON.parse('null');
    expect(thrownBy(() => new OAuthWebFlow(nothing))).toMatchObject({ option: 'options' });
  });

  test('a printed OAuthWebFlow hides the client secret', async () => {
    const flow = createFlow();
    expect(inspect(flow, { depth: 9, showHidden: true })).not.toContain(clientSecret);
    expect(JSON.stringify(flow)).toBe('{}');
    await flow.close();
  });

  test('supports `await using`', async () => {
    await using flow = createFlow();
    expect(isTriforgeError(flow)).toBe(false);
  });
});

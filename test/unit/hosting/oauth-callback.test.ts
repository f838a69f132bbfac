import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OAuthError } from '../../../src/errors/index.js';
import { createFlow, thrownBy } from './oauth-flow.js';

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
    ['a state with a suffix', `code=1&state=${state}x`, state],
    ['a missing state', 'code=1', state],
    ['an empty state', 'code=1&state=', state],
    ['two states', `code=1&state=${state}&state=forged`, state],
    ['an error without a state', 'error=access_denied', state],
    ['an error with a different state', 'error=access_denied&state=forged', state],
    ['an empty expected state', 'code=1&state=', ''],
    ['a missing session', 'code=1', undefined],
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
    ['application_suspended', 'the OAuth application was suspended'],
    ['redirect_uri_mismatch', 'does not match the registered callback URL'],
    ['access_denied', 'the user rejected the request'],
  ])('explains the error code %s', (word, said) => {
    const error = thrownBy(() =>
      createFlow().parseCallback(`/cb?error=${word}&state=${state}`, { state }),
    );
    expect(error).toMatchObject({ error: word, errorDescription: undefined, errorUri: undefined });
    expect(String(error)).toContain(said);
  });

  test('adds an explanation to an unknown error code', () => {
    const error = thrownBy(() =>
      createFlow().parseCallback(`/cb?error=odd&state=${state}`, { state }),
    );
    expect(error).toMatchObject({ error: 'odd', message: expect.stringMatching(/\(odd\): \w/) });
  });

  test('masks a state that the server echoes', () => {
    const echo = new URLSearchParams({ error: 'odd', error_description: `for ${state}`, state });
    const error = thrownBy(() => createFlow().parseCallback(echo, { state }));
    expect(error).toMatchObject({ error: 'odd' });
    expect(inspect(error)).not.toContain(state);
  });

  test("keeps the server's error_description and error_uri", () => {
    const parameters = new URLSearchParams({
      error: 'access_denied',
      error_description: 'The user said\nno.',
      error_uri: 'https://developer.example.com/v3/oauth/#denied',
      state,
    });
    expect(thrownBy(() => createFlow().parseCallback(parameters, { state }))).toMatchObject({
      message: expect.stringMatching(/\(access_denied\): The user said no\.$/),
      errorDescription: 'The user said no.',
      errorUri: 'https://developer.example.com/v3/oauth/#denied',
    });
  });

  test.each([
    ['javascript:alert(1)', undefined],
    ['xhttp://docs.test/', undefined],
    ['see the manual', undefined],
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

  test.each(['http://[', undefined, {}])('rejects %j as an invalid callback URL', (given) => {
    // `as`: callers without types can pass anything.
    const attempt = () => createFlow().parseCallback(given as string, { state });
    expect(thrownBy(attempt)).toMatchObject({ code: 'invalid_request', field: 'url' });
  });

  test('rejects a callback if no expected state is passed', () => {
    // `as`: callers without types can omit the options.
    const nothing = undefined as unknown as { state: string };
    expect(thrownBy(() => createFlow().parseCallback(`/cb?${query}`, nothing))).toMatchObject({
      error: 'state_mismatch',
    });
  });
});

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isTriforgeError, OAuthError } from '../../src/errors/index.js';
import { rejectionOf } from '../support/client.js';
import { sendJson } from '../support/server.js';
import { clientSecret, code, flowTo, send } from './oauth-server.js';

describe('OAuthError', () => {
  const failure = {
    error: 'bad_verification_code',
    error_description: 'The code passed is incorrect or expired.',
    error_uri: 'https://developer.example.com/v3/oauth/#bad-verification-code',
  };
  const asXml = `<OAuth>${Object.entries(failure)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('')}</OAuth>`;

  test.each([
    ['json', 200, 'application/json', JSON.stringify(failure)],
    ['form', 200, 'application/x-www-form-urlencoded', new URLSearchParams(failure).toString()],
    ['xml', 200, 'application/xml', asXml],
    ['json', 400, 'application/json', JSON.stringify(failure)],
    ['form', 401, 'application/x-www-form-urlencoded', new URLSearchParams(failure).toString()],
    ['xml', 422, 'application/xml', asXml],
  ] as const)(
    'an OAuthError reports an error in the %s format with the status %i',
    async (format, status, type, body) => {
      const { flow } = await flowTo(send(type, body, status));
      const error = await rejectionOf(flow.exchangeCode({ code, format }));
      expect(error).toBeInstanceOf(OAuthError);
      expect(error).toMatchObject({
        message:
          'the code was not exchanged (bad_verification_code): The code passed is incorrect or expired.',
        error: failure.error,
        errorDescription: failure.error_description,
        errorUri: failure.error_uri,
      });
    },
  );

  test.each(['incorrect_client_credentials', 'redirect_uri_mismatch', 'something_new'])(
    'an OAuthError reports the error %s without a description',
    async (word) => {
      const { flow } = await flowTo((response) => sendJson(response, { error: word }));
      expect(await rejectionOf(flow.exchangeCode({ code }))).toMatchObject({
        code: 'oauth',
        error: word,
        errorDescription: undefined,
      });
    },
  );

  test.each([
    ['json', JSON.stringify(failure)],
    ['xml', asXml],
  ] as const)(
    'an OAuthError reports a response without a media type in the requested format (%s)',
    async (format, body) => {
      const { flow } = await flowTo((response) => response.writeHead(400).end(body));
      const input = format === 'json' ? { code } : { code, format };
      expect(await rejectionOf(flow.exchangeCode(input))).toMatchObject({
        error: failure.error,
        cause: { code: 'bad_request', status: 400 },
      });
    },
  );

  test("an OAuthError omits a description that isn't a string", async () => {
    const odd = { error: 'x', error_description: 7, error_uri: {} };
    const { flow } = await flowTo((response) => sendJson(response, odd));
    expect(await rejectionOf(flow.exchangeCode({ code }))).toMatchObject({
      error: 'x',
      errorDescription: undefined,
      errorUri: undefined,
    });
  });

  test("exchangeCode() chooses the error class by the status if the response isn't a standard OAuth error", async () => {
    const responses: [number, unknown, string][] = [
      [404, { error: 'not found' }, 'not_found'],
      [429, { error: 'slow_down' }, 'rate_limit'],
      [404, { error: 'Not Found' }, 'not_found'],
      [403, { message: 'rate limit exceeded' }, 'rate_limit'],
      [400, ['odd'], 'bad_request'],
      [500, { error: 'server_error' }, 'server'],
    ];
    for (const [status, body, expected] of responses) {
      const { flow } = await flowTo((response) => sendJson(response, body, status), {
        retry: false,
      });
      expect(await rejectionOf(flow.exchangeCode({ code }))).toMatchObject({
        code: expected,
        status,
      });
    }
  });
});

test('OAuth errors hide secrets that the server echoes', async () => {
  const echo = `${clientSecret} ${code}`;
  const responses = [
    { status: 200, body: { error: 'bad_verification_code', error_description: echo } },
    { status: 400, body: { error: 'bad_verification_code', error_description: echo } },
    { status: 400, body: { message: echo } },
    { status: 500, body: { message: echo } },
  ];
  for (const { status, body } of responses) {
    const { flow } = await flowTo((response) => sendJson(response, body, status), { retry: false });
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(isTriforgeError(error)).toBe(true);
    const shown = inspect(error, { depth: 9 }) + JSON.stringify(error);
    expect(shown).not.toContain(clientSecret);
    expect(shown).not.toContain(code);
  }
});

describe('OAuthError.errorUri', () => {
  const getUri = async (uri: string) => {
    const { flow } = await flowTo((response) =>
      sendJson(response, { error: 'access_denied', error_uri: uri }),
    );
    const error = await rejectionOf(flow.exchangeCode({ code }));
    if (!(error instanceof OAuthError)) throw error;
    expect(inspect(error, { depth: 9 })).not.toMatch(/code-of-this|client-secret-0/);
    return error.errorUri;
  };

  test.each([
    ['the code', `https://docs.test/x?c=${code}#why`, 'https://docs.test/x?c=***#why'],
    ['the client secret', `https://docs.test/${clientSecret}/x`, 'https://docs.test/***/x'],
    ['the code as the host', `https://${code}.docs.test/`, 'https://***.docs.test/'],
    ['the code as a password', `https://jo:${code}@docs.test/`, 'https://docs.test/'],
  ])('OAuthError.errorUri never shows %s', async (_name, uri, shown) => {
    expect(await getUri(uri)).toBe(shown);
  });

  test.each([
    ['has more than 2000 characters', `https://docs.test/${'x'.repeat(2000)}`],
    ['has a javascript: scheme', 'javascript:alert(1)'],
  ])('OAuthError.errorUri is undefined if the URL %s', async (_name, uri) => {
    expect(await getUri(uri)).toBeUndefined();
  });

  test('OAuthError.errorUri contains no control or format characters', async () => {
    const shown = await getUri('https://docs.test/a\u001b[2J\u202eb\u009b\n?x=\u0007#\u200b');
    expect(shown).toBe('https://docs.test/a%1B[2J%E2%80%AEb%C2%9B?x=%07#%E2%80%8B');
  });

  test('the OAuthError for a callback masks the client secret and the state', async () => {
    const { flow } = await flowTo((response) => sendJson(response, {}));
    const state = 'state-of-this-user';
    const uri = `https://docs.test/${clientSecret}?s=${state}`;
    const callback = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: `no ${clientSecret}`,
      error_uri: uri,
    });
    const parse = () => flow.parseCallback(callback, { state });
    expect(parse).toThrow(
      expect.objectContaining({
        errorUri: 'https://docs.test/***?s=***',
        errorDescription: 'no ***',
      }),
    );
  });
});

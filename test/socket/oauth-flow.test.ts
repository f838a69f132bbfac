import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OAuthError } from '../../src/errors/index.js';
import {
  type ExchangeInput,
  OAuthWebFlow,
  type OAuthWebFlowOptions,
} from '../../src/hosting/index.js';
import { rejectionOf } from '../support/client.js';
import { type Seen, sendJson, serve } from '../support/server.js';

const clientId = 'client-id-0123456789';
const clientSecret = 'client-secret-0123456789-0123456789-abcd';
const code = 'code-of-this-attempt';
const accessToken = 'e72e16c7e42f292c6912e7710c838347ae178b4a';

/** Starts a server that responds to token requests, and creates a flow for it. */
async function flowTo(
  respond: (response: ServerResponse, request: Seen, index: number) => unknown,
  options: Partial<OAuthWebFlowOptions> = {},
) {
  const server = await serve((request, response, index) => respond(response, request, index));
  const authUrl = `${server.origin}/web`;
  const flow = new OAuthWebFlow({
    authUrl,
    clientId,
    clientSecret,
    retry: { baseDelay: 0 },
    ...options,
  });
  onTestFinished(() => flow.close());
  return { server, flow };
}

/** Creates a `respond` function that always sends the same response. */
const send =
  (type: string, body: string, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': type }).end(body);

/** Fields of a successful token response. */
const fields = { access_token: accessToken, scope: 'user,gist', token_type: 'bearer' };
const json = JSON.stringify(fields);
const form = new URLSearchParams(fields).toString();
const xml = `<?xml version="1.0" encoding="UTF-8"?>
<OAuth>
  <token_type>bearer</token_type>
  <scope>user,gist</scope>
  <access_token>${accessToken}</access_token>
</OAuth>`;

describe('exchangeCode()', () => {
  it('sends a single POST with the client ID, secret, code and redirect URI', async () => {
    const { server, flow } = await flowTo((response) => sendJson(response, fields));
    await flow.exchangeCode({
      code,
      redirectUri: 'https://app.test/cb',
      requestedScopes: ['gist'],
    });
    const [request] = server.requests;
    expect(server.log).toEqual(['POST /web/login/oauth/access_token']);
    expect(request?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': expect.stringMatching(/^triforge\//),
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: 'https://app.test/cb',
    });
  });

  it.each<[unknown, string]>([
    [{}, 'code'],
    [{ code, format: 'yaml' }, 'format'],
    [{ code, requestedScopes: 'user' }, 'requestedScopes'],
    [{ code, redirectUri: 'nowhere' }, 'redirectUri'],
    [undefined, 'code'],
  ])('rejects the input %j without sending a request', async (input, field) => {
    const { server, flow } = await flowTo((response) => sendJson(response, fields));
    // `as`: JavaScript callers may pass anything.
    const error = await rejectionOf(flow.exchangeCode(input as ExchangeInput));
    expect(error).toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  it.each([302, 303, 307])('rejects a %i to the same or another origin', async (status) => {
    const stranger = await serve((_request, response) =>
      sendJson(response, { ...fields, access_token: 'forged' }),
    );
    const places = [
      '/web/x?client_id=the-id&client_secret=a-secret',
      `${stranger.origin}/x?code=${code}&client_secret=${clientSecret}`,
    ];
    for (const location of places) {
      const { server, flow } = await flowTo((response) =>
        response.writeHead(status, { location }).end(),
      );
      const error = await rejectionOf(flow.exchangeCode({ code }));
      expect(error).toMatchObject({
        code: 'redirect',
        reason: 'not_allowed',
        mayHaveActed: status === 303,
      });
      expect(inspect(error, { depth: 9 })).not.toMatch(/the-id|a-secret|code-of-this/);
      expect(server.log).toEqual(['POST /web/login/oauth/access_token']);
    }
    expect(stranger.log).toEqual([]);
  });

  it('does not retry after a broken connection', async () => {
    const { server, flow } = await flowTo((response) => response.destroy());
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: true });
    expect(server.log).toHaveLength(1);
  });
});

describe('exchangeCode() with a token in the response', () => {
  it.each([
    ['json', 'application/json; charset=utf-8', json, 'application/json'],
    ['form', 'application/x-www-form-urlencoded', form, 'application/x-www-form-urlencoded'],
    ['xml', 'application/xml; charset=utf-8', xml, 'application/xml'],
  ] as const)('parses %s', async (format, type, body, accept) => {
    const { server, flow } = await flowTo(send(type, body));
    const call = flow.exchangeCode({ code, format, requestedScopes: ['repo', 'user:email'] });
    expect(await call).toEqual({
      accessToken,
      tokenType: 'bearer',
      scopes: ['user', 'gist'],
      missingScopes: ['repo'],
    });
    expect((await call.withResponse()).response).toMatchObject({ status: 200, attempts: 1 });
    expect(server.requests[0]?.headers.accept).toBe(accept);
  });

  it.each([
    ['a form instead of JSON', 'application/x-www-form-urlencoded', form],
    ['XML instead of JSON', 'text/xml', xml],
    [
      'JSON with a token and an empty error',
      'application/json',
      JSON.stringify({ ...fields, error: '' }),
    ],
  ])('finds the token in %s', async (_what, type, body) => {
    const { flow } = await flowTo(send(type, body));
    expect(await flow.exchangeCode({ code })).toMatchObject({ accessToken, tokenType: 'bearer' });
  });

  const lifetimes = {
    refresh_token: 'r1',
    expires_in: 28_800,
    refresh_token_expires_in: 15_897_600,
  };
  it.each([
    ['JSON', 'application/json', JSON.stringify({ ...fields, ...lifetimes })],
    [
      'a form',
      'application/x-www-form-urlencoded',
      `${form}&refresh_token=r1&expires_in=28800&refresh_token_expires_in=15897600`,
    ],
  ])('returns the refresh token and the lifetimes in %s', async (_what, type, body) => {
    const { flow } = await flowTo(send(type, body));
    expect(await flow.exchangeCode({ code })).toMatchObject({
      refreshToken: 'r1',
      expiresIn: 28_800,
      refreshTokenExpiresIn: 15_897_600,
    });
  });

  it.each([
    ['', []],
    [undefined, []],
    ['user,gist,', ['user', 'gist']],
    ['user gist', ['user', 'gist']],
  ])('parses the scope %j as %j', async (scope, scopes) => {
    const { flow } = await flowTo((response) => sendJson(response, { ...fields, scope }));
    expect(await flow.exchangeCode({ code })).toMatchObject({ scopes, missingScopes: [] });
  });

  it('parses XML with comments, CDATA and entities', async () => {
    const other = `<OAuth a="b"><!-- c --><scope/><token_type>bearer</token_type><access_token><![CDATA[a]]>&#98;&amp;</access_token></OAuth>`;
    const { flow } = await flowTo(send('application/xml', other));
    expect(await flow.exchangeCode({ code, format: 'xml' })).toMatchObject({
      accessToken: 'ab&',
      scopes: [],
    });
  });
});

describe('exchangeCode() with an invalid response', () => {
  const entity = `<!DOCTYPE OAuth [<!ENTITY x SYSTEM "file:///etc/passwd">]><OAuth><access_token>&x;</access_token><token_type>bearer</token_type></OAuth>`;

  it.each([
    ['an HTML page', 'text/html', '<!DOCTYPE html><html></html>', 'response_body'],
    ['an empty body', 'application/json', '', 'response_body'],
    ['HTML labeled as a form', 'application/x-www-form-urlencoded', '\n <html>', 'response_body'],
    ['XML that declares entities', 'application/xml', entity, 'response_body'],
    [
      'XML with a document type',
      'application/xml',
      `<!DOCTYPE OAuth>${xml}`.replace(/(<!D.*?>)(<\?xml.*?>)/, '$2$1'),
      'response_body',
    ],
    ['JSON without a token', 'application/json', '{"token_type":"bearer"}', 'response_shape'],
    [
      'JSON with an empty token',
      'application/json',
      '{"access_token":"","token_type":"b"}',
      'response_shape',
    ],
  ])('rejects %s', async (_what, type, body, expected) => {
    const { flow } = await flowTo(send(type, body));
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toMatchObject({ code: expected, response: { status: 200 } });
    if (expected === 'response_body') {
      const problem =
        type.endsWith('json') || type === 'text/html' ? 'invalid_json' : 'undecodable';
      expect(error).toMatchObject({ reason: problem });
    } else {
      expect(error).toHaveProperty('data');
    }
    expect(String(error)).toContain('The server executed the request.');
    expect(inspect(error)).not.toContain(accessToken.slice(0, 12));
  });
});

describe('an OAuthError', () => {
  const failure = {
    error: 'bad_verification_code',
    error_description: 'The code passed is incorrect or expired.',
    error_uri: 'https://developer.example.com/v3/oauth/#bad-verification-code',
  };
  const asXml = `<OAuth>${Object.entries(failure)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('')}</OAuth>`;

  it.each([
    ['json', 200, 'application/json', JSON.stringify(failure)],
    ['form', 200, 'application/x-www-form-urlencoded', new URLSearchParams(failure).toString()],
    ['xml', 200, 'application/xml', asXml],
  ] as const)(
    'reports an error in the %s format with the status %i',
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

  it('masks a secret that a 400 response contains as XML character references', async () => {
    const escaped = [...clientSecret].map((letter) => `&#${letter.charCodeAt(0)};`).join('');
    const body = `<OAuth><error>bad_code</error><error_description>no ${escaped}</error_description></OAuth>`;
    const { flow } = await flowTo(send('application/xml', body, 400));
    const error = await rejectionOf(flow.exchangeCode({ code, format: 'xml' }));
    expect(error).toMatchObject({ error: 'bad_code', errorDescription: 'no ***' });
  });

  it("is replaced by the error class of the status if the response isn't a standard OAuth error", async () => {
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

  it.each([
    ['the code', `https://docs.test/x?c=${code}#why`, 'https://docs.test/x?c=***#why'],
    ['the client secret', `https://docs.test/${clientSecret}/x`, 'https://docs.test/***/x'],
    ['the code as a password', `https://jo:${code}@docs.test/`, 'https://docs.test/'],
  ])('never shows %s', async (_name, uri, shown) => {
    expect(await getUri(uri)).toBe(shown);
  });

  it.each([
    ['has more than 2000 characters', `https://docs.test/${'x'.repeat(2000)}`],
    ['has a javascript: scheme', 'javascript:alert(1)'],
  ])('is undefined if the URL %s', async (_name, uri) => {
    expect(await getUri(uri)).toBeUndefined();
  });

  it('contains no control or format characters', async () => {
    const shown = await getUri('https://docs.test/a\u001b[2J\u202eb\u009b\n?x=\u0007#\u200b');
    expect(shown).toBe('https://docs.test/a%1B[2J%E2%80%AEb%C2%9B?x=%07#%E2%80%8B');
  });
});

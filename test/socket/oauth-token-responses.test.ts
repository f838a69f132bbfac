import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../support/client.js';
import { sendJson } from '../support/server.js';
import { accessToken, code, fields, flowTo, form, json, send, xml } from './oauth-server.js';

describe('token responses', () => {
  test.each([
    ['json', 'application/json; charset=utf-8', json, 'application/json'],
    ['form', 'application/x-www-form-urlencoded', form, 'application/x-www-form-urlencoded'],
    ['xml', 'application/xml; charset=utf-8', xml, 'application/xml'],
  ] as const)('exchangeCode() parses %s', async (format, type, body, accept) => {
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

  test.each([
    ['a form instead of JSON', 'application/x-www-form-urlencoded', form],
    ['XML instead of JSON', 'text/xml', xml],
    ['JSON without a media type', '', json],
    ['JSON labeled as text', 'text/plain', json],
    ['a form that ends in a line break', 'application/x-www-form-urlencoded', `${form}\n`],
    ['a form with a brace in a field', 'application/x-www-form-urlencoded', `${form}&note={<`],
    [
      'JSON with a token and an empty error',
      'application/json',
      JSON.stringify({ ...fields, error: '' }),
    ],
  ])('exchangeCode() recognizes %s', async (_what, type, body) => {
    const { flow } = await flowTo(send(type, body));
    expect(await flow.exchangeCode({ code })).toMatchObject({ accessToken, tokenType: 'bearer' });
  });

  const lifetimes = {
    refresh_token: 'r1',
    expires_in: 28_800,
    refresh_token_expires_in: 15_897_600,
  };
  test.each([
    ['JSON', 'application/json', JSON.stringify({ ...fields, ...lifetimes })],
    [
      'a form',
      'application/x-www-form-urlencoded',
      `${form}&refresh_token=r1&expires_in=28800&refresh_token_expires_in=15897600`,
    ],
  ])(
    'exchangeCode() returns the refresh token and the lifetimes in %s',
    async (_what, type, body) => {
      const { flow } = await flowTo(send(type, body));
      expect(await flow.exchangeCode({ code })).toMatchObject({
        refreshToken: 'r1',
        expiresIn: 28_800,
        refreshTokenExpiresIn: 15_897_600,
      });
    },
  );

  test.each(['application/json-seq', 'application/xml-dtd'])(
    'exchangeCode() parses %s as a form, not as JSON or XML',
    async (type) => {
      const { flow } = await flowTo(send(type, form));
      expect(await flow.exchangeCode({ code, format: 'form' })).toMatchObject({ accessToken });
    },
  );

  test('exchangeCode() parses a media type ending in +json as JSON', async () => {
    const { flow } = await flowTo(send('application/x+json', json));
    expect(await flow.exchangeCode({ code, format: 'form' })).toMatchObject({ accessToken });
  });

  test.each([
    ['', []],
    [null, []],
    [undefined, []],
    ['user', ['user']],
    ['user,gist,', ['user', 'gist']],
    ['user gist', ['user', 'gist']],
  ])('exchangeCode() parses the scope %j as %j', async (scope, scopes) => {
    const { flow } = await flowTo((response) => sendJson(response, { ...fields, scope }));
    expect(await flow.exchangeCode({ code })).toMatchObject({ scopes, missingScopes: [] });
  });

  test('exchangeCode() parses XML with comments, CDATA and entities', async () => {
    const other = `<OAuth a="b"><!-- c --><scope/><token_type>bearer</token_type><access_token><![CDATA[a]]>&#98;&amp;</access_token></OAuth>`;
    const { flow } = await flowTo(send('application/xml', other));
    expect(await flow.exchangeCode({ code, format: 'xml' })).toMatchObject({
      accessToken: 'ab&',
      scopes: [],
    });
  });
});

describe('invalid token responses', () => {
  const entity = `<!DOCTYPE OAuth [<!ENTITY x SYSTEM "file:///etc/passwd">]><OAuth><access_token>&x;</access_token><token_type>bearer</token_type></OAuth>`;

  test.each([
    ['an HTML page', 'text/html', '<!DOCTYPE html><html></html>', 'response_body'],
    ['an empty body', 'application/json', '', 'response_body'],
    ['truncated JSON', 'application/json', json.slice(0, 60), 'response_body'],
    ['an array', 'application/json', '[]', 'response_body'],
    ['null', 'application/json', 'null', 'response_body'],
    ['a number', 'application/json', '7', 'response_body'],
    ['HTML labeled as a form', 'application/x-www-form-urlencoded', '\n <html>', 'response_body'],
    ['truncated XML', 'application/xml', xml.slice(0, 150), 'response_body'],
    [
      'XML with an unexpected root',
      'application/xml',
      `<Auth>${accessToken}</Auth>`,
      'response_body',
    ],
    ['XML that declares entities', 'application/xml', entity, 'response_body'],
    [
      'XML with a document type',
      'application/xml',
      `<!DOCTYPE OAuth>${xml}`.replace(/(<!D.*?>)(<\?xml.*?>)/, '$2$1'),
      'response_body',
    ],
    ['XML with an unknown entity', 'application/xml', '<OAuth>&x;</OAuth>', 'response_body'],
    ['JSON labeled as a form', 'application/x-www-form-urlencoded', json, 'response_body'],
    ['an empty form', 'application/x-www-form-urlencoded', '', 'response_shape'],
    ['JSON without a token', 'application/json', '{"token_type":"bearer"}', 'response_shape'],
    [
      'JSON with an empty token',
      'application/json',
      '{"access_token":"","token_type":"b"}',
      'response_shape',
    ],
    ['JSON with a numeric token', 'application/json', '{"access_token":1}', 'response_shape'],
  ])('exchangeCode() rejects %s', async (_what, type, body, expected) => {
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

  test.each(['form', 'xml'] as const)(
    "exchangeCode() rejects bytes that aren't UTF-8 (format %s)",
    async (format) => {
      const { flow } = await flowTo((response) => response.end(Buffer.from([0xff, 0xfe])));
      const error = await rejectionOf(flow.exchangeCode({ code, format }));
      expect(error).toMatchObject({ code: 'response_body', reason: 'undecodable' });
    },
  );

  test('exchangeCode() reports a JSON array as a value that is not an object', async () => {
    const { flow } = await flowTo(send('application/json', '[]'));
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining(
        'the application/json body is not a token response in JSON (the body is not a JSON object)',
      ),
    );
  });

  test('exchangeCode() rejects a response that exceeds the size limit', async () => {
    const { flow } = await flowTo(send('application/json', ' '.repeat(2 * 1_048_576)));
    const error = await rejectionOf(flow.exchangeCode({ code }));
    expect(error).toMatchObject({ code: 'response_body', reason: 'too_large' });
  });
});

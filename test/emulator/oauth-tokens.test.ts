import { beforeEach, describe, expect, it } from 'vitest';
import type { Emulator } from '../../src/testing/index.js';
import { basic, sendRequest } from './send-request.js';
import {
  asForm,
  callbackUrl,
  callWebFlow,
  createFlowEmulator,
  documentation,
  form,
} from './web-flow-requests.js';

let emulator: Emulator;
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
    expect((await exchange({ code, redirect_uri: callbackUrl })).data).toHaveProperty('scope', '');
    const late = await getCode();
    emulator.clock.advance(600_000);
    expect((await exchange({ code: late })).data.error).toBe('bad_verification_code');
  });

  it('returns the token in the format requested by Accept', async () => {
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
    const { text } = await exchange({ code: 'x' }, 'application/xml');
    expect(text).toContain('<error>bad_verification_code</error>');
    emulator.hosting.addToken('ada', [], { clientId: 'id', token: '<&>' });
    emulator.hosting.state.tokens.delete([...emulator.hosting.state.tokens.keys()][0] ?? '');
    expect((await respond('application/xml'))[1]).toContain('<access_token>&lt;&amp;&gt;</');
  });

  it.each([
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

  it('prefers form fields to query parameters', async () => {
    const query = form({ client_id: 'id', client_secret: 's', code: await getCode() });
    const inQuery = `${path}?${query}`;
    const headers = { ...asForm, accept: 'application/json' };
    const wrong = await sendRequest(emulator, inQuery, {
      auth: null,
      body: 'client_id=x',
      headers,
    });
    expect(wrong.data.error).toBe('incorrect_client_credentials');
    const right = await sendRequest(emulator, inQuery, { auth: null, body: '', headers });
    expect(right.data).toHaveProperty('access_token');
  });

  it('responds identically to multipart and URL-encoded forms, even if they are empty', async () => {
    const post = async (type: string, body?: string) => {
      const headers = { accept: 'application/json', 'content-type': type };
      return await sendRequest(emulator, path, { auth: null, body, headers });
    };
    const { 'content-type': urlEncoded } = asForm;
    const fields = { client_id: 'id', client_secret: 's', code: 'none' };
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    for (const [inParts, inLine] of [
      [`${parts.join('')}--x--\r\n`, form(fields)],
      [undefined, undefined],
    ]) {
      const first = await post('multipart/form-data; boundary=x', inParts);
      const second = await post(urlEncoded, inLine);
      if (inLine) expect(second.data).toMatchObject({ error: 'bad_verification_code' });
      expect([first.status, first.data]).toEqual([second.status, second.data]);
    }
  });

  it.each<[unknown]>([[{ toString: 1 }], [[]], [null], [7], [true], [{ a: ['b'] }]])(
    'responds with bad_verification_code if the code is %j',
    async (code) => {
      const body = { client_id: 'id', client_secret: 's', code };
      const { text } = await sendRequest(emulator, path, { auth: null, body });
      expect(text).toContain('error=bad_verification_code');
    },
  );

  it.each([
    ['correct', 's', 'access_token'],
    ['wrong', 'wrong', 'error'],
  ])('reads %s Basic credentials', async (_how, secret, member) => {
    const { data } = await sendRequest(emulator, path, {
      auth: basic('id', secret),
      body: form({ grant_type: 'authorization_code', code: await getCode() }),
      headers: { ...asForm, accept: 'application/json' },
    });
    expect(Object.keys(data)).toContain(member);
  });
});

import type { OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';
import { form, json, readBytes, readRecording, record, type Sent } from './recording-folder.js';

const secret = 'Zx91kQ-77-newSecret';
const text = { 'content-type': 'text/plain' };

const base64 = (content: string) => Buffer.from(content).toString('base64');
const escaped = [...secret].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');

describe('createRecorder() with a secret in a response', () => {
  it.each<[string, OutgoingHttpHeaders, string]>([
    ['a URL used as a JSON key', json, JSON.stringify({ [`http://a/?token=${secret}`]: 1 })],
    ['a name with an acronym', json, JSON.stringify({ oauthAPIToken: secret })],
    ['a name with a number', json, JSON.stringify({ password2: secret })],
    ['a list', json, JSON.stringify({ tokens: [secret] })],
    ['an echo before the name', json, JSON.stringify({ echo: secret, token: secret })],
    ['a URL with a password', json, JSON.stringify({ url: `https://jo:${secret}@a.test/r.git` })],
    ['an escaped URL', json, `{"url":"http://a.test/?a=1\\u0026access_token=${secret}"}`],
    ['a path', json, JSON.stringify({ url: `http://a.test/applications/c/tokens/${secret}` })],
    ['Latin-1', json, Buffer.from(`{"a":"\xe4","token":"${secret}"}`, 'latin1').toString('latin1')],
    ['truncated JSON', json, `{"token":"${secret}","a":`],
    ['a private key', json, JSON.stringify({ key: `-----BEGIN RSA PRIVATE KEY-----\n${secret}` })],
    ['a fragment', { location: `http://a.test/#access_token=${secret}&state=1` }, 'x'],
    ['a Location header', { location: `https://jo:${secret}@a.test/` }, 'x'],
    ['a Link header', { link: `<https://a.test/?access_token=${secret}>; rel="next"` }, 'x'],
    ['a header named x-password', { 'x-password': secret }, 'x'],
    ['a form field', form, `a=1&user[password]=${secret}`],
    ['a cookie', { ...text, 'set-cookie': `sid=${secret}; path=/` }, secret],
    ['an encoded cookie', { 'set-cookie': `sid=${secret.replaceAll('-', '%2D')}` }, secret],
  ])('a recorder masks the secret in %s', async (_place, headers, body) => {
    const all = await readRecording(headers, body);
    for (const each of [secret, escaped]) expect(all).not.toContain(each);
    expect(all).toContain('***');
  });

  it.each<[string, OutgoingHttpHeaders, string]>([
    ['prose about tokens', json, '{"message":"Invalid token: must have 40 digits"}'],
    ['a status code in text', text, 'code: 404\nlicense: mit\n'],
    ['a comparison in text', text, 'if (token == expected) return'],
    ['an error code and a license', json, '{"code":"missing","license":"mit"}'],
  ])('a recorder leaves %s unmasked', async (_what, headers, body) => {
    expect(await readRecording(headers, body)).not.toContain('***');
  });

  it.each<[string, Buffer]>([
    ['GZIP', gzipSync(`token=${secret}`)],
    ['br', brotliCompressSync(`token=${secret}`)],
    ['deflate', deflateSync(`token=${secret}`)],
  ])('a recorder decodes a body with the Content-Encoding %s', async (coding, body) => {
    const all = await readRecording({ ...text, 'content-encoding': coding }, body);
    expect(all).toContain('token=***');
    expect(all).not.toContain('content-encoding');
  });

  it('a recorder keeps a gzip body encoded if its content exceeds 64 MiB', async () => {
    const body = gzipSync(Buffer.alloc(65 * 1_048_576), { level: 1 });
    const all = await readRecording({ ...text, 'content-encoding': 'gzip' }, body);
    expect(all).toContain('"content-encoding":"gzip"');
    expect(all.length).toBeLessThan(1_000_000);
  });
});

describe('createRecorder() with a secret in a request', () => {
  const authorization = (value: string): Sent => ({ headers: { authorization: value } });
  const post = (headers: Record<string, string>, body: string): Sent => ({
    method: 'POST',
    headers,
    body,
  });

  it.each<[string, Sent]>([
    ['a query', { path: `/a?x=?&access_token=${secret}` }],
    ['the second of two header values', { headers: { 'x-token': `one, ${secret}` } }],
    ['a header with a scheme', { headers: { 'x-service-auth': `Bearer ${secret}` } }],
    ['a cookie', { headers: { cookie: `a=b; sid=${secret}` } }],
    ['a URL in a query', { path: `/a?to=${encodeURIComponent(`http://a/?token=${secret}`)}` }],
    ['a form with unencoded characters', post(form, `password=${secret}`)],
    ['a form name with a space', post(form, `user+password=${secret}`)],
    ['named credentials', authorization(`Token token="${secret}", nonce="abcdefgh1"`)],
    ['JSON', post({ 'content-type': 'Application/JSON' }, `{"otp":"${secret}"}`)],
    ['a Basic username', authorization(`Basic ${base64(`${secret}:x-oauth-basic`)}`)],
    ['a Basic password', authorization(`basic ${base64(`mona:${secret}`)}`)],
  ])('a recorder masks a secret in %s and its echo', async (_place, sent) => {
    const { lines } = await record([[sent, { body: `echo ${secret} of mona` }]]);
    expect(lines[0]?.response.text).toBe('echo *** of mona');
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it.each<[string, Sent, string]>([
    ['part of a word', authorization('token secretly'), 'xsecretly secretlyx'],
    ['a secret of seven letters', { headers: { 'x-api-key': 'sevench' } }, 'sevench'],
    ['a Base64 password after Bearer', authorization(`Bearer ${base64('me:one1')}`), 'one1'],
    ['a header with another name', { headers: { 'x-word': 'a long word' } }, 'a long word'],
    ['a parameter with another name', { path: '/?page=long-word' }, 'long-word'],
    ['a form field with another name', post(form, 'a=long-word'), 'long-word'],
  ])('a recorder leaves the echo of %s unmasked', async (_what, sent, body) => {
    const { lines } = await record([[sent, { body }]]);
    expect(lines[0]?.response.text).toBe(body);
  });

  it.each<[string, string, string, string]>([
    ['next to punctuation', 'secretly', '-secretly.secretly!', '-***.***!'],
    ['in percent and form encoding', 'a/b c+d=', 'a%2Fb%20c%2Bd%3D a%2Fb+c%2Bd%3D', '*** ***'],
    ['in JSON encoding', 'two "words"', '{"two \\"words\\""}', '{"***"}'],
    ['in Base64', secret, `(${base64(secret)})`, '(***)'],
  ])('a recorder masks the echo of a token %s', async (_how, token, body, wanted) => {
    const { lines } = await record([[post(json, JSON.stringify({ token })), { body }]]);
    expect(lines[0]?.response.text).toBe(wanted);
  });

  it('a recorder masks whole form and query values with unencoded characters', async () => {
    const body = `password=it's "${secret}" <a> # b&c=d`;
    const { lines, server } = await record([
      [{ ...post(form, body), path: `/a?token=it's${secret}&x=y` }, { body: 'x' }],
    ]);
    expect(lines[0]?.request.text).toBe('password=***&c=d');
    expect(lines[0]?.request.url).toBe(`${server.origin}/a?token=***&x=y`);
  });

  it("a recorder doesn't record a compressed request body", async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const body = gzipSync(`{"password":"${secret}"}`);
    const { lines, server } = await record([[{ method: 'POST', headers, body }, { body: 'x' }]]);
    expect(server.requests).toHaveLength(1);
    expect(lines[0]?.request).not.toHaveProperty('text');
  });

  it('a recorder masks a secret after it has learned 300 others', async () => {
    const tokens = Array.from({ length: 300 }, (_, index) => ({ token: `token-${index}-of-many` }));
    const { lines } = await record([
      [{}, { headers: json, body: JSON.stringify(tokens) }],
      [{}, { body: 'token-0-of-many token-299-of-many' }],
    ]);
    expect(lines[1]?.response.text).toBe('*** ***');
  });

  it('a recorder masks the longer of two overlapping secrets', async () => {
    const sent = post(json, '{"token":"abcdefgh","secret":"abcdefgh-ijkl"}');
    const { lines } = await record([[sent, { body: 'abcdefgh-ijkl' }]]);
    expect(lines[0]?.response.text).toBe('***');
  });

  it.each<[string, OutgoingHttpHeaders, string | Buffer]>([
    ['text without a media type', { 'content-type': '' }, `echo ${secret}`],
    ['a raw media type', { 'content-type': 'application/vnd.service.v3.raw' }, secret],
    ['a JSON key', json, JSON.stringify({ [secret]: 1 })],
    ['compressed text', { ...text, 'content-encoding': 'gzip' }, gzipSync(`echo ${secret}`)],
    ['12 MB of JSON', json, JSON.stringify({ text: 'x'.repeat(12_000_000), echo: secret })],
    [
      'the middle of 3 MB of bytes',
      { 'content-type': 'image/png' },
      Buffer.concat([Buffer.alloc(1_500_000), Buffer.from(secret), Buffer.alloc(1_500_000)]),
    ],
    ['a header', { 'x-echo': secret }, 'x'],
  ])('a recorder masks the echo of a token in %s', async (_place, headers, body) => {
    const all = await readRecording(headers, body, authorization(`token ${secret}`));
    for (const each of [secret, escaped]) expect(all).not.toContain(each);
    expect(all).toContain('***');
  });

  it('a recorder masks the secrets of concurrent and failed requests', async () => {
    const server = await serve((seen, response) => {
      if (seen.url === '/open') return void response.writeHead(200, text).write('x');
      if (seen.url === '/broken') return response.destroy();
      return response.end(`echo ${secret} ${secret}2`);
    });
    const to = await createTemporaryFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.destroy());
    const sendRequest = (path: string, token: string) =>
      request(server.origin + path, { dispatcher: recorder, headers: { 'x-token': token } });
    const { body } = await sendRequest('/open', secret);
    await expect(sendRequest('/broken', `${secret}2`)).rejects.toThrow();
    await (await sendRequest('/', 'other-token')).body.dump();
    expect(await readBytes(to)).toContain('echo *** ***');
    body.on('error', () => undefined).destroy();
  });
});

describe('the `secrets` option', () => {
  it('a recorder masks values of the `secrets` option in URLs and bodies', async () => {
    const exchange = [{ path: '/some%20words?a=some+words' }, { body: 'some words' }] as const;
    const { lines, server } = await record([[...exchange]], ['some words']);
    const url = `${server.origin}/***?a=***`;
    expect(lines).toMatchObject([{ request: { url }, response: { text: '***' } }]);
  });

  it.each([['short'], [''], ['x'.repeat(65_537)]])(
    'createRecorder() rejects a secret with an invalid length ($0)',
    async (short) => {
      const to = await createTemporaryFolder();
      expect(() => createRecorder({ to, secrets: ['long enough', short] })).toThrow(
        'secrets[1]: must be a string of 8 to 65536 characters',
      );
    },
  );
});

it.each<[string, OutgoingHttpHeaders, string]>([
  ['parameters', text, Array.from({ length: 40_000 }, (_, at) => `token=s${at}x`).join('&')],
  ['unfinished URLs', text, '://'.repeat(300_000)],
  ['unclosed records', json, '{"a":'.repeat(100_000)],
])('a recorder stores a large body of %s', async (_what, headers, body) => {
  expect(await readRecording(headers, body)).toContain('"status":200');
});

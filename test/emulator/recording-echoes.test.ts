import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { FormData, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { watchWarnings } from '../support/client.js';
import { serve } from '../support/server.js';
import { readBytes, readRecording, recordingFolder } from './recording-folder.js';

const secret = 'Zx91kQ-77-newSecret';

type Options = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>;

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };
const text = { 'content-type': 'text/plain' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('createRecorder() with a secret in a response', () => {
  it.each<[string, OutgoingHttpHeaders, string | Buffer]>([
    ['a URL used as a JSON key', json, JSON.stringify({ [`http://a/?token=${secret}`]: 1 })],
    ['a name with a hyphen', json, JSON.stringify({ 'access-token': secret })],
    ['a camelCase key of three words', json, JSON.stringify({ oauthClientSecret: secret })],
    ['an echoed Authorization header', json, JSON.stringify({ Authorization: `B ${secret}` })],
    ['an echoed Cookie header', json, JSON.stringify({ Cookie: `sid=${secret}` })],
    ['a URL with a password', json, JSON.stringify({ url: `https://jo:${secret}@a.test/r.git` })],
    ['a Location with a password', { location: `https://jo:${secret}@a.test/` }, 'x'],
    ['a header named x-password', { 'x-password': secret }, 'x'],
    ['a header named x-auth', { 'x-auth': `Bearer ${secret}` }, 'x'],
    ['a list of tokens', json, JSON.stringify({ tokens: [secret] })],
    ['a record of secrets', json, JSON.stringify({ secrets: { a: { b: secret } } })],
    ['a form with brackets', form, `user[password]=${secret}`],
    ['a form with encoded brackets', form, `user%5Bpassword%5D=${secret}`],
    [
      'a quoted cookie and its echo',
      { ...text, 'set-cookie': `sid="${secret}"; path=/` },
      `x ${secret}`,
    ],
    [
      'a percent-encoded cookie and its echo',
      { ...text, 'set-cookie': `sid=${secret.replaceAll('-', '%2D')}` },
      `x ${secret}`,
    ],
    ['a cookie and its echo', { ...text, 'set-cookie': `sid=${secret}; path=/` }, secret],
  ])('a recorder masks the secret in %s', async (_place, headers, body) => {
    const all = await readRecording(headers, body);
    expect(all).not.toContain(secret);
    expect(all).toContain('***');
  });

  it.each<[string, string, Buffer]>([
    ['GZIP', 'GZIP', gzipSync(`token=${secret}`)],
    ['gzip, br', 'gzip, br', brotliCompressSync(gzipSync(`token=${secret}`))],
    ['raw deflate', 'deflate', deflateRawSync(`token=${secret}`)],
  ])('a recorder decodes a body with the Content-Encoding %s', async (_name, coding, body) => {
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
  const multipart = new FormData();
  multipart.append('password', secret);
  it.each<[string, Options]>([
    ['a cookie', { headers: { cookie: `a=b; sid=${secret}` } }],
    ['a quoted cookie', { headers: { cookie: `sid="${secret}"` } }],
    ['a form with files', { method: 'POST', body: multipart }],
    ['text', { method: 'POST', headers: text, body: `token=${secret}` }],
    [
      'JSON with an uppercase media type',
      {
        method: 'POST',
        headers: { 'content-type': 'Application/JSON' },
        body: `{"otp":"${secret}"}`,
      },
    ],
  ])('a recorder masks the echo of a secret sent in %s', async (_place, sent) => {
    expect(await readRecording(text, `echo ${secret}`, sent)).not.toContain(secret);
  });

  it.each<[string, string, Options]>([
    ['a header after a tab', secret, { headers: { authorization: `token\t${secret}` } }],
    ['the second of two headers', secret, { headers: { 'x-token': ['one', secret] } }],
    [
      'a URL with a long password',
      'k7'.repeat(1500),
      { method: 'POST', headers: json, body: `{"a":"http://me:${'k7'.repeat(1500)}@a.test/"}` },
    ],
  ])('a recorder masks the echo of a secret in %s', async (_place, echoed, sent) => {
    const all = await readRecording(text, `echo ${echoed}`, sent);
    expect(all).toContain('"text":"echo ***"');
  });

  it('a recorder masks the secrets of concurrent and failed requests', async () => {
    const server = await serve((seen, response) => {
      if (seen.url === '/open') return void response.writeHead(200, text).write('x');
      if (seen.url === '/broken') return response.destroy();
      return response.end(`echo ${secret} ${secret}2`);
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.destroy());
    const sendRequest = (path: string, token: string) =>
      request(server.origin + path, { dispatcher: recorder, headers: { 'x-token': token } });
    const { body } = await sendRequest('/open', secret);
    await expect(sendRequest('/broken', `${secret}2`)).rejects.toThrow();
    await (await sendRequest('/', 'other-token')).body.dump();
    const all = await readBytes(to);
    expect(all).toContain('echo *** ***');
    body.on('error', () => undefined).destroy();
  });
});

describe('createRecorder() with large or unusual exchanges', () => {
  const many = (make: (at: number) => string) =>
    Array.from({ length: 40_000 }, (_, at) => make(at));
  it.each<[string, OutgoingHttpHeaders, string]>([
    ['parameters', text, many((at) => `token=secret${at}x`).join('&')],
    [
      'parameters in a JSON string',
      json,
      JSON.stringify(many((at) => `token=secret${at}x`).join('&')),
    ],
    ['form fields', form, many((at) => `token=secret${at}x`).join('&')],
    ['elements', xml, many((at) => `<token>secret${at}x</token>`).join('')],
    ['angle brackets', xml, '<'.repeat(1_000_000)],
    ['open elements', xml, '<token>'.repeat(150_000)],
    ['CDATA sections', xml, '<![CDATA['.repeat(100_000)],
    ['quoted pairs', text, 'token="'.repeat(150_000)],
    ['escaped pairs', text, 'token\\\\\\"='.repeat(100_000)],
    ['form field names', text, 'name="a"\r\n'.repeat(100_000)],
    ['unfinished URLs', text, '://'.repeat(300_000)],
    ['spaces before a colon', text, `a${' '.repeat(1_000_000)}:`],
    [
      'one long name',
      json,
      JSON.stringify({ [`${'aB'.repeat(250_000)}${'_'.repeat(500_000)}`]: 1 }),
    ],
    ['private keys', text, '-----BEGIN PRIVATE KEY-----a'.repeat(35_000)],
    [
      'form fields that contain JSON',
      form,
      many((at) => `a${at}={"token":"secret${at}x"}`).join('&'),
    ],
    ['deeply nested arrays', json, `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ])('a recorder stores a large body of %s', async (_what, headers, body) => {
    expect(await readRecording(headers, body)).toContain('"status":200');
  });

  it("a recorder omits a response whose status can't be replayed", async () => {
    const server = await serve(({ url }, response) => {
      response.writeHead(url === '/odd' ? 999 : 200, text).end('x');
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const warnings = watchWarnings();
    for (const [path, status] of [
      ['/odd', 999],
      ['/', 200],
    ] as const) {
      const { statusCode, body } = await request(server.origin + path, { dispatcher: recorder });
      expect([statusCode, await body.text()]).toEqual([status, 'x']);
    }
    const replayed = replay(to);
    expect(replayed.unused).toEqual([`GET ${server.origin}/`]);
    await expect
      .poll(() => warnings)
      .toEqual(['GET /odd was not recorded: status 999 cannot be replayed']);
  });

  it("a recorder destroys the body stream of a request that can't be sent", async () => {
    const recorder = createRecorder({ to: await recordingFolder() });
    onTestFinished(() => recorder.close());
    const body = new Readable({ read: () => undefined });
    const sent = { method: 'POST', headers: json, body, dispatcher: recorder } as const;
    await expect(request('http://127.0.0.1:1', sent)).rejects.toThrow('ECONNREFUSED');
    await expect.poll(() => body.destroyed).toBe(true);
  });
});

describe('replay()', () => {
  const valid = { status: 200, headers: {} };
  it.each<[string, object, object?]>([
    ['an interim status', { ...valid, status: 101 }],
    ['a status of 1000', { ...valid, status: 1000 }],
    ['null headers', { ...valid, headers: null }],
    ['a numeric header', { ...valid, headers: { a: 1 } }],
    ['a header with a line break', { ...valid, headers: { a: 'b\r\nc: d' } }],
    ['an invalid header name', { ...valid, headers: { 'a b': 'c' } }],
    ['an object as the text', { ...valid, text: { length: 1e9 } }],
    ['a file URL', valid, { url: 'file:///etc/passwd' }],
  ])('replay() throws for a recording with %s', async (_what, response, requests = {}) => {
    const folder = await recordingFolder();
    await mkdir(join(folder, 'bodies'));
    const line = {
      request: { method: 'GET', url: 'http://code.example.test/', headers: {}, ...requests },
      response,
    };
    await writeFile(join(folder, 'exchanges.ndjson'), JSON.stringify(line));
    expect(() => replay(folder)).toThrow('line 1: must be an exchange');
  });

  it('replay() throws instead of waiting for data if a body file is a pipe', async () => {
    const folder = await recordingFolder();
    await mkdir(join(folder, 'bodies'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'bodies/0001.txt')]);
    const line = {
      request: { method: 'GET', url: 'http://code.example.test/', headers: {} },
      response: { ...valid, file: 'bodies/0001.txt' },
    };
    await writeFile(join(folder, 'exchanges.ndjson'), JSON.stringify(line));
    const requests = request('http://code.example.test/', { dispatcher: replay(folder) });
    await expect(requests.then(({ body }) => body.text())).rejects.toThrow(
      'must be a regular file',
    );
  });
});

import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { watchWarnings } from '../support/client.js';
import { serve } from '../support/server.js';
import { recordingFolder, recordingWithFile } from './recording-folder.js';

const token = 'f00dcafe0123456789abcdef0123456789abcdef';

interface Reply {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Records a request that contains a token, and the response. @returns All bytes of the recording as Latin-1. */
async function readRecording(
  { headers = {}, body }: Reply,
  sent: Readonly<Record<string, string>> = { authorization: `token ${token}` },
): Promise<string> {
  const server = await serve((_seen, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(body);
  });
  const to = await recordingFolder();
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const response = await request(server.origin, { headers: sent, dispatcher: recorder });
  const received = Buffer.from(await response.body.arrayBuffer());
  expect(received.equals(Buffer.from(body)), 'the caller receives the unchanged body').toBe(true);
  const files = await readdir(to, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

const json = { 'content-type': 'application/json' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const percent = (text: string) =>
  [...Buffer.from(text)].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string) =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('createRecorder() with secrets', () => {
  it.each<[string, Reply]>([
    [
      'a Link header',
      {
        headers: { link: `<https://a.test/?page=2&access_token=${token}>; rel="next"` },
        body: 'x',
      },
    ],
    [
      'a URL within JSON',
      { headers: json, body: JSON.stringify({ url: `https://a.test/?access_token=${token}` }) },
    ],
    ['a body without a media type', { body: `echo ${token}` }],
    [
      'a body of type application/octet-stream',
      { headers: { 'content-type': 'application/octet-stream' }, body: `\0\x01${token}\0` },
    ],
    [
      'a body with a raw media type',
      { headers: { 'content-type': 'application/vnd.service.v3.raw' }, body: `echo ${token}` },
    ],
    [
      'a multipart response',
      {
        headers: { 'content-type': 'multipart/mixed; boundary=b' },
        body: `--b\r\n\r\n${token}\r\n--b--`,
      },
    ],
    ['a JSON key', { headers: json, body: JSON.stringify({ [token]: 1 }) }],
    ['JSON escapes', { headers: json, body: `{"echo":"${unicode(token)}"}` }],
    ['Base64', { headers: json, body: JSON.stringify({ echo: base64(token) }) }],
    [
      'a compressed body of an unknown type',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(`echo ${token}`) },
    ],
    [
      'the middle of 3 MiB of bytes',
      {
        headers: { 'content-type': 'image/png' },
        body: Buffer.concat([Buffer.alloc(1_500_000), Buffer.from(token), Buffer.alloc(1_500_000)]),
      },
    ],
    ['a response header', { headers: { 'x-echo': token }, body: 'x' }],
  ])('a recorder masks the echo of a token in %s', async (_place, reply) => {
    const all = await readRecording(reply);
    for (const form of [
      token,
      percent(token),
      unicode(token),
      base64(token),
      Buffer.from(token).toString('hex'),
    ]) {
      expect(all.toLowerCase()).not.toContain(form.toLowerCase());
    }
    expect(all).toContain('***');
  });

  it.each<[string, string, readonly string[]]>([
    ['a field named refresh_token', '{"refresh_token":"new-secret-1"}', ['new-secret-1']],
    ['a field named refreshToken', '{"refreshToken":"new-secret-1"}', ['new-secret-1']],
    [
      'an array under a secret name',
      '{"token":["new-secret-1","new-secret-2"]}',
      ['new-secret-1', 'new-secret-2'],
    ],
    [
      'an object under a secret name',
      '{"secret":{"a":"new-secret-1","b":{"c":["new-secret-2"]}}}',
      ['new-secret-1', 'new-secret-2'],
    ],
    ['a number under a secret name', '{"otp":918273,"echo":"918273"}', ['918273']],
    ['an echo before the name', '{"echo":"new-secret-1","token":"new-secret-1"}', ['new-secret-1']],
    [
      'a parameter with an escaped ampersand',
      '{"url":"http://a.test/?a=1\\u0026access_token=new-secret-1"}',
      ['new-secret-1'],
    ],
    [
      'a token in a path',
      '{"url":"http://a.test/applications/c/tokens/new-secret-1"}',
      ['new-secret-1'],
    ],
  ])('a recorder masks the secret in a response with %s', async (_what, body, secrets) => {
    const all = await readRecording({ headers: json, body });
    for (const secret of secrets) expect(all).not.toContain(secret);
  });

  it('a recorder masks a token sent as the username of Basic credentials', async () => {
    for (const password of ['x-oauth-basic', '', 'some password']) {
      const authorization = `Basic ${base64(`${token}:${password}`)}`;
      expect(await readRecording({ body: `echo ${token}` }, { authorization })).not.toContain(
        token,
      );
    }
  });

  it('a recorder leaves the username of Basic credentials unmasked', async () => {
    const authorization = `Basic ${base64('mona:a long password')}`;
    const all = await readRecording({ headers: json, body: '{"login":"mona"}' }, { authorization });
    expect(all).toContain('mona');
  });

  it('a recorder masks a token in 12 MB of JSON', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(12_000_000), echo: token });
    const all = await readRecording({ headers: json, body });
    expect(all).toContain('xxxxx');
    expect(all).not.toContain(token);
  });

  it.each([
    ['escaped quotes', `{"a":"${'\\"'.repeat(200_000)}`],
    ['quotes', '"'.repeat(200_001)],
    ['backslashes', `{"a":"${'\\'.repeat(200_001)}"`],
    ['names', '{"a":'.repeat(100_000)],
    ['brackets', '['.repeat(200_000)],
    ['spaces', `{"a"${' '.repeat(200_000)}`],
    ['colons', `{"token"${':'.repeat(200_000)}`],
  ])('a recorder stores malformed JSON with many %s', async (_what, body) => {
    expect(await readRecording({ headers: json, body })).toContain('"status":200');
  });

  it("a recorder forwards a response that it can't record", async () => {
    const warnings = watchWarnings();
    const server = await serve((_seen, response) => response.end('x'));
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    // The recorder's folder for bodies can't be created, because a file has the same name.
    await writeFile(join(to, 'bodies'), '');
    const { statusCode, body } = await request(server.origin, { dispatcher: recorder });
    expect([statusCode, await body.text()]).toEqual([200, 'x']);
    await expect.poll(() => warnings).toEqual([expect.stringContaining('was not recorded')]);
  });

  it('a recorder replaces a symlink in its folder instead of writing through the symlink', async () => {
    const [to, other] = [await recordingFolder(), await recordingFolder()];
    const target = join(other, 'precious');
    await writeFile(target, 'precious');
    await symlink(target, join(to, 'exchanges.ndjson'));
    createRecorder({ to });
    expect(await readFile(target, 'utf8')).toBe('precious');
  });
});

describe('replay()', () => {
  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'bodies/../../x.txt',
    'bodies/0001.bin/../../../x',
    'exchanges.ndjson',
    5,
  ])('replay() throws for a recording that refers to the file %j', async (file) => {
    const folder = await recordingWithFile(file);
    expect(() => replay(folder)).toThrow('line 1: must be an exchange');
  });

  it("a replay doesn't read a recorded body through a symlink", async () => {
    const folder = await recordingWithFile('bodies/0001.txt');
    const secret = join(await recordingFolder(), 'secret');
    await writeFile(secret, 'precious');
    await symlink(secret, join(folder, 'bodies/0001.txt'));
    const requests = request('http://code.example.test/', { dispatcher: replay(folder) });
    const text = await requests
      .then(({ body }) => body.text())
      .catch((error: Error) => error.message);
    expect(text).not.toContain('precious');
  });
});

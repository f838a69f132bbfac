import { execFileSync } from 'node:child_process';
import { mkdir, rmdir, symlink, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { watchWarnings } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  readLines,
  readRecording,
  recordingFolder,
  recordingWithFile,
} from './recording-folder.js';

const secret = 'Qp55-vT-newSecret-9';
const text = { 'content-type': 'text/plain' };
const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

type Options = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>;

it('a recorder masks the token after the scheme in a secret header', async () => {
  for (const name of ['x-token', 'x-service-auth', 'x-api-key', 'x-authorization']) {
    const sent = { headers: { [name]: `Bearer ${secret}` } };
    expect(await readRecording(text, `no session ${secret} here`, sent), name).not.toContain(
      secret,
    );
  }
});

describe('createRecorder() with a secret in a response', () => {
  it.each<[string, OutgoingHttpHeaders, string]>([
    ['a proxy header in JSON', json, JSON.stringify({ 'Proxy-Authorization': `Basic ${secret}` })],
    ['a name with an acronym', json, JSON.stringify({ APIToken: secret, oauthAPIToken: secret })],
  ])('a recorder masks the secret in %s', async (_place, headers, body) => {
    const all = await readRecording(headers, body);
    expect(all.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(all).toContain('***');
  });

  it.each<[string, OutgoingHttpHeaders, string]>([
    ['prose about tokens', json, '{"message":"Invalid token: must have 40 digits"}'],
    ["a name that isn't secret", html, '<input name="login" value="jo">'],
    ['a status code', text, 'code: 404\nlicense: mit\n'],
    ['an input next to a secret input', html, '<input name="token"><input name="a" value="jo">'],
  ])('a recorder leaves %s unmasked', async (_what, headers, body) => {
    const all = await readRecording(headers, body);
    expect(all).not.toContain('***');
  });

  it('a recorder masks a known secret that crosses a chunk boundary', async () => {
    for (const shift of [1, 8, 18]) {
      const body = `token=${secret}&${'x'.repeat(1_048_576 - 7 - secret.length - shift)}&${secret}&${'y'.repeat(1_200_000)}`;
      const all = await readRecording(text, body);
      expect(all).not.toContain(secret);
      expect(all.length).toBeGreaterThan(2_000_000);
    }
  });
});

describe('createRecorder() with a secret in a streamed request', () => {
  it.each<[string, OutgoingHttpHeaders, string]>([['text', text, `token=${secret}`]])(
    'a recorder masks the echo of a secret sent in streamed %s',
    async (_what, headers, body) => {
      const sent: Options = {
        method: 'POST',
        headers: { 'content-type': String(headers['content-type']) },
        body: Readable.from([body.slice(0, 20), body.slice(20)]),
      };
      expect(await readRecording(text, `echo ${secret}`, sent)).not.toContain(secret);
    },
  );
});

describe('createRecorder() with large bodies', () => {
  it.each<[string, string]>([
    ['inputs on one line', '<input name="token" '],
    ['names on one line', 'name="a" '],
    ['values on one line', '<a name=token value='],
    ['form fields', 'content-disposition: form-data; name=token\n\n'],
    ['field headers', 'content-disposition: name=token\na\nb\nc\n'],
    ['parameters in parameters', '?token='],
    ['lines of YAML', 'token: x\n'],
    ['blanks before a line', `\n${' '.repeat(190)}`],
    ['quotes of two kinds', 'token=\\"a'],
    ['backslashes', "token='a\\\\\\\\\\"],
  ])('a recorder stores 1 MB of repeated %s', async (_what, part) => {
    const body = part.repeat(1_000_000 / part.length);
    expect(await readRecording(html, body)).toContain('"status":200');
  });

  it('Masks.learnBody() masks 8 MB of encoded text within 400 MB of memory', async () => {
    // Uses a child process to limit the memory.
    const program = `
      import { Masks } from './src/testing/recording/masks.ts';
      const masks = new Masks(['some-known-secret-1']);
      const text = 'a=' + '%41\\\\u0041&#65;+'.repeat(8_000_000 / 16);
      const maskBody = masks.learnBody('text/plain', text, false);
      console.log(maskBody().length > 4_000_000);`;
    const node = [
      '--max-old-space-size=400',
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      program,
    ];
    expect(execFileSync(process.execPath, node, { encoding: 'utf8' }).trim()).toBe('true');
  }, 240_000);

  it('a recorder forwards text of more than 64 MiB without recording it', async () => {
    const warnings = watchWarnings();
    const line = Buffer.alloc(1_048_576, 'token=a\n');
    const server = await serve((_seen, response) => {
      response.writeHead(200, text);
      Readable.from(Array<Buffer>(66).fill(line)).pipe(response);
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const { body } = await request(server.origin, { dispatcher: recorder });
    let size = 0;
    for await (const piece of body) size += Buffer.from(piece).length;
    expect(size).toBe(66 * 1_048_576);
    expect(await readLines(to)).toEqual([]);
    await expect.poll(() => warnings).toEqual([expect.stringContaining('was not recorded')]);
  });
});

describe('replay()', () => {
  const replied = async (folder: string) => {
    const requests = request('http://code.example.test/', { dispatcher: replay(folder) });
    return await requests
      .then(async ({ body }) => await body.text())
      .catch((error: Error) => error.message);
  };

  const unsafeNames: readonly unknown[] = [
    '/dev/zero',
    'bodies\\0001.txt',
    'bodies\\..\\..\\secret.txt',
    'bodies/..\\secret.txt',
    'C:\\secret.txt',
    '\\\\server\\share\\secret.txt',
    'bodies%2F0001.txt',
    'bodies/%2e%2e/secret.txt',
    'bodies/./0001.txt',
    'bodies//0001.txt',
    'Bodies/0001.txt',
    'bodies/0001.TXT',
    'bodies/0001.txt\0',
    'bodies/0001.txt\n',
    'bodies/0001.txt/',
    'bodies/0001.txt:stream',
    'bodies/con.txt',
    'bodies/..',
    'bodies',
    'file:///etc/passwd',
    '',
    ['bodies/0001.txt'],
    { toString: 'bodies/0001.txt' },
    null,
  ];
  it.each(unsafeNames.map((file) => [file] as const))(
    'replay() throws for a recording that refers to the file %j',
    async (file) => {
      const folder = await recordingWithFile(file);
      expect(() => replay(folder)).toThrow('line 1: must be an exchange');
    },
  );

  const precious = async () => {
    const other = await recordingFolder();
    await writeFile(join(other, '0001.txt'), 'precious');
    return other;
  };

  it.each<[string, (folder: string) => Promise<unknown>]>([
    [
      'a link to a file outside the recording',
      async (folder) =>
        await symlink(join(await precious(), '0001.txt'), join(folder, 'bodies/0001.txt')),
    ],
    [
      'a folder that is a link',
      async (folder) => {
        await rmdir(join(folder, 'bodies'));
        await symlink(await precious(), join(folder, 'bodies'));
      },
    ],
    ['a dangling link', (folder) => symlink('nowhere', join(folder, 'bodies/0001.txt'))],
    ['a link to itself', (folder) => symlink('0001.txt', join(folder, 'bodies/0001.txt'))],
    ['a link to a device', (folder) => symlink('/dev/zero', join(folder, 'bodies/0001.txt'))],
    [
      'a link to the recording itself',
      (folder) => symlink('../exchanges.ndjson', join(folder, 'bodies/0001.txt')),
    ],
    ['a folder', (folder) => mkdir(join(folder, 'bodies/0001.txt'))],
    [
      'a pipe',
      async (folder) => execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'bodies/0001.txt')]),
    ],
    ['missing', async () => undefined],
  ])('a replay rejects a body file that is %s', async (_what, make) => {
    const folder = await recordingWithFile('bodies/0001.txt');
    await make(folder);
    expect(await replied(folder)).toMatch(/must be a (?:regular )?file|ENOENT|ELOOP/);
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a link', async (path) => await symlink(join(await precious(), '0001.txt'), path)],
    ['a device', (path) => symlink('/dev/zero', path)],
    ['a pipe', async (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path])],
    ['a folder', (path) => mkdir(path)],
  ])('replay() throws for a recording whose exchanges file is %s', async (_what, make) => {
    const folder = await recordingFolder();
    await make(join(folder, 'exchanges.ndjson'));
    expect(() => replay(folder)).toThrow('must contain a recording');
  });

  it('replay() reads a recording whose folder is a symlink', async () => {
    const folder = await recordingWithFile('bodies/0001.txt');
    await writeFile(join(folder, 'bodies/0001.txt'), 'recorded');
    const link = join(await recordingFolder(), 'link');
    await symlink(folder, link);
    expect(await replied(link)).toBe('recorded');
  });

  it('a replay server keeps responding after exchanges with deeply nested JSON or invalid headers', async () => {
    const folder = await recordingFolder();
    const origin = 'http://code.example.test';
    const exchange = (path: string, response: string) =>
      `{"request":{"method":"GET","url":"${origin}${path}","headers":{}},"response":{"status":200,${response}}}`;
    await writeFile(
      join(folder, 'exchanges.ndjson'),
      [
        exchange('/deep', `"headers":{},"json":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
        exchange('/length', '"headers":{"content-length":"-5","transfer-encoding":"chunked"}'),
        exchange('/proto', '"headers":{"__proto__":"x"},"json":{"__proto__":{"a":1}}'),
        exchange('/last', '"headers":{},"text":"fine"'),
      ].join('\n'),
    );
    const replayed = replay(folder, { mode: 'lenient' });
    const here = await replayed.listen();
    onTestFinished(() => here.close());
    for (const path of ['/deep', '/length', '/proto']) {
      await fetch(here.url + path)
        .then(async (response) => await response.text())
        .catch(() => undefined);
    }
    expect(await (await fetch(`${here.url}/last`)).text()).toBe('fine');
  });
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rmdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { watchWarnings } from '../support/client.js';
import { serve } from '../support/server.js';
import { createFolder, sendRequest } from './handwritten-recording.js';
import { readLines, record, recordingFolder } from './recording-folder.js';

describe('createRecorder()', () => {
  it('createRecorder() rejects a folder that contains bodies but no recording', async () => {
    const to = await recordingFolder();
    await mkdir(join(to, 'bodies'));
    await writeFile(join(to, 'bodies', 'mine.txt'), 'mine');
    expect(() => createRecorder({ to })).toThrow(/bodies: .* no recording/);
    expect(await readFile(join(to, 'bodies', 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('a recorder replaces a symlink in its folder instead of writing through the symlink', async () => {
    const [to, other] = [await recordingFolder(), await recordingFolder()];
    const target = join(other, 'precious');
    await writeFile(target, 'precious');
    await symlink(target, join(to, 'exchanges.ndjson'));
    createRecorder({ to });
    expect(await readFile(target, 'utf8')).toBe('precious');
  });

  it.each<[string, Buffer]>([
    ['Latin-1', Buffer.from('caf\xe9', 'latin1')],
    ['UTF-16', Buffer.from('a\ud800b', 'utf16le')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffä')],
    ['invalid UTF-8', Buffer.from([0x61, 0xc3, 0x28, 0xff])],
  ])('a recorder stores %s byte for byte', async (_what, body) => {
    const { to } = await record([[{}, { body }]]);
    const { body: replayed } = await request('http://other.test/', { dispatcher: replay(to) });
    expect(Buffer.from(await replayed.arrayBuffer())).toEqual(body);
  });

  it.each<[string, (path: string) => string | undefined]>([
    ['a body of more than 64 MiB', () => undefined],
    ['a file that cannot be written', (to) => join(to, 'bodies')],
  ])('a recorder forwards %s without recording it', async (what, blocked) => {
    const warnings = watchWarnings();
    const piece = Buffer.alloc(1_048_576);
    const server = await serve((_seen, response) => {
      response.writeHead(200);
      Readable.from(Array<Buffer>(what.includes('64') ? 66 : 1).fill(piece)).pipe(response);
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const file = blocked(to);
    if (file !== undefined) await writeFile(file, '');
    const { body } = await request(server.origin, { dispatcher: recorder });
    expect((await body.arrayBuffer()).byteLength % piece.length).toBe(0);
    expect(await readLines(to)).toEqual([]);
    await expect.poll(() => warnings).toEqual([expect.stringContaining('was not recorded')]);
  });

  it("a recorder destroys the body stream of a request that can't be sent", async () => {
    const recorder = createRecorder({ to: await recordingFolder() });
    onTestFinished(() => recorder.close());
    const body = new Readable({ read: () => undefined });
    body.push('the beginning');
    const sent = { method: 'POST', body, dispatcher: recorder } as const;
    await expect(request('http://127.0.0.1:1', sent)).rejects.toThrow('ECONNREFUSED');
    await expect.poll(() => body.destroyed).toBe(true);
  });

  it('recorder.listen() forwards requests and responses byte for byte', async () => {
    const sent = Buffer.from('a=caf\xe9&b=\xff', 'latin1');
    const reply = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xe9]);
    const seen: Buffer[] = [];
    const server = createServer((incoming, response) => {
      incoming.on('data', (piece: Buffer) => seen.push(piece));
      incoming.on('end', () => response.setHeader('content-type', 'text/plain').end(reply));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    // `as`: the address of a TCP server is an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const recorder = createRecorder({ to: await recordingFolder() });
    onTestFinished(() => recorder.close());
    const { url } = await recorder.listen(`http://127.0.0.1:${port}`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(url, { method: 'POST', headers, body: sent });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(reply);
    expect(Buffer.concat(seen)).toEqual(sent);
  });
});

describe('replay()', () => {
  const request = { method: 'GET', url: 'http://code.example.test/', headers: {} };
  const response = { status: 200, headers: {} };
  const badFiles = [
    '/etc/passwd',
    'bodies/../x.txt',
    'bodies/0001.txt\n',
    'bodies\\0001.txt',
    '',
    null,
  ];
  it.each<[string, object | string]>([
    ['malformed JSON', '{'],
    ['no request', { response }],
    ['no method', { request: { ...request, method: undefined }, response }],
    ['an invalid URL', { request: { ...request, url: 'a' }, response }],
    ['a file URL', { request: { ...request, url: 'file:///etc/passwd' }, response }],
    ['no request headers', { request: { ...request, headers: undefined }, response }],
    ['no status', { request, response: { headers: {} } }],
    ['an interim status', { request, response: { ...response, status: 101 } }],
    ['a status of 1000', { request, response: { ...response, status: 1000 } }],
    ['no response headers', { request, response: { status: 200 } }],
    ['null headers', { request, response: { ...response, headers: null } }],
    [
      'a header with a line break',
      { request, response: { ...response, headers: { a: 'b\r\nc' } } },
    ],
    ['an invalid header name', { request, response: { ...response, headers: { 'a b': 'c' } } }],
    ['an object as the text', { request, response: { ...response, text: { length: 1e9 } } }],
    ...badFiles.map((file): [string, object] => [
      `a body file outside the folder (${JSON.stringify(file)})`,
      { request, response: { ...response, file } },
    ]),
  ])('replay() reports the line with %s', async (_what, exchange) => {
    const path = join(await recordingFolder(), 'exchanges.ndjson');
    const line = typeof exchange === 'string' ? exchange : JSON.stringify(exchange);
    await writeFile(path, `\n${line}\n`);
    expect(() => replay(dirname(path))).toThrow(`replay: ${path}, line 2: must be an exchange`);
  });

  it('replay() rejects a folder without a recording', async () => {
    const to = await recordingFolder();
    expect(() => replay(to)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`${to}: must contain a recording`),
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    );
  });

  const withFile = () => createFolder([{ response: { file: 'bodies/0001.txt' } }]);
  const replied = async (folder: string) => {
    const from = replay(folder);
    return await sendRequest(from, '/').then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
  };

  it.each<[string, (folder: string, other: string) => Promise<unknown>]>([
    [
      'a link out of the recording',
      (folder, other) => symlink(join(other, '0001.txt'), join(folder, 'bodies/0001.txt')),
    ],
    [
      'in a folder that is a link',
      async (folder, other) => {
        await rmdir(join(folder, 'bodies'));
        await symlink(other, join(folder, 'bodies'));
      },
    ],
    ['a folder', (folder) => mkdir(join(folder, 'bodies/0001.txt'))],
    [
      'a pipe',
      async (folder) => execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'bodies/0001.txt')]),
    ],
    ['missing', async () => undefined],
  ])('a replay rejects a body file that is %s', async (_what, make) => {
    const [folder, other] = [await withFile(), await recordingFolder()];
    await writeFile(join(other, '0001.txt'), 'precious');
    await make(folder, other);
    expect(await replied(folder)).toMatch(/must be a (?:regular )?file|ENOENT/);
  });

  it('replay() reads a recording whose folder is a symlink', async () => {
    const folder = await withFile();
    await writeFile(join(folder, 'bodies/0001.txt'), 'recorded');
    const link = join(await recordingFolder(), 'link');
    await symlink(folder, link);
    expect(await replied(link)).toBe('recorded');
  });
});

import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { readBytes, recordingFolder } from './recording-folder.js';

const secret = 'Zx91kQ-77-newSecret';

/** Records one response. @returns The recorder's folder and the body that the replay responds with. */
async function recorded(headers: OutgoingHttpHeaders, body: Buffer) {
  const server = await serve((_seen, response) => void response.writeHead(200, headers).end(body));
  const to = await recordingFolder();
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  await (await request(server.origin, { dispatcher: recorder })).body.arrayBuffer();
  // With a different origin, the replay searches the body for recorded origins.
  const replayed = replay(to);
  const response = await request('http://other.test/', { dispatcher: replayed });
  return { to, body: Buffer.from(await response.body.arrayBuffer()) };
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const json = JSON.stringify({ name: 'ä', token: secret });

describe('createRecorder() with encoded bodies', () => {
  it.each<[string, string, Buffer, (masked: Buffer) => string]>([
    [
      'Latin-1',
      'application/json; charset=iso-8859-1',
      Buffer.from(json, 'latin1'),
      (masked) => masked.toString('latin1'),
    ],
  ])('a recorder masks a secret in %s', async (_encoding, type, sent, read) => {
    const { to, body } = await recorded({ 'content-type': type }, sent);
    expect((await readBytes(to)).replaceAll('\0', '')).not.toContain(secret);
    expect(read(body)).toBe(JSON.stringify({ name: 'ä', token: '***' }));
  });

  it.each<[string, string, Buffer]>([
    ['Latin-1', 'text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1')],
    ['UTF-16 with half a surrogate pair', 'text/plain; charset=utf-16le', utf16('a\ud800b')],
    ['an odd number of bytes', 'text/plain; charset=utf-16le', Buffer.from('abc')],
    ['UTF-8 with a byte order mark', 'text/plain', Buffer.from('\ufeffä')],
    ['invalid UTF-8', 'text/html', Buffer.from([0x61, 0xc3, 0x28, 0xff])],
  ])('a recorder stores %s byte for byte', async (_what, type, sent) => {
    const { body } = await recorded({ 'content-type': type }, sent);
    expect(body).toEqual(sent);
  });

  it('a recorder masks a secret from a response header in a body of more than 1 MiB', async () => {
    const body = Buffer.concat([Buffer.from(secret), Buffer.alloc(2_000_000)]);
    const { to } = await recorded({ 'x-token': secret }, body);
    expect(await readBytes(to)).not.toContain(secret);
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
    const type = 'application/x-www-form-urlencoded';
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: sent,
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(reply);
    expect(Buffer.concat(seen)).toEqual(sent);
  });

  it.each([['short'], [''], ['x'.repeat(65_537)]])(
    'createRecorder() rejects a secret with an invalid length ($0)',
    async (short) => {
      const to = await recordingFolder();
      expect(() => createRecorder({ to, secrets: ['long enough', short] })).toThrow(
        'secrets[1]: must be a string of 8 to 65536 characters',
      );
    },
  );
});

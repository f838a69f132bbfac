import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { serveRaw } from '../support/server.js';

const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel="preload"\r\n\r\n';
/** More bytes than a connection's buffers can hold. */
const size = 50_000_000;
const fine = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

async function flood(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write(interim);
    await sleep(20);
  }
}

describe('1xx responses', () => {
  it('the client enforces the headers timeout despite 1xx responses', async () => {
    const server = await serveRaw((socket) => void flood(socket));
    const hosting = createClient(server, { retry: false, timeout: { headers: 200, total: false } });
    expect(await rejectionOf(hosting.request('GET a'))).toMatchObject({
      code: 'timeout',
      reason: 'headers',
    });
  });

  it.each<[string, () => Buffer | Readable]>([
    ['bytes', () => Buffer.alloc(size)],
    ['a stream', () => Readable.from([Buffer.alloc(size)], { objectMode: false })],
  ])('the client times out a stalled upload of %s despite 1xx responses', async (_what, data) => {
    const server = await serveRaw(() => undefined);
    const hosting = createClient(server, { timeout: { headers: 200, total: false } });
    const input = { upload_url: server.origin, name: 'a', content_type: 'a/b', size };
    const call = rejectionOf(hosting.releases.uploadAsset({ ...input, data: data() }));
    await until('it is on its way', () => server.sockets.size === 1);
    for (const socket of server.sockets) {
      socket.pause();
      void flood(socket);
    }
    expect(await call).toMatchObject({ code: 'timeout', reason: 'headers', mayHaveActed: true });
  });

  it('the client skips 1xx responses before the final response', async () => {
    const server = await serveRaw((socket) => socket.write(interim + interim + fine));
    const hosting = createClient(server);
    for (let call = 0; call < 3; call++) {
      expect(await hosting.request('GET a')).toEqual({});
    }
  });

  it("the client doesn't start the headers timeout during an upload, even after a 1xx response", async () => {
    const server = await serveRaw((socket) => socket.write(fine));
    const early = (socket: Socket) => socket.once('data', () => socket.write(interim));
    const wait = async () => {
      while (server.sockets.size === 0) await sleep(1);
      for (const socket of server.sockets) early(socket);
    };
    const data = Readable.from(
      (async function* () {
        yield Buffer.from('a');
        for (let part = 0; part < 9; part++) {
          await sleep(100);
          yield Buffer.from('a');
        }
      })(),
      { objectMode: false },
    );
    const hosting = createClient(server, { validation: 'off', timeout: { headers: 300 } });
    const input = { upload_url: server.origin, name: 'a', content_type: 'a/b', data, size: 10 };
    const [asset] = await Promise.all([hosting.releases.uploadAsset(input), wait()]);
    expect(asset).toEqual({});
  });
});

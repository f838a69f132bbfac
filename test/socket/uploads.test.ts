import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { clientOf, rejectionOf, until } from '../support/client.js';
import { sendJson, serve, serveRaw, type TestServer } from '../support/server.js';

const upload = (server: TestServer, data: Readable, size: number) => ({
  upload_url: `${server.origin}/up{?name}`,
  name: 'a',
  content_type: 'a/b',
  data,
  size,
});
const take = () => serve((request, response) => sendJson(response, request.body.length));

describe('an upload', () => {
  it('arrives whole, with its length and type', async () => {
    const server = await take();
    const client = clientOf(server, { validation: 'off' });
    const data = Readable.from([Buffer.alloc(700_000, 'x'), Buffer.alloc(300_000, 'y')]);
    expect(await client.releases.uploadAsset(upload(server, data, 1_000_000))).toBe(1_000_000);
    expect(server.requests[0]?.headers).toMatchObject({
      'content-length': '1000000',
      'content-type': 'a/b',
    });
  });

  it('whose source hangs is a TimeoutError, and is closed', async () => {
    const server = await take();
    const client = clientOf(server, { timeout: { body: 60 } });
    const data = new Readable({ read() {} });
    data.push('some');
    const error = await rejectionOf(client.releases.uploadAsset(upload(server, data, 100)));
    expect(error).toMatchObject({ name: 'TimeoutError', kind: 'body', mayHaveActed: true });
    await until('the source is closed', () => data.destroyed);
    await client.close();
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it('whose source is slow is not', async () => {
    const server = await take();
    const client = clientOf(server, { validation: 'off', timeout: { body: 200 } });
    const data = Readable.from(
      (async function* () {
        for (let count = 0; count < 5; count++) {
          await new Promise((resolve) => {
            setTimeout(resolve, 60);
          });
          yield Buffer.from('x');
        }
      })(),
    );
    expect(await client.releases.uploadAsset(upload(server, data, 5))).toBe(5);
  });

  it('whose source fails says so', async () => {
    const server = await take();
    const data = new Readable({
      read() {
        this.destroy(new Error('disk on fire'));
      },
    });
    const call = clientOf(server).releases.uploadAsset(upload(server, data, 10));
    const error = await rejectionOf(call);
    expect(error).toMatchObject({ code: 'connection', cause: { message: 'disk on fire' } });
  });

  it.each([3, 30])('of 10 bytes whose size was said to be %i is an error', async (size) => {
    const server = await take();
    const data = Readable.from([Buffer.alloc(10)]);
    const call = clientOf(server).releases.uploadAsset(upload(server, data, size));
    expect(await rejectionOf(call)).toMatchObject({ code: 'connection' });
  });

  it('that is aborted closes its source', async () => {
    const server = await serve(() => undefined);
    const controller = new AbortController();
    const data = new Readable({ read() {} });
    data.push('some');
    const call = clientOf(server).releases.uploadAsset(upload(server, data, 10), {
      signal: controller.signal,
    });
    const ended = rejectionOf(call);
    await until('it was connected', async () => (await server.open()) === 1);
    controller.abort('enough');
    expect(await ended).toBe('enough');
    await until('the source is closed', () => data.destroyed);
  });
});

describe('the wire', () => {
  it('holds Content-Length: 0 for PUT and POST without a body, and a User-Agent always', async () => {
    const heads: string[] = [];
    const server = await serveRaw((socket, _index, head) => {
      heads.push(head.toLowerCase());
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const client = clientOf(server, { userAgent: 'me/1' });
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE', 'GET'] as const) {
      await client.request({ method, path: '/x', responseType: 'none' });
    }
    await client.starring.star({ owner: 'o', repo: 'r' });
    expect(heads.map((head) => /content-length: (\d+)/.exec(head)?.[1])).toEqual([
      '0',
      '0',
      '0',
      undefined,
      undefined,
      '0',
    ]);
    for (const head of heads) expect(head).toMatch(/\r\nuser-agent: me\/1 triforge\/\d/);
  });
});

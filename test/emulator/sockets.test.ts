import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';

const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
const ended: (() => unknown)[] = [];
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

afterEach(async () => {
  await emulator.close();
  for (const end of ended.splice(0)) await end();
});

describe('a listening emulator', () => {
  async function started() {
    const address = await emulator.listen();
    const agent = new Agent();
    ended.push(() => agent.close());
    return { ...address, agent, readme: `${address.hostingUrl}repos/acme/rocket/readme` };
  }

  test('emulator.listen() returns a URL for each API', async () => {
    const { url, port, hostingUrl, supportUrl, consoleUrl, webUrl } = await started();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect([hostingUrl, supportUrl, consoleUrl, webUrl]).toEqual([
      `${url}/api/v3/`,
      `${url}/api/v2/`,
      `${url}/`,
      url,
    ]);
  });

  test('a listening emulator prevents another emulator from listening on its port', async () => {
    const { port } = await started();
    await expect(createEmulator().listen(port)).rejects.toThrow(
      `port: must be free (got ${port}, which another process uses, probably an earlier emulator)`,
    );
  });

  test('a listening emulator stops at the end of its `await using` block', async () => {
    let url = '';
    {
      await using mine = createEmulator();
      ({ url } = await mine.listen());
    }
    await expect(request(url)).rejects.toThrow('ECONNREFUSED');
  });

  test('a listening emulator sends the same Content-Length in responses to GET and HEAD', async () => {
    const { agent, readme: target } = await started();
    const get = await request(target, { dispatcher: agent, headers: auth });
    const length = String(Buffer.byteLength(await get.body.text()));
    expect(get.headers['content-length']).toBe(length);
    const head = await request(target, { method: 'HEAD', dispatcher: agent, headers: auth });
    expect(head.headers['content-length']).toBe(length);
    await head.body.dump();
  });

  test('a listening emulator stores only the size and hash of a 20 MiB upload', async () => {
    const { hostingUrl, url } = await started();
    const created = await fetch(`${hostingUrl}repos/acme/rocket/releases`, {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/json' },
      body: JSON.stringify({ tag_name: 'big' }),
    });
    const { id }: { id: number } = JSON.parse(await created.text());
    const piece = Buffer.alloc(1024 * 1024, 7);
    const hash = createHash('sha256');
    const body = Readable.from(
      (function* () {
        for (let index = 0; index < 20; index++) {
          hash.update(piece);
          yield piece;
        }
      })(),
    );
    const uploaded = await request(
      `${url}/api/uploads/repos/acme/rocket/releases/${id}/assets?name=big.bin`,
      {
        method: 'POST',
        headers: { ...auth, 'content-type': 'application/octet-stream' },
        body,
      },
    );
    expect(uploaded.statusCode).toBe(201);
    await uploaded.body.dump();
    const release = emulator.hosting.state.repo('acme', 'rocket')?.releases.at(-1);
    const [asset] = release?.assets ?? [];
    expect(asset).toMatchObject({ size: 20 * 1024 * 1024, sha256: hash.digest('hex') });
    expect(asset?.content).toBeUndefined();
    const headers = { ...auth, accept: 'application/octet-stream' };
    const path = `${hostingUrl}repos/acme/rocket/releases/assets/${asset?.id}`;
    const gone = await request(path, { headers });
    expect(gone.statusCode).toBe(410);
    await gone.body.dump();
  });

  test('a listening emulator reports an internal error in a 500 response', async () => {
    const { agent, readme: target } = await started();
    const rocket = emulator.hosting.state.repo('acme', 'rocket');
    if (rocket) Reflect.set(rocket, 'branches', null);
    const { statusCode, body } = await request(target, { dispatcher: agent, headers: auth });
    expect(statusCode).toBe(500);
    expect(await body.text()).toContain('the emulator failed: TypeError');
  });

  test('a listening emulator keeps responding after a client disconnects during a slow response', async () => {
    const { agent, readme: target } = await started();
    emulator.fail({}, { kind: 'slow', bytes: 10, ms: 5 });
    const { body } = await request(target, { dispatcher: agent, headers: auth });
    for await (const _piece of body) break;
    const next = await request(target, { dispatcher: agent, headers: auth });
    expect(next.statusCode).toBe(200);
    await next.body.dump();
  });

  test('a listening emulator supports repeated headers, reason phrases and large responses', async () => {
    const { agent, url } = await started();
    emulator.hosting.route('GET /large', () => ({ body: 'x'.repeat(5_000_000) }));
    const large = await request(`${url}/api/v3/large`, { dispatcher: agent, headers: auth });
    expect((await large.body.text()).length).toBe(5_000_000);
    const twice = { ...auth, accept: ['text/html', 'text/plain'], cookie: ['a=1', 'b=2'] };
    await (await request(`${url}/api/v3/user`, { dispatcher: agent, headers: twice })).body.dump();
    expect(emulator.requests.at(-1)?.sent.headers.get('accept')).toBe('text/html, text/plain');
    expect(emulator.requests.at(-1)?.sent.headers.get('cookie')).toMatch(/^a=1[;,] b=2$/);
    const refused = await request(`${url}/api/v2/contact/1`, { dispatcher: agent });
    expect([refused.statusCode, refused.statusText]).toEqual([
      401,
      expect.stringContaining('token'),
    ]);
    await refused.body.dump();
    const trace = await request(url, { method: 'TRACE', dispatcher: agent });
    expect([trace.statusCode, await trace.body.text()]).toEqual([405, '']);
    expect(emulator.requests.map(({ method }) => method)).not.toContain('TRACE');
  });

  test('a listening emulator keeps the connection open after an unread upload', async () => {
    const { agent, url } = await started();
    emulator.fail({}, { kind: 'response', status: 413, body: '' });
    const body = Buffer.alloc(3_000_000);
    const options = { method: 'POST', dispatcher: agent, headers: auth, body } as const;
    const refused = await request(`${url}/api/v3/hub`, options);
    await refused.body.dump();
    const next = await request(`${url}/api/v3/user`, { dispatcher: agent, headers: auth });
    expect([refused.statusCode, next.statusCode]).toEqual([413, 200]);
    await next.body.dump();
  });

  test.each([
    [
      '401',
      'an anonymous HTTP/1.0 request without Host',
      'GET /api/v3/user HTTP/1.0\r\nuser-agent: test\r\n\r\n',
    ],
    [
      '404',
      'a request target that starts with //',
      'GET //elsewhere/api/v3/user HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
    ],
  ])('a listening emulator responds with %s to %s', async (status, _request, text) => {
    const { port } = await started();
    const socket = connect(port, '127.0.0.1');
    socket.end(text);
    const [data] = await once(socket, 'data');
    socket.destroy();
    expect(String(data).slice(9, 12)).toBe(status);
  });
});

import { request } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';

const baseUrl = 'http://code.example.test/api/v3/';
const { owner, repo, token } = seeded;
const auth = { type: 'token', token } as const;
const ended: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

describe('emulator.dispatcher()', () => {
  test('emulator.dispatcher() responds under fake timers that replace queueMicrotask', async () => {
    const emulator = createEmulator();
    const hosting = new HostingClient({ baseUrl, auth, dispatcher: emulator.dispatcher() });
    ended.push(() => vi.useRealTimers());
    vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date'],
    });
    await expect(hosting.pulls.get({ owner, repo, number: 7 })).resolves.toMatchObject({
      number: 7,
    });
    const input = { owner, repo, tag_name: 'v8' };
    await expect(hosting.releases.create(input)).resolves.toMatchObject({ tag_name: 'v8' });
  });
});

describe('emulator over HTTP', () => {
  async function started() {
    const emulator = createEmulator();
    const address = await emulator.listen();
    const hosting = new HostingClient({ baseUrl: address.hostingUrl, auth, retry: false });
    ended.push(
      () => hosting.close(),
      () => emulator.close(),
    );
    return { emulator, hosting, address };
  }

  test('a listening emulator responds to HEAD with a 200, to TRACE with a 405 and to unknown paths with a 404', async () => {
    const { address } = await started();
    const url = `${address.hostingUrl}repos/${owner}/${repo}/readme`;
    const head = await request(url, { method: 'HEAD', headers: { 'user-agent': 'test' } });
    expect(head.statusCode).toBe(200);
    expect(head.headers.etag).toMatch(/^"[0-9a-f]{40}"$/);
    expect(await head.body.text()).toBe('');
    expect((await request(url, { method: 'TRACE' })).statusCode).toBe(405);
    expect((await request(`${address.url}/elsewhere`)).statusCode).toBe(404);
  });

  test('a listening emulator responds with 404 to a path that contains `..`', async () => {
    const { address } = await started();
    const { connect } = await import('node:net');
    const status = await new Promise<string>((resolve) => {
      const socket = connect(address.port, '127.0.0.1', () => {
        socket.write(
          'GET /api/v3/user/../repos/acme/rocket/readme HTTP/1.1\r\nhost: localhost\r\nuser-agent: test\r\nconnection: close\r\n\r\n',
        );
      });
      socket.once('data', (data) => resolve(data.toString().slice(9, 12)));
    });
    expect(status).toBe('404');
  });

  test("the emulator's request log masks credentials", async () => {
    const { emulator, hosting, address } = await started();
    await hosting.starring.star({ owner, repo });
    await fetch(`${address.hostingUrl}rate_limit?access_token=${token}`);
    const record = JSON.stringify(emulator.requests) + emulator.printRequests();
    expect(record).not.toContain(token);
    expect(emulator.printRequests()).toContain('204 PUT    /api/v3/user/starred/acme/rocket');
    emulator.reset();
    expect(emulator.requests).toEqual([]);
    expect(emulator.hosting.state.repo(owner, repo)?.stargazers.has('mona')).toBe(false);
  });
});

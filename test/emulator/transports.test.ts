import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { request } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';

const baseUrl = 'http://code.example.test/api/v3/';
const { owner, repo, token } = seeded;
const auth = { type: 'token', token } as const;
const ended: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

describe('emulator.dispatcher()', () => {
  test("emulator.dispatcher() handles a client's lists, writes and errors", async () => {
    const emulator = createEmulator();
    const hosting = new HostingClient({ baseUrl, auth, dispatcher: emulator.dispatcher() });
    const pulls = await hosting.pulls.list({ owner, repo, state: 'all', per_page: 100 }).toArray();
    expect(pulls).toHaveLength(250);
    const created = await hosting.contents.create({
      owner,
      repo,
      path: 'docs/new file.md',
      message: 'Add',
      content: Buffer.from('hello'),
    });
    expect(created.content?.path).toBe('docs/new file.md');
    await expect(hosting.pulls.get({ owner, repo, number: 9999 })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(emulator.requests.map((each) => each.status)).toEqual([200, 200, 200, 201, 404]);
  });

  test('emulator.dispatcher() serves requests from undici.request()', async () => {
    const emulator = createEmulator();
    const dispatcher = emulator.dispatcher();
    const { statusCode, body } = await request(`${baseUrl}repos/${owner}/${repo}/readme`, {
      dispatcher,
      headers: { 'user-agent': 'test' },
    });
    expect(statusCode).toBe(200);
    await expect(body.json()).resolves.toMatchObject({ name: 'README.md' });
  });

  test('emulator.dispatcher() accepts a Blob as an upload', async () => {
    const emulator = createEmulator();
    const hosting = new HostingClient({ baseUrl, auth, dispatcher: emulator.dispatcher() });
    const release = await hosting.releases.create({ owner, repo, tag_name: 'v7' });
    const data = new Blob(['some bytes']);
    const asset = await hosting.releases.uploadAsset({
      upload_url: release.upload_url,
      name: 'a b.txt',
      label: 'A label',
      content_type: 'text/plain',
      data,
    });
    expect(asset).toMatchObject({ name: 'a b.txt', label: 'A label', size: 10 });
    const download = await hosting.releases.downloadAsset({ owner, repo, id: asset.id });
    const chunks: Buffer[] = [];
    for await (const chunk of download) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('some bytes');
  });

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

  test('emulator.dispatcher() ends a delayed request when the caller aborts it', async () => {
    const emulator = createEmulator();
    emulator.fail({}, { kind: 'delay', ms: 5000 });
    const hosting = new HostingClient({ baseUrl, dispatcher: emulator.dispatcher() });
    const reason = new Error('enough');
    const controller = new AbortController();
    const call = hosting.pulls.get({ owner, repo, number: 1 }, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 10);
    await expect(call).rejects.toBe(reason);
  });
});

describe('MSW integration', () => {
  test('mswHandlers() responds to fetch unless server.use() overrides a handler', async () => {
    const emulator = createEmulator();
    const server = setupServer(...mswHandlers(emulator, 'http://code.example.test'));
    server.listen({ onUnhandledRequest: 'error' });
    ended.push(() => server.close());
    const url = `${baseUrl}repos/${owner}/${repo}/pulls/7`;
    await expect((await fetch(url)).json()).resolves.toMatchObject({ number: 7 });
    server.use(http.get(url, () => HttpResponse.json({ number: 'mine' })));
    await expect((await fetch(url)).json()).resolves.toEqual({ number: 'mine' });
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

  test('emulator.listen() rejects a second call until close()', async () => {
    const { emulator } = await started();
    await expect(emulator.listen()).rejects.toThrow('already listening');
    await emulator.close();
    const again = await emulator.listen();
    expect((await fetch(`${again.hostingUrl}rate_limit`)).status).toBe(200);
  });

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

  test('a listening emulator injects responses, resets, truncated bodies and delays', async () => {
    const { emulator, hosting } = await started();
    const get = () => hosting.pulls.get({ owner, repo, number: 1 });
    emulator.fail(
      { method: 'GET', path: '/pulls/1' },
      { kind: 'response', status: 503, body: '<html>', headers: { 'content-type': 'text/html' } },
    );
    await expect(get()).rejects.toMatchObject({ code: 'server', status: 503 });
    emulator.fail({ path: /pulls/ }, { kind: 'reset' });
    await expect(get()).rejects.toMatchObject({ code: 'connection', mayHaveActed: true });
    emulator.fail({}, { kind: 'truncate' });
    await expect(get()).rejects.toMatchObject({ code: 'response_body', reason: 'truncated' });
    emulator.fail({}, { kind: 'delay', ms: 5 }, { times: 1 });
    await get();
    emulator.fail({ method: 'PUT' }, { kind: 'reset', executed: true });
    const star = hosting.starring.star({ owner: 'mona', repo: 'project-1' }, { retry: false });
    await expect(star).rejects.toMatchObject({ mayHaveActed: true });
    expect(emulator.hosting.state.repo('mona', 'project-1')?.stargazers.has('mona')).toBe(true);
    expect(emulator.requests.map((each) => each.status)).toEqual([503, 0, 200, 200, 0]);
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

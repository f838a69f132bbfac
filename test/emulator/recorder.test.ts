import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HostingClient, SupportClient } from '../../src/index.js';
import {
  createEmulator,
  createRecorder,
  replay,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { readBytes, readLines, recordingFolder } from './recording-folder.js';

describe('recorder.listen()', () => {
  test('recorder.listen() forwards requests and responses without hop-by-hop headers', async () => {
    const server = await serve((seen, response) => {
      response.writeProcessing();
      const bytes = seen.url === '/bytes' || seen.url === '/coded';
      response.writeHead(seen.url === '/none' ? 204 : 203, 'As it is', {
        'content-type': seen.url === '/bytes' ? 'image/png' : 'text/plain',
        ...(seen.url === '/coded' && { 'content-encoding': 'x-own' }),
        location: `${server.origin}/there`,
        'set-cookie': ['a=1', 'b=2'],
        'keep-alive': 'timeout=99',
        ...(seen.method === 'HEAD' && { 'content-length': '7' }),
      });
      response.end(seen.url === '/none' ? undefined : `${bytes ? '' : seen.body}${server.origin}`);
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const proxy = await recorder.listen(new URL(`${server.origin}/any/path`));
    onTestFinished(() => proxy.close());
    const headers = { 'content-type': 'application/json', 'x-own': 'y', expect: '100-continue' };
    const response = await request(`${proxy.url}/a%2Fb?c=d`, {
      method: 'PUT',
      headers: { ...headers, expect: undefined },
      body: '"ä"',
    });
    expect([response.statusCode, await response.body.text()]).toEqual([203, `"ä"${proxy.url}`]);
    expect(response.headers).toMatchObject({
      location: `${proxy.url}/there`,
      'set-cookie': ['a=1', 'b=2'],
      'content-length': String(4 + proxy.url.length),
    });
    expect(response.headers['keep-alive']).not.toContain('99');
    const [seen] = server.requests;
    expect(seen).toMatchObject({
      method: 'PUT',
      url: '/a%2Fb?c=d',
      body: '"ä"',
      headers: { 'x-own': 'y' },
    });
    expect(seen?.headers.host).toBe(new URL(server.origin).host);
    const fetched = await fetch(`${proxy.url}/bytes`);
    expect(await fetched.text(), 'bytes are unchanged').toBe(server.origin);
    const [, second] = server.requests;
    expect(second?.headers, 'the recorder requests an uncompressed body').not.toHaveProperty(
      'accept-encoding',
    );
    const coded = await request(`${proxy.url}/coded`);
    expect(await coded.body.text()).toBe(server.origin);
    const none = await request(`${proxy.url}/none`);
    expect([none.statusCode, await none.body.text()]).toEqual([204, '']);
    const head = await request(`${proxy.url}/head`, { method: 'HEAD' });
    expect([head.statusCode, await head.body.text()]).toEqual([203, '']);
    expect(head.headers['content-length']).toBe('7');
    expect((await readLines(to)).map(({ request: { method, url } }) => `${method} ${url}`)).toEqual(
      [
        `PUT ${server.origin}/a%2Fb?c=d`,
        `GET ${server.origin}/bytes`,
        `GET ${server.origin}/coded`,
        `GET ${server.origin}/none`,
        `HEAD ${server.origin}/head`,
      ],
    );
  });

  test.each(['close', 'destroy'] as const)(
    'a recorder and a replay stop their servers with %s()',
    async (end) => {
      const server = await serve((_seen, response) => response.end('x'));
      const to = await recordingFolder();
      const recorder = createRecorder({ to });
      const proxy = await recorder.listen(server.origin);
      const other = await recorder.listen(server.origin);
      expect((await fetch(proxy.url)).status).toBe(200);
      await other.close();
      await recorder[end]();
      const replayer = replay(to);
      const replayed = await replayer.listen();
      expect((await fetch(replayed.url)).status).toBe(200);
      await new Promise<void>((resolve) => void replayer[end](resolve));
      for (const { url } of [proxy, other, replayed]) await expect(fetch(url)).rejects.toThrow();
    },
  );

  test('recorder.listen() streams large bodies and propagates disconnects', async () => {
    const large = Buffer.alloc(3_000_000, 'x');
    const server = await serve((seen, response) => {
      response.setHeader('content-type', 'application/zip');
      if (seen.url === '/broken') {
        response.setHeader('content-length', '9').write('half');
        return setTimeout(() => response.destroy(), 5);
      }
      if (seen.url !== '/endless') return response.end(seen.method === 'POST' ? seen.body : large);
      const more = () => {
        while (response.write(large));
        response.once('drain', more);
      };
      return more();
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const proxy = await recorder.listen(server.origin);
    onTestFinished(() => proxy.close());
    const down = await request(`${proxy.url}/down`);
    expect((await down.body.bytes()).length).toBe(large.length);
    const up = await request(`${proxy.url}/up`, { method: 'POST', body: large });
    expect((await up.body.bytes()).length).toBe(large.length);
    const broken = await request(`${proxy.url}/broken`);
    await expect(broken.body.text()).rejects.toThrow();
    const left = await request(`${proxy.url}/endless`);
    for await (const _piece of left.body) break;
    await expect
      .poll(() => server.open(), { message: 'the connection to the server is closed too' })
      .toBeLessThan(2);
    await server.close();
    const gone = await request(`${proxy.url}/gone`);
    expect(gone.statusCode).toBe(500);
    expect(await gone.body.text()).toContain('ECONNREFUSED');
    const recorded = (await readLines(to)).map(({ request: { url } }) => new URL(url).pathname);
    expect(recorded).toEqual(['/down', '/up']);
  });
});

const baseUrl = 'http://code.example.test/api/v3/';

const { owner, repo, token, login, password } = seeded;

const auth = { type: 'token', token } as const;

/** Creates a recorder that sends its requests to an in-process emulator. */
async function recording(secrets?: readonly string[]) {
  const emulator = createEmulator();
  const to = await recordingFolder();
  const recorder = createRecorder({ to, dispatcher: emulator.dispatcher(), secrets });
  return { emulator, to, recorder };
}

test('a replay gives a client the same results as the recorded server', async () => {
  const { to, recorder } = await recording();
  async function results(dispatcher: typeof recorder | ReturnType<typeof replay>) {
    const hosting = new HostingClient({ baseUrl, auth, dispatcher });
    const file = { owner, repo, path: 'a.md', message: 'Add', content: Buffer.from('hello') };
    return {
      pulls: await hosting.pulls.list({ owner, repo, state: 'all', per_page: 80 }).toArray(),
      starred: await hosting.starring.isStarred({ owner, repo }),
      created: await hosting.contents.create(file),
      missing: await hosting.pulls
        .get({ owner, repo, number: 999 })
        .catch((error) => error.message),
    };
  }
  const first = await results(recorder);
  expect(first.pulls).toHaveLength(250);
  const recorded = replay(to);
  expect(await results(recorded)).toEqual(first);
  expect(recorded.missed).toEqual([]);
  expect(recorded.unused).toEqual([]);
  const [page] = await readLines(to);
  expect(page?.request).toMatchObject({ method: 'GET', url: expect.stringContaining(baseUrl) });
  expect(page?.response.file, 'a page of 80 is large').toMatch(/^bodies\/\d+\.json$/);
});

test('a recording contains no secrets', async () => {
  const { to, recorder, emulator } = await recording(['a word of my own']);
  const basic = { type: 'basic', username: login, password } as const;
  const hosting = new HostingClient({ baseUrl, auth: basic, dispatcher: recorder });
  const created = await hosting.authorizations.create({
    note: 'a word of my own',
    scopes: ['repo'],
  });
  await hosting
    .withAuth({ type: 'token', token: created.token ?? '' })
    .pulls.get({ owner, repo, number: 1 });
  await hosting.hooks.create({
    owner,
    repo,
    name: 'web',
    config: { url: 'http://127.0.0.1:1/', secret: 'hook secret' },
  });
  const support = new SupportClient({
    baseUrl: 'http://support.example.test/api/v2/',
    auth: supportSeed,
    dispatcher: recorder,
  });
  await support.contacts.get({ contact_id: 1 });
  const sent = emulator.requests.at(-1)?.sent.target ?? '';
  const session = new URLSearchParams(sent.split('?')[1]).get('access_token') ?? 'none';
  expect(session).toMatch(/^[0-9a-f]{40}$/);
  const all = await readBytes(to);
  const secrets = {
    password,
    encoded: encodeURIComponent(password),
    basic: Buffer.from(`${login}:${password}`).toString('base64'),
    token: created.token ?? '',
    hook: 'hook secret',
    own: 'a word of my own',
    session,
    apiKey: supportSeed.apiKey,
  };
  for (const [name, secret] of Object.entries(secrets)) expect(all, name).not.toContain(secret);
  const replayed = new SupportClient({
    baseUrl: 'http://support.example.test/api/v2/',
    auth: { userName: supportSeed.userName, apiKey: 'another key', password: 'another' },
    dispatcher: replay(to),
  });
  expect(
    (await replayed.contacts.get({ contact_id: 1 })).id,
    "the replay doesn't compare secrets",
  ).toBe(1);
});

test('replay() and createRecorder() reject unknown options', async () => {
  const to = await recordingFolder();
  createRecorder({ to });
  const loosely = (options: object) => options;
  expect(() => replay(to, loosely({ lenient: true }))).toThrow("unknown option 'lenient'");
  expect(() => createRecorder({ ...loosely({ form: 1 }), to })).toThrow("unknown option 'form'");
});

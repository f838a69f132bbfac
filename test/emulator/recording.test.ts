import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { fetch as undiciFetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
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

test('a recording preserves large numbers and binary bodies', async () => {
  const server = await serve(({ url }, response) => {
    if (url === '/bytes') {
      return response.setHeader('content-type', 'image/png').end(Buffer.from([0, 255, 1]));
    }
    const head = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    return response.writeHead(200, head).end(gzipSync('{ "id": 12345678901234567890 }'));
  });
  const to = await recordingFolder();
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const fetchFrom = (dispatcher: typeof recorder | ReturnType<typeof replay>, path: string) =>
    // `fetch` sends even text bodies as streams.
    undiciFetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"x"}',
      dispatcher,
    });
  expect(await (await fetchFrom(recorder, '/json')).text()).toContain('12345678901234567890');
  expect([...(await (await fetchFrom(recorder, '/bytes')).bytes())]).toEqual([0, 255, 1]);
  const [first, second] = await readLines(to);
  expect(first?.request.json).toEqual({ name: 'x' });
  expect(first?.response).toEqual({
    status: 200,
    headers: expect.not.objectContaining({ 'content-encoding': 'gzip' }),
    text: '{ "id": 12345678901234567890 }',
  });
  expect(second?.response.file).toMatch(/\.bin$/);
  const recorded = replay(to);
  expect(await (await fetchFrom(recorded, '/json')).text()).toBe('{ "id": 12345678901234567890 }');
  expect([...(await (await fetchFrom(recorded, '/bytes')).bytes())]).toEqual([0, 255, 1]);
});

test('recorder and replay servers replace the origin of URLs in responses', async () => {
  await using emulator = createEmulator();
  const { url } = await emulator.listen();
  const to = await recordingFolder();
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const proxy = await recorder.listen(url);
  onTestFinished(() => proxy.close());
  async function results(at: string) {
    const headers = { authorization: `token ${token}` };
    const first = await fetch(`${at}/api/v3/repos/acme/rocket/pulls?per_page=2`, { headers });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(new URL(next).origin).toBe(at);
    const second = await fetch(next, { headers });
    await using hosting = new HostingClient({ baseUrl: `${at}/api/v3/`, auth });
    // Many requests run in parallel, so connections pause and resume.
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const pulls = await Promise.all(
      numbers.map((number) =>
        hosting.pulls.list({ owner, repo, page: number, per_page: 7 }).first(),
      ),
    );
    const { upload_url } = await hosting.releases.create({ owner, repo, tag_name: 'v9' });
    expect(upload_url).toContain(at);
    const data = Buffer.from([1, 2, 3]);
    const asset = await hosting.releases.uploadAsset({
      upload_url,
      name: 'a.bin',
      content_type: 'application/zip',
      data,
    });
    const download = await hosting.releases.downloadAsset({ owner, repo, id: asset.id });
    return JSON.parse(
      JSON.stringify([
        await first.json(),
        await second.json(),
        pulls,
        asset,
        (await buffer(download)).toString('hex'),
      ]).replaceAll(at, ''),
    );
  }
  const first = await results(proxy.url);
  const replaying = replay(to);
  const again = await replaying.listen();
  onTestFinished(() => again.close());
  expect(await results(again.url)).toEqual(first);
  expect(replaying.missed).toEqual([]);
  expect(replaying.unused).toEqual([]);
});

test.each([
  [undefined, 'createRecorder: expected an object (got undefined)'],
  [{}, 'createRecorder: to: must be the path of a folder (got undefined)'],
  [{ to: '' }, 'createRecorder: to: must be the path of a folder (got an empty string)'],
])('createRecorder() throws if its options are %j', (options, message) => {
  expect(() => Reflect.apply(createRecorder, undefined, [options])).toThrow(message);
});

test('replay() and createRecorder() reject unknown options', async () => {
  const to = await recordingFolder();
  createRecorder({ to });
  const loosely = (options: object) => options;
  expect(() => replay(to, loosely({ lenient: true }))).toThrow("unknown option 'lenient'");
  expect(() => createRecorder({ ...loosely({ form: 1 }), to })).toThrow("unknown option 'form'");
});

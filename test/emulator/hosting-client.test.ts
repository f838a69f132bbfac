import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentBytes, contentText, type HostingAuth, User } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';

const place = { owner: seeded.owner, repo: seeded.repo };
let emulator: Emulator;
let url: string;
const clients: HostingClient[] = [];

function clientWith(auth: HostingAuth = { type: 'token', token: seeded.token }): HostingClient {
  const client = new HostingClient({ baseUrl: `${url}/api/v3`, auth, retry: false });
  clients.push(client);
  return client;
}

beforeEach(async () => {
  emulator = createEmulator();
  url = (await emulator.listen()).url;
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await emulator.close();
});

it('HostingClient takes a token as a string, or from a function', async () => {
  for (const auth of [seeded.token, () => seeded.token, async () => seeded.token]) {
    const { login } = await clientWith(auth).request('GET /user', {}, { schema: User });
    expect(login).toBe(seeded.login);
  }
  await expect(clientWith(() => '').pulls.get({ ...place, number: 1 })).rejects.toMatchObject({
    message: expect.stringMatching(/^pulls\.get: auth\.token: must be a non-empty string/),
  });
});

describe('contents.put()', () => {
  const file = { ...place, path: 'notes/today.txt', message: 'Take notes', branch: 'main' };
  const raw = { ...place, path: file.path };

  it('creates a file and then replaces it', async () => {
    const { contents } = clientWith();
    const author = { name: 'Ada', email: 'ada@example.com' };
    const { commit } = await contents.put({ ...file, text: 'milk', author });
    expect(commit).toMatchObject({ message: 'Take notes', author });
    await contents.put({ ...file, content: Buffer.from('tea') });
    await contents.put({ ...file, text: 'wäter' });
    expect(await contents.getRaw(raw, { as: 'bytes' })).toEqual(Buffer.from('wäter'));
  });

  it('reads the SHA again after one 409, but not after two', async () => {
    const { contents } = clientWith();
    await contents.put({ ...file, text: 'milk' });
    const fail = (times: number) =>
      emulator.fail(
        { method: 'PUT' },
        { kind: 'response', status: 409, body: { message: 'changed' } },
        { times },
      );
    fail(1);
    await contents.put({ ...file, text: 'tea' });
    fail(2);
    await expect(contents.put({ ...file, text: 'water' })).rejects.toMatchObject({
      code: 'conflict',
      request: { operation: 'contents.put' },
    });
    expect(await contents.getRaw(raw, { as: 'bytes' })).toEqual(Buffer.from('tea'));
  });

  it.each<[string, object, string]>([
    ['a missing message', { message: undefined, text: 'a' }, 'message'],
    ['missing content', {}, 'content'],
    ['text and content', { text: 'a', content: { text: 'a' } }, 'text'],
    ['a SHA', { text: 'a', sha: '1' }, 'sha'],
    ['a plain string as content', { content: 'a' }, 'content'],
    ['more than 1 MiB', { text: 'a'.repeat(1024 * 1024 + 1) }, 'content'],
  ])('rejects %s without sending a request', async (_name, input, field) => {
    const call: Promise<unknown> = Reflect.apply(clientWith().contents.put, clientWith().contents, [
      { ...file, ...input },
    ]);
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      field,
      message: expect.stringContaining('contents.put: '),
    });
    expect(emulator.requests).toEqual([]);
  });

  it('rejects the path of a directory', async () => {
    const { contents } = clientWith();
    await contents.put({ ...file, text: 'milk' });
    await expect(contents.put({ ...file, path: 'notes', text: 'a' })).rejects.toMatchObject({
      field: 'path',
    });
  });
});

it('uploadAsset() derives the name and the media type from a path', async () => {
  const { releases } = clientWith();
  const { upload_url } = await releases.create({ ...place, tag_name: 'v9' });
  const folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  const cases = [
    ['App-1.0.ZIP', 'application/zip'],
    ['app.tar.gz', 'application/gzip'],
    ['app.constructor', 'application/octet-stream'],
    ['app', 'application/octet-stream'],
  ] as const;
  for (const [name, type] of cases) {
    const data = join(folder, name);
    await writeFile(data, 'bytes');
    const asset = await releases.uploadAsset({ upload_url, data });
    expect([asset.name, asset.content_type]).toEqual([name, type]);
  }
  const named = { upload_url, name: 'a.json', data: Buffer.from('1') };
  expect((await releases.uploadAsset(named)).content_type).toBe('application/json');
  const file = { upload_url, data: new File(['1'], 'b.txt'), content_type: 'text/csv' };
  expect(await releases.uploadAsset(file)).toMatchObject({
    name: 'b.txt',
    content_type: 'text/csv',
  });
  await expect(releases.uploadAsset({ upload_url, data: Buffer.from('1') })).rejects.toMatchObject({
    message: expect.stringContaining('uploadAsset: name: is required'),
  });
});

describe('pages of a list', () => {
  const list = { ...place, state: 'all', per_page: 50 } as const;

  it('of a list report their number and the number of pages', async () => {
    const { pulls } = clientWith();
    const all = await pulls.list({ ...list, per_page: 100 }).toArray();
    expect(all.length).toBeGreaterThan(50);
    const seen: unknown[] = [];
    for await (const { number, count } of pulls.list(list).pages()) seen.push([number, count]);
    const count = Math.ceil(all.length / 50);
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => [index + 1, count]));
    const only = await clientWith().hooks.list(place).pages().next();
    expect(only.value).toMatchObject({ number: 1, count: 1 });
  });

  it('page() fetches one page by its number', async () => {
    const { pulls } = clientWith();
    const all = await pulls.list({ ...list, per_page: 100 }).toArray();
    const before = emulator.requests.length;
    const page = await pulls.list(list).page(2);
    expect(page).toMatchObject({ number: 2 });
    expect(page.items[0]?.number).toBe(all[50]?.number);
    expect(await pulls.list(list).page(999)).toMatchObject({ items: [], cursor: undefined });
    expect(emulator.requests.slice(before)).toHaveLength(2);
    await expect(pulls.list(list).page(0)).rejects.toMatchObject({
      message: 'pulls.list: page: must be a whole number of at least 1 (got 0)',
    });
  });
});

it.each([
  ['diff', /^diff --git a\//],
  ['patch', /^From [0-9a-f]{40} /],
])("request() returns a pull request's %s as text", async (variant, text) => {
  const hosting = clientWith();
  const [pull] = await hosting.pulls.list({ ...place, state: 'all' }).toArray();
  const accept = `application/vnd.service.v3.${variant}`;
  const input = { ...place, number: pull?.number ?? 0 };
  const result = await hosting.request('GET /repos/{owner}/{repo}/pulls/{number}', input, {
    headers: { accept },
    responseType: 'text',
  });
  expect(result).toMatch(text);
});

it('HostingClient remembers the redirect of a renamed repository', async () => {
  emulator.hosting.state.renamed.set('acme/old', 'acme/rocket');
  const { pulls } = clientWith();
  for (let time = 0; time < 2; time++) {
    expect((await pulls.get({ owner: 'acme', repo: 'old', number: 4 })).number).toBe(4);
  }
  expect(emulator.requests.map((each) => each.status)).toEqual([301, 200, 200]);
});

it('contents.get() returns files, directories, symlinks and submodules', async () => {
  const { contents } = clientWith();
  const get = (path: string, ref?: string) => contents.get({ ...place, path, ref });
  const odd = await get('docs/a#b?.md');
  if (Array.isArray(odd) || odd.type !== 'file' || !('content' in odd))
    throw new Error('expected a file');
  expect(contentText(odd)).toBe('A file with an odd name.\n');
  expect(contentBytes(odd)).toHaveLength(odd.size);
  const root = await get('');
  if (!Array.isArray(root)) throw new Error('expected a directory');
  expect(root.map((entry) => [entry.name, entry.type])).toEqual([
    ['README.md', 'file'],
    ['dangling', 'symlink'],
    ['docs', 'dir'],
    ['engine', 'file'],
    ['latest', 'symlink'],
    ['src', 'dir'],
  ]);
  expect(await get('latest')).toMatchObject({ type: 'file' });
  expect(await get('dangling')).toMatchObject({ target: 'nowhere.txt' });
  expect(await get('engine')).toMatchObject({ type: 'submodule', git_url: null });
  await expect(get('nope')).rejects.toMatchObject({ status: 404 });
  await expect(get('', 'nope')).rejects.toMatchObject({ status: 404 });
});

it('contents.getRaw() streams a file and rejects a folder or a submodule', async () => {
  const { contents } = clientWith();
  const raw = await contents.getRaw({ ...place, path: 'README.md' });
  let text = '';
  for await (const chunk of raw.setEncoding('utf8')) text += chunk;
  expect(text).toBe('# Rocket\n\nIt flies. 🚀\n');
  for (const path of ['docs', 'engine']) {
    await expect(contents.getRaw({ ...place, path })).rejects.toMatchObject({
      code: 'response_body',
      reason: 'unexpected_type',
    });
  }
});

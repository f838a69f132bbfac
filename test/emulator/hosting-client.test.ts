import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { HostingAuth } from '../../src/hosting/index.js';
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

describe('contents.put()', () => {
  const file = { ...place, path: 'notes/today.txt', message: 'Take notes', branch: 'main' };
  const raw = { ...place, path: file.path };

  it('creates a file and then replaces it', async () => {
    const { contents } = clientWith();
    const author = { name: 'Ada', email: 'ada@example.com' };
    const { commit } = await contents.put({ ...file, content: { text: 'milk' }, author });
    expect(commit).toMatchObject({ message: 'Take notes', author });
    await contents.put({ ...file, content: Buffer.from('tea') });
    await contents.put({ ...file, content: { text: 'wäter' } });
    expect(await contents.getRaw(raw, { as: 'bytes' })).toEqual(Buffer.from('wäter'));
  });

  it('reads the SHA again after one 409, but not after two', async () => {
    const { contents } = clientWith();
    await contents.put({ ...file, content: { text: 'milk' } });
    const fail = (times: number) =>
      emulator.fail(
        { method: 'PUT' },
        { kind: 'response', status: 409, body: { message: 'changed' } },
        { times },
      );
    fail(1);
    await contents.put({ ...file, content: { text: 'tea' } });
    fail(2);
    await expect(contents.put({ ...file, content: { text: 'water' } })).rejects.toMatchObject({
      code: 'conflict',
      request: { operation: 'contents.put' },
    });
    expect(await contents.getRaw(raw, { as: 'bytes' })).toEqual(Buffer.from('tea'));
  });

  it.each<[string, object, string]>([
    ['a missing message', { message: undefined, content: { text: 'a' } }, 'message'],
    ['missing content', {}, 'content'],
    ['a SHA', { content: { text: 'a' }, sha: '1' }, 'sha'],
    ['a plain string as content', { content: 'a' }, 'content'],
    ['text outside content', { text: 'a', content: { text: 'a' } }, 'text'],
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
    await contents.put({ ...file, content: { text: 'milk' } });
    await expect(
      contents.put({ ...file, path: 'notes', content: { text: 'a' } }),
    ).rejects.toMatchObject({
      field: 'path',
    });
  });
});

it("uploadAsset() derives the asset's name from the file", async () => {
  const { releases } = clientWith();
  const { upload_url } = await releases.create({ ...place, tag_name: 'v9' });
  const folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'App-1.0.ZIP'), 'bytes');
  expect(
    await releases.uploadAsset({ upload_url, data: join(folder, 'App-1.0.ZIP') }),
  ).toMatchObject({ name: 'App-1.0.ZIP', content_type: 'application/octet-stream' });
  const file = { upload_url, data: new File(['1'], 'b.txt'), content_type: 'text/csv' };
  expect(await releases.uploadAsset(file)).toMatchObject({
    name: 'b.txt',
    content_type: 'text/csv',
  });
  await expect(releases.uploadAsset({ upload_url, data: Buffer.from('1') })).rejects.toMatchObject({
    message: expect.stringContaining('uploadAsset: name: is required'),
  });
});

it('pages() reports the number of each page and of all pages, and page() fetches one page', async () => {
  const list = clientWith().pulls.list({ ...place, state: 'all', per_page: 100 });
  const numbers: unknown[] = [];
  for await (const { number, count } of list.pages()) numbers.push([number, count]);
  expect(numbers).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  const { number, items } = await list.page(2);
  expect([number, items[0]?.number]).toEqual([2, 150]);
  expect(await list.page(999)).toMatchObject({ items: [], cursor: undefined });
  expect(emulator.requests).toHaveLength(5);
  await expect(list.page(0)).rejects.toMatchObject({
    message: 'pulls.list: page: must be a whole number of at least 1 (got 0)',
  });
});

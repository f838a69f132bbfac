import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostingAuth } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';

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
    const { commit } = await contents.put({ ...file, text: 'milk', author });
    expect(commit).toMatchObject({ message: 'Take notes', author });
    await contents.put({ ...file, content: Buffer.from('tea') });
    await contents.put({ ...file, text: 'wäter' });
    expect(await contents.getRaw(raw, { as: 'bytes' })).toEqual(Buffer.from('wäter'));
  });

  it.each([
    [409, 'changed', 'conflict'],
    [422, '"sha" wasn\'t supplied.', 'unprocessable'],
  ])('reads the SHA again after one %i (%s), but not after two', async (status, message, code) => {
    const { contents } = clientWith();
    await contents.put({ ...file, text: 'milk' });
    const fail = (times: number) =>
      emulator.fail({ method: 'PUT' }, { kind: 'response', status, body: { message } }, { times });
    fail(1);
    await contents.put({ ...file, text: 'tea' });
    fail(2);
    await expect(contents.put({ ...file, text: 'water' })).rejects.toMatchObject({
      code,
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

it('a list reports the number of each page and of all pages, and page() fetches one page', async () => {
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
  const { count, items: none } = await list.page(99);
  expect([count, none]).toEqual([undefined, []]);
  await expect(list.page(0)).rejects.toMatchObject({
    message: 'pulls.list: page: must be a whole number of at least 1 (got 0)',
  });
});

it("uploadAsset() derives the name and the media type from the file's path", async () => {
  const { releases } = clientWith();
  const { upload_url } = await releases.create({ ...place, tag_name: 'v9' });
  const folder = await createTemporaryFolder();
  for (const [name, type] of [
    ['App-1.0.ZIP', 'application/zip'],
    ['app.tar.gz', 'application/gzip'],
  ] as const) {
    await writeFile(join(folder, name), 'bytes');
    const asset = await releases.uploadAsset({ upload_url, data: join(folder, name) });
    expect([asset.name, asset.content_type]).toEqual([name, type]);
  }
  const file = { upload_url, data: new File(['1'], 'b.txt'), content_type: 'text/csv' };
  expect(await releases.uploadAsset(file)).toMatchObject({
    name: 'b.txt',
    content_type: 'text/csv',
  });
  await expect(releases.uploadAsset({ upload_url, data: Buffer.from('1') })).rejects.toMatchObject({
    message: expect.stringContaining('uploadAsset: name: is required'),
  });
});

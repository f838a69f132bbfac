import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentBytes, contentText, type HostingAuth } from '../../src/hosting/index.js';
import { HostingClient, type RetryOptions } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

const { owner, repo, token } = seeded;
const rocket = { owner, repo };
let emulator: Emulator;
let hosting: HostingClient;
let anonymous: HostingClient;

const retry: RetryOptions = { limit: 0 };

async function clientWith(auth?: HostingAuth): Promise<HostingClient> {
  const dispatcher = emulator.dispatcher();
  return new HostingClient({ baseUrl: 'http://code.test/api/v3', dispatcher, auth, retry });
}

beforeEach(async () => {
  emulator = createEmulator(noon);
  hosting = await clientWith({ type: 'token', token });
  anonymous = await clientWith();
});

afterEach(() => hosting.close());

describe('HostingClient.pulls', () => {
  test("pulls.list() filters and sorts the emulator's pull requests", async () => {
    const numbers = async (input: object) =>
      (await hosting.pulls.list({ ...rocket, ...input, per_page: 100 }).toArray()).map(
        (pull) => pull.number,
      );
    const open = await numbers({});
    const closed = await numbers({ state: 'closed' });
    expect(open.length + closed.length).toBe(250);
    expect(open[0]).toBe(250);
    expect(await numbers({ direction: 'asc' })).toEqual([...open].reverse());
    expect(await numbers({ state: 'all', head: 'acme:part-17' })).toEqual([17]);
    expect(await numbers({ state: 'all', base: 'nowhere' })).toEqual([]);
    const updated = await hosting.pulls
      .list({ ...rocket, state: 'all', sort: 'updated' })
      .toArray();
    const times = updated.map((pull) => Date.parse(pull.updated_at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((await numbers({ state: 'all', sort: 'popularity', direction: 'desc' })).length).toBe(
      250,
    );
    expect((await numbers({ state: 'all', sort: 'long-running' })).length).toBeLessThan(250);
  });

  test('HostingClient.pulls creates, updates and merges a pull request', async () => {
    const fork = emulator.hosting.addRepo('mona', 'rocket', { forkOf: 'acme/rocket' });
    emulator.hosting.addRef(fork, 'heads/topic');
    emulator.hosting.addRef('acme/rocket', 'heads/other');
    const created = await hosting.pulls.create({
      ...rocket,
      title: 'New',
      head: 'mona:topic',
      base: 'main',
    });
    expect(created.number).toBe(251);
    await expect(
      hosting.pulls.create({ ...rocket, title: 'New', head: 'mona:topic', base: 'main' }),
    ).rejects.toMatchObject({ errors: [{ code: 'already_exists' }] });
    await expect(
      hosting.pulls.create({ ...rocket, title: 'New', head: 'x', base: 'nowhere' }),
    ).rejects.toMatchObject({ errors: [{ field: 'base', code: 'invalid' }] });
    const pull = { ...rocket, number: created.number };
    const changed = await hosting.pulls.update({ ...pull, title: 'Renamed', state: 'closed' });
    expect(changed).toMatchObject({
      title: 'Renamed',
      state: 'closed',
      closed_at: '2014-06-01T12:00:00Z',
    });
    await expect(hosting.pulls.merge(pull)).rejects.toMatchObject({
      code: 'unexpected_status',
      status: 405,
    });
    await hosting.pulls.update({ ...pull, state: 'open' });
    await expect(hosting.pulls.merge({ ...pull, sha: 'other' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(hosting.pulls.isMerged(pull)).resolves.toBe(false);
    await expect(hosting.pulls.merge({ ...pull, commit_message: 'In' })).resolves.toMatchObject({
      merged: true,
    });
    await expect(hosting.pulls.isMerged(pull)).resolves.toBe(true);
    expect(await hosting.pulls.listCommits(pull).toArray()).toHaveLength(1);
    expect(await hosting.pulls.listFiles(pull).toArray()).toHaveLength(2);
    const issue = await hosting.pulls.create({ ...rocket, issue: 5, head: 'other', base: 'main' });
    expect(issue.title).toBe('Issue 5');
  });
});

describe('HostingClient.releases', () => {
  test('the emulator hides draft releases from callers without write access', async () => {
    const mine = await hosting.releases.list({ ...rocket, per_page: 100 }).toArray();
    const theirs = await anonymous.releases.list({ ...rocket, per_page: 100 }).toArray();
    expect([mine.length, theirs.length]).toEqual([40, 37]);
    const draft = mine.find((release) => release.draft);
    await expect(anonymous.releases.get({ ...rocket, id: draft?.id ?? 0 })).rejects.toMatchObject({
      status: 404,
    });
    await expect(anonymous.releases.create({ ...rocket, tag_name: 'v9' })).rejects.toMatchObject({
      status: 401,
    });
  });

  test('HostingClient.releases creates, updates, publishes and deletes a release with its assets', async () => {
    const release = await hosting.releases.create({
      ...rocket,
      tag_name: 'v9',
      name: 'Nine',
      draft: true,
    });
    const id = { ...rocket, id: release.id };
    await expect(hosting.releases.getByTag({ ...rocket, tag: 'v9' })).rejects.toMatchObject({
      status: 404,
    });
    await hosting.releases.update({ ...id, tag_name: 'release/9', draft: false, body: 'Notes' });
    await expect(hosting.releases.getByTag({ ...rocket, tag: 'release/9' })).resolves.toMatchObject(
      { name: 'Nine' },
    );
    await expect(hosting.releases.getLatest(rocket)).resolves.toMatchObject({
      tag_name: 'release/9',
    });
    await expect(hosting.releases.update({ ...id, tag_name: 'v0.1.0' })).rejects.toMatchObject({
      status: 422,
    });
    const data = Buffer.from('bytes');
    const upload = {
      upload_url: release.upload_url,
      name: 'a.bin',
      content_type: 'application/x-thing',
      data,
    };
    const asset = await hosting.releases.uploadAsset(upload);
    await expect(hosting.releases.uploadAsset(upload)).rejects.toMatchObject({
      errors: [{ code: 'already_exists' }],
    });
    const named = { ...rocket, id: asset.id };
    await hosting.releases.updateAsset({ ...named, label: 'A', name: 'b.bin' });
    await expect(hosting.releases.getAsset(named)).resolves.toMatchObject({
      label: 'A',
      name: 'b.bin',
      size: 5,
    });
    expect(await hosting.releases.listAssets(id).toArray()).toHaveLength(1);
    await hosting.releases.deleteAsset(named);
    await expect(hosting.releases.getAsset(named)).rejects.toMatchObject({ status: 404 });
    await hosting.releases.delete(id);
    await expect(hosting.releases.get(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('HostingClient.contents', () => {
  test('contents.get() returns files, directories, symlinks and submodules', async () => {
    const odd = await hosting.contents.get({ ...rocket, path: 'docs/a#b?.md' });
    if (Array.isArray(odd) || odd.type !== 'file' || !('content' in odd))
      throw new Error('expected a file');
    expect(contentText(odd)).toBe('A file with an odd name.\n');
    expect(contentBytes(odd)).toHaveLength(odd.size);
    const root = await hosting.contents.get({ ...rocket, path: '' });
    if (!Array.isArray(root)) throw new Error('expected a directory');
    expect(root.map((entry) => [entry.name, entry.type])).toEqual([
      ['README.md', 'file'],
      ['dangling', 'symlink'],
      ['docs', 'dir'],
      ['engine', 'file'],
      ['latest', 'symlink'],
      ['src', 'dir'],
    ]);
    await expect(hosting.contents.get({ ...rocket, path: 'latest' })).resolves.toMatchObject({
      type: 'file',
    });
    await expect(hosting.contents.get({ ...rocket, path: 'dangling' })).resolves.toMatchObject({
      target: 'nowhere.txt',
    });
    await expect(hosting.contents.get({ ...rocket, path: 'engine' })).resolves.toMatchObject({
      type: 'submodule',
      git_url: null,
    });
    await expect(hosting.contents.get({ ...rocket, path: 'nope' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(hosting.contents.get({ ...rocket, path: '', ref: 'nope' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('contents.getRaw() streams a file and rejects a folder or a submodule', async () => {
    const raw = await hosting.contents.getRaw({ ...rocket, path: 'README.md' });
    let text = '';
    for await (const chunk of raw.setEncoding('utf8')) text += chunk;
    expect(text).toBe('# Rocket\n\nIt flies. 🚀\n');
    for (const path of ['docs', 'engine']) {
      await expect(hosting.contents.getRaw({ ...rocket, path })).rejects.toMatchObject({
        code: 'response_body',
        reason: 'unexpected_type',
      });
    }
  });

  test('HostingClient.contents creates, updates and deletes a file', async () => {
    const place = { ...rocket, path: 'a/🚀 b.txt', message: 'Change' };
    const person = { name: 'Ada', email: 'ada@example.com' };
    const created = await hosting.contents.create({
      ...place,
      content: { text: 'hi' },
      committer: person,
    });
    expect(created.commit.author).toMatchObject({ name: 'Ada' });
    await expect(
      hosting.contents.create({ ...place, content: { text: 'hi' } }),
    ).rejects.toMatchObject({
      status: 422,
    });
    const sha = created.content?.sha ?? '';
    await expect(
      hosting.contents.update({ ...place, content: { text: 'ho' }, sha: 'old' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    const next = await hosting.contents.update({
      ...place,
      content: Buffer.from('ho'),
      sha,
      branch: 'main',
    });
    await hosting.contents.delete({ ...place, sha: next.content?.sha ?? '' });
    await expect(hosting.contents.get(place)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(hosting.contents.get({ ...rocket, path: place.path })).rejects.toMatchObject({
      status: 404,
    });
    await expect(
      hosting.contents.update({ ...place, content: { text: 'h' }, sha, branch: 'nope' }),
    ).rejects.toMatchObject({ status: 404 });
    const raw = (body: object) => hosting.request('PUT /repos/acme/rocket/contents/x', { ...body });
    await expect(raw({ message: 'm', content: '*' })).rejects.toMatchObject({ status: 422 });
    await expect(
      raw({ message: 'm', content: 'aA==', author: { name: 'A' } }),
    ).rejects.toMatchObject({ status: 500 });
  });
});

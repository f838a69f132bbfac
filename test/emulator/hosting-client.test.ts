import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HostingAuth, User } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';

// Calls HostingClient's resources on the emulator over HTTP.

const place = { owner: seeded.owner, repo: seeded.repo };
let emulator: Emulator;
let url: string;
const clients: HostingClient[] = [];

beforeEach(async () => {
  emulator = createEmulator();
  url = (await emulator.listen()).url;
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await emulator.close();
});

function clientWith(auth: HostingAuth = { type: 'token', token: seeded.token }): HostingClient {
  const client = new HostingClient({ baseUrl: `${url}/api/v3`, auth, retry: false });
  clients.push(client);
  return client;
}

const basic = { type: 'basic', username: seeded.login, password: seeded.password } as const;
const application = {
  type: 'application',
  clientId: seeded.clientId,
  clientSecret: seeded.clientSecret,
} as const;

test('HostingClient creates, reads, updates and deletes authorizations', async () => {
  const { authorizations } = clientWith(basic);
  const created = await authorizations.create({ note: 'script', scopes: ['gist'] });
  expect(created).toMatchObject({ note: 'script', scopes: ['gist'] });
  await expect(authorizations.get({ id: created.id })).resolves.toMatchObject({ id: created.id });
  const changed = await authorizations.update({ id: created.id, add_scopes: ['repo'] });
  expect(changed.scopes).toContain('repo');
  const app = { client_id: seeded.clientId, client_secret: seeded.clientSecret };
  await expect(authorizations.getOrCreateForApp(app)).resolves.toMatchObject({ created: true });
  await expect(authorizations.getOrCreateForApp(app)).resolves.toMatchObject({ created: false });
  await authorizations.delete({ id: created.id });
  const ids = (await authorizations.list().toArray()).map((each) => each.id);
  expect(ids).not.toContain(created.id);
  await expect(clientWith().authorizations.get({ id: 1 })).rejects.toMatchObject({
    code: 'configuration',
  });
});

test('HostingClient checks, resets and revokes the tokens of an application', async () => {
  const app = { client_id: seeded.clientId, client_secret: seeded.clientSecret };
  const { authorization } = await clientWith(basic).authorizations.getOrCreateForApp(app);
  const { applications } = clientWith(application);
  const named = { client_id: seeded.clientId, access_token: authorization.token ?? '' };
  await expect(applications.checkToken(named)).resolves.toMatchObject({ id: authorization.id });
  const reset = await applications.resetToken(named);
  expect(reset.token).not.toBe(named.access_token);
  await expect(applications.checkToken(named)).resolves.toBeNull();
  await expect(applications.resetToken(named)).rejects.toMatchObject({ code: 'not_found' });
  const fresh = { ...named, access_token: reset.token ?? '' };
  await applications.revokeToken(fresh);
  await expect(applications.checkToken(fresh)).resolves.toBeNull();
  await applications.revokeAllTokens({ client_id: seeded.clientId });
  await expect(clientWith().applications.checkToken(named)).rejects.toMatchObject({
    code: 'configuration',
  });
});

test('HostingClient takes a token as a string, or from a function', async () => {
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

  test('contents.put() creates a file and then replaces it', async () => {
    const { contents } = clientWith();
    const author = { name: 'Ada', email: 'ada@example.com' };
    const { commit } = await contents.put({ ...file, text: 'milk', author });
    expect(commit).toMatchObject({ message: 'Take notes', author });
    await contents.put({ ...file, content: Buffer.from('tea') });
    await contents.put({ ...file, text: 'wäter' });
    expect(await contents.getRaw(raw, { as: 'bytes' })).toEqual(Buffer.from('wäter'));
  });

  test('contents.put() reads the SHA again after one 409, but not after two', async () => {
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

  test.each<[string, object, string]>([
    ['a missing message', { message: undefined, text: 'a' }, 'message'],
    ['missing content', {}, 'content'],
    ['text and content', { text: 'a', content: { text: 'a' } }, 'text'],
    ['a SHA', { text: 'a', sha: '1' }, 'sha'],
    ['a plain string as content', { content: 'a' }, 'content'],
    ['more than 1 MiB', { text: 'a'.repeat(1024 * 1024 + 1) }, 'content'],
  ])('contents.put() rejects %s without sending a request', async (_name, input, field) => {
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

  test('contents.put() rejects the path of a directory', async () => {
    const { contents } = clientWith();
    await contents.put({ ...file, text: 'milk' });
    await expect(contents.put({ ...file, path: 'notes', text: 'a' })).rejects.toMatchObject({
      field: 'path',
    });
  });
});

test('uploadAsset() derives the name and the media type from a path', async () => {
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

describe('pages', () => {
  const list = { ...place, state: 'all', per_page: 50 } as const;

  test('pages of a list report their number and the number of pages', async () => {
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

  test('page() fetches one page by its number', async () => {
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

test.each([
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

test('HostingClient manages teams, members and team repositories', async () => {
  const { teams } = clientWith();
  const created = await teams.create({ org: 'acme', name: 'Pilots', permission: 'push' });
  const team = { id: created.id };
  await expect(teams.get(team)).resolves.toMatchObject({ permission: 'push' });
  await expect(teams.update({ ...team, name: 'Crew', permission: 'admin' })).resolves.toMatchObject(
    { name: 'Crew' },
  );
  const member = { ...team, username: 'ada-0' };
  await teams.addMember(member);
  await expect(teams.isMember(member)).resolves.toBe(true);
  expect((await teams.listMembers(team).toArray()).map((user) => user.login)).toEqual(['ada-0']);
  await teams.removeMember(member);
  await expect(teams.isMember(member)).resolves.toBe(false);
  await teams.addRepo({ ...team, org: 'acme', repo: 'rocket' });
  await expect(teams.hasRepo({ ...team, ...place })).resolves.toBe(true);
  expect((await teams.listRepos(team).toArray()).map((repo) => repo.name)).toEqual(['rocket']);
  await teams.removeRepo({ ...team, ...place });
  await expect(teams.hasRepo({ ...team, ...place })).resolves.toBe(false);
  expect((await teams.list({ org: 'acme' }).toArray()).length).toBeGreaterThan(30);
  expect(Array.isArray(await teams.listMine().toArray())).toBe(true);
  await teams.delete(team);
  await expect(teams.get(team)).rejects.toMatchObject({ code: 'not_found' });
});

test('HostingClient creates, reads, updates and deletes commit comments', async () => {
  const { commitComments } = clientWith();
  const [first] = await commitComments.list(place).toArray({ limit: 1 });
  const sha = first?.commit_id ?? '';
  const created = await commitComments.create({ ...place, sha, body: 'Well *done*', position: 1 });
  const id = { ...place, id: created.id };
  await expect(commitComments.get(id)).resolves.toMatchObject({ body: 'Well *done*' });
  const html = await commitComments.get({ ...id, mediaType: 'html' });
  expect(html.body_html).toContain('done');
  const full = await commitComments.get({ ...id, mediaType: 'full' });
  expect(
    [full.body, full.body_text, full.body_html].every((each) => typeof each === 'string'),
  ).toBe(true);
  await expect(commitComments.update({ ...id, body: 'Better' })).resolves.toMatchObject({
    body: 'Better',
  });
  const found = await commitComments.listForCommit({ ...place, ref: sha }).toArray();
  expect(found.map((each) => each.id)).toContain(created.id);
  await commitComments.delete(id);
  await expect(commitComments.get(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('HostingClient manages git references with slashes in their names', async () => {
  const { gitRefs } = clientWith();
  const { object } = await gitRefs.get({ ...place, ref: 'heads/main' });
  const created = await gitRefs.create({
    ...place,
    ref: 'refs/heads/feature/#1-🚀',
    sha: object.sha,
  });
  expect(created.ref).toBe('refs/heads/feature/#1-🚀');
  const ref = { ...place, ref: 'heads/feature/#1-🚀' as const };
  await expect(gitRefs.get(ref)).resolves.toMatchObject({ object: { sha: object.sha } });
  await expect(gitRefs.update({ ...ref, sha: object.sha, force: true })).resolves.toMatchObject({
    ref: created.ref,
  });
  const tags = await gitRefs.list({ ...place, namespace: 'tags' }).toArray();
  expect(tags.every((tag) => tag.ref.startsWith('refs/tags/'))).toBe(true);
  await gitRefs.delete(ref);
  await expect(gitRefs.get(ref)).rejects.toMatchObject({ code: 'not_found' });
  // @ts-expect-error JavaScript callers can pass `refs/`
  await expect(gitRefs.get({ ...place, ref: 'refs/heads/main' })).rejects.toMatchObject({
    field: 'ref',
  });
  await expect(
    // @ts-expect-error JavaScript callers can omit `refs/`
    gitRefs.create({ ...place, ref: 'heads/main', sha: object.sha }),
  ).rejects.toMatchObject({ field: 'ref' });
});

test('HostingClient creates, updates, pings, tests and deletes hooks', async () => {
  const { hooks } = clientWith();
  const config = {
    url: 'http://127.0.0.1:1/hook',
    content_type: 'json',
    insecure_ssl: true,
  } as const;
  const created = await hooks.create({ ...place, name: 'web', config, events: ['push'] });
  expect(created.config).toMatchObject({ insecure_ssl: '1' });
  const id = { ...place, id: created.id };
  await expect(hooks.get(id)).resolves.toMatchObject({ events: ['push'] });
  await expect(
    hooks.update({ ...id, add_events: ['issues'], active: false }),
  ).resolves.toMatchObject({ active: false });
  await hooks.ping(id);
  await hooks.test(id);
  expect((await hooks.list(place).toArray()).map((hook) => hook.id)).toContain(created.id);
  expect((await hooks.listServices().toArray()).length).toBeGreaterThan(0);
  await hooks.delete(id);
  await expect(hooks.get(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('HostingClient reads Pages, downloads, statistics and the rate limit', async () => {
  const hosting = clientWith();
  await expect(hosting.pages.get(place)).resolves.toMatchObject({ status: 'built' });
  const builds = await hosting.pages.listBuilds(place).toArray();
  await expect(hosting.pages.getLatestBuild(place)).resolves.toMatchObject({ url: builds[0]?.url });
  const download = emulator.hosting.addDownload(`${place.owner}/${place.repo}`, 'old.zip');
  expect((await hosting.downloads.list(place).toArray()).map((each) => each.id)).toContain(
    download.id,
  );
  const id = { ...place, id: download.id };
  await expect(hosting.downloads.get(id)).resolves.toMatchObject({ id: download.id });
  await hosting.downloads.delete(id);
  await expect(hosting.downloads.get(id)).rejects.toMatchObject({ code: 'not_found' });
  const pulls = await hosting.adminStats.get({ type: 'pulls' });
  expect(pulls.total_pulls).toBe(250);
  const all = await hosting.adminStats.get({ type: 'all' });
  expect(all.pulls.total_pulls).toBe(250);
  const { core } = await hosting.rateLimit.get();
  expect(core).toMatchObject({ limit: 5000, resource: 'core', reset: expect.any(Date) });
  expect(hosting.rateLimit.current).toMatchObject({ limit: 5000, reset: core?.reset });
});

test('HostingClient creates and deletes hub subscriptions', async () => {
  const { hub } = clientWith(basic);
  const input = {
    'hub.topic': `${url}/acme/rocket/events/push`,
    'hub.callback': 'http://127.0.0.1:1/callback',
  };
  await hub.subscribe(input);
  expect((await clientWith().hooks.list(place).toArray()).length).toBeGreaterThan(0);
  await hub.unsubscribe(input);
  await expect(clientWith().hub.subscribe(input)).rejects.toMatchObject({ code: 'configuration' });
});

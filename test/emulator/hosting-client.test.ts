import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostingAuth } from '../../src/hosting/index.js';
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

import { beforeEach, describe, expect, test } from 'vitest';
import { Repository, Team, TeamSummary, User } from '../../src/hosting/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { crawl, sendRequest, validate } from './send-request.js';

let emulator: Emulator;
let id: number;

beforeEach(() => {
  emulator = createEmulator();
  const members = ['ada-0', 'alan-1'];
  id = emulator.hosting.addTeam('acme', 'Pilots', { permission: 'push', members }).id;
});

const getToken = (login: string, scopes = ['admin:org']) =>
  `token ${emulator.hosting.addToken(login, scopes).token}`;

describe('teams', () => {
  test("GET /orgs/:org/teams lists the teams only for the organization's owners", async () => {
    const { items, pages } = await crawl(emulator, '/orgs/acme/teams');
    expect([items.length, pages]).toEqual([36, 2]);
    for (const item of items) {
      validate(TeamSummary, item);
      expect(item).not.toHaveProperty('members_count');
    }
    expect((await sendRequest(emulator, 'GET /orgs/nobody/teams')).status).toBe(404);
    expect((await sendRequest(emulator, 'GET /orgs/mona/teams')).status).toBe(404);
    expect((await sendRequest(emulator, 'GET /orgs/acme/teams', { auth: null })).status).toBe(401);
    const member = await sendRequest(emulator, 'GET /orgs/acme/teams', { auth: getToken('ada-0') });
    expect(member.status).toBe(403);
    emulator.hosting.addUser('eve');
    const stranger = await sendRequest(emulator, 'GET /orgs/acme/teams', { auth: getToken('eve') });
    expect(stranger.status).toBe(404);
    const weak = await sendRequest(emulator, 'GET /orgs/acme/teams', {
      auth: getToken('mona', ['gist']),
    });
    expect(weak.status).toBe(404);
    expect(weak.headers['x-accepted-oauth-scopes']).toContain('read:org');
  });

  test('the emulator creates, reads, updates and deletes a team', async () => {
    const repo_names = ['acme/component-1'];
    const body = { name: 'Crew', permission: 'admin', repo_names };
    const created = await sendRequest(emulator, 'POST /orgs/acme/teams', { body });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.data.url);
    expect(validate(Team, created.data)).toMatchObject({
      permission: 'admin',
      members_count: 0,
      repos_count: 1,
      organization: { login: 'acme' },
    });
    const path = `/teams/${created.data.id}`;
    expect((await sendRequest(emulator, `GET ${path}`)).data).toEqual(created.data);
    // A PATCH without `permission` sets the default permission.
    const patched = await sendRequest(emulator, `PATCH ${path}`, { body: { name: 'Crew 2' } });
    expect(patched.data).toMatchObject({ name: 'Crew 2', permission: 'pull', slug: 'crew-2' });
    expect((await sendRequest(emulator, `DELETE ${path}`)).status).toBe(204);
    expect((await sendRequest(emulator, `GET ${path}`)).status).toBe(404);
  });

  test.each<[object, object]>([
    [{}, { field: 'name', code: 'missing_field' }],
    [{ name: 'Pilots' }, { field: 'name', code: 'already_exists' }],
    [
      { name: 'X', permission: 'all' },
      { field: 'permission', code: 'invalid' },
    ],
    [
      { name: 'X', repo_names: ['mona/project-1'] },
      { field: 'repo_names', code: 'invalid' },
    ],
    [
      { name: 'X', repo_names: [1] },
      { field: 'repo_names', code: 'invalid' },
    ],
  ])('POST /orgs/:org/teams responds with 422 to the team %j', async (body, error) => {
    const { status, data } = await sendRequest(emulator, 'POST /orgs/acme/teams', { body });
    expect(status).toBe(422);
    expect(data.errors).toMatchObject([error]);
  });

  test('the emulator allows only organization owners to change a team', async () => {
    const auth = getToken('ada-0');
    expect((await sendRequest(emulator, `GET /teams/${id}`, { auth })).status).toBe(200);
    expect((await sendRequest(emulator, `DELETE /teams/${id}`, { auth })).status).toBe(403);
    const put = `PUT /teams/${id}/members/grace-5`;
    expect((await sendRequest(emulator, put, { auth })).status).toBe(403);
    const [owners] = emulator.hosting.state.listTeams('acme');
    expect((await sendRequest(emulator, `DELETE /teams/${owners?.id}`)).status).toBe(403);
    const repo = await sendRequest(emulator, `DELETE /teams/${owners?.id}/repos/acme/rocket`);
    expect(repo.status).toBe(403);
    const other = getToken('grace-5');
    expect((await sendRequest(emulator, `GET /teams/${id}`, { auth: other })).status).toBe(404);
    expect((await sendRequest(emulator, 'GET /teams/none')).status).toBe(404);
  });

  test('PATCH /teams/:id keeps the name and permission of the Owners team', async () => {
    const change = async (team: number | undefined, body: object) => {
      const { status, data } = await sendRequest(emulator, `PATCH /teams/${team}`, { body });
      return [status, data.name, data.permission];
    };
    expect(await change(id, { name: 'Pilots' })).toEqual([200, 'Pilots', 'pull']);
    expect(await change(id, { name: 'Crew', permission: 'push' })).toEqual([200, 'Crew', 'push']);
    const [owners] = emulator.hosting.state.listTeams('acme');
    const same = [200, 'Owners', 'admin'];
    expect(await change(owners?.id, { name: 'Others', permission: 'pull' })).toEqual(same);
  });

  test("GET /user/teams lists the caller's teams with all fields", async () => {
    const { status, data } = await sendRequest(emulator, 'GET /user/teams');
    expect(status).toBe(200);
    expect(data).toMatchObject([{ name: 'Owners', organization: { login: seeded.owner } }]);
    validate(Team, data[0]);
  });
});

describe('/teams/:id/members', () => {
  test('/teams/:id/members lists, looks up, adds and removes members', async () => {
    const { data } = await sendRequest(emulator, `GET /teams/${id}/members`);
    expect(data.map((each: unknown) => validate(User, each).login)).toEqual(['ada-0', 'alan-1']);
    const one = (method: string, login: string) =>
      sendRequest(emulator, `${method} /teams/${id}/members/${login}`).then(
        (response) => response.status,
      );
    expect(await one('GET', 'ada-0')).toBe(204);
    expect(await one('GET', 'grace-5')).toBe(404);
    expect(await one('PUT', 'grace-5')).toBe(204);
    expect(await one('GET', 'grace-5')).toBe(204);
    expect(await one('DELETE', 'grace-5')).toBe(204);
    expect(await one('DELETE', 'grace-5')).toBe(404);
    expect(await one('PUT', 'nobody')).toBe(404);
    const org = await sendRequest(emulator, `PUT /teams/${id}/members/acme`);
    expect(org.status).toBe(422);
    expect(org.data.errors).toEqual([{ resource: 'TeamMember', field: 'user', code: 'org' }]);
  });

  test('a team grants its members access to its repositories', async () => {
    emulator.hosting.addTeam('acme', 'Keepers', { members: ['ken-7'], repos: ['acme/secret'] });
    const read = await sendRequest(emulator, 'GET /repos/acme/secret', {
      auth: getToken('ken-7', ['repo']),
    });
    expect(read.data.permissions).toEqual({ admin: false, push: false, pull: true });
    const stranger = await sendRequest(emulator, 'GET /repos/acme/secret', {
      auth: getToken('ada-0', ['repo']),
    });
    expect(stranger.status).toBe(404);
  });
});

describe('/teams/:id/repos', () => {
  test('/teams/:id/repos lists, looks up, adds and removes repositories', async () => {
    const one = (method: string, name: string) =>
      sendRequest(emulator, `${method} /teams/${id}/repos/${name}`).then(
        (response) => response.status,
      );
    expect(await one('GET', 'acme/rocket')).toBe(404);
    expect(await one('PUT', 'acme/rocket')).toBe(204);
    expect(await one('GET', 'acme/rocket')).toBe(204);
    const { data } = await sendRequest(emulator, `GET /teams/${id}/repos`);
    expect(data.map((each: unknown) => validate(Repository, each).full_name)).toEqual([
      'acme/rocket',
    ]);
    expect(await one('DELETE', 'acme/rocket')).toBe(204);
    expect(await one('DELETE', 'acme/rocket')).toBe(404);
    expect(await one('PUT', 'acme/none')).toBe(404);
  });

  test("PUT /teams/:id/repos accepts only the organization's repositories and their direct forks", async () => {
    const foreign = await sendRequest(emulator, `PUT /teams/${id}/repos/mona/project-1`);
    expect(foreign.status).toBe(422);
    expect(foreign.data.errors).toEqual([
      { resource: 'TeamMember', field: 'repository', code: 'not_owned' },
    ]);
    emulator.hosting.addRepo('mona', 'rocket', { forkOf: 'acme/rocket' });
    expect((await sendRequest(emulator, `PUT /teams/${id}/repos/mona/rocket`)).status).toBe(204);
    const { data } = await sendRequest(emulator, 'GET /repos/acme/rocket');
    expect(data.forks_count).toBe(1);
    const put = async (repo: string) =>
      (await sendRequest(emulator, `PUT /teams/${id}/repos/${repo}`)).status;
    emulator.hosting.addRepo('mona', 'other', { forkOf: 'mona/project-1' });
    emulator.hosting.addRepo('mona', 'another', { forkOf: 'acmes/rocket' });
    expect([await put('mona/other'), await put('mona/another')]).toEqual([422, 422]);
    // An organization's owner can't see a user's private fork.
    emulator.hosting.addUser('eve', { password: 'x' });
    emulator.hosting.addRepo('ada-0', 'hidden', { forkOf: 'acme/rocket', isPrivate: true });
    const [owners] = emulator.hosting.state.listTeams('acme');
    owners?.members.add('eve');
    const auth = getToken('eve');
    const hidden = await sendRequest(emulator, `PUT /teams/${id}/repos/ada-0/hidden`, { auth });
    expect(hidden.status).toBe(404);
    const none = emulator.hosting.addTeam('acme', 'None', { repos: ['acme/gone'] });
    expect((await sendRequest(emulator, `GET /teams/${none.id}/repos`)).data).toEqual([]);
  });
});

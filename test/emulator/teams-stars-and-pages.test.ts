import { beforeEach, describe, expect, it } from 'vitest';
import { User } from '../../src/hosting/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './hosting-worlds.js';
import { basic, callHosting, type RequestOptions, sendRequest, validate } from './send-request.js';

describe('organization teams', () => {
  let emulator: Emulator;

  const { send, getStatus } = callHosting(() => emulator);

  let id: number;

  const getToken = (login: string) =>
    `token ${emulator.hosting.addToken(login, ['admin:org']).token}`;

  beforeEach(() => {
    emulator = createEmulator();
    const members = ['ada-0', 'alan-1'];
    id = emulator.hosting.addTeam('acme', 'Pilots', { permission: 'push', members }).id;
  });

  describe('teams', () => {
    it('PATCH /teams/:id keeps the name and permission of the Owners team', async () => {
      const change = async (team: number | undefined, body: object) => {
        const { status, data } = await send(`PATCH /teams/${team}`, { body });
        return [status, data.name, data.permission];
      };
      expect(await change(id, { name: 'Pilots' })).toEqual([200, 'Pilots', 'pull']);
      expect(await change(id, { name: 'Crew', permission: 'push' })).toEqual([200, 'Crew', 'push']);
      const [owners] = emulator.hosting.state.listTeams('acme');
      const same = [200, 'Owners', 'admin'];
      expect(await change(owners?.id, { name: 'Others', permission: 'pull' })).toEqual(same);
    });
  });

  describe('/teams/:id/members', () => {
    it('lists, looks up, adds and removes members', async () => {
      const { data } = await send(`GET /teams/${id}/members`);
      expect(data.map((each: unknown) => validate(User, each).login)).toEqual(['ada-0', 'alan-1']);
      const one = (method: string, login: string) =>
        send(`${method} /teams/${id}/members/${login}`).then((response) => response.status);
      expect(await one('GET', 'ada-0')).toBe(204);
      expect(await one('GET', 'grace-5')).toBe(404);
      expect(await one('PUT', 'grace-5')).toBe(204);
      expect(await one('GET', 'grace-5')).toBe(204);
      expect(await one('DELETE', 'grace-5')).toBe(204);
      expect(await one('DELETE', 'grace-5')).toBe(404);
      expect(await one('PUT', 'nobody')).toBe(404);
      const org = await send(`PUT /teams/${id}/members/acme`);
      expect(org.status).toBe(422);
      expect(org.data.errors).toEqual([{ resource: 'TeamMember', field: 'user', code: 'org' }]);
    });
  });

  describe('/teams/:id/repos', () => {
    it("PUT /teams/:id/repos accepts only the organization's repositories and their direct forks", async () => {
      const foreign = await send(`PUT /teams/${id}/repos/mona/project-1`);
      expect(foreign.status).toBe(422);
      expect(foreign.data.errors).toEqual([
        { resource: 'TeamMember', field: 'repository', code: 'not_owned' },
      ]);
      emulator.hosting.addRepo('mona', 'rocket', { forkOf: 'acme/rocket' });
      expect(await getStatus(`PUT /teams/${id}/repos/mona/rocket`)).toBe(204);
      const { data } = await send('GET /repos/acme/rocket');
      expect(data.forks_count).toBe(1);
      const put = async (repo: string) => await getStatus(`PUT /teams/${id}/repos/${repo}`);
      emulator.hosting.addRepo('mona', 'other', { forkOf: 'mona/project-1' });
      emulator.hosting.addRepo('mona', 'another', { forkOf: 'acmes/rocket' });
      expect([await put('mona/other'), await put('mona/another')]).toEqual([422, 422]);
      // An organization's owner can't see a user's private fork.
      emulator.hosting.addUser('eve', { password: 'x' });
      emulator.hosting.addRepo('ada-0', 'hidden', { forkOf: 'acme/rocket', isPrivate: true });
      const [owners] = emulator.hosting.state.listTeams('acme');
      owners?.members.add('eve');
      const auth = getToken('eve');
      const hidden = await send(`PUT /teams/${id}/repos/ada-0/hidden`, { auth });
      expect(hidden.status).toBe(404);
    });
  });

  describe('DELETE /teams/:id/members/:user', () => {
    it('keeps the last member of the Owners team', async () => {
      const [owners] = emulator.hosting.state.listTeams(seeded.owner);
      const members = `/teams/${owners?.id}/members`;
      expect(await getStatus(`DELETE ${members}/ada-0`)).toBe(404);
      const last = await send(`DELETE ${members}/${seeded.login}`);
      expect(last.status).toBe(403);
      expect([...(owners?.members ?? [])]).toEqual([seeded.login]);
      await send(`PUT ${members}/ada-0`);
      expect(await getStatus(`DELETE ${members}/${seeded.login}`)).toBe(204);
      expect([...(owners?.members ?? [])]).toEqual(['ada-0']);
    });
  });

  it("POST /orgs/:org/teams accepts only the organization's repositories as repo_names", async () => {
    const create = (name: string, ...repo_names: string[]) =>
      send('POST /orgs/acme/teams', { body: { name, repo_names } });
    const { status, data } = await create('Both', 'rocket', 'acme/secret');
    expect([status, data.repos_count]).toEqual([201, 2]);
    for (const foreign of ['project-1', 'mona/project-1']) {
      expect((await create('Not ours', foreign)).status).toBe(422);
    }
  });
});

describe('GET /user/starred', () => {
  const emulator = () => {
    const created = createEmulator({ seed: false });
    const { hosting } = created;
    hosting.addUser('ada', { password: 'x' });
    hosting.addUser('eve', { password: 'x' });
    for (const [name, starred, updated] of [
      ['a', '03', '02'],
      ['b', '01', '03'],
      ['c', '02', '01'],
      ['d', '02', '01'],
    ] as const) {
      const repo = hosting.addRepo('ada', name, { createdAt: `2014-02-${updated}T00:00:00Z` });
      hosting.addStar(repo, 'ada', `2014-03-${starred}T00:00:00Z`);
    }
    hosting.addStar(hosting.addRepo('ada', 'secret', { isPrivate: true }), 'ada', '2014-01-01');
    hosting.addStar(hosting.addRepo('ada', 'other'), 'eve', '2014-01-01');
    return created;
  };
  const get = (path: string, how: RequestOptions = {}) =>
    sendRequest(emulator(), `GET ${path}`, { auth: basic('ada', 'x'), ...how });

  it.each([
    ['', ['a', 'd', 'c', 'b', 'secret']],
    ['sort=&direction=', ['a', 'd', 'c', 'b', 'secret']],
    ['direction=asc', ['secret', 'b', 'c', 'd', 'a']],
    ['sort=updated', ['secret', 'b', 'a', 'd', 'c']],
    ['sort=updated&direction=asc', ['c', 'd', 'a', 'b', 'secret']],
  ])('sorts by the query %j', async (query, expected) => {
    const { data } = await get(`/user/starred?${query}`);
    expect(data.map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  it.each([
    ['application/vnd.service.star+json', 'starred_at'],
    ['application/vnd.service.star', 'no starred_at'],
    ['application/vnd.other.star+json', 'no starred_at'],
    ['application/json', 'no starred_at'],
  ])('star lists respond to the Accept header %s with %s', async (accept, field) => {
    const timed = field === 'starred_at';
    const headers = { accept };
    const [repo] = (await get('/user/starred', { headers })).data;
    const [user] = (await get('/repos/ada/a/stargazers', { headers })).data;
    const time = { starred_at: '2014-03-03T00:00:00Z' };
    const [name, login] = [
      expect.objectContaining({ name: 'a' }),
      expect.objectContaining({ login: 'ada' }),
    ];
    expect([repo, user]).toEqual(
      timed
        ? [
            { ...time, repo: name },
            { ...time, user: login },
          ]
        : [name, login],
    );
    expect([repo, user].some((each) => 'starred_at' in each)).toBe(timed);
  });

  it('GET /users/:username/starred lists only repositories that the caller can see', async () => {
    for (const auth of [null, basic('eve', 'x')]) {
      const { data } = await get('/users/ada/starred', { auth });
      expect(data.map(({ name }: { name: string }) => name)).toEqual(['a', 'd', 'c', 'b']);
    }
  });
});

describe('GET /user/starred order', () => {
  const scene = () => {
    const emulator = createEmulator(noon);
    const star = async (...names: string[]) => {
      for (const name of names) await sendRequest(emulator, `PUT /user/starred/acme/${name}`);
    };
    const starred = async (query = '') => {
      const { data } = await sendRequest(emulator, `GET /user/starred?per_page=4${query}`);
      return data.map(({ name }: { name: string }) => name);
    };
    return { emulator, star, starred };
  };

  it('lists the latest star first, even within one second', async () => {
    const { emulator, star, starred } = scene();
    await star('component-3', 'component-1', 'rocket', 'component-2');
    const newest = ['component-2', 'rocket', 'component-1', 'component-3'];
    expect(await starred()).toEqual(newest);
    expect(await starred('&direction=desc')).toEqual(newest);
    await sendRequest(emulator, 'DELETE /user/starred/acme/component-1');
    await star('component-1');
    expect(await starred()).toEqual(['component-1', 'component-2', 'rocket', 'component-3']);
  });
});

describe('Pages and statistics', () => {
  const rocket = '/repos/acme/rocket';
  let emulator: Emulator;
  const { send, getStatus } = callHosting(() => emulator);

  beforeEach(() => {
    emulator = createEmulator(noon);
  });

  it('a Pages site without builds has the status null and no latest build', async () => {
    findRocket(emulator).pages = { cname: 'x.test', custom404: true, builds: [] };
    const { data } = await send(`GET ${rocket}/pages`);
    expect(data).toMatchObject({ status: null, cname: 'x.test', custom_404: true });
    expect(await getStatus(`GET ${rocket}/pages/builds/latest`)).toBe(404);
    expect(await getStatus('GET /repos/mona/project-1/pages')).toBe(404);
  });

  describe('GET /enterprise/stats/:type', () => {
    const countTeams = async (type = 'orgs') => {
      const { data } = await send(`GET /enterprise/stats/${type}`);
      return (type === 'all' ? data.orgs : data).total_teams;
    };

    it('returns counts that are at most ten minutes old', async () => {
      const before = await countTeams();
      emulator.hosting.addTeam('acme', 'Crew');
      expect(await countTeams()).toBe(before);
      emulator.clock.advance(10 * 60_000 - 1000);
      expect([await countTeams(), await countTeams('all')]).toEqual([before, before]);
      emulator.clock.advance(1000);
      expect([await countTeams(), await countTeams('all')]).toEqual([before + 1, before + 1]);
    });

    it('recounts after a reset, a restore or a backward clock change', async () => {
      const before = await countTeams();
      const snapshot = emulator.snapshot();
      emulator.hosting.addTeam('acme', 'Crew');
      emulator.clock.set(new Date(emulator.clock.now.getTime() - 1000));
      expect(await countTeams()).toBe(before + 1);
      emulator.restore(snapshot);
      expect(await countTeams()).toBe(before);
      emulator.hosting.addTeam('acme', 'Crew');
      emulator.reset();
      emulator.hosting.addTeam('acme', 'One');
      emulator.hosting.addTeam('acme', 'Two');
      expect(await countTeams()).toBe(before + 2);
    });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { consoleSeed, createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, mona, type RequestOptions, sendRequest } from './send-request.js';
import { raw } from './support-emulator.js';

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator(noon);
});
const names = (list: { name: string }[]) => list.map(({ name }) => name);

describe('GET /user/starred', () => {
  const star = async (name: string) =>
    expect((await sendRequest(emulator, `PUT /user/starred/acme/${name}`)).status).toBe(204);
  const starred = async (query = '') =>
    names((await sendRequest(emulator, `GET /user/starred?per_page=4${query}`)).data);

  it('GET /user/starred lists the latest star first, even within one second', async () => {
    for (const name of ['component-3', 'component-1', 'rocket', 'component-2']) await star(name);
    const newest = ['component-2', 'rocket', 'component-1', 'component-3'];
    expect(await starred()).toEqual(newest);
    expect(await starred('&direction=desc')).toEqual(newest);
    await sendRequest(emulator, 'DELETE /user/starred/acme/component-1');
    await star('component-1');
    expect(await starred()).toEqual(['component-1', 'component-2', 'rocket', 'component-3']);
  });

  it('GET /user/starred keeps its order after a snapshot is restored', async () => {
    for (const name of ['component-3', 'component-1', 'rocket', 'component-2']) await star(name);
    const before = await starred();
    emulator.restore(emulator.snapshot());
    expect(await starred()).toEqual(before);
    await star('component-4');
    expect((await starred())[0]).toBe('component-4');
  });
});

describe('DELETE /teams/:id/members/:user', () => {
  it('DELETE /teams/:id/members/:user keeps the last member of the Owners team', async () => {
    const [owners] = emulator.hosting.state.listTeams(seeded.owner);
    const members = `/teams/${owners?.id}/members`;
    expect((await sendRequest(emulator, `DELETE ${members}/ada-0`)).status).toBe(404);
    const last = await sendRequest(emulator, `DELETE ${members}/${seeded.login}`);
    expect(last.status).toBe(403);
    expect([...(owners?.members ?? [])]).toEqual([seeded.login]);
    await sendRequest(emulator, `PUT ${members}/ada-0`);
    expect((await sendRequest(emulator, `DELETE ${members}/${seeded.login}`)).status).toBe(204);
    expect([...(owners?.members ?? [])]).toEqual(['ada-0']);
  });

  it('DELETE /teams/:id/members/:user removes the last member of a team other than Owners', async () => {
    const team = emulator.hosting.addTeam(seeded.owner, 'Crew', { members: ['ada-0'] });
    const path = `DELETE /teams/${team.id}/members/ada-0`;
    expect((await sendRequest(emulator, path)).status).toBe(204);
  });
});

describe('GET /me in the support API', () => {
  it.each(['/me', '/me?access_token='])(
    'the support API responds with 401 to GET %s',
    async (path) => {
      const { status, statusText } = await raw(emulator, `GET ${path}`);
      expect([status, statusText]).toEqual([401, expect.stringContaining('Missing access token')]);
    },
  );
});

describe('hooks with the ping event', () => {
  const hooks = '/repos/acme/rocket/hooks';
  const config = { url: 'http://far.test/' };

  it('a web hook accepts the ping event', async () => {
    const body = { name: 'web', config, events: ['ping'] };
    const created = await sendRequest(emulator, `POST ${hooks}`, { body });
    expect([created.status, created.data.events]).toEqual([201, ['ping']]);
    const path = `PATCH ${hooks}/${created.data.id}`;
    const changed = await sendRequest(emulator, path, { body: { events: ['push', 'ping'] } });
    expect([changed.status, changed.data.events]).toEqual([200, ['push', 'ping']]);
  });

  it('GET /hooks lists ping among the events of the web service', async () => {
    const { data } = await sendRequest(emulator, 'GET /hooks');
    const web = data.find(({ name }: { name: string }) => name === 'web');
    expect(web.supported_events).toContain('ping');
  });

  it.each(['subscribe', 'unsubscribe'])(
    'POST /hub accepts the event ping with the mode %s',
    async (mode) => {
      const form = {
        'hub.mode': mode,
        'hub.topic': 'http://code.test/acme/rocket/events/ping',
        'hub.callback': config.url,
      };
      const { status } = await sendRequest(emulator, 'POST /hub', {
        auth: mona,
        body: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(status).toBe(204);
      const { hooks: created } = emulator.hosting.state.repo('acme', 'rocket') ?? {};
      expect(created?.map(({ events }) => events)).toEqual(mode === 'subscribe' ? [['ping']] : []);
    },
  );

  it('an irc hook rejects the event ping', async () => {
    const body = { name: 'irc', config: {}, events: ['ping'] };
    expect((await sendRequest(emulator, `POST ${hooks}`, { body })).status).toBe(422);
  });
});

describe('empty lists', () => {
  it.each(['/authorizations', '/repos/eve/empty/hooks', '/repos/eve/empty/stargazers'])(
    'the emulator sends no Link header for the empty list %s',
    async (path) => {
      emulator.hosting.addUser('eve', { password: 'x' });
      emulator.hosting.addRepo('eve', 'empty');
      const auth = basic('eve', 'x');
      const { status, data, headers } = await sendRequest(emulator, `GET ${path}`, { auth });
      expect([status, data, headers.link]).toEqual([200, [], undefined]);
    },
  );
});

describe('hosting API caching headers', () => {
  const here = '/repos/acme/rocket';
  const successes: readonly [string, () => Promise<RequestOptions> | RequestOptions][] = [
    [`POST ${here}/releases`, () => ({ body: { tag_name: 'v9' } })],
    [`PATCH ${here}/pulls/1`, () => ({ body: { title: 'T' } })],
    [`PUT ${here}/contents/new.txt`, () => ({ body: { message: 'm', content: '' } })],
    ['POST /authorizations', () => ({ auth: mona, body: { note: 'n' } })],
    [
      `PUT /authorizations/clients/${seeded.clientId}`,
      () => ({ auth: mona, body: { client_secret: seeded.clientSecret } }),
    ],
    [`PUT ${here}/pulls/250/merge`, () => ({ body: {} })],
  ];

  it.each(successes)(
    'the hosting API sends ETag and Cache-Control in response to %s',
    async (what, how) => {
      const { status, headers } = await sendRequest(emulator, what, await how());
      expect([200, 201]).toContain(status);
      expect(headers.etag).toMatch(/^"[0-9a-f]{40}"$/);
      expect(headers['cache-control']).toBe('private, max-age=60, s-maxage=60');
    },
  );

  it('the hosting API ignores If-None-Match in a PATCH', async () => {
    const body = { body: { title: 'T' }, headers: { 'if-none-match': '*' } };
    const { status, data } = await sendRequest(emulator, `PATCH ${here}/pulls/1`, body);
    expect([status, data.title]).toEqual([200, 'T']);
  });

  it.each<[string, RequestOptions]>([
    ['PUT /user/starred/acme/rocket', {}],
    [`POST ${here}/releases`, { body: {} }],
    [`GET ${here}/pulls/9999`, {}],
  ])('the hosting API omits ETag and Cache-Control from the response to %s', async (what, how) => {
    const { headers } = await sendRequest(emulator, what, how);
    expect([headers.etag, headers['cache-control']]).toEqual([undefined, undefined]);
  });
});

describe('POST /setup/api/maintenance', () => {
  const set = async (maintenance: unknown) => {
    const url = `http://code.test/setup/api/maintenance?license_md5=${consoleSeed.licenseMd5}`;
    const body = new URLSearchParams({ maintenance: JSON.stringify(maintenance) });
    const response = await emulator.respond(new Request(url, { method: 'POST', body }));
    return [response.status, emulator.console.maintenance];
  };

  it('POST /setup/api/maintenance accepts `enabled` as a string', async () => {
    expect(await set({ enabled: 'true', when: 'now' })).toEqual([200, 'on']);
    expect(await set({ enabled: 'false' })).toEqual([200, 'off']);
  });

  it.each([[1], [0], [null], [''], ['yes'], ['TRUE'], [['true']], [undefined]])(
    'POST /setup/api/maintenance responds with 400 if `enabled` is %j',
    async (enabled) => {
      expect(await set({ enabled, when: 'now' })).toEqual([400, 'off']);
    },
  );
});

describe('POST /repos/:owner/:repo/pulls', () => {
  const create = async (head: string, more: RequestOptions = {}) => {
    const body = { title: 'T', base: 'main', head };
    return await sendRequest(emulator, 'POST /repos/acme/rocket/pulls', { body, ...more });
  };
  const error = { resource: 'PullRequest', field: 'head', code: 'invalid' };

  beforeEach(() => {
    const { hosting } = emulator;
    hosting.addUser('eve', { password: 'x' });
    const fork = hosting.addRepo('eve', 'rocket', { forkOf: 'acme/rocket' });
    hosting.addRef(fork, 'heads/topic');
    hosting.addRef(hosting.addRepo('eve', 'other'), 'heads/elsewhere');
    hosting.addRef(
      hosting.addRepo('alan-1', 'rocket', { forkOf: 'acme/rocket', isPrivate: true }),
      'heads/hidden',
    );
    hosting.addRef('acme/rocket', 'tags/tag');
  });

  it.each([
    'none',
    'acme:none',
    'eve:none',
    'nobody:main',
    'eve:elsewhere',
    'tag',
    'eve:',
    ':main',
    'a:b:c',
  ])('POST /repos/:owner/:repo/pulls responds with 422 to the unknown head %s', async (head) => {
    const { pulls } = emulator.hosting.state.repo('acme', 'rocket') ?? {};
    const { status, data } = await create(head);
    expect([status, data.errors]).toEqual([422, [error]]);
    expect(pulls).toHaveLength(250);
  });

  it("POST /repos/:owner/:repo/pulls responds with 422 if the caller can't see the head's fork", async () => {
    const auth = basic('eve', 'x');
    expect((await create('alan-1:hidden', { auth })).status).toBe(422);
  });

  it('POST /repos/:owner/:repo/pulls accepts a head branch with or without its owner', async () => {
    const { refs } = emulator.hosting.state.repo('acme', 'rocket') ?? {};
    const first = await create('feature/part-1');
    expect([first.status, first.data.head.sha]).toEqual([
      201,
      refs?.get('heads/feature/part-1')?.sha,
    ]);
    expect((await create('acme:feature/part-1')).data.errors[0].code).toBe('already_exists');
    expect((await create('acme:feature/part-2')).data.head.label).toBe('acme:feature/part-2');
  });

  it("POST /repos/:owner/:repo/pulls distinguishes a fork's branch from a base repository's branch of the same name", async () => {
    const sha = emulator.hosting.state.repo('eve', 'rocket')?.refs.get('heads/topic')?.sha;
    emulator.hosting.addRef('acme/rocket', 'heads/topic');
    expect((await create('topic')).status).toBe(201);
    const { status, data } = await create('eve:topic');
    expect([status, data.head.label, data.head.sha]).toEqual([201, 'eve:topic', sha]);
    expect((await create('eve:topic')).data.errors[0].code).toBe('already_exists');
  });
});

describe('POST /repos/:owner/:repo/releases', () => {
  const create = async (body: object) =>
    await sendRequest(emulator, 'POST /repos/acme/rocket/releases', { body });

  it("POST /repos/:owner/:repo/releases responds with 422 if target_commitish doesn't exist", async () => {
    const { releases } = emulator.hosting.state.repo('acme', 'rocket') ?? {};
    const { status, data } = await create({ tag_name: 'v9', target_commitish: 'none' });
    const error = { resource: 'Release', field: 'target_commitish', code: 'invalid' };
    expect([status, data.errors]).toEqual([422, [error]]);
    expect(releases).toHaveLength(40);
  });

  it('POST /repos/:owner/:repo/releases ignores target_commitish if the tag exists', async () => {
    emulator.hosting.addRef('acme/rocket', 'tags/v9');
    const { status } = await create({ tag_name: 'v9', target_commitish: 'none' });
    expect(status).toBe(201);
  });
});

describe('GET /enterprise/stats/:type', () => {
  const teams = async (type = 'orgs') => {
    const { data } = await sendRequest(emulator, `GET /enterprise/stats/${type}`);
    return (type === 'all' ? data.orgs : data).total_teams;
  };

  it('GET /enterprise/stats/:type returns counts that are at most ten minutes old', async () => {
    const before = await teams();
    emulator.hosting.addTeam('acme', 'Crew');
    expect(await teams()).toBe(before);
    emulator.clock.advance(10 * 60_000 - 1000);
    expect([await teams(), await teams('all')]).toEqual([before, before]);
    emulator.clock.advance(1000);
    expect([await teams(), await teams('all')]).toEqual([before + 1, before + 1]);
  });

  it('GET /enterprise/stats/:type recounts after a reset, a restore or a backward clock change', async () => {
    const before = await teams();
    const snapshot = emulator.snapshot();
    emulator.hosting.addTeam('acme', 'Crew');
    emulator.clock.set(new Date(emulator.clock.now.getTime() - 1000));
    expect(await teams()).toBe(before + 1);
    emulator.restore(snapshot);
    expect(await teams()).toBe(before);
    emulator.hosting.addTeam('acme', 'Crew');
    emulator.reset();
    emulator.hosting.addTeam('acme', 'One');
    emulator.hosting.addTeam('acme', 'Two');
    expect(await teams()).toBe(before + 2);
  });
});

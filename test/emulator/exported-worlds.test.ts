import { describe, expect, it } from 'vitest';
import { createEmulator, type Dataset } from '../../src/testing/index.js';

const now = '2014-06-01T12:00:00Z';

/** Returns the world that an emulator exports after it imports the seed. */
const exported = (seed: Dataset) => createEmulator({ seed }).export();

// Tests each field of a world: import and export, defaults and errors.

describe('emulator.export()', () => {
  const record = {
    attributes: { level: '3' },
    tags: ['a', 'b'],
    notes: [{ date: 7, text: 'called', userName: 'grace' }],
    created: '2013-01-02T03:04:05.000Z',
    updated: '2013-02-03T04:05:06.000Z',
    updated_by: 'ada',
    url: 'https://crm.example.com/',
  };
  const contact = {
    ...record,
    id: 5,
    name: 'Ada Byron',
    first_name: 'Ada',
    last_name: 'Byron',
    crm_id: 'c',
    client_id: 'k',
    extended_value: 'v',
    profiles: [
      { id: 9, source: 'email', ext_id: 'a', followers: 3 },
      { id: 3, source: 'sms', ext_id: 'a' },
    ],
  };
  const support = {
    users: [{ userName: 'u', apiKey: 'k', password: 'p' }],
    campaigns: ['Spring', 'Autumn'],
    contacts: [contact, { ...contact, id: 2, name: '', profiles: [] }],
    cases: [
      {
        ...record,
        id: 8,
        subject: 'Help',
        source: 'email',
        campaign: 'Autumn',
        contact_id: 5,
        private: true,
        state: 'Waiting',
        messages: [{ source: 'email', ext_id: 'm' }],
        reopened: true,
        lastOpened: '2013-03-04T05:06:07.000Z',
      },
    ],
    sessions: [{ token: 't', userName: 'u', expires: 1 }],
  };
  const appliance = {
    licenseMd5: '0123',
    maintenance: '2014-07-01T00:00:00.000Z',
    standing: { status: 'failed', progress: [{ key: 'x', status: 'FAILED' }] },
    connections: { 'git operations': 2, 'mysql queries': 0, 'resque jobs': 0, other: 1 },
    keys: ['ssh-rsa AAAA me', 'ssh-dss BBBB you'],
  };

  it('returns all data of the support API', () => {
    expect(exported({ now, support }).support).toEqual(support);
    expect(exported(exported({ now, support }))).toEqual(exported({ now, support }));
  });

  it('returns the appliance with merged settings', () => {
    const settings = { enterprise: { private_mode: true, pages: { enabled: false } } };
    const { console: got } = exported({ now, console: { ...appliance, settings } });
    expect(got).toEqual({
      ...appliance,
      settings: expect.objectContaining({ run_list: expect.any(Array) }),
    });
    expect(got?.settings).toMatchObject({
      enterprise: {
        private_mode: true,
        pages: { enabled: false },
        timezone: { identifier: 'UTC' },
      },
    });
    settings.enterprise.pages.enabled = true;
    const emulator = createEmulator({
      seed: { now, console: { settings, standing: appliance.standing } },
    });
    const kept = emulator.export();
    settings.enterprise.pages.enabled = false;
    appliance.standing.status = 'changed';
    expect(emulator.export(), 'the emulator copies the seed').toEqual(kept);
  });

  it('returns empty lists for omitted support data', () => {
    const none = { users: [], campaigns: [], contacts: [], cases: [], sessions: [] };
    expect(exported({ now, support: {} }).support).toEqual(none);
  });

  it('returns the time of a stopped clock and the offset of a running clock', () => {
    expect(exported({ now: '2020-02-29T01:02:03Z' }).now).toBe('2020-02-29T01:02:03Z');
    expect(exported({ ahead: 60_000 })).toMatchObject({ ahead: 60_000 });
    expect(exported({})).toMatchObject({ ahead: 0 });
    const emulator = createEmulator({ seed: {}, clock: new Date(0) });
    emulator.restore({ now });
    expect(emulator.clock.iso()).toBe(now);
    emulator.restore({});
    expect(emulator.clock.iso(), "a world without a time keeps the clock's time").toBe(now);
  });
});

it('createEmulator() uses defaults for fields that the seed omits', () => {
  const world = exported({
    now,
    support: {
      contacts: [{}, { name: 'Ada', notes: ['called'], created: '2013-01-01T00:00:00Z' }],
      cases: [{}, { contact_id: 2, campaign: 'New', created: '2013-01-01T00:00:00Z' }],
    },
    console: {},
  });
  const bare = { attributes: {}, tags: [], notes: [] };
  const at = (time: string) => ({ created: time, updated: time });
  const [noon, past] = ['2014-06-01T12:00:00.000Z', '2013-01-01T00:00:00.000Z'];
  const open = { ...bare, private: false, state: 'Open', messages: [], reopened: false };
  const [first, second] = world.support?.contacts ?? [];
  expect(first).toEqual({
    ...bare,
    ...at(noon),
    id: 1,
    name: 'Contact 1',
    profiles: [{ id: 1, source: 'api', ext_id: '1', name: 'Contact 1' }],
  });
  expect(second).toMatchObject({ id: 2, name: 'Ada', ...at(past) });
  expect(second?.notes, "a string becomes a note dated by the emulator's clock").toEqual([
    { date: Date.parse(noon), text: 'called' },
  ]);
  expect(world.support?.cases).toEqual([
    { ...open, ...at(noon), id: 1, lastOpened: noon },
    { ...open, ...at(past), id: 2, lastOpened: past, contact_id: 2, campaign: 'New' },
  ]);
  expect(world.support).toMatchObject({ users: [], campaigns: ['New'], sessions: [] });
  const { settings, ...rest } = world.console ?? {};
  const connections = { 'git operations': 0, 'mysql queries': 0, 'resque jobs': 0 };
  expect(rest).toEqual({ connections, keys: [] });
  expect(settings).toMatchObject({ enterprise: { private_mode: false } });
});

describe('hosting seed', () => {
  const ada = { login: 'ada' };
  const acme = { login: 'acme', type: 'Organization' as const, owners: ['ada'] };
  const rocket = { owner: 'acme', name: 'rocket' };
  const sha = 'a'.repeat(40);
  const commit = { sha, message: 'first', parents: [], login: 'ada', date: now };

  it('the emulator assigns IDs above the IDs in its seed', () => {
    const repositories = [
      { ...rocket, releases: [{ id: 900, tagName: 'v1' }] },
      { owner: 'ada', name: 'notes' },
    ];
    const hosting = { accounts: [ada, acme], repositories };
    const found = exported({ now, hosting }).hosting;
    expect(found?.repositories?.map(({ id }) => id).every((id) => Number(id) > 900)).toBe(true);
    expect(found?.repositories?.[0]?.releases?.[0]?.id).toBe(900);
    expect(found?.lastId).toBeGreaterThan(900);
    expect(exported({ now, hosting: { accounts: [ada], lastId: 5000 } }).hosting?.lastId).toBe(
      5000,
    );
    const behind = { accounts: [{ ...ada, id: 70 }], lastId: 5 };
    expect(exported({ now, hosting: behind }).hosting?.lastId).toBe(70);
  });

  it('emulator.export() contains an empty list for each list that the seed omits', () => {
    const { hosting } = exported({ now, hosting: {} });
    for (const [name, list] of Object.entries(hosting ?? {})) {
      if (Array.isArray(list)) expect({ [name]: list }).toEqual({ [name]: [] });
    }
    const repositories = [{ ...rocket, pages: {} }];
    const accounts = [ada, acme];
    const teams = [{ org: 'acme', name: 'crew' }];
    const found = exported({ now, hosting: { accounts, repositories, teams } }).hosting;
    expect(found?.accounts?.map(({ type }) => type)).toEqual(['User', 'Organization']);
    const crew = found?.teams?.find(({ name }) => name === 'crew');
    expect(crew?.org).toBe('acme');
    expect([crew?.id, crew?.members ?? []]).toEqual([expect.any(Number), []]);
    const [repository] = found?.repositories ?? [];
    expect(repository?.pages?.custom404 ?? false).toBe(false);
    expect(repository?.pages?.builds ?? []).toEqual([]);
    expect(repository?.stargazers ?? {}).toEqual({});
    const none = { pulls: [], releases: [], comments: [], hooks: [], downloads: [] };
    expect(repository).toMatchObject(none);
    const releases = [{ tagName: 'v1' }];
    const released = exported({
      now,
      hosting: { accounts, repositories: [{ ...rocket, releases }] },
    });
    expect(released.hosting?.repositories?.[0]?.releases).toMatchObject([{ assets: [] }]);
  });

  it("a hook setting named `id` in a seed doesn't affect lastId", () => {
    const hooks = [{ config: { url: 'http://127.0.0.1:1/', id: '9000' } }];
    const hosting = { accounts: [ada, acme], repositories: [{ ...rocket, hooks }] };
    expect(exported({ now, hosting }).hosting?.lastId).toBeLessThan(9000);
  });

  it("emulator.export() keeps the seed's references to commits and to tag objects", () => {
    const tree = { a: sha };
    const refs = {
      'heads/main': { sha: commit.sha, type: 'commit' as const },
      'tags/v1': { sha: 'b'.repeat(40), type: 'tag' as const },
    };
    const git = { objects: { [sha]: 'text' }, commits: [{ ...commit, tree }], refs };
    const seed = { now, hosting: { accounts: [ada, acme], repositories: [{ ...rocket, git }] } };
    const emulator = createEmulator({ seed });
    const repo = emulator.hosting.state.repos.get('acme/rocket');
    expect([...(repo?.branches.get('main')?.keys() ?? [])]).toEqual(['a']);
    expect(emulator.export().hosting?.repositories?.[0]?.git?.refs).toEqual(refs);
  });
});

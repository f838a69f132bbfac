import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createEmulator, type Dataset, type Emulator } from '../../src/testing/index.js';
import { worldText } from '../../src/testing/world/file.js';
import { checkWorld } from '../../src/testing/world/world.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

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

  it('emulator.export() returns an empty list for each list that the seed omits', () => {
    const { hosting } = exported({ now, hosting: {} });
    for (const [name, list] of Object.entries(hosting ?? {})) {
      if (Array.isArray(list)) expect({ [name]: list }).toEqual({ [name]: [] });
    }
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

describe('restored worlds', () => {
  const here = '/repos/lab/engine';

  const auth = basic('ada', 'x');

  function scene() {
    const emulator = createEmulator({ ...noon, seed: false });
    const { hosting } = emulator;
    for (const login of ['ada', '10', '2']) hosting.addUser(login, { password: 'x' });
    hosting.addOrg('lab', ['ada']);
    const repo = hosting.addRepo('lab', 'engine', { files: { c: 'x', 'b/2': 'y' } });
    return { emulator, hosting, repo };
  }

  /** Returns a new emulator with a copy of the world, parsed from JSON. */
  function copyEmulator(emulator: Emulator): Emulator {
    const text = JSON.stringify(emulator.snapshot());
    const copy = createEmulator({ seed: JSON.parse(text) });
    expect(JSON.stringify(copy.snapshot())).toBe(text);
    return copy;
  }

  async function expectSame(emulator: Emulator, path: string) {
    const [before, after] = [
      await sendRequest(emulator, `GET ${path}`, { auth }),
      await sendRequest(copyEmulator(emulator), `GET ${path}`, { auth }),
    ];
    expect([after.status, after.data]).toEqual([200, before.data]);
    return before.data;
  }

  const now = '2020-02-29T12:00:00Z';

  const ada = { login: 'ada' };

  const notes = { owner: 'ada', name: 'notes' };

  const hosting = (more: object) => ({ now, hosting: { accounts: [ada], ...more } });

  const inRepo = (more: object) => hosting({ repositories: [{ ...notes, ...more }] });

  // `as`: the type doesn't allow these worlds.
  const createWorld = (data: object) => data as Dataset;

  describe('createEmulator() with a snapshot', () => {
    it('a restored snapshot keeps the order of stargazers whose logins are numbers', async () => {
      const { emulator, hosting } = scene();
      for (const login of ['ada', '10', '2']) hosting.addStar('lab/engine', login);
      const users = await expectSame(emulator, `${here}/stargazers`);
      expect(users.map(({ login }: { login: string }) => login)).toEqual(['ada', '10', '2']);
    });

    it('a restored snapshot lists files alphabetically even if their names are numbers', async () => {
      const { emulator, hosting } = scene();
      for (const path of ['10', '9', 'a', 'b/10', 'b/1']) hosting.addFile('lab/engine', path, path);
      const names = async (path: string) => {
        const entries = await expectSame(emulator, `${here}/contents/${path}`);
        return entries.map(({ name }: { name: string }) => name);
      };
      expect(await names('')).toEqual(['10', '9', 'a', 'b', 'c']);
      expect(await names('b')).toEqual(['1', '10', '2']);
    });

    it.each(['\n a', '  \n\nb', '\u2028', '__proto__'])(
      'a YAML export preserves the text %j',
      async (text) => {
        const { emulator } = scene();
        let nested: unknown = text;
        for (let level = 0; level < 25; level++) nested = [{ [text]: nested }];
        const settings = { enterprise: { nested } };
        emulator.restore({ ...emulator.snapshot(), console: { settings } });
        const world = JSON.stringify(emulator.snapshot());
        const data: unknown = parse(await worldText('world.yaml', emulator.snapshot()));
        emulator.restore(checkWorld(data, 'world'));
        expect(JSON.stringify(emulator.snapshot())).toBe(world);
      },
    );
  });

  describe('emulator.restore()', () => {
    it("assigns an ID to every record in a repository's collections", () => {
      const world = inRepo({
        pulls: [{}],
        releases: [{ tagName: 'v1', assets: [{ name: 'a' }] }],
        comments: [{ body: 'b' }],
        hooks: [{ config: {} }],
        downloads: [{ name: 'd' }],
        pages: { builds: [{}] },
      });
      const emulator = createEmulator({ seed: false });
      emulator.restore(createWorld(world));
      const repo = emulator.hosting.state.repo('ada', 'notes');
      const records = [
        ...(repo?.pulls ?? []),
        ...(repo?.releases ?? []),
        ...(repo?.releases[0]?.assets ?? []),
        ...(repo?.comments ?? []),
        ...(repo?.hooks ?? []),
        ...(repo?.downloads ?? []),
        ...(repo?.pages?.builds ?? []),
      ];
      expect(records).toHaveLength(7);
      expect(new Set(records.map(({ id }) => id)).size).toBe(7);
      for (const { id } of records) expect(id).toEqual(expect.any(Number));
    });
  });

  describe('checkWorld()', () => {
    it('keeps files and attributes named __proto__', () => {
      const emulator = createEmulator({ ...noon, seed: false });
      const { hosting, support } = emulator;
      hosting.addUser('ada');
      hosting.addRepo('ada', 'notes', { files: JSON.parse('{ "__proto__": "text", "b": "c" }') });
      support.addContact({ attributes: JSON.parse('{ "__proto__": "value" }') });
      const before = JSON.stringify(emulator.snapshot());
      expect(before.match(/__proto__/g)).toHaveLength(2);
      emulator.restore(checkWorld(JSON.parse(before), 'world'));
      expect(JSON.stringify(emulator.snapshot())).toBe(before);
    });
  });
});

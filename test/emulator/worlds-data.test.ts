import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Dataset, readWorld, writeWorld } from '../../src/testing/index.js';

// Tests each field of a world: import and export, defaults and errors.

const now = '2014-06-01T12:00:00Z';
const exported = (seed: Dataset) => createEmulator({ seed }).export();

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

  test('returns all data of the support API', () => {
    expect(exported({ now, support }).support).toEqual(support);
    expect(exported(exported({ now, support }))).toEqual(exported({ now, support }));
  });

  test('returns the appliance with merged settings', () => {
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

  test('returns empty lists for omitted support data', () => {
    const none = { users: [], campaigns: [], contacts: [], cases: [], sessions: [] };
    expect(exported({ now, support: {} }).support).toEqual(none);
  });

  test('returns the time of a stopped clock and the offset of a running clock', () => {
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

test('createEmulator uses defaults for fields that the seed omits', () => {
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

test.each<[Dataset, string]>([
  [{ support: { contacts: [{ id: 1 }, { id: 1 }] } }, 'support.contacts[1]: id: '],
  [
    { support: { contacts: [{ attributes: { tags: 'x' } }] } },
    'support.contacts[0]: attributes.tags',
  ],
  [
    { support: { cases: [{}, { contact_id: 9 }] } },
    'support.cases[1]: contact_id: must be the ID of an existing contact (got 9)',
  ],
  [{ console: { keys: ['ssh-rsa AAAA', 'x'] } }, 'console.keys[1]: '],
])('createEmulator reports the path of an invalid field in %j', (seed, words) => {
  expect(() => createEmulator({ seed })).toThrow(words);
});

test('createEmulator throws an error with a cause for an invalid seed', () => {
  const seed = { support: { contacts: [{ id: 1 }, { id: 1 }] } };
  const create = () => createEmulator({ seed });
  expect(create).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
});

describe('checkWorld()', () => {
  // Imports the schema module only when it is needed, as the emulator does.
  async function checked(data: object): Promise<Dataset> {
    const { checkWorld } = await import('../../src/testing/world/schema.js');
    return checkWorld(data, 'world');
  }

  const inRepo = (more: object) => ({
    hosting: { repositories: [{ owner: 'ada', name: 'notes', ...more }] },
  });

  test.each<[string, object]>([
    ['hosting.accounts[0].login', { hosting: { accounts: [{}] } }],
    ['hosting.applications[0].name', { hosting: { applications: [{}] } }],
    ['hosting.tokens[0].login', { hosting: { tokens: [{}] } }],
    ['hosting.teams[0].org', { hosting: { teams: [{ name: 'crew' }] } }],
    ['hosting.teams[0].name', { hosting: { teams: [{ org: 'acme' }] } }],
    ['hosting.repositories[0].releases[0].tagName', inRepo({ releases: [{}] })],
    [
      'hosting.repositories[0].releases[0].assets[0].name',
      inRepo({ releases: [{ tagName: 'v1', assets: [{}] }] }),
    ],
    ['hosting.repositories[0].comments[0].body', inRepo({ comments: [{}] })],
    ['hosting.repositories[0].hooks[0].config', inRepo({ hooks: [{}] })],
    ['hosting.repositories[0].downloads[0].name', inRepo({ downloads: [{}] })],
    ['console.standing.progress[0].key', standing({ status: 'x' })],
    ['console.standing.progress[0].status', standing({ key: 'x' })],
  ])('requires %s', async (place, data) => {
    await expect(checked(data)).rejects.toThrow(`world: ${place}: `);
  });

  test.each<[string, object]>([
    ['a time with an offset', { now: '2014-06-01T14:00:00+02:00' }],
    [
      'an annotated tag',
      inRepo({ git: { objects: {}, commits: [], refs: { 'tags/v1': { sha: 'a', type: 'tag' } } } }),
    ],
    ['a Pages build in progress', inRepo({ pages: { builds: [{ status: 'building' }] } })],
  ])('accepts %s', async (_what, data) => {
    expect(await checked(data)).toEqual(data);
  });

  test("accepts a team's repository only as owner/name", async () => {
    const team = (repo: string) => ({
      hosting: { teams: [{ org: 'acme', name: 'crew', repos: [repo] }] },
    });
    expect(await checked(team('acme/rocket'))).toEqual(team('acme/rocket'));
    for (const repo of ['rocket', 'acme/', '/rocket', 'acme/rocket/more']) {
      await expect(checked(team(repo))).rejects.toThrow('world: hosting.teams[0].repos[0]: ');
    }
  });

  function standing(step: object): object {
    return { console: { standing: { status: 'running', progress: [step] } } };
  }
});

describe('world files', () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'triforge-world-'));
    onTestFinished(() => rm(path, { recursive: true }));
    return path;
  }
  const shared = { date: 1, text: 'x' };
  const world: Dataset = { now, support: { contacts: [{ notes: [shared] }, { notes: [shared] }] } };

  test('writes indented text without YAML anchors', async () => {
    const path = await folder();
    await writeWorld(join(path, 'a.json'), world);
    expect(await readFile(join(path, 'a.json'), 'utf8')).toBe(
      `${JSON.stringify(world, null, 2)}\n`,
    );
    await writeWorld(join(path, 'a.yml'), world);
    const yaml = await readFile(join(path, 'a.yml'), 'utf8');
    expect(yaml).toMatch(/^now: 2014-06-01T12:00:00Z\nsupport:\n/);
    expect(yaml).not.toMatch(/[&*{]/);
    for (const name of ['a.json', 'a.yml'])
      expect(await readWorld(join(path, name))).toEqual(world);
  });

  test('writes a file completely or not at all', async () => {
    const path = await folder();
    const file = join(path, 'a.json');
    await writeFile(file, 'before');
    const endless: Dataset = {};
    Object.defineProperty(endless, 'now', {
      enumerable: true,
      get: () => {
        throw new Error('it broke');
      },
    });
    await expect(writeWorld(file, endless)).rejects.toThrow('it broke');
    await expect(writeWorld(join(path, 'none', 'a.json'), world)).rejects.toThrow('ENOENT');
    expect(await readdir(path)).toEqual(['a.json']);
    expect(await readFile(file, 'utf8')).toBe('before');
  });

  test.each<[string, string, string[]]>([
    ['a.json', '{', ['must be JSON (']],
    ['a.json', 'now: x', ['must be JSON (']],
    ['a.yaml', 'a: [', ['must be YAML (']],
    ['a.json', '[]', ['the top level: ']],
    [
      'a.json',
      '{"hosting":{"accounts":[{"login":"a"},{"login":""}]}}',
      ['hosting.accounts[1].login: '],
    ],
    [
      'a.json',
      '{"support":{"contacts":[{"id":0,"tags":[1]}]}}',
      ['support.contacts[0].id: ', 'support.contacts[0].tags[0]: '],
    ],
    ['a.json', '{"hosting":{"renamed":{"a":"b/c"}}}', ['hosting.renamed.a: ']],
  ])('rejects %s with the text %s', async (name, text, places) => {
    const path = join(await folder(), name);
    await writeFile(path, text);
    const error = await readWorld(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    // The parser's error, which contains the position, is the cause.
    const hasCause = error instanceof Error && error.cause instanceof Error;
    expect(hasCause).toBe(places.some((place) => place.startsWith('must be ')));
    const lines = error instanceof Error ? error.message.split('\n') : [];
    for (const place of places) {
      expect(lines.filter((line) => line.startsWith(`${path}: ${place}`))).toHaveLength(1);
    }
  });

  test('lists at most ten problems in an error', async () => {
    const path = join(await folder(), 'a.json');
    const readErrors = async (count: number) => {
      const accounts = Array.from({ length: count }, () => ({ login: 7 }));
      await writeFile(path, JSON.stringify({ hosting: { accounts } }));
      const error: unknown = await readWorld(path).catch((reason: unknown) => reason);
      return error instanceof Error ? error.message.split('\n') : [];
    };
    expect(await readErrors(10)).toHaveLength(10);
    const lines = await readErrors(12);
    expect([lines.length, lines.at(-1)]).toEqual([11, `${path}: 2 more problems`]);
  });
});

describe('hosting seed', () => {
  const ada = { login: 'ada' };
  const acme = { login: 'acme', type: 'Organization' as const, owners: ['ada'] };
  const rocket = { owner: 'acme', name: 'rocket' };
  const sha = 'a'.repeat(40);
  const commit = { sha, message: 'first', parents: [], login: 'ada', date: now };
  type Hosting = NonNullable<Dataset['hosting']>;

  test.each<[string, Hosting]>([
    ['hosting.accounts[1].owners', { accounts: [ada, { ...acme, owners: ['bob'] }] }],
    ['hosting.accounts[1].owners', { accounts: [ada, { login: 'eve', owners: ['ada'] }] }],
    ['hosting.tokens[0].login', { accounts: [ada], tokens: [{ login: 'bob', token: 't' }] }],
    ['hosting.repositories[0].owner', { accounts: [ada], repositories: [rocket] }],
    [
      'hosting.repositories[0].collaborators',
      { accounts: [ada, acme], repositories: [{ ...rocket, collaborators: { bob: 'push' } }] },
    ],
    [
      'hosting.repositories[1].stargazers',
      {
        accounts: [ada, acme],
        repositories: [rocket, { ...rocket, name: 'moon', stargazers: ['bob'] }],
      },
    ],
    ['hosting.teams[0].org', { accounts: [ada], teams: [{ org: 'acme', name: 'crew' }] }],
    [
      'hosting.teams[0].members',
      { accounts: [ada, acme], teams: [{ org: 'acme', name: 'crew', members: ['bob'] }] },
    ],
  ])('rejects a missing record in %s', (field, hosting) => {
    expect(() => createEmulator({ seed: { now, hosting } })).toThrow(field);
  });

  test('assigns IDs above the IDs in the seed', () => {
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

  test('exports an empty list for each omitted list', () => {
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

  test('treats undefined fields as omitted', () => {
    const accounts = [{ ...ada, id: undefined, siteAdmin: undefined }];
    const found = exported({ now, hosting: { accounts } }).hosting;
    expect(found).toEqual(exported({ now, hosting: { accounts: [ada] } }).hosting);
    expect(found?.accounts?.[0]?.id).toEqual(expect.any(Number));
  });

  test("a hook setting named id doesn't affect lastId", () => {
    const hooks = [{ config: { url: 'http://127.0.0.1:1/', id: '9000' } }];
    const hosting = { accounts: [ada, acme], repositories: [{ ...rocket, hooks }] };
    expect(exported({ now, hosting }).hosting?.lastId).toBeLessThan(9000);
  });

  test('keeps applications and teams', () => {
    const applications = [
      { name: 'Star Map', clientId: 'a'.repeat(20), callbackUrl: 'http://localhost/cb' },
    ];
    const teams = [{ org: 'acme', name: 'crew', members: ['ada'], repos: ['acme/rocket'] }];
    const hosting = { accounts: [ada, acme], applications, repositories: [rocket], teams };
    const found = exported({ now, hosting }).hosting;
    expect(found?.applications).toMatchObject(applications);
    expect(found?.teams).toContainEqual(expect.objectContaining(teams[0]));
  });

  test('keeps references to commits and to tag objects', () => {
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

  test('keeps the note of a token', () => {
    const token = {
      login: 'ada',
      token: 't'.repeat(40),
      note: 'ci',
      noteUrl: 'https://ci.example',
    };
    const found = exported({ now, hosting: { accounts: [ada], tokens: [token] } }).hosting;
    expect(found?.tokens?.[0]).toMatchObject(token);
  });

  test('rejects a commit whose tree contains an unknown object', () => {
    const git = { objects: {}, commits: [{ ...commit, tree: { a: sha } }], refs: {} };
    const seed = { now, hosting: { accounts: [ada, acme], repositories: [{ ...rocket, git }] } };
    expect(() => createEmulator({ seed })).toThrow('hosting.repositories[0].git.commits[0].tree');
  });
});

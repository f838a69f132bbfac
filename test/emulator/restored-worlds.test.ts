import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  consoleSeed,
  createEmulator,
  type Dataset,
  type Emulator,
} from '../../src/testing/index.js';
import { worldText } from '../../src/testing/world/file.js';
import { checkWorld } from '../../src/testing/world/world.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

const now = '2014-06-01T12:00:00Z';
const ada = { login: 'ada' };
const notes = { owner: 'ada', name: 'notes' };
const hosting = (more: object) => ({ now, hosting: { accounts: [ada], ...more } });
const inRepo = (more: object) => hosting({ repositories: [{ ...notes, ...more }] });

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
  // `as`: the type doesn't allow these worlds.
  const createWorld = (data: object) => data as Dataset;

  describe('createEmulator() with a snapshot', () => {
    it.each(['\n a', '  \n\nb', '\u2028', '__proto__'])(
      'a YAML export preserves the text %j',
      async (text) => {
        const emulator = createEmulator({ ...noon, seed: false });
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

describe('invalid worlds', () => {
  const commit = { sha: 'a', message: 'm', login: 'ada', parents: [], date: now, tree: {} };
  const user = { userName: 'u', apiKey: 'k', password: 'p' };
  const token = { ...ada, token: 't' };

  const lab = { login: 'lab', type: 'Organization', owners: ['ada'] };
  const crew = { org: 'lab', name: 'crew' };
  const inLab = (more: object) => hosting({ accounts: [ada, lab], ...more });
  const accounts = (...all: object[]) => ({ hosting: { accounts: all } });
  const repositories = (...all: object[]) => hosting({ repositories: all });
  const releases = (...all: object[]) => inRepo({ releases: all });
  const release = (tagName: string, ...assets: object[]) => ({ tagName, assets });
  const contacts = (...all: object[]) => ({ support: { contacts: all } });
  const cases = (...all: object[]) => ({ support: { cases: all } });
  const settings = (all: object) => ({ console: { settings: all } });

  /** Returns the record with an ID that another record also has. */
  const seven = (record: object = {}) => ({ ...record, id: 7 });
  const [sevenAsset, one] = [seven({ name: 'a' }), { id: 1 }];
  const git = (...commits: object[]) => inRepo({ git: { objects: {}, refs: {}, commits } });

  /** Worlds in which two records have the same ID, key, number or name. */
  const repeated: readonly [string, object][] = [
    ['hosting.accounts[1].id', accounts(seven(ada), seven({ login: 'bob' }))],
    [
      'hosting.repositories[0].releases[1].assets[0].id',
      releases(release('a', sevenAsset), release('b', sevenAsset)),
    ],
    ['hosting.repositories[0].git.commits[1].sha', git(commit, commit)],
    ['support.users[1].userName', { support: { users: [user, user] } }],
    ['console.keys[1]', { console: { keys: ['ssh-rsa AAAA a', 'ssh-rsa AAAA a'] } }],
    ['hosting.tokens[1].token: must be unique (got t twice)', hosting({ tokens: [token, token] })],
    ['hosting.repositories[1]: must be unique (got ada/notes twice)', repositories(notes, notes)],
    ['hosting.repositories[0].pulls[1].number', inRepo({ pulls: [{}, { number: 1 }] })],
    ['support.contacts[1]: id: ', contacts(one, one)],
    ['hosting.accounts[1].login: must be unique (got ADA twice)', accounts(ada, { login: 'ADA' })],
    ['hosting.teams[1].name: must be unique (got crew twice)', inLab({ teams: [crew, crew] })],
  ];

  const nested: object = Array.from({ length: 50_000 }).reduce<object>((inner) => [inner], []);
  const late = '9999-12-31T23:59:59-08:00';

  /** Worlds with values that responses or the next export can't contain. */
  const unusable: readonly [string, object][] = [
    ['hosting.tokens[0].scopes[0]', hosting({ tokens: [{ ...ada, scopes: ['a\r\nb'] }] })],
    ['hosting.repositories[0].name', hosting({ repositories: [{ ...notes, name: '日本' }] })],
    [
      'hosting.repositories[0].releases[0].assets[0].contentType',
      releases(release('a', { name: 'a', contentType: '日本' })),
    ],
    ['hosting.repositories[0].files', inRepo({ files: { '\ud800': 'x' } })],
    ['hosting.lastId', hosting({ lastId: Number.MAX_SAFE_INTEGER })],
    ['support.contacts[0].created', contacts({ created: late })],
    ['console.settings.enterprise.private_mode', settings({ enterprise: { private_mode: 'yes' } })],
    ['console.settings.run', settings({ run: () => undefined })],
    ['must have at most 500 levels', settings({ nested })],
  ];

  /** Worlds with invalid values that a file can contain. */
  const invalid: readonly [string, object][] = [
    ['time', { now: 'today', hosting: { accounts: [ada] } }],
    ['support.contacts[0]: attributes.tags', contacts({ attributes: { tags: 'x' } })],
    ['support.contacts[0].created', contacts({ created: 'x' })],
    ['console.keys[1]: must be a public key', { console: { keys: ['ssh-rsa AAAA', 'nonsense'] } }],
    ['console.maintenance', { console: { maintenance: 'x' } }],
  ];

  /** Worlds with a reference to a record that doesn't exist. */
  const references: readonly [string, object][] = [
    ['hosting.accounts[1].owners', hosting({ accounts: [ada, { login: 'eve', owners: ['ada'] }] })],
    [
      "hosting.tokens[0].login: must be a login in hosting.accounts (got 'bob')",
      hosting({ tokens: [{ login: 'bob' }] }),
    ],
    ['hosting.repositories[0].collaborators', inRepo({ collaborators: { bob: 'push' } })],
    [
      'hosting.repositories[0].git.commits[0].tree',
      git({ ...commit, tree: { a: 'a'.repeat(40) } }),
    ],
    ['hosting.teams[0].members', inLab({ teams: [{ ...crew, members: ['bob'] }] })],
    [
      'support.cases[1]: contact_id: must be the ID of an existing contact (got 9)',
      cases({}, { contact_id: 9 }),
    ],
  ];

  /** Worlds with unknown members. */
  const unknown: readonly [string, object][] = [
    ['hosting.issues', hosting({ issues: [{ title: 'One' }] })],
    ['hosting.accounts[0].keys', accounts({ ...ada, keys: [{ key: 'k' }] })],
    ['hosting.repositories[0].releases[0].assets[0].parts', releases(release('v1', { parts: [] }))],
    ['hosting.repositories[0].stargazers.ada.note', inRepo({ stargazers: { ada: { note: 'x' } } })],
    ['support.contacts[0].calls', contacts({ calls: [] })],
    ['console.nodes', { console: { nodes: [] } }],
  ];

  describe('createEmulator() and restore()', () => {
    const worlds = [...repeated, ...invalid, ...references, ...unknown, ...unusable];
    it.each(worlds)(
      'both functions reject an invalid world with an error that contains "%s"',
      (path, data) => {
        // `as`: the type doesn't allow some of these worlds.
        const world = data as Dataset;
        const emulator = createEmulator(noon);
        emulator.hosting.signedIn = 'mona';
        const { state } = emulator.hosting;
        const before = emulator.snapshot();
        expect(() => emulator.restore(world)).toThrow(path);
        expect(emulator.snapshot()).toEqual(before);
        expect(emulator.hosting.state).toBe(state);
        expect(emulator.hosting.signedIn).toBe('mona');
        expect(() => createEmulator({ seed: world })).toThrow(path);
      },
    );

    it("restore() keeps the clock's offset if the world is invalid", () => {
      const emulator = createEmulator({ seed: false });
      emulator.clock.advance(3_600_000);
      const { ahead } = emulator.clock;
      const world = { now, hosting: { accounts: [ada, ada] } };
      expect(() => emulator.restore(world)).toThrow('accounts[1].login');
      expect(emulator.clock.ahead).toBe(ahead);
    });

    it.each<[string, unknown]>([
      ['the top level', null],
      ['ahead', { ahead: Number.NaN }],
      ['hosting.accounts', { hosting: { accounts: 'ada' } }],
      ['hosting.accounts[0].login', { hosting: { accounts: [{ login: 7 }] } }],
      ['hosting.repositories[0].files.a', inRepo({ files: { a: 7 } })],
      ['console.maintenance', { console: { maintenance: true } }],
    ])('both functions name %s in the error for the invalid world %O', (path, data) => {
      // `as`: JavaScript callers can pass anything.
      const world = data as Dataset;
      const emulator = createEmulator({ seed: false });
      const before = emulator.snapshot();
      const message = (where: string) =>
        new RegExp(`^${where}: ${path.replace(/[.[\]]/g, '\\$&')}: .*(?:expected|must be) `);
      expect(() => createEmulator({ seed: world })).toThrow(message('seed'));
      expect(() => emulator.restore(world)).toThrow(message('world'));
      expect(emulator.snapshot()).toEqual(before);
    });
  });

  it('createEmulator() throws an error with a cause for an invalid seed', () => {
    const seed = { support: { contacts: [one, one] } };
    const create = () => createEmulator({ seed });
    expect(create).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
  });
});

describe('requests that are running during a change', () => {
  /** Creates an emulator whose records have the same IDs every time. */
  function scene() {
    const emulator = createEmulator({ ...noon, seed: false });
    const { hosting } = emulator;
    hosting.addUser('ada', { password: 'x' });
    hosting.addOrg('lab', ['ada']);
    const repo = hosting.addRepo('lab', 'engine');
    const release = hosting.addRelease(repo, 'v1', { draft: true });
    const sha = repo.refs.get('heads/main')?.sha;
    return { emulator, repo, release: release.id, sha };
  }

  type Scene = ReturnType<typeof scene>;
  const here = '/api/v3/repos/lab/engine';

  /** Sends a request and calls `act` in the middle of the body. @returns Status of the response. */
  async function sendAcross(
    emulator: Emulator,
    [method, path]: string[],
    body: object,
    act: () => unknown,
  ) {
    let stopped: (() => void) | undefined;
    const started = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const text = Buffer.from(JSON.stringify(body));
    const pieces = ReadableStream.from(
      (async function* () {
        yield text.subarray(0, 5);
        stopped?.();
        await new Promise(setImmediate);
        await act();
        yield text.subarray(5);
      })(),
    );
    // The emulator reads a JSON body before it handles the request. Uploads have a different media
    // type.
    const type = path?.includes('uploads') ? 'text/plain' : '';
    const headers = { authorization: basic('ada', 'x'), 'user-agent': 't', 'content-type': type };
    const request = new Request(`http://code.test${path}`, {
      method: method ?? '',
      headers,
      body: pieces,
      duplex: 'half',
    });
    const response = emulator.respond(request);
    await started;
    return (await response).status;
  }

  it.each<[string, (scene: Scene) => object]>([
    [`PATCH ${here}/releases/{release}`, () => ({ draft: false })],
    ['POST /api/uploads/repos/lab/engine/releases/{release}/assets?name=a', () => ({})],
    [`POST ${here}/git/refs`, ({ sha }) => ({ ref: 'refs/heads/n', sha })],
    ['POST /api/v3/authorizations', () => ({ note: 'n' })],
  ])(
    "emulator.restore() during %s keeps the request's result out of the new world",
    async (what, getBody) => {
      const there = scene();
      const { emulator, repo } = there;
      emulator.hosting.addHook(repo, { url: 'http://far.test/' }, { events: ['*'] });
      const path = what.replace('{release}', `${there.release}`);
      const world = { now: '2014-06-01T12:00:00Z', hosting: { accounts: [{ login: 'bob' }] } };
      let after: Dataset | undefined;
      const act = () => {
        emulator.restore(world);
        after = emulator.snapshot();
      };
      const status = await sendAcross(emulator, path.split(' '), getBody(there), act);
      expect(status).toBeLessThan(300);
      expect(emulator.snapshot()).toEqual(after);
      expect(emulator.hosting.deliveries).toEqual([]);
    },
  );

  it.each([
    ['PATCH of a release', `PATCH ${here}/releases/{release}`],
    ['POST of an asset', 'POST /api/uploads/repos/lab/engine/releases/{release}/assets?name=a'],
  ])(
    'the emulator responds with 404 to the %s that is deleted during the request',
    async (_what, route) => {
      const { emulator, release } = scene();
      const remove = async () => {
        const path = `DELETE /repos/lab/engine/releases/${release}`;
        const { status } = await sendRequest(emulator, path, { auth: basic('ada', 'x') });
        expect(status).toBe(204);
      };
      const [method = '', path = ''] = route.replace('{release}', `${release}`).split(' ');
      expect(await sendAcross(emulator, [method, path], { draft: false }, remove)).toBe(404);
      expect(emulator.hosting.state.repo('lab', 'engine')?.releases).toEqual([]);
      expect(emulator.hosting.deliveries).toEqual([]);
    },
  );

  it('emulator.reset() during a console upload keeps the upload out of the new world', async () => {
    const emulator = createEmulator(noon);
    const before = emulator.snapshot();
    const body = ReadableStream.from(
      (async function* () {
        yield Buffer.from('package=');
        await new Promise(setImmediate);
        emulator.reset();
        yield Buffer.from('p');
      })(),
    );
    const url = `http://code.test/setup/api/upgrade?license_md5=${consoleSeed.licenseMd5}`;
    const response = await emulator.respond(
      new Request(url, { method: 'POST', body, duplex: 'half' }),
    );
    expect(response.status).toBe(202);
    expect(emulator.console.uploads).toEqual([]);
    expect(emulator.snapshot()).toEqual(before);
  });
});

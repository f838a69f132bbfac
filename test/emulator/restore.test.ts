import { describe, expect, it } from 'vitest';
import { createEmulator, type Dataset } from '../../src/testing/index.js';
import { checkWorld } from '../../src/testing/world/schema.js';
import { noon } from '../support/noon.js';

const now = '2020-02-29T12:00:00Z';
const ada = { login: 'ada' };
const notes = { owner: 'ada', name: 'notes' };
const hosting = (more: object) => ({ now, hosting: { accounts: [ada], ...more } });
const inRepo = (more: object) => hosting({ repositories: [{ ...notes, ...more }] });

/** Worlds with invalid values that a file can contain. */
const invalid: readonly [string, object][] = [
  ['time', { now: 'today', hosting: { accounts: [ada] } }],
  ['time', { now: '-000001-01-01T00:00:00Z' }],
  ['hosting.tokens[0].login', hosting({ tokens: [{ login: 'bob' }] })],
  ['hosting.repositories[1].owner', hosting({ repositories: [notes, { owner: 'x', name: 'y' }] })],
  ['hosting.teams[0].org', hosting({ teams: [{ org: 'x', name: 'y' }] })],
  ['support.cases[0]', { ...hosting({}), support: { cases: [{ contact_id: 3 }] } }],
  ['support.contacts[0].created', { now, support: { contacts: [{ created: 'x' }] } }],
  ['support.cases[0].lastOpened', { now, support: { cases: [{ lastOpened: 'x' }] } }],
  ['console.keys[0]', { ...hosting({}), console: { keys: ['nonsense'] } }],
  ['console.maintenance', { ...hosting({}), console: { maintenance: 'x' } }],
];

/** Worlds with unknown members. */
const unknown: readonly [string, object][] = [
  ['hosting.issues', hosting({ issues: [{ title: 'One' }] })],
  ['hosting.accounts[0].keys', { hosting: { accounts: [{ ...ada, keys: [{ key: 'k' }] }] } }],
  ['hosting.applications[0].keys', hosting({ applications: [{ name: 'App', keys: [] }] })],
  ['hosting.tokens[0].keys', hosting({ tokens: [{ ...ada, keys: [] }] })],
  ['hosting.repositories[0].milestones', inRepo({ milestones: [{ title: 'One' }] })],
  ['hosting.repositories[0].commits', inRepo({ commits: {} })],
  ['hosting.repositories[0].refs', inRepo({ refs: { 'heads/main': 'x' } })],
  ['hosting.repositories[0].pulls[0].labels', inRepo({ pulls: [{ labels: [{ name: 'bug' }] }] })],
  [
    'hosting.repositories[0].releases[0].reactions',
    inRepo({ releases: [{ tagName: 'v1', reactions: [] }] }),
  ],
  [
    'hosting.repositories[0].releases[0].assets[0].parts',
    inRepo({ releases: [{ tagName: 'v1', assets: [{ name: 'a', parts: [] }] }] }),
  ],
  [
    'hosting.repositories[0].comments[0].replies',
    inRepo({ comments: [{ body: 'b', replies: [] }] }),
  ],
  [
    'hosting.repositories[0].hooks[0].deliveries',
    inRepo({ hooks: [{ config: {}, deliveries: [] }] }),
  ],
  ['hosting.repositories[0].downloads[0].parts', inRepo({ downloads: [{ name: 'd', parts: [] }] })],
  ['hosting.repositories[0].pages.domains', inRepo({ pages: { domains: [] } })],
  ['hosting.repositories[0].pages.builds[0].steps', inRepo({ pages: { builds: [{ steps: [] }] } })],
  ['hosting.repositories[0].stargazers.ada.note', inRepo({ stargazers: { ada: { note: 'x' } } })],
  ['support.queues', { support: { queues: [{ name: 'q' }] } }],
  ['support.contacts[0].calls', { support: { contacts: [{ calls: [] }] } }],
  ['support.cases[0].calls', { support: { cases: [{ calls: [] }] } }],
  ['console.nodes', { console: { nodes: [] } }],
];

/** Worlds in which two records have the same ID, number or name. */
const taken: readonly [string, object][] = [
  ['hosting.accounts[1].login', { hosting: { accounts: [ada, ada] } }],
  [
    'hosting.tokens[1].token: must be unique (got t twice)',
    hosting({
      tokens: [
        { ...ada, token: 't' },
        { ...ada, token: 't' },
      ],
    }),
  ],
  [
    'hosting.repositories[1]: must be unique (got ada/notes twice)',
    hosting({ repositories: [notes, notes] }),
  ],
  [
    'hosting.applications[1].clientId: must be unique (got c twice)',
    hosting({
      applications: [
        { name: 'a', clientId: 'c' },
        { name: 'b', clientId: 'c' },
      ],
    }),
  ],
  ['hosting.repositories[0].pulls[1].number', inRepo({ pulls: [{}, { number: 1 }] })],
  [
    'hosting.repositories[0].releases[1].tagName: must be unique (got a twice)',
    inRepo({ releases: [{ tagName: 'a' }, { tagName: 'a' }] }),
  ],
  [
    'hosting.repositories[0].releases[1].id',
    inRepo({
      releases: [
        { tagName: 'a', id: 7 },
        { tagName: 'b', id: 7 },
      ],
    }),
  ],
  [
    'hosting.teams[1].id',
    {
      hosting: {
        accounts: [ada, { login: 'lab', type: 'Organization', owners: [] }],
        teams: [
          { org: 'lab', name: 'a', id: 9 },
          { org: 'lab', name: 'b', id: 9 },
        ],
      },
    },
  ],
];

// `as`: the type doesn't allow these worlds.
const createWorld = (data: object) => data as Dataset;

describe('emulator.restore()', () => {
  it.each([...invalid, ...unknown, ...taken])(
    'emulator.restore() rejects an invalid world and reports %s',
    (path, data) => {
      const emulator = createEmulator(noon);
      emulator.hosting.signedIn = 'mona';
      const { state } = emulator.hosting;
      const before = emulator.snapshot();
      expect(() => emulator.restore(createWorld(data))).toThrow(path);
      expect(emulator.snapshot()).toEqual(before);
      expect(emulator.hosting.state).toBe(state);
      expect(emulator.hosting.signedIn).toBe('mona');
    },
  );

  it("emulator.restore() keeps the clock's offset if the world is invalid", () => {
    const emulator = createEmulator({ seed: false });
    emulator.clock.advance(3_600_000);
    const { ahead } = emulator.clock;
    const accounts = [ada, ada];
    expect(() => emulator.restore({ now, hosting: { accounts } })).toThrow('accounts[1].login');
    expect(emulator.clock.ahead).toBe(ahead);
  });

  it('the emulator numbers pull requests above the numbers in its seed', () => {
    const emulator = createEmulator({ seed: createWorld(inRepo({ pulls: [{ number: 2 }, {}] })) });
    const { pulls } = emulator.hosting.state.repo('ada', 'notes') ?? {};
    expect(pulls?.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('emulator.restore() updates lastId after assigning an ID', () => {
    const emulator = createEmulator();
    const { hosting: data, ...rest } = emulator.snapshot();
    const [first, ...others] = data?.repositories ?? [];
    const changed = { ...first, comments: [...(first?.comments ?? []), { body: 'b' }] };
    emulator.restore(
      createWorld({ ...rest, hosting: { ...data, repositories: [changed, ...others] } }),
    );
    const repo = emulator.hosting.state.repo(first?.owner ?? '', first?.name ?? '');
    const id = repo?.comments.at(-1)?.id ?? 0;
    expect(emulator.hosting.state.lastId).toBeGreaterThanOrEqual(id);
  });

  it("emulator.restore() assigns an ID to every record in a repository's collections", () => {
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
  it('checkWorld() keeps files and attributes named __proto__', () => {
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

describe('createEmulator({ seed })', () => {
  const account = { login: 'ada' };
  const repository = { owner: 'ada', name: 'notes' };
  it.each<[string, unknown]>([
    ['the top level', 'world'],
    ['the top level', null],
    ['the top level', []],
    ['now', 7],
    ['ahead', Number.NaN],
    ['hosting', null],
    ['hosting.accounts', 'ada'],
    ['hosting.accounts[0]', { hosting: { accounts: ['ada'] } }],
    ['hosting.accounts[0].login', { hosting: { accounts: [{ login: 7 }] } }],
    ['hosting.accounts[0].login', { hosting: { accounts: [{}] } }],
    [
      'hosting.tokens[0].scopes',
      { hosting: { accounts: [account], tokens: [{ login: 'ada', scopes: 'repo' }] } },
    ],
    [
      'hosting.repositories[0].files.a',
      { hosting: { accounts: [account], repositories: [{ ...repository, files: { a: 7 } }] } },
    ],
    [
      'hosting.repositories[0].pulls',
      { hosting: { accounts: [account], repositories: [{ ...repository, pulls: null }] } },
    ],
    [
      'hosting.repositories[0].stargazers',
      { hosting: { accounts: [account], repositories: [{ ...repository, stargazers: 7 }] } },
    ],
    ['support.contacts', { support: { contacts: {} } }],
    ['support.cases[0].tags', { support: { cases: [{ tags: 'a' }] } }],
    ['console.keys', { console: { keys: 'key' } }],
    ['console.maintenance', { console: { maintenance: true } }],
  ])(
    'createEmulator() and restore() name %s in the error for the invalid value %O',
    (path, data) => {
      const [name = ''] = path.split('.');
      const isMember = path === name && path !== 'the top level';
      // `as`: JavaScript callers can pass anything.
      const world = (
        isMember
          ? { [name]: data }
          : path === 'hosting.accounts'
            ? { hosting: { accounts: data } }
            : data
      ) as Dataset;
      const emulator = createEmulator({ seed: false });
      const before = emulator.snapshot();
      const message = (where: string) =>
        new RegExp(`^${where}: ${path.replace(/[.[\]]/g, '\\$&')}: .*(?:expected|must be) `);
      expect(() => createEmulator({ seed: world })).toThrow(message('seed'));
      expect(() => emulator.restore(world)).toThrow(message('world'));
      expect(emulator.snapshot()).toEqual(before);
    },
  );

  it.each([...unknown, ...taken])(
    'createEmulator() rejects an invalid world and reports %s',
    (path, data) => {
      expect(() => createEmulator({ seed: createWorld(data) })).toThrow(path);
    },
  );
});

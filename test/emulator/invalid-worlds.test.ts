import { describe, expect, it } from 'vitest';
import { createEmulator, type Dataset } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

const now = '2020-02-29T12:00:00Z';
const ada = { login: 'ada' };
const notes = { owner: 'ada', name: 'notes' };
const commit = { sha: 'a', message: 'm', login: 'ada', parents: [], date: now, tree: {} };
const user = { userName: 'u', apiKey: 'k', password: 'p' };
const session = { token: 't', userName: 'u', expires: 0 };
const hosting = (more: object) => ({ now, hosting: { accounts: [ada], ...more } });
const inRepo = (more: object) => hosting({ repositories: [{ ...notes, ...more }] });

/** Worlds in which two records have the same ID or key. */
const repeated: readonly [string, object][] = [
  [
    'hosting.accounts[1].id',
    {
      hosting: {
        accounts: [
          { ...ada, id: 7 },
          { login: 'bob', id: 7 },
        ],
      },
    },
  ],
  [
    'hosting.tokens[1].id',
    hosting({
      tokens: [
        { ...ada, id: 7 },
        { ...ada, id: 7 },
      ],
    }),
  ],
  [
    'hosting.repositories[1].id',
    hosting({
      repositories: [
        { ...notes, id: 7 },
        { owner: 'ada', name: 'b', id: 7 },
      ],
    }),
  ],
  [
    'hosting.repositories[0].releases[1].assets[0].id',
    inRepo({
      releases: [
        { tagName: 'a', assets: [{ name: 'a', id: 7 }] },
        { tagName: 'b', assets: [{ name: 'a', id: 7 }] },
      ],
    }),
  ],
  [
    'hosting.repositories[0].pages.builds[1].id',
    inRepo({ pages: { builds: [{ id: 7 }, { id: 7 }] } }),
  ],
  [
    'hosting.repositories[0].git.commits[1].sha',
    inRepo({ git: { objects: {}, refs: {}, commits: [commit, commit] } }),
  ],
  ['support.users[1].userName', { support: { users: [user, user] } }],
  ['support.sessions[1].token', { support: { sessions: [session, session] } }],
  [
    'console.settings.enterprise.private_mode',
    { console: { settings: { enterprise: { private_mode: 'yes' } } } },
  ],
  ['console.keys[1]', { console: { keys: ['ssh-rsa AAAA a', 'ssh-rsa AAAA a'] } }],
];

let deep: unknown = 'x';
for (let level = 0; level < 5000; level++) deep = level % 2 === 0 ? [deep] : { deep };

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const late = '9999-12-31T23:59:59-08:00';

/** Creates an object with an own property named `__proto__`, as `JSON.parse` does. */
const named = (value: string) => JSON.parse(`{ "__proto__": ${value} }`);

const profiles = (more: object) => ({
  support: { contacts: [{ profiles: [{ source: 's', ...more }] }] },
});

/** Worlds with values that responses or the next export can't contain. */
const unusable: readonly [string, object][] = [
  ['hosting.tokens[0].scopes[0]', hosting({ tokens: [{ ...ada, scopes: ['a\r\nb'] }] })],
  ['hosting.repositories[0].name', hosting({ repositories: [{ ...notes, name: '日本' }] })],
  ['hosting.renamed["ada/old"]', hosting({ renamed: { 'ada/old': 'ada/日本' } })],
  [
    'hosting.repositories[0].releases[0].assets[0].contentType',
    inRepo({ releases: [{ tagName: 'a', assets: [{ name: 'a', contentType: '日本' }] }] }),
  ],
  ['hosting.repositories[0].files', inRepo({ files: { '\ud800': 'x' } })],
  ['hosting.repositories[0].downloads[0].name', inRepo({ downloads: [{ name: '\ud800' }] })],
  ['hosting.lastId', hosting({ lastId: Number.MAX_SAFE_INTEGER })],
  ['support.contacts[0].id', { support: { contacts: [{ id: Number.MAX_SAFE_INTEGER }] } }],
  ['support.contacts[0].created', { support: { contacts: [{ created: late }] } }],
  ['console.maintenance', { console: { maintenance: late } }],
  ['console.settings.deep', { console: { settings: { deep } } }],
  ['console.settings.cycle', { console: { settings: { cycle } } }],
  ['console.settings.run', { console: { settings: { run: () => undefined } } }],
  [
    'console.settings.__proto__',
    { console: { settings: named('['.repeat(200) + ']'.repeat(200)) } },
  ],
  ['support.contacts[0].profiles[0].about', profiles({ about: deep })],
  ['support.contacts[0].profiles[0].followers', profiles({ followers: () => 1 })],
  ['support.contacts[0].profiles[0].self', profiles({ self: cycle })],
  ['support.contacts[0].profiles[0].id', profiles({ id: 'one' })],
  ['support.contacts[0].profiles[0].ext_id', profiles({ ext_id: [1] })],
  [
    'console.standing.progress[0].deep',
    { console: { standing: { status: 's', progress: [{ key: 'k', status: 's', deep }] } } },
  ],
  ['hosting.repositories[0].collaborators.__proto__', inRepo({ collaborators: named('"owner"') })],
  ['hosting.repositories[0].files.__proto__', inRepo({ files: named('5') })],
  [
    'hosting.repositories[0].stargazers: must be an array of logins',
    inRepo({ stargazers: named('"today"') }),
  ],
  [
    'hosting.repositories[0].hooks[0].config.__proto__',
    inRepo({ hooks: [{ config: named('[]') }] }),
  ],
  ['hosting.repositories[0].hooks[0].name', inRepo({ hooks: [{ name: 'none', config: {} }] })],
  ['hosting.renamed.__proto__', hosting({ renamed: named('"ada/x"') })],
  [
    'support.contacts[0].attributes.__proto__',
    { support: { contacts: [{ attributes: named('{}') }] } },
  ],
];

/** Worlds with invalid values that a file can contain. */
const invalid: readonly [string, object][] = [
  ['time', { now: 'today', hosting: { accounts: [ada] } }],
  ['time', { now: '-000001-01-01T00:00:00Z' }],
  [
    'support.contacts[0]: attributes.tags',
    { support: { contacts: [{ attributes: { tags: 'x' } }] } },
  ],
  ['support.contacts[0].created', { now, support: { contacts: [{ created: 'x' }] } }],
  ['support.cases[0].lastOpened', { now, support: { cases: [{ lastOpened: 'x' }] } }],
  [
    'console.keys[1]: must be a public key',
    { ...hosting({}), console: { keys: ['ssh-rsa AAAA', 'nonsense'] } },
  ],
  ['console.maintenance', { ...hosting({}), console: { maintenance: 'x' } }],
];

const lab = { login: 'lab', type: 'Organization', owners: ['ada'] };
const inLab = (more: object) => hosting({ accounts: [ada, lab], ...more });

/** Worlds with a reference to a record that doesn't exist. */
const references: readonly [string, object][] = [
  ['hosting.accounts[1].owners', hosting({ accounts: [ada, { ...lab, owners: ['bob'] }] })],
  ['hosting.accounts[1].owners', hosting({ accounts: [ada, { login: 'eve', owners: ['ada'] }] })],
  [
    "hosting.tokens[0].login: must be a login in hosting.accounts (got 'bob')",
    hosting({ tokens: [{ login: 'bob' }] }),
  ],
  [
    "hosting.repositories[1].owner: must be a login in hosting.accounts (got 'x')",
    hosting({ repositories: [notes, { owner: 'x', name: 'y' }] }),
  ],
  ['hosting.repositories[0].collaborators', inRepo({ collaborators: { bob: 'push' } })],
  [
    'hosting.repositories[1].stargazers',
    hosting({ repositories: [notes, { ...notes, name: 'moon', stargazers: ['bob'] }] }),
  ],
  [
    'hosting.repositories[0].git.commits[0].tree',
    inRepo({
      git: { objects: {}, refs: {}, commits: [{ ...commit, tree: { a: 'a'.repeat(40) } }] },
    }),
  ],
  ['hosting.teams[0].org', hosting({ teams: [{ org: 'x', name: 'y' }] })],
  ['hosting.teams[0].members', inLab({ teams: [{ org: 'lab', name: 'crew', members: ['bob'] }] })],
  [
    'support.cases[1]: contact_id: must be the ID of an existing contact (got 9)',
    { support: { cases: [{}, { contact_id: 9 }] } },
  ],
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
    inLab({
      teams: [
        { org: 'lab', name: 'a', id: 9 },
        { org: 'lab', name: 'b', id: 9 },
      ],
    }),
  ],
  ['support.contacts[1]: id: ', { support: { contacts: [{ id: 1 }, { id: 1 }] } }],
];

describe('createEmulator() and restore()', () => {
  const worlds = [...repeated, ...taken, ...invalid, ...references, ...unknown, ...unusable];
  it.each(worlds)('reject an invalid world and report %s', (path, data) => {
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
  });

  it("restore() keeps the clock's offset if the world is invalid", () => {
    const emulator = createEmulator({ seed: false });
    emulator.clock.advance(3_600_000);
    const { ahead } = emulator.clock;
    const accounts = [ada, ada];
    expect(() => emulator.restore({ now, hosting: { accounts } })).toThrow('accounts[1].login');
    expect(emulator.clock.ahead).toBe(ahead);
  });

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
    ['hosting.tokens[0].scopes', hosting({ tokens: [{ ...ada, scopes: 'repo' }] })],
    ['hosting.repositories[0].files.a', inRepo({ files: { a: 7 } })],
    ['hosting.repositories[0].pulls', inRepo({ pulls: null })],
    ['hosting.repositories[0].stargazers', inRepo({ stargazers: 7 })],
    ['support.contacts', { support: { contacts: {} } }],
    ['support.cases[0].tags', { support: { cases: [{ tags: 'a' }] } }],
    ['console.keys', { console: { keys: 'key' } }],
    ['console.maintenance', { console: { maintenance: true } }],
  ])('name %s in the error for the invalid value %O', (path, data) => {
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
  });
});

it('createEmulator() throws an error with a cause for an invalid seed', () => {
  const seed = { support: { contacts: [{ id: 1 }, { id: 1 }] } };
  const create = () => createEmulator({ seed });
  expect(create).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
});

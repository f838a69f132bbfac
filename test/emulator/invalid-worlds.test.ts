import { describe, expect, it } from 'vitest';
import { createEmulator, type Dataset } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

const now = '2020-02-29T12:00:00Z';
const ada = { login: 'ada' };
const notes = { owner: 'ada', name: 'notes' };
const commit = { sha: 'a', message: 'm', login: 'ada', parents: [], date: now, tree: {} };
const user = { userName: 'u', apiKey: 'k', password: 'p' };
const token = { ...ada, token: 't' };
const hosting = (more: object) => ({ now, hosting: { accounts: [ada], ...more } });
const inRepo = (more: object) => hosting({ repositories: [{ ...notes, ...more }] });

const lab = { login: 'lab', type: 'Organization', owners: ['ada'] };
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
];

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
  ['hosting.repositories[0].git.commits[0].tree', git({ ...commit, tree: { a: 'a'.repeat(40) } })],
  ['hosting.teams[0].members', inLab({ teams: [{ org: 'lab', name: 'crew', members: ['bob'] }] })],
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
    ['ahead', Number.NaN],
    ['hosting.accounts', 'ada'],
    ['hosting.accounts[0]', { hosting: { accounts: ['ada'] } }],
    ['hosting.accounts[0].login', { hosting: { accounts: [{ login: 7 }] } }],
    ['hosting.repositories[0].files.a', inRepo({ files: { a: 7 } })],
    ['support.contacts', { support: { contacts: {} } }],
    ['console.maintenance', { console: { maintenance: true } }],
  ])('both functions name %s in the error for the invalid value %O', (path, data) => {
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

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

describe('invalid worlds', () => {
  it.each([...repeated, ...unusable])(
    'createEmulator() and restore() reject an invalid world and report %s',
    (path, data) => {
      // `as`: the type doesn't allow some of these worlds.
      const world = data as Dataset;
      const emulator = createEmulator(noon);
      const before = emulator.snapshot();
      expect(() => emulator.restore(world)).toThrow(path);
      expect(emulator.snapshot()).toEqual(before);
      expect(() => createEmulator({ seed: world })).toThrow(path);
    },
  );
});

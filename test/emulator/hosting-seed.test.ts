import { describe, expect, test } from 'vitest';
import { createEmulator, type Dataset } from '../../src/testing/index.js';
import { exported, now } from './exported-world.js';

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
  ])('createEmulator() rejects a seed with an invalid reference in %s', (field, hosting) => {
    expect(() => createEmulator({ seed: { now, hosting } })).toThrow(field);
  });

  test('the emulator assigns IDs above the IDs in its seed', () => {
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

  test('emulator.export() contains an empty list for each list that the seed omits', () => {
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

  test('the emulator treats undefined fields of its seed as omitted', () => {
    const accounts = [{ ...ada, id: undefined, siteAdmin: undefined }];
    const found = exported({ now, hosting: { accounts } }).hosting;
    expect(found).toEqual(exported({ now, hosting: { accounts: [ada] } }).hosting);
    expect(found?.accounts?.[0]?.id).toEqual(expect.any(Number));
  });

  test("a hook setting named `id` in a seed doesn't affect lastId", () => {
    const hooks = [{ config: { url: 'http://127.0.0.1:1/', id: '9000' } }];
    const hosting = { accounts: [ada, acme], repositories: [{ ...rocket, hooks }] };
    expect(exported({ now, hosting }).hosting?.lastId).toBeLessThan(9000);
  });

  test('emulator.export() keeps the applications and teams of the seed', () => {
    const applications = [
      { name: 'Star Map', clientId: 'a'.repeat(20), callbackUrl: 'http://localhost/cb' },
    ];
    const teams = [{ org: 'acme', name: 'crew', members: ['ada'], repos: ['acme/rocket'] }];
    const hosting = { accounts: [ada, acme], applications, repositories: [rocket], teams };
    const found = exported({ now, hosting }).hosting;
    expect(found?.applications).toMatchObject(applications);
    expect(found?.teams).toContainEqual(expect.objectContaining(teams[0]));
  });

  test("emulator.export() keeps the seed's references to commits and to tag objects", () => {
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

  test('emulator.export() keeps the note of a token in the seed', () => {
    const token = {
      login: 'ada',
      token: 't'.repeat(40),
      note: 'ci',
      noteUrl: 'https://ci.example',
    };
    const found = exported({ now, hosting: { accounts: [ada], tokens: [token] } }).hosting;
    expect(found?.tokens?.[0]).toMatchObject(token);
  });

  test('createEmulator() rejects a seed with a commit whose tree contains an unknown object', () => {
    const git = { objects: {}, commits: [{ ...commit, tree: { a: sha } }], refs: {} };
    const seed = { now, hosting: { accounts: [ada, acme], repositories: [{ ...rocket, git }] } };
    expect(() => createEmulator({ seed })).toThrow('hosting.repositories[0].git.commits[0].tree');
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

// Tests the functions that add hosting records, with all inputs. `hosting-responses.test.ts` also
// tests default values.

const now = '2014-06-01T12:00:00Z';
const then = '2013-01-02T03:04:05Z';
const later = '2013-02-02T03:04:05Z';
const hash = expect.stringMatching(/^[0-9a-f]{40}$/);
let emulator: Emulator;
let hosting: Emulator['hosting'];
let repo: Repo;
let head: string;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  hosting = emulator.hosting;
  hosting.addOrg('lab');
  repo = hosting.addRepo('lab', 'engine');
  head = repo.refs.get('heads/main')?.sha ?? '';
});

describe('emulator.hosting with names that are unknown or taken', () => {
  test.each<[string, () => unknown, string]>([
    [
      'addRepo()',
      () => hosting.addRepo('labb', 'x'),
      'owner: must be an existing account (got labb)',
    ],
    ['addToken()', () => hosting.addToken('eve'), 'login: must be an existing account (got eve)'],
    ['addUser()', () => hosting.addUser('lab'), 'login: must be unique (got lab twice)'],
    [
      'addRepo()',
      () => hosting.addRepo('lab', 'engine'),
      'name: must be unique (got lab/engine twice)',
    ],
    [
      'addAsset()',
      () => repo.releases.map((release) => hosting.addAsset(release, 'a')),
      'name: must be unique (got a twice)',
    ],
  ])('%s throws for an unknown or taken name and changes nothing', (_name, add, message) => {
    hosting.addAsset(hosting.addRelease(repo, 'v1'), 'a');
    const before = emulator.export();
    expect(add).toThrow(message);
    expect(emulator.export()).toEqual(before);
  });
});

describe('emulator.hosting (accounts)', () => {
  test('addUser(), addOrg() and addTeam() use the passed fields and defaults', () => {
    expect(hosting.state.listTeams('lab')[0]?.members).toEqual(new Set());
    const usual = { siteAdmin: false, suspended: false, password: undefined, otp: undefined };
    expect(hosting.addUser('eve')).toEqual({ id: 4, login: 'eve', type: 'User', ...usual });
    const passed = { siteAdmin: true, suspended: true, password: 'p', otp: '1' };
    expect(hosting.addUser('ada', passed)).toEqual({
      id: 5,
      login: 'ada',
      type: 'User',
      ...passed,
    });
    const org = { id: 6, login: 'org', type: 'Organization', ...usual };
    expect(hosting.addOrg('org', ['ada'])).toEqual(org);
    expect(hosting.state.listTeams('org')).toEqual([
      {
        id: 7,
        org: 'org',
        name: 'Owners',
        permission: 'admin',
        members: new Set(['ada']),
        repos: new Set(),
      },
    ]);
    const repos = ['lab/engine'];
    expect(hosting.addTeam('org', 'Crew')).toEqual({
      ...{ id: 8, org: 'org', name: 'Crew', permission: 'pull' },
      ...{ members: new Set(), repos: new Set() },
    });
    expect(hosting.addTeam('org', 'T', { permission: 'push', members: ['eve'], repos })).toEqual({
      ...{ id: 9, org: 'org', name: 'T', permission: 'push' },
      ...{ members: new Set(['eve']), repos: new Set(repos) },
    });
    expect([...hosting.state.accounts.keys()]).toEqual(['lab', 'eve', 'ada', 'org']);
  });

  test('addToken() and addApplication() generate unique secrets', () => {
    const usual = {
      clientId: undefined,
      note: null,
      noteUrl: null,
      createdAt: now,
      updatedAt: now,
    };
    hosting.addUser('eve');
    hosting.addUser('ada');
    const bare = hosting.addToken('eve');
    expect(bare).toEqual({ id: 6, token: hash, login: 'eve', scopes: [], ...usual });
    const input = { token: 't', clientId: 'c', note: 'n', noteUrl: 'u' };
    const passed = hosting.addToken('eve', ['repo', 'public_repo', 'repo'], input);
    expect(passed).toEqual({ id: 7, login: 'eve', scopes: ['repo'], ...usual, ...input });
    const tokens = [bare, hosting.addToken('eve'), hosting.addToken('ada')];
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3);
    const app = hosting.addApplication('App');
    expect(app).toEqual({
      clientId: expect.stringMatching(/^[0-9a-f]{20}$/),
      clientSecret: hash,
      name: 'App',
      url: 'https://app.example.com',
      callbackUrl: 'https://app.example.com/callback',
      anyPort: false,
      suspended: false,
    });
    expect(app.clientSecret).not.toContain(app.clientId);
  });
});

describe('emulator.hosting (repositories)', () => {
  test('addRepo() uses the passed fields and defaults', () => {
    expect([...repo.commits.values()]).toEqual([
      { sha: head, parents: [], message: 'Begin', login: 'lab', date: now, tree: new Map() },
    ]);
    expect([...repo.refs]).toEqual([['heads/main', { sha: hash, type: 'commit' }]]);
    const passed = {
      ...{ description: null, isPrivate: true, forkOf: 'a/b', language: null },
      ...{ defaultBranch: 'trunk', createdAt: then },
    };
    const own = hosting.addRepo('lab', 'own', { ...passed, files: { a: 'x' } });
    expect(own).toMatchObject({ ...passed, id: 4, updatedAt: then });
    expect([...own.refs.keys(), ...own.branches.keys()]).toEqual(['heads/trunk', 'trunk']);
    expect([...own.commits.values()][0]).toMatchObject({
      date: then,
      tree: own.branches.get('trunk'),
    });
    const [owners] = hosting.state.listTeams('lab');
    expect(owners?.repos, 'the Owners team has every repository').toEqual(
      new Set(['lab/engine', 'lab/own']),
    );
    const crew = hosting.addTeam('lab', 'Crew');
    hosting.addRepo('lab', 'third');
    expect(crew.repos, 'other teams have no repositories').toEqual(new Set());
  });

  test('addFiles() adds a commit to one branch and leaves other branches unchanged', () => {
    emulator.clock.advance(60_000);
    hosting.addFiles('lab/engine', { a: 'x', b: 'y' });
    const at = '2014-06-01T12:01:00Z';
    const second = repo.refs.get('heads/main')?.sha ?? '';
    expect(repo.commits.get(second)).toMatchObject({
      parents: [head],
      message: 'Add a, b',
      login: 'lab',
      date: at,
    });
    expect(repo.updatedAt).toBe(at);
    const input = { branch: 'topic', message: 'Own', login: 'ada' };
    hosting.addFiles(repo, { c: 'z' }, input);
    const { sha = '' } = repo.refs.get('heads/topic') ?? {};
    expect(repo.commits.get(sha)).toMatchObject({ parents: [], message: 'Own', login: 'ada' });
    hosting.addRef(repo, 'heads/more');
    hosting.addFile(repo, 'd', 'w', 'more');
    const names = ['main', 'topic', 'more'].map((name) => [
      ...(repo.branches.get(name)?.keys() ?? []),
    ]);
    expect(names).toEqual([['a', 'b'], ['c'], ['a', 'b', 'd']]);
    expect([...(repo.commits.get(second)?.tree.keys() ?? [])]).toEqual(['a', 'b']);
    hosting.addRef(repo, 'tags/v1', head);
    hosting.addRef(repo, 'tags/v2');
    expect([repo.refs.get('tags/v1'), repo.refs.get('tags/v2')]).toEqual([
      { sha: head, type: 'commit' },
      { sha: second, type: 'commit' },
    ]);
    expect([...repo.branches.keys()]).toEqual(['main', 'topic', 'more']);
  });

  test("renameRepo() updates the repository's teams and forks", () => {
    hosting.addUser('eve');
    const [owners] = hosting.state.listTeams('lab');
    const crew = hosting.addTeam('lab', 'Crew', { repos: ['lab/other'] });
    const forks = ['lab/engine', 'lab/other'].map((forkOf, index) =>
      hosting.addRepo('eve', `fork-${index}`, { forkOf }),
    );
    hosting.renameRepo('lab/engine', 'motor');
    expect([owners?.repos, crew.repos]).toEqual([new Set(['lab/motor']), new Set(['lab/other'])]);
    expect(forks.map(({ forkOf }) => forkOf)).toEqual(['lab/motor', 'lab/other']);
    for (const { name } of forks) hosting.state.repos.delete(`eve/${name}`);
    expect([...hosting.state.repos]).toEqual([['lab/motor', repo]]);
    expect([repo.name, ...hosting.state.renamed]).toEqual(['motor', ['lab/engine', 'lab/motor']]);
  });
});

test('renameRepo() rejects the name of another repository', () => {
  hosting.addRepo('lab', 'other');
  expect(() => hosting.renameRepo('lab/engine', 'other')).toThrow(
    'name: must be unique (got lab/other twice)',
  );
  expect([...hosting.state.repos.keys()]).toEqual(['lab/engine', 'lab/other']);
  hosting.renameRepo('lab/engine', 'engine');
  expect([...hosting.state.repos.keys()]).toContain('lab/engine');
});

describe('emulator.hosting (repository records)', () => {
  test('addPull() uses the passed fields and defaults', () => {
    expect(hosting.addPull(repo)).toMatchObject({ title: 'Pull request 1', body: null });
    const second = hosting.addPull('lab/engine', { state: 'closed', createdAt: then });
    expect(second).toMatchObject({ number: 2, state: 'closed', updatedAt: then, closedAt: then });
    expect(second.head.sha, 'a different commit').not.toBe(repo.pulls[0]?.head.sha);
    const passed = {
      ...{ title: 't', body: 'b', login: 'ada', createdAt: then },
      ...{ updatedAt: later, closedAt: later, mergedAt: later, mergeCommitSha: 'm', comments: 7 },
      state: 'closed',
      head: { ref: 'h', sha: '1', login: 'x' },
      base: { ref: 'b', sha: '2', login: 'y' },
    } as const;
    expect(hosting.addPull(repo, passed)).toEqual({ id: 6, number: 3, ...passed });
    expect(repo.pulls).toHaveLength(3);
  });

  test('addRelease() and addAsset() use the passed fields and defaults', () => {
    const usual = {
      ...{ targetCommitish: 'main', name: null, body: null, draft: false, prerelease: false },
      ...{ createdAt: now, publishedAt: now, login: 'lab', assets: [] },
    };
    expect(hosting.addRelease(repo, 'v1')).toEqual({ id: 4, tagName: 'v1', ...usual });
    expect(hosting.addRelease(repo, 'v2', { draft: true }).publishedAt).toBeNull();
    expect(hosting.addRelease(repo, 'v3', { createdAt: then }).publishedAt).toBe(then);
    const passed = {
      ...{ targetCommitish: 't', name: 'n', body: 'b', draft: true, prerelease: true },
      ...{ createdAt: then, publishedAt: later, login: 'ada' },
    };
    const release = hosting.addRelease(repo, 'v4', passed);
    expect(release).toEqual({ id: 7, tagName: 'v4', assets: [], ...passed });
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const bare = {
      ...{ label: null, contentType: 'application/octet-stream', downloads: 0, login: 'ada' },
      ...{ createdAt: now, updatedAt: now },
    };
    const none = { size: 0, sha256: sha256(''), content: Buffer.alloc(0) };
    expect(hosting.addAsset(release, 'a')).toEqual({ id: 8, name: 'a', ...bare, ...none });
    const content = Buffer.from('abc');
    const own = { content, contentType: 'text/plain', label: 'L', login: 'eve' };
    expect(hosting.addAsset(release, 'b', own)).toEqual({
      ...{ id: 9, name: 'b', ...bare, ...own, size: 3, sha256: sha256('abc') },
    });
    const huge = { size: 5e9, sha256: 'x' };
    expect(hosting.addAsset(release, 'c', huge)).toMatchObject({ ...huge, content: undefined });
    expect(hosting.addAsset(release, 'd', { size: 5 }).sha256).toBe(sha256(''));
    expect(release.assets).toHaveLength(4);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type FileContent,
  type Repo,
} from '../../src/testing/index.js';
import { ask, basic } from './asking.js';

// What is read out of a repository: files, references, diffs, and which pull requests of many.

const auth = basic('ada', 'x');
const here = '/repos/lab/engine';
let emulator: Emulator;
let repo: Repo;

beforeEach(() => {
  emulator = createEmulator({ seed: false });
  emulator.hosting.addUser('ada', { password: 'x', siteAdmin: true });
  emulator.hosting.addOrg('lab', ['ada']);
  repo = emulator.hosting.addRepo('lab', 'engine');
});

const headOf = (name = 'heads/main') => repo.refs.get(name)?.sha ?? '';
const get = (path: string, accept = '*/*') =>
  ask(emulator, `GET ${here}${path}`, { auth, headers: { accept } });

describe('files', () => {
  test.each<[string, Record<string, FileContent>, string]>([
    ['one beside it', { 'a/x': '1', 'a/link': { symlink: 'x' } }, 'file'],
    ['one below it', { 'a/b/x': '1', 'a/link': { symlink: './b//x' } }, 'file'],
    ['one above it', { x: '1', 'a/link': { symlink: '../x' } }, 'file'],
    ['one from the root', { x: '1', 'a/link': { symlink: '/x' } }, 'file'],
    ['one that ends in a slash', { 'a/x': '1', 'a/link': { symlink: 'x/' } }, 'file'],
    ['one not there', { x: '1', 'a/link': { symlink: 'x' } }, 'symlink'],
    ['itself', { 'a/link': { symlink: 'link' } }, 'symlink'],
    ['a submodule', { 'a/link': { symlink: 's' }, 'a/s': { submodule: 'u' } }, 'symlink'],
  ])('a symlink to %s', async (_what, files, type) => {
    emulator.hosting.addFiles(repo, files);
    const { data } = await get('/contents/a/link');
    expect([data.type, data.path]).toEqual([type, 'a/link']);
    if (type === 'file') expect(data.content).toBe('MQ==');
  });

  test('a symlink deep below leads to what is beside it', async () => {
    emulator.hosting.addFiles(repo, { 'a/b/x': '1', 'a/b/link': { symlink: 'x' } });
    expect((await get('/contents/a/b/link')).data.type).toBe('file');
  });

  test('of more than 1 MB are not written', async () => {
    const content = Buffer.alloc(1_048_577).toString('base64');
    const body = { message: 'm', content };
    const { data } = await ask(emulator, `PUT ${here}/contents/a`, { auth, body });
    expect(data.errors).toEqual([{ resource: 'Commit', field: 'content', code: 'too_large' }]);
    expect((await get('/contents/a')).status).toBe(404);
  });

  test.each([
    ['application/vnd.service.raw', true],
    ['application/vnd.service.v3.raw', true],
    ['application/vnd.service.beta.raw', true],
    ['application/vnd.service.v3.raw+json', true],
    ['application/vnd.service.v3.raw; q=1', true],
    ['application/vnd.service.v4.raw', false],
    ['application/vnd.other.raw', false],
    ['text/vnd.service.raw', false],
    ['application/vnd.service.v3.raw+json2', false],
    ['application/json', false],
  ])('%s gives bytes: %s', async (accept, raw) => {
    emulator.hosting.addFiles(repo, { 'a.txt': 'alpha', link: { symlink: 'nowhere' } });
    for (const [path, text] of [
      ['a.txt', 'alpha'],
      ['link', 'nowhere'],
    ] as const) {
      const answer = await get(`/contents/${path}`, accept);
      const type = raw ? 'application/vnd.service.v3.raw' : 'application/json';
      expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
      expect(answer.data?.name ?? answer.text).toBe(raw ? text : path);
    }
  });

  test('of exactly 1 MB is the largest that comes with its content', async () => {
    const large = Buffer.alloc(1_048_576, 'x');
    emulator.hosting.addFiles(repo, { large, larger: Buffer.concat([large, large]) });
    const { data } = await get('/contents/large');
    expect(data.content.slice(0, 130)).toMatch(/^(?:eHh4{1,2}\w{56}\n){2}/);
    expect(Buffer.from(data.content, 'base64').equals(large)).toBe(true);
    const refused = await get('/contents/larger');
    expect([refused.status, refused.data.errors]).toEqual([
      403,
      [{ resource: 'Blob', field: 'data', code: 'too_large' }],
    ]);
  });

  test.each([
    [['a.md', 'docs/README.md', 'README.md'], 'README.md'],
    [['readme'], 'readme'],
    [['ReadMe.txt'], 'ReadMe.txt'],
    [['notreadme.md', 'README.md.bak', 'README-old', 'x/readme'], undefined],
  ])('the readme of %j is %s', async (names, expected) => {
    emulator.hosting.addFiles(repo, Object.fromEntries(names.map((name) => [name, name])));
    const { status, data } = await get('/readme');
    expect([status, data.path]).toEqual([expected ? 200 : 404, expected]);
  });

  test('are found by branch, by tag, by commit, and by name before SHA', async () => {
    const first = headOf();
    emulator.hosting.addRef(repo, 'tags/main', first);
    emulator.hosting.addRef(repo, 'tags/v1', first);
    emulator.hosting.addFile(repo, 'new', 'x');
    emulator.hosting.addRef(repo, 'notes/n');
    emulator.hosting.addRef(repo, 'tags/a/refs/b');
    const status = async (ref: string) => (await get(`/contents/new?ref=${ref}`)).status;
    for (const ref of [
      'main',
      'heads/main',
      'refs/heads/main',
      headOf(),
      'notes/n',
      'a/refs/b',
      '',
    ]) {
      expect([ref, await status(ref)]).toEqual([ref, ref === '' ? 404 : 200]);
    }
    for (const ref of ['v1', 'tags/main', 'refs/tags/v1', first, 'none', 'x/refs/heads/main']) {
      expect([ref, await status(ref)]).toEqual([ref, 404]);
    }
    const { data } = await get('/contents/?ref=main');
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['new']);
    expect((await get('/contents/?ref=v1')).data).toEqual([]);
  });

  test('a change goes to its branch, with the head before it as parent', async () => {
    emulator.hosting.addRef(repo, 'heads/topic');
    const before = headOf();
    const put = async (body: object) =>
      (await ask(emulator, `PUT ${here}/contents/a`, { auth, body })).data;
    const made = await put({ message: 'm', content: 'aGk=', branch: 'topic' });
    expect(made.commit.parents).toMatchObject([{ sha: before }]);
    expect([headOf(), headOf('heads/topic')]).toEqual([before, made.commit.sha]);
    const { sha } = made.content;
    const again = await ask(emulator, `PUT ${here}/contents/a`, {
      auth,
      body: { message: 'm', content: 'aG8=', branch: 'topic', sha },
    });
    expect([again.status, again.headers.location]).toEqual([200, undefined]);
    const query = `message=m&sha=${again.data.content.sha}&branch=topic`;
    const who = 'author[name]=A&author[email]=a@b&committer[name]=C&committer[email]=c@d';
    const gone = await ask(emulator, `DELETE ${here}/contents/a?${query}&${who}`, { auth });
    expect(gone.data.commit).toMatchObject({
      author: { name: 'A', email: 'a@b' },
      committer: { name: 'C', email: 'c@d' },
      parents: [{ sha: again.data.commit.sha }],
    });
    expect(repo.branches.get('topic')?.size).toBe(0);
  });
});

test('comments may be about the head of any pull request, and are listed by id', async () => {
  emulator.hosting.addPull(repo);
  const { sha } = emulator.hosting.addPull(repo).head;
  const path = `${here}/commits/${sha}/comments`;
  for (const body of [{ body: 'a' }, { body: 'b' }]) {
    expect((await ask(emulator, `POST ${path}`, { auth, body })).status).toBe(201);
  }
  emulator.hosting.addComment(repo, 'elsewhere');
  expect((await get(`/commits/${sha}/comments`)).data).toHaveLength(2);
  repo.comments.reverse();
  const bodies = (await get('/comments')).data.map(({ body }: { body: string }) => body);
  expect(bodies).toEqual(['a', 'b', 'elsewhere']);
});

test('a site that was never built, and who is nobody', async () => {
  repo.pages = { cname: 'x.test', custom404: true, builds: [] };
  const site = { status: null, cname: 'x.test', custom_404: true };
  expect((await get('/pages')).data).toMatchObject(site);
  expect((await get('/pages/builds/latest')).status).toBe(404);
  expect((await ask(emulator, 'GET /orgs/nobody', { auth })).status).toBe(404);
  emulator.hosting.addRepo('ada', 'own');
  const { data } = await ask(emulator, 'GET /users/ada/repos', { auth });
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['own']);
});

describe('references', () => {
  test('are listed in the order of their names, by prefix', async () => {
    for (const name of ['tags/v2', 'heads/b', 'heads/a', 'tags/v1', 'x/heads/a']) {
      emulator.hosting.addRef(repo, name);
    }
    const refs = async (path: string) =>
      (await get(path)).data.map(({ ref }: { ref: string }) => ref);
    const heads = ['refs/heads/a', 'refs/heads/b', 'refs/heads/main'];
    const tags = ['refs/tags/v1', 'refs/tags/v2'];
    expect(await refs('/git/refs')).toEqual([...heads, ...tags, 'refs/x/heads/a']);
    expect(await refs('/git/refs/heads')).toEqual(heads);
    expect(await refs('/git/refs/tags/v')).toEqual(tags);
    expect(await refs('/git/matching-refs/heads/a')).toEqual(['refs/heads/a']);
    expect(await refs('/git/matching-refs/none')).toEqual([]);
    expect((await get('/git/ref/heads/a')).data.ref).toBe('refs/heads/a');
    expect((await get('/git/refs/none')).status).toBe(404);
    repo.refs.clear();
    expect(await refs('/git/refs')).toEqual([]);
  });

  test('move forward along any parent, elsewhere by force alone', async () => {
    const first = headOf();
    emulator.hosting.addRef(repo, 'heads/topic');
    emulator.hosting.addFile(repo, 'a', 'x', 'topic');
    const side = headOf('heads/topic');
    emulator.hosting.addFile(repo, 'b', 'x');
    const second = headOf();
    const merge = {
      ...{ sha: 'f'.repeat(40), parents: [second, side, 'e'.repeat(40)], tree: new Map() },
      ...{ message: 'Merge', login: 'ada', date: emulator.clock.iso() },
    };
    repo.commits.set(merge.sha, merge);
    const move = async (sha: string, force?: boolean) => {
      const body = { sha, force };
      return (await ask(emulator, `PATCH ${here}/git/refs/heads/topic`, { auth, body })).status;
    };
    expect(await move(second)).toBe(422);
    expect(await move(first, false)).toBe(422);
    expect(await move(side)).toBe(200);
    expect(await move(merge.sha)).toBe(200);
    expect(repo.branches.get('topic')?.size).toBe(0);
    expect(await move(second, true)).toBe(200);
    expect([...(repo.branches.get('topic')?.keys() ?? [])]).toEqual(['b']);
    emulator.hosting.addRef(repo, 'tags/t', second);
    const tag = await ask(emulator, `PATCH ${here}/git/refs/tags/t`, {
      auth,
      body: { sha: merge.sha },
    });
    expect(tag.data.object.sha).toBe(merge.sha);
    expect([...repo.branches.keys()]).toEqual(['main', 'topic']);
    emulator.hosting.addRef(repo, 'tags/xmain');
    for (const name of ['tags/t', 'tags/xmain', 'heads/topic']) {
      await ask(emulator, `DELETE ${here}/git/refs/${name}`, { auth });
    }
    expect([[...repo.branches.keys()], [...repo.refs.keys()]]).toEqual([['main'], ['heads/main']]);
  });
});

describe('diffs', () => {
  const many = (...lines: readonly (string | number)[]) =>
    lines.map((line) => `${line}\n`).join('');
  const eight = many(1, 2, 3, 4, 5, 6, 7, 8);

  test.each<[string, FileContent | undefined, FileContent | undefined, string, string]>([
    ['a file that is new', undefined, 'a\nb\n', '+2 -0 added', '@@ -0,0 +1,2 @@\n+a\n+b'],
    ['a file that is gone', 'a\n', undefined, '+0 -1 removed', '@@ -1,1 +0,0 @@\n-a'],
    [
      'a line amid others',
      eight,
      eight.replace('5', 'five'),
      '+1 -1 modified',
      '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
    ],
    ['the first line', eight, eight.slice(2), '+0 -1 modified', '@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4'],
    [
      'one more line at the end',
      many(1, 2, 3, 4, 5),
      many(1, 2, 3, 4, 5, 6),
      '+1 -0 modified',
      '@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6',
    ],
    [
      'a line that is repeated',
      many('a', 'a'),
      many('a', 'a', 'a'),
      '+1 -0 modified',
      '@@ -1,2 +1,3 @@\n a\n a\n+a',
    ],
    [
      'a line that loses its end',
      'a\nb\n',
      'a\nb',
      '+1 -1 modified',
      '@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file',
    ],
    ['an empty file', 'a\n', '', '+0 -1 modified', '@@ -1,1 +0,0 @@\n-a'],
    ['an empty file that is new', undefined, '', '+0 -0 added', ''],
    [
      'a symlink',
      { symlink: 'a' },
      { symlink: 'b' },
      '+1 -1 modified',
      '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file',
    ],
    ['bytes', Buffer.from([0]), 'a\n', '+0 -0 modified', 'binary'],
    ['bytes that are new', undefined, Buffer.from([1, 0]), '+0 -0 added', 'binary'],
  ])('of %s', async (_what, before, after, counts, patch) => {
    if (before !== undefined) emulator.hosting.addFile(repo, 'dir/f', before);
    if (after !== undefined) emulator.hosting.addFile(repo, 'dir/f', after);
    else {
      const sha = repo.branches.get('main')?.get('dir/f')?.sha;
      const body = { message: 'm', sha };
      await ask(emulator, `DELETE ${here}/contents/dir/f`, { auth, body });
    }
    const { data } = await get('/commits/main');
    const [file, ...others] = data.files;
    expect(others).toEqual([]);
    const [added, removed, status] = counts.split(/[ +-]+/).slice(1);
    expect(file).toEqual({
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      filename: 'dir/f',
      status,
      additions: Number(added),
      deletions: Number(removed),
      changes: Number(added) + Number(removed),
      ...(patch !== 'binary' && { patch }),
    });
    const { text } = await get('/commits/main', 'application/vnd.service.diff');
    const [old, now] = [
      before === undefined ? '/dev/null' : 'a/dir/f',
      after === undefined ? '/dev/null' : 'b/dir/f',
    ];
    const mode =
      status === 'added'
        ? 'new file mode 100644\nindex HASH\n'
        : status === 'removed'
          ? 'deleted file mode 100644\nindex HASH\n'
          : 'index HASH 100644\n';
    const body =
      patch === 'binary'
        ? `Binary files ${old} and ${now} differ\n`
        : patch && `--- ${old}\n+++ ${now}\n${patch}\n`;
    const expected = `diff --git a/dir/f b/dir/f\n${mode}${body}`;
    expect(text.replace(/[0-9a-f]{7}\.\.[0-9a-f]{7}/, 'HASH')).toBe(expected);
    const [, from, to] = /index (\w+)\.\.(\w+)/.exec(text) ?? [];
    if (patch.startsWith('@@')) expect(from).not.toBe(to);
  });

  test('of the first commit, and of one that is not there', async () => {
    emulator.hosting.addPull(repo);
    expect((await get('/commits/main')).data).toMatchObject({ files: [], parents: [] });
    expect((await get(`/commits/${'a'.repeat(40)}`)).status).toBe(404);
    const own = emulator.hosting.addRepo('lab', 'own', { files: { a: 'x' } });
    const { data } = await ask(emulator, 'GET /repos/lab/own/commits/main', { auth });
    expect(data.files).toMatchObject([{ filename: 'a', status: 'added' }]);
    expect(own.commits.size).toBe(1);
  });

  test('of several files, by path, and of a submodule', async () => {
    emulator.hosting.addFiles(repo, { b: '1\n', a: '1\n', same: 'x', d: { submodule: 'u' } });
    emulator.hosting.addFiles(repo, { b: '2\n', a: '2\n', c: 'new\n', d: { submodule: 'v' } });
    const { data } = await get('/commits/main');
    expect(data.files.map(({ filename }: { filename: string }) => filename)).toEqual([
      ...['a', 'b', 'c', 'd'],
    ]);
    expect(data.files[3].patch).toMatch(
      /^@@ -1,1 \+1,1 @@\n-Subproject commit \w{40}\n\+Subproject commit \w{40}$/,
    );
    expect((await get('/commits/main', 'application/vnd.service.diff')).text).toContain(
      '+2\ndiff --git a/b b/b\n',
    );
  });

  test('a patch is a mail', async () => {
    emulator.clock.set(new Date('2014-02-03T04:05:06Z'));
    const mail = async () =>
      (await get('/commits/main', 'application/vnd.service.v3.patch+json')).text;
    const options = { message: 'Go\n\n  Faster,\nand on.\n', login: 'ada' };
    emulator.hosting.addFiles(repo, { a: 'x\n', b: 'y\nz\n' }, options);
    const text = await mail();
    const from = `From ${headOf()} Mon Sep 17 00:00:00 2001
From: ada <ada@example.com>
Date: Mon, 03 Feb 2014 04:05:06 +0000
Subject: [PATCH] Go

Faster,
and on.

---
 2 files changed, 3 insertions(+), 0 deletions(-)

diff --git a/a b/a
`;
    expect(text.slice(0, from.length)).toBe(from);
    expect(text).toMatch(/\n\+z\n--\n2\.0\.0\n$/);
    emulator.hosting.addFiles(repo, { a: 'w\n' }, { message: 'Short' });
    expect(await mail()).toContain(
      'Subject: [PATCH] Short\n\n---\n 1 file changed, 1 insertions(+), 1 deletions(-)\n\ndiff',
    );
  });

  test.each([
    ['application/vnd.service.diff', 'diff --git'],
    ['application/vnd.service.v3.diff', 'diff --git'],
    ['application/vnd.service.diff+json', 'diff --git'],
    ['application/vnd.other.patch', 'From '],
    ['application/vnd.diff', '{'],
    ['application/vnd.service.v3.more.diff', '{'],
    ['application/vnd.service.diffs', '{'],
    ['application/vndxservice.diff', '{'],
    ['xapplication/vnd.service.diff', '{'],
    ['application/vnd.service.diff+json2', '{'],
    ['application/vnd.service-diff', '{'],
  ])('%s gives %s', async (accept, begin) => {
    emulator.hosting.addFile(repo, 'a', 'x');
    const { text, headers } = await get('/commits/main', accept);
    expect(text.slice(0, begin.length)).toBe(begin);
    const type = begin === '{' ? 'application/json' : accept.replace('+json', '');
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
  });

  test('at web addresses', async () => {
    emulator.hosting.addFile(repo, 'a', 'x');
    emulator.hosting.addPull(repo);
    emulator.hosting.addRepo('lab', 'hidden', { isPrivate: true });
    const at = async (path: string) => {
      const answer = await emulator.answer(new Request(`http://code.test/lab/${path}`));
      return `${answer.status} ${(await answer.text()).slice(0, 5).trim()}`;
    };
    const sha = headOf();
    expect(await at(`engine/commit/${sha}.diff`)).toBe('200 diff');
    expect(await at(`engine/commit/${sha}.patch`)).toBe('200 From');
    expect(await at('engine/pull/1.diff')).toBe('200 diff');
    expect(await at('engine/pull/1.patch')).toBe('200 From');
    for (const path of [
      ...[`engine/commit/${sha}`, `engine/commit/${sha}diff`, `engine/commit/${sha}.html`],
      ...[
        `engine/commit/${sha}.diff.html`,
        'engine/pull/1',
        'engine/pull/2.diff',
        'engine/pull/1xdiff',
      ],
      ...['engine/pull/.diff', 'none/pull/1.diff', 'hidden/commit/main.diff'],
    ]) {
      expect([path, (await at(path)).slice(0, 3)]).toEqual([path, '404']);
    }
  });
});

describe('pull requests', () => {
  test('are chosen and ordered', async () => {
    const day = (number: number) => `2014-05-${String(number).padStart(2, '0')}T12:00:00Z`;
    for (const [created, updated, comments, state, base, ref] of [
      [1, 1, 5, 'open', 'main', 'a'],
      [2, 30, 1, 'closed', 'main', 'b'],
      [5, 9, 9, 'open', 'next', 'a'],
      [3, 20, 5, 'open', 'main', 'c'],
      [3, 10, 0, 'open', 'next', 'b'],
    ] as const) {
      emulator.hosting.addPull(repo, {
        ...{ createdAt: day(created), updatedAt: day(updated), comments, state },
        head: { ref, login: created === 5 ? 'ada' : 'lab', sha: 'x' },
        base: { ref: base, login: 'lab', sha: 'x' },
      });
    }
    for (const [query, numbers] of [
      ['', [3, 5, 4, 1]],
      ['state=', [3, 5, 4, 1]],
      ['state=open', [3, 5, 4, 1]],
      ['state=closed', [2]],
      ['state=all', [3, 5, 4, 2, 1]],
      ['sort=created&direction=asc', [1, 4, 5, 3]],
      ['direction=desc', [3, 5, 4, 1]],
      ['sort=updated', [1, 3, 5, 4]],
      ['state=all&sort=updated&direction=desc', [2, 4, 5, 3, 1]],
      ['sort=popularity', [5, 1, 4, 3]],
      ['sort=popularity&direction=desc', [3, 4, 1, 5]],
      ['state=all&sort=long-running', [1, 2, 4, 5, 3]],
      ['head=lab:a', [1]],
      ['head=ada:a', [3]],
      ['head=a', []],
      ['base=next', [3, 5]],
      ['base=main&head=lab:c', [4]],
    ] as const) {
      const { data } = await get(`/pulls?${query}`);
      expect([query, data.map((pull: { number: number }) => pull.number)]).toEqual([
        query,
        numbers,
      ]);
    }
    // What was changed exactly a month ago is still in.
    emulator.clock.advance(1000);
    expect((await get('/pulls?state=all&sort=long-running')).data).toHaveLength(4);
    expect((await get('/pulls?state=all')).data).toHaveLength(5);
  });

  test('are made between branches, or from a fork', async () => {
    emulator.hosting.addRef(repo, 'heads/topic');
    const make = async (body: object) => {
      const whole = { base: 'main', title: 'T', ...body };
      return await ask(emulator, `POST ${here}/pulls`, { auth, body: whole });
    };
    const first = await make({ head: 'topic', body: 'B' });
    expect(first.headers.location).toBe(first.data.url);
    const user = { login: 'ada' };
    expect(first.data).toMatchObject({
      ...{ number: 1, title: 'T', body: 'B', user, state: 'open' },
      head: { label: 'lab:topic', ref: 'topic', sha: headOf() },
      base: { label: 'lab:main', ref: 'main', sha: headOf() },
    });
    const { data } = await make({ head: 'eve:patch', issue: 7 });
    expect(data).toMatchObject({
      ...{ number: 2, title: 'Issue 7', body: null, head: { label: 'eve:patch', ref: 'patch' } },
    });
    // A deleted user keeps the name.
    expect(data.head.user).toMatchObject({ login: 'eve', id: 0, type: 'User', site_admin: false });
    expect(data.head.sha).toMatch(/^[0-9a-f]{40}$/);
    emulator.hosting.addRef(repo, 'heads/next');
    expect((await make({ head: 'topic', base: 'next' })).status).toBe(201);
    expect((await make({ head: 'topic' })).status).toBe(422);
    await ask(emulator, `PATCH ${here}/pulls/1`, { auth, body: { state: 'closed' } });
    expect((await make({ head: 'topic' })).status).toBe(201);
  });

  test('are changed, closed, opened again and merged', async () => {
    emulator.hosting.addPull(repo, { title: 'T', body: 'B' });
    emulator.hosting.addFile(repo, 'a', 'x');
    const change = async (body: object) => {
      emulator.clock.advance(60_000);
      const { data } = await ask(emulator, `PATCH ${here}/pulls/1`, { auth, body });
      const { title, state, updated_at, closed_at, merged_at } = data;
      return [title, data.body, state, updated_at, closed_at, merged_at];
    };
    const at = (minute: number) => `2014-06-01T12:0${minute}:00Z`;
    expect(await change({ title: 'U' })).toEqual(['U', 'B', 'open', at(1), null, null]);
    expect(await change({ body: 'C' })).toEqual(['U', 'C', 'open', at(2), null, null]);
    expect(await change({ state: 'closed' })).toEqual(['U', 'C', 'closed', at(3), at(3), null]);
    expect(await change({ state: 'closed' })).toEqual(['U', 'C', 'closed', at(4), at(3), null]);
    expect(await change({ state: 'open' })).toEqual(['U', 'C', 'open', at(5), null, null]);
    const before = headOf();
    emulator.clock.advance(60_000);
    const body = { commit_message: 'Done', sha: repo.pulls[0]?.head.sha };
    const { status, data } = await ask(emulator, `PUT ${here}/pulls/1/merge`, { auth, body });
    expect([status, data]).toEqual([
      200,
      { sha: headOf(), merged: true, message: expect.any(String) },
    ]);
    expect(repo.commits.get(headOf())).toMatchObject({
      ...{ parents: [before], message: 'Merge pull request #1\n\nDone', login: 'ada', date: at(6) },
    });
    expect((await get('/pulls/1')).data).toMatchObject({
      ...{ state: 'closed', closed_at: at(6), merged_at: at(6), updated_at: at(6) },
      merge_commit_sha: headOf(),
    });
    expect((await get('/pulls/1/merge')).status).toBe(204);
    emulator.hosting.addPull(repo, { title: 'By its title' });
    await ask(emulator, `PUT ${here}/pulls/2/merge`, { auth });
    expect(repo.commits.get(headOf())?.message).toBe('Merge pull request #2\n\nBy its title');
  });
});

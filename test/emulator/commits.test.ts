import { beforeEach, describe, expect, it } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type FileContent,
  type Repo,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { auth, engine, findRocket, headIn, here, read } from './hosting-worlds.js';
import { callHosting } from './send-request.js';

let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);
let repo: Repo;
const getHead = (name?: string) => headIn(repo, name);
const get = (path: string, accept?: string) => read(emulator, path, accept);
const rocket = () => findRocket(emulator);

beforeEach(() => {
  ({ emulator, repo } = engine());
});

describe('commit diffs', () => {
  const many = (...lines: readonly (string | number)[]) =>
    lines.map((line) => `${line}\n`).join('');
  const eight = many(1, 2, 3, 4, 5, 6, 7, 8);

  it.each<[string, FileContent | undefined, FileContent | undefined, string, string]>([
    ['a new file', undefined, 'a\nb\n', '+2 -0 added', '@@ -0,0 +1,2 @@\n+a\n+b'],
    ['a deleted file', 'a\n', undefined, '+0 -1 removed', '@@ -1,1 +0,0 @@\n-a'],
    [
      'a changed line in the middle',
      eight,
      eight.replace('5', 'five'),
      '+1 -1 modified',
      '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
    ],
    [
      'a deleted first line',
      eight,
      eight.slice(2),
      '+0 -1 modified',
      '@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4',
    ],
    [
      'an additional last line',
      many(1, 2, 3, 4, 5),
      many(1, 2, 3, 4, 5, 6),
      '+1 -0 modified',
      '@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6',
    ],
    [
      'an added repeated line',
      many('a', 'a'),
      many('a', 'a', 'a'),
      '+1 -0 modified',
      '@@ -1,2 +1,3 @@\n a\n a\n+a',
    ],
    [
      'a line that loses its line break',
      'a\nb\n',
      'a\nb',
      '+1 -1 modified',
      '@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file',
    ],
    ['an emptied file', 'a\n', '', '+0 -1 modified', '@@ -1,1 +0,0 @@\n-a'],
    ['a new empty file', undefined, '', '+0 -0 added', ''],
    [
      'a changed symlink',
      { symlink: 'a' },
      { symlink: 'b' },
      '+1 -1 modified',
      '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file',
    ],
    ['changed binary content', Buffer.from([0]), 'a\n', '+0 -0 modified', 'binary'],
    ['new binary content', undefined, Buffer.from([1, 0]), '+0 -0 added', 'binary'],
  ])(
    "a commit's diff shows the hunks and line counts of %s",
    async (_what, before, after, counts, patch) => {
      if (before !== undefined) emulator.hosting.addFile(repo, 'dir/f', before);
      if (after !== undefined) emulator.hosting.addFile(repo, 'dir/f', after);
      else {
        const sha = repo.branches.get('main')?.get('dir/f')?.sha;
        const body = { message: 'm', sha };
        await send(`DELETE ${here}/contents/dir/f`, { auth, body });
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
    },
  );

  it('the diff of a first commit lists all of its files', async () => {
    emulator.hosting.addPull(repo);
    expect((await get('/commits/main')).data).toMatchObject({ files: [], parents: [] });
    expect((await get(`/commits/${'a'.repeat(40)}`)).status).toBe(404);
    const own = emulator.hosting.addRepo('lab', 'own', { files: { a: 'x' } });
    const { data } = await send('GET /repos/lab/own/commits/main', { auth });
    expect(data.files).toMatchObject([{ filename: 'a', status: 'added' }]);
    expect(own.commits.size).toBe(1);
  });

  it("a commit's diff sorts files by path and includes submodules", async () => {
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

  it("the emulator formats a commit's patch as an email", async () => {
    emulator.clock.set(new Date('2014-02-03T04:05:06Z'));
    const mail = async () =>
      (await get('/commits/main', 'application/vnd.service.v3.patch+json')).text;
    const options = { message: 'Go\n\n  Faster,\nand on.\n', login: 'ada' };
    emulator.hosting.addFiles(repo, { a: 'x\n', b: 'y\nz\n' }, options);
    const text = await mail();
    const from = `From ${getHead()} Mon Sep 17 00:00:00 2001
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
      'Subject: [PATCH] Short\n\n---\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\ndiff',
    );
  });

  it.each([
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
  ])(
    'GET /commits/:ref responds to Accept: %s with a body that starts with "%s"',
    async (accept, begin) => {
      emulator.hosting.addFile(repo, 'a', 'x');
      const { text, headers } = await get('/commits/main', accept);
      expect(text.slice(0, begin.length)).toBe(begin);
      const type = begin === '{' ? 'application/json' : accept.replace('+json', '');
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    },
  );

  it('the emulator serves web URLs of commits and pull requests that end in .diff or .patch', async () => {
    emulator.hosting.addFile(repo, 'a', 'x');
    emulator.hosting.addPull(repo);
    emulator.hosting.addRepo('lab', 'hidden', { isPrivate: true });
    const at = async (path: string) => {
      const response = await emulator.respond(new Request(`http://code.test/lab/${path}`));
      return `${response.status} ${(await response.text()).slice(0, 5).trim()}`;
    };
    const sha = getHead();
    expect(await at(`engine/commit/${sha}.diff`)).toBe('200 diff');
    expect(await at(`engine/commit/${sha}.patch`)).toBe('200 From');
    expect(await at('engine/pull/1.diff')).toBe('200 diff');
    expect(await at('engine/pull/1.patch')).toBe('200 From');
    const page = await emulator.respond(new Request('http://code.test/lab/engine/pull/1.diff'));
    expect(page.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await page.text()).toBe((await get('/pulls/1', 'application/vnd.service.diff')).text);
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

it('GET /commits/:sha/comments lists only the comments on that commit', async () => {
  emulator.hosting.addPull(repo);
  const { sha } = emulator.hosting.addPull(repo).head;
  const path = `${here}/commits/${sha}/comments`;
  for (const body of [{ body: 'a' }, { body: 'b' }]) {
    expect(await getStatus(`POST ${path}`, { auth, body })).toBe(201);
  }
  emulator.hosting.addComment(repo, 'elsewhere');
  expect((await get(`/commits/${sha}/comments`)).data).toHaveLength(2);
  repo.comments.reverse();
  const bodies = (await get('/comments')).data.map(({ body }: { body: string }) => body);
  expect(bodies).toEqual(['a', 'b', 'elsewhere']);
});

describe('commits and comments of the seed', () => {
  beforeEach(() => {
    emulator = createEmulator(noon);
  });

  it.each(['feature/part-1', 'feature%2Fpart-1', 'refs/heads/feature/part-1'])(
    'GET /commits/:ref/comments accepts the branch name %s',
    async (ref) => {
      emulator.hosting.addFile('acme/rocket', 'x', 'x', 'feature/part-1');
      const { sha = '' } = rocket().refs.get('heads/feature/part-1') ?? {};
      emulator.hosting.addComment('acme/rocket', 'On the branch', { sha });
      const path = '/repos/acme/rocket/commits';
      const { data } = await send(`GET ${path}/${ref}/comments`);
      expect(data).toMatchObject([{ body: 'On the branch' }]);
      for (const unknown of ['none', '']) {
        const { status } = await send(`GET ${path}/${unknown}/comments`);
        expect(status).toBe(404);
      }
    },
  );

  it('PATCH /comments/:id changes the body and updated_at until the comment is deleted', async () => {
    const { id } = emulator.hosting.addComment('acme/rocket', 'Nice');
    const path = `/repos/acme/rocket/comments/${id}`;
    emulator.clock.advance(60_000);
    const { data } = await send(`PATCH ${path}`, { body: { body: 'Nicer' } });
    expect(data).toMatchObject({
      body: 'Nicer',
      created_at: '2014-06-01T12:00:00Z',
      updated_at: '2014-06-01T12:01:00Z',
    });
    expect(await getStatus(`DELETE ${path}`)).toBe(204);
    expect(await getStatus(`GET ${path}`)).toBe(404);
  });
});

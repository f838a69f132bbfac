import { beforeEach, describe, expect, it } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type FileContent,
  type Repo,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { auth, engine, findRocket, here, read } from './hosting-worlds.js';
import { callHosting } from './send-request.js';

let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);
let repo: Repo;
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
    ['a new empty file', undefined, '', '+0 -0 added', ''],
    [
      'a changed symlink',
      { symlink: 'a' },
      { symlink: 'b' },
      '+1 -1 modified',
      '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file',
    ],
    ['changed binary content', Buffer.from([0]), 'a\n', '+0 -0 modified', 'binary'],
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

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

beforeEach(() => {
  ({ emulator, repo } = engine());
});

describe('/contents', () => {
  it.each<[string, Record<string, FileContent>, string]>([
    ['the target file for a symlink to a sibling', { 'a/link': { symlink: 'x' } }, 'file'],
    [
      'the target file for a symlink into the parent folder',
      { 'a/link': { symlink: '../x' } },
      'file',
    ],
    [
      'the target file for a symlink with an absolute path',
      { 'a/link': { symlink: '/x' } },
      'file',
    ],
    ['the symlink itself if its target is missing', { 'a/link': { symlink: 'y' } }, 'symlink'],
    ['the symlink itself if it points to itself', { 'a/link': { symlink: 'link' } }, 'symlink'],
    [
      'the symlink itself if its target is a submodule',
      { 'a/link': { symlink: 's' }, 'a/s': { submodule: 'u' } },
      'symlink',
    ],
  ])('GET /contents/:path returns %s', async (_what, files, type) => {
    const [link] = Object.keys(files);
    emulator.hosting.addFiles(repo, { x: '1', 'a/x': '1', 'a/b/x': '1', ...files });
    const { data } = await get(`/contents/${link}`);
    expect([data.type, data.path]).toEqual([type, link]);
    if (type === 'file') expect(data.content).toBe('MQ==');
  });

  it('PUT /contents/:path rejects a file of more than 1 MiB with 422 too_large', async () => {
    const content = Buffer.alloc(1_048_577).toString('base64');
    const body = { message: 'm', content };
    const { data } = await send(`PUT ${here}/contents/a`, { auth, body });
    expect(data.errors).toEqual([{ resource: 'Commit', field: 'content', code: 'too_large' }]);
    expect((await get('/contents/a')).status).toBe(404);
  });

  it.each([
    ['', 'the root folder'],
    ['a', 'a folder'],
    ['a/f/x', 'a path below a file'],
    ['a/%2e%2e%2Fx', 'a path with ..'],
    ['a/.git/config', 'a path below .git'],
  ])('PUT /contents/:path rejects the path %j, which is %s', async (path) => {
    emulator.hosting.addFile(repo, 'a/f', 'x');
    const before = emulator.export();
    const body = { message: 'm', content: 'aGk=' };
    const where = `PUT ${here}/contents/${path}`;
    const { status, data } = await send(where, { auth, body });
    expect([status, data.errors]).toEqual([
      422,
      [{ resource: 'Commit', field: 'path', code: 'invalid' }],
    ]);
    expect(emulator.export()).toEqual(before);
  });

  it.each([
    ['application/vnd.service.raw', 'raw content'],
    ['application/vnd.service.v3.raw', 'raw content'],
    ['application/vnd.service.v4.raw', 'JSON'],
    ['application/vnd.other.raw', 'JSON'],
    [' application/vnd.service.v3.raw ; q=0.5, text/html', 'raw content'],
    ['text/html, application/vnd.service.v3.raw', 'JSON'],
  ])('GET /contents/:path responds to Accept: %s with %s', async (accept, format) => {
    const raw = format === 'raw content';
    emulator.hosting.addFiles(repo, { 'a.txt': 'alpha', link: { symlink: 'nowhere' } });
    for (const [path, text] of [
      ['a.txt', 'alpha'],
      ['link', 'nowhere'],
    ] as const) {
      const response = await get(`/contents/${path}`, accept);
      const type = raw ? 'application/vnd.service.v3.raw' : 'application/json';
      expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
      expect(response.data?.name ?? response.text).toBe(raw ? text : path);
    }
  });

  it('GET /contents/:path returns a file of more than 1 MiB only in raw format', async () => {
    const large = Buffer.alloc(1_048_576, 'x');
    emulator.hosting.addFiles(repo, { large, larger: Buffer.concat([large, large]) });
    const { data } = await get('/contents/large');
    expect(data.content.slice(0, 130)).toMatch(/^(?:eHh4{1,2}\w{56}\n){2}/);
    expect(Buffer.from(data.content, 'base64').equals(large)).toBe(true);
    const raw = await get('/contents/larger', 'application/vnd.service.v3.raw');
    expect(raw.text.length).toBe(2_097_152);
    const refused = await get('/contents/larger');
    expect([refused.status, refused.data.errors]).toEqual([
      403,
      [{ resource: 'Blob', field: 'data', code: 'too_large' }],
    ]);
  });

  it.each([
    [['a.md', 'docs/README.md', 'README.md'], 'README.md'],
    [['ReadMe.txt'], 'ReadMe.txt'],
  ])('GET /readme finds the readme in the files %j', async (names, expected) => {
    emulator.hosting.addFiles(repo, Object.fromEntries(names.map((name) => [name, name])));
    const { status, data } = await get('/readme');
    expect([status, data.path]).toEqual([200, expected]);
  });

  it('GET /readme responds with 404 if no file is a readme', async () => {
    const names = ['notreadme.md', 'README.md.bak', 'README-old', 'x/readme'];
    emulator.hosting.addFiles(repo, Object.fromEntries(names.map((name) => [name, name])));
    expect((await get('/readme')).status).toBe(404);
  });

  it('GET /contents/:path finds files by branch, tag or commit', async () => {
    const first = getHead();
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
      getHead(),
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

  it('PUT and DELETE /contents/:path commit to the requested branch', async () => {
    emulator.hosting.addRef(repo, 'heads/topic');
    const before = getHead();
    const put = async (body: object) => (await send(`PUT ${here}/contents/a`, { auth, body })).data;
    const created = await put({ message: 'm', content: 'aGk=', branch: 'topic' });
    expect(created.commit.parents).toMatchObject([{ sha: before }]);
    expect([getHead(), getHead('heads/topic')]).toEqual([before, created.commit.sha]);
    const { sha } = created.content;
    const again = await send(`PUT ${here}/contents/a`, {
      auth,
      body: { message: 'm', content: 'aG8=', branch: 'topic', sha },
    });
    expect([again.status, again.headers.location]).toEqual([200, undefined]);
    const query = `message=m&sha=${again.data.content.sha}&branch=topic`;
    const who = 'author[name]=A&author[email]=a@b&committer[name]=C&committer[email]=c@d';
    const gone = await send(`DELETE ${here}/contents/a?${query}&${who}`, { auth });
    expect(gone.data.commit).toMatchObject({
      author: { name: 'A', email: 'a@b' },
      committer: { name: 'C', email: 'c@d' },
      parents: [{ sha: again.data.commit.sha }],
    });
    expect(repo.branches.get('topic')?.size).toBe(0);
  });
});

describe('/git/refs', () => {
  it('GET /git/refs lists references by prefix, sorted by name', async () => {
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

  it("PATCH /git/refs requires `force` for an update that isn't a fast-forward", async () => {
    const first = getHead();
    emulator.hosting.addRef(repo, 'heads/topic');
    emulator.hosting.addFile(repo, 'a', 'x', 'topic');
    const side = getHead('heads/topic');
    emulator.hosting.addFile(repo, 'b', 'x');
    const second = getHead();
    const merge = {
      ...{ sha: 'f'.repeat(40), parents: [second, side, 'e'.repeat(40)], tree: new Map() },
      ...{ message: 'Merge', login: 'ada', date: emulator.clock.iso() },
    };
    repo.commits.set(merge.sha, merge);
    const move = async (sha: string, force?: boolean) => {
      const body = { sha, force };
      return await getStatus(`PATCH ${here}/git/refs/heads/topic`, { auth, body });
    };
    expect(await move(second)).toBe(422);
    expect(await move(first, false)).toBe(422);
    expect(await move(side)).toBe(200);
    expect(await move(merge.sha)).toBe(200);
    expect(repo.branches.get('topic')?.size).toBe(0);
    expect(await move(second, true)).toBe(200);
    expect([...(repo.branches.get('topic')?.keys() ?? [])]).toEqual(['b']);
    emulator.hosting.addRef(repo, 'tags/t', second);
    const tag = await send(`PATCH ${here}/git/refs/tags/t`, {
      auth,
      body: { sha: merge.sha },
    });
    expect(tag.data.object.sha).toBe(merge.sha);
    expect([...repo.branches.keys()]).toEqual(['main', 'topic']);
    emulator.hosting.addRef(repo, 'tags/xmain');
    for (const name of ['tags/t', 'tags/xmain', 'heads/topic']) {
      expect(await getStatus(`DELETE ${here}/git/refs/${name}`, { auth })).toBe(204);
      expect(await getStatus(`DELETE ${here}/git/refs/${name}`, { auth })).toBe(422);
    }
    expect([[...repo.branches.keys()], [...repo.refs.keys()]]).toEqual([['main'], ['heads/main']]);
  });
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
      const { sha = '' } = findRocket(emulator).refs.get('heads/feature/part-1') ?? {};
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

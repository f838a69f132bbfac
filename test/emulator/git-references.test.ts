import { beforeEach, describe, expect, it } from 'vitest';
import { GitReference } from '../../src/hosting/index.js';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { auth, engine, headIn, here, read } from './engine.js';
import { callHosting, crawl, validate } from './send-request.js';

let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);

let repo: Repo;
let head: string;

const getHead = (name?: string) => headIn(repo, name);

const get = (path: string, accept?: string) => read(emulator, path, accept);

const rocket = '/repos/acme/rocket';

describe('/git/refs', () => {
  beforeEach(() => {
    ({ emulator, repo } = engine());
  });

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
      await send(`DELETE ${here}/git/refs/${name}`, { auth });
    }
    expect([[...repo.branches.keys()], [...repo.refs.keys()]]).toEqual([['main'], ['heads/main']]);
  });
});

describe('git references', () => {
  beforeEach(() => {
    emulator = createEmulator(noon);
    head = emulator.hosting.state.repo('acme', 'rocket')?.refs.get('heads/main')?.sha ?? '';
  });

  it('GET /git/refs lists references by namespace or prefix', async () => {
    const all = await crawl(emulator, `${rocket}/git/refs`);
    const names = all.items.map((item) => validate(GitReference, item).ref);
    expect(names).toContain('refs/heads/feature/part-3');
    expect(names).toContain('refs/notes/note-1');
    expect(names.length).toBe(61);
    for (const path of ['feature/part-3', 'feature%2Fpart-3', 'feature/part-3/']) {
      const { data } = await send(`GET ${rocket}/git/refs/heads/${path}`);
      expect(validate(GitReference, data).object.sha).toBe(head);
    }
    const some = await send(`GET ${rocket}/git/refs/heads/feature/part`);
    expect(some.data).toHaveLength(20);
    expect(await getStatus(`GET ${rocket}/git/refs/heads//main`)).toBe(404);
    expect(await getStatus(`GET ${rocket}/git/ref/heads/mai`)).toBe(404);
    const { data } = await send(`POST ${rocket}/git/refs`, {
      body: { ref: 'refs/heads/n', sha: '0'.repeat(40) },
    });
    expect(data.message).toBe('Object does not exist');
  });

  it('the emulator creates, moves and deletes a branch', async () => {
    const body = { ref: 'refs/heads/topic/new', sha: head };
    const created = await send(`POST ${rocket}/git/refs`, { body });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.data.url);
    const put = await send(`PUT ${rocket}/contents/new.txt`, {
      body: { message: 'New', content: 'aGk=', branch: 'topic/new' },
    });
    expect(put.status).toBe(201);
    const path = `${rocket}/git/refs/heads/topic/new`;
    const moved = await send(`GET ${path}`);
    expect(moved.data.object.sha).toBe(put.data.commit.sha);
    expect(put.data.commit.parents).toMatchObject([{ sha: head }]);
    const at = `${rocket}/contents/new.txt?ref=`;
    for (const ref of ['topic/new', 'topic%2Fnew', put.data.commit.sha]) {
      expect(await getStatus(`GET ${at}${ref}`)).toBe(200);
    }
    expect(await getStatus(`GET ${at}main`)).toBe(404);
    const back = await send(`PATCH ${path}`, { body: { sha: head } });
    expect([back.status, back.data.message]).toEqual([422, 'Update is not a fast forward']);
    const forced = await send(`PATCH ${path}`, {
      body: { sha: head, force: true },
    });
    expect(forced.data.object.sha).toBe(head);
    expect(await getStatus(`GET ${at}topic/new`)).toBe(404);
    const forward = { body: { sha: put.data.commit.sha } };
    expect(await getStatus(`PATCH ${path}`, forward)).toBe(200);
    expect(await getStatus(`DELETE ${path}`)).toBe(204);
    expect(await getStatus(`DELETE ${path}`)).toBe(422);
    expect(await getStatus(`PATCH ${path}`, forward)).toBe(422);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Emulator, Repo } from '../../src/testing/index.js';
import { auth, engine, headIn, here, read } from './engine.js';
import { callHosting } from './send-request.js';

let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);

let repo: Repo;

const getHead = (name?: string) => headIn(repo, name);

const get = (path: string, accept?: string) => read(emulator, path, accept);

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
      expect(await getStatus(`DELETE ${here}/git/refs/${name}`, { auth })).toBe(204);
      expect(await getStatus(`DELETE ${here}/git/refs/${name}`, { auth })).toBe(422);
    }
    expect([[...repo.branches.keys()], [...repo.refs.keys()]]).toEqual([['main'], ['heads/main']]);
  });
});

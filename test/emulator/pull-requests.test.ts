import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { auth, engine, headIn, here, read } from './hosting-worlds.js';
import { basic, callHosting, type RequestOptions } from './send-request.js';

let emulator: Emulator;
const { send } = callHosting(() => emulator);
let repo: Repo;
const getHead = (name?: string) => headIn(repo, name);
const get = (path: string, accept?: string) => read(emulator, path, accept);

beforeEach(() => {
  ({ emulator, repo } = engine());
});

describe('/pulls', () => {
  it.each([
    ['application/vnd.service.diff', /^diff --git a\/src\/file-0\.ts b\/src\/file-0\.ts\n/],
    [
      'application/vnd.service.v3.patch+json',
      /^From \w+ Mon Sep 17 [\s\S]*\nSubject: \[PATCH\] [\s\S]*\ndiff --git /,
    ],
  ])('GET /pulls/:number responds with text to the Accept header %s', async (accept, text) => {
    const { number } = emulator.hosting.addPull(repo, {
      head: { ref: 'a', login: 'lab', sha: 'x' },
      base: { ref: 'main', login: 'lab', sha: 'x' },
    });
    const response = await get(`/pulls/${number}`, accept);
    expect(response.status).toBe(200);
    expect(response.text).toMatch(text);
  });

  it('GET /pulls filters and sorts pull requests', async () => {
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
      ['state=closed', [2]],
      ['state=all', [3, 5, 4, 2, 1]],
      ['sort=created&direction=asc', [1, 4, 5, 3]],
      ['sort=updated', [1, 3, 5, 4]],
      ['state=all&sort=updated&direction=desc', [2, 4, 5, 3, 1]],
      ['sort=popularity', [5, 1, 4, 3]],
      ['sort=popularity&direction=desc', [3, 4, 1, 5]],
      ['head=lab:a', [1]],
      ['head=ada:a', [3]],
      ['base=next', [3, 5]],
      ['base=main&head=lab:c', [4]],
    ] as const) {
      const { data } = await get(`/pulls?${query}`);
      expect([query, data.map((pull: { number: number }) => pull.number)]).toEqual([
        query,
        numbers,
      ]);
    }
    // A pull request updated exactly one month ago is listed. One second later, it isn't.
    emulator.clock.advance(1000);
    expect((await get('/pulls?state=all&sort=long-running')).data).toHaveLength(4);
    expect((await get('/pulls?state=all')).data).toHaveLength(5);
  });

  it("a push to a fork immediately moves the heads of the fork's open pull requests", async () => {
    const { hosting } = emulator;
    hosting.addUser('eve', { password: 'x' });
    const fork = hosting.addRepo('eve', 'engine', { forkOf: 'lab/engine' });
    const first = headIn(fork);
    const push = async (route: string, body: object) =>
      await send(route, { auth: basic('eve', 'x'), body });
    await push(`POST ${here}/pulls`, { title: 'T', head: 'eve:main', base: 'main' });
    const [pull] = repo.pulls;
    const content = { message: 'm', content: 'YQ==' };
    const own = '/repos/eve/engine';
    const pushes = [
      () => hosting.addFile(fork, 'a.txt', 'a'),
      () => hosting.addRef(fork, 'heads/main', first),
      () => push(`PUT ${own}/contents/b.txt`, content),
      () => push(`PATCH ${own}/git/refs/heads/main`, { sha: first, force: true }),
    ];
    for (const change of pushes) {
      const before = headIn(fork);
      await change();
      expect(headIn(fork)).not.toBe(before);
      expect(pull?.head).toEqual({ login: 'eve', ref: 'main', sha: headIn(fork) });
    }
    await push(`PATCH ${here}/pulls/1`, { state: 'closed' });
    hosting.addFile(fork, 'c.txt', 'c');
    expect(pull?.head.sha).toBe(first);
  });

  it('POST /pulls creates pull requests between branches or from a fork', async () => {
    emulator.hosting.addRef(repo, 'heads/topic');
    const make = async (body: object) => {
      const whole = { base: 'main', title: 'T', ...body };
      return await send(`POST ${here}/pulls`, { auth, body: whole });
    };
    const first = await make({ head: 'topic', body: 'B' });
    expect(first.headers.location).toBe(first.data.url);
    const user = { login: 'ada' };
    expect(first.data).toMatchObject({
      ...{ number: 1, title: 'T', body: 'B', user, state: 'open' },
      head: { label: 'lab:topic', ref: 'topic', sha: getHead() },
      base: { label: 'lab:main', ref: 'main', sha: getHead() },
    });
    emulator.hosting.addUser('eve');
    const fork = emulator.hosting.addRepo('eve', 'engine', { forkOf: 'lab/engine' });
    emulator.hosting.state.accounts.delete('eve');
    emulator.hosting.addRef(fork, 'heads/patch');
    const { data } = await make({ head: 'eve:patch', issue: 7 });
    expect(data).toMatchObject({
      ...{ number: 2, title: 'Issue 7', body: null, head: { label: 'eve:patch', ref: 'patch' } },
    });
    // The login is kept, although no account has it.
    expect(data.head.user).toMatchObject({ login: 'eve', id: 0, type: 'User', site_admin: false });
    expect(data.head.sha).toMatch(/^[0-9a-f]{40}$/);
    emulator.hosting.addRef(repo, 'heads/next');
    expect((await make({ head: 'topic', base: 'next' })).status).toBe(201);
    expect((await make({ head: 'topic' })).status).toBe(422);
    await send(`PATCH ${here}/pulls/1`, { auth, body: { state: 'closed' } });
    expect((await make({ head: 'topic' })).status).toBe(201);
  });

  it('the emulator updates, closes, reopens and merges a pull request', async () => {
    emulator.hosting.addPull(repo, { title: 'T', body: 'B' });
    emulator.hosting.addFile(repo, 'a', 'x');
    const change = async (body: object) => {
      emulator.clock.advance(60_000);
      const { data } = await send(`PATCH ${here}/pulls/1`, { auth, body });
      const { title, state, updated_at, closed_at, merged_at } = data;
      return [title, data.body, state, updated_at, closed_at, merged_at];
    };
    const at = (minute: number) => `2014-06-01T12:0${minute}:00Z`;
    expect(await change({ title: 'U' })).toEqual(['U', 'B', 'open', at(1), null, null]);
    expect(await change({ body: 'C' })).toEqual(['U', 'C', 'open', at(2), null, null]);
    expect(await change({ state: 'closed' })).toEqual(['U', 'C', 'closed', at(3), at(3), null]);
    expect(await change({ state: 'closed' })).toEqual(['U', 'C', 'closed', at(4), at(3), null]);
    expect(await change({ state: 'open' })).toEqual(['U', 'C', 'open', at(5), null, null]);
    const before = getHead();
    emulator.clock.advance(60_000);
    const body = { commit_message: 'Done', sha: repo.pulls[0]?.head.sha };
    const { status, data } = await send(`PUT ${here}/pulls/1/merge`, {
      auth,
      body,
    });
    expect([status, data]).toEqual([
      200,
      { sha: getHead(), merged: true, message: expect.any(String) },
    ]);
    expect(repo.commits.get(getHead())).toMatchObject({
      ...{ parents: [before], message: 'Merge pull request #1\n\nDone', login: 'ada', date: at(6) },
    });
    expect((await get('/pulls/1')).data).toMatchObject({
      ...{ state: 'closed', closed_at: at(6), merged_at: at(6), updated_at: at(6) },
      merge_commit_sha: getHead(),
    });
    expect((await get('/pulls/1/merge')).status).toBe(204);
    emulator.hosting.addPull(repo, { title: 'By its title' });
    await send(`PUT ${here}/pulls/2/merge`, { auth });
    expect(repo.commits.get(getHead())?.message).toBe('Merge pull request #2\n\nBy its title');
  });

  describe('pull requests of a branch with commits', () => {
    const put = async (path: string, branch: string, content = 'aGk=') => {
      const sha = repo.branches.get(branch)?.get(path)?.sha;
      const body = { message: 'm', content, branch, sha };
      await send(`PUT ${here}/contents/${path}`, { auth, body });
      return getHead(`heads/${branch}`);
    };
    const merge = (body: object = {}) => send(`PUT ${here}/pulls/1/merge`, { auth, body });

    beforeEach(async () => {
      emulator.hosting.addFiles(repo, { both: '1', old: '1' });
      emulator.hosting.addRef(repo, 'heads/topic');
      await put('topic.txt', 'topic');
      await put('main.txt', 'main');
      const body = { title: 'T', head: 'topic', base: 'main' };
      await send(`POST ${here}/pulls`, { auth, body });
    });

    it('a pull request lists only the files changed since its branches diverged', async () => {
      const names = (await get('/pulls/1/files')).data.map(
        ({ filename }: { filename: string }) => filename,
      );
      expect(names).toEqual(['topic.txt']);
    });

    it('PUT /pulls/:number/merge merges the changes of the head branch into the base branch', async () => {
      const { sha } = repo.branches.get('topic')?.get('old') ?? {};
      const body = { message: 'm', sha, branch: 'topic' };
      await send(`DELETE ${here}/contents/old`, { auth, body });
      const [before, head] = [getHead(), getHead('heads/topic')];
      expect((await merge()).status).toBe(200);
      const names = (await get('/contents')).data.map(({ name }: { name: string }) => name);
      expect(names).toEqual(['both', 'main.txt', 'topic.txt']);
      expect(repo.commits.get(getHead())?.parents).toEqual([before, head]);
    });

    it('the head of a pull request is the latest commit of its branch until the pull request is closed', async () => {
      const readHead = async () => (await get('/pulls/1')).data.head.sha;
      const pushed = await put('more.txt', 'topic');
      expect(await readHead()).toBe(pushed);
      const body = { sha: getHead(), force: true };
      await send(`PATCH ${here}/git/refs/heads/topic`, { auth, body });
      expect(await readHead()).toBe(getHead());
      const last = await put('last.txt', 'topic');
      expect((await merge({ sha: pushed })).status).toBe(409);
      expect((await merge({ sha: last })).status).toBe(200);
      await put('late.txt', 'topic');
      expect(await readHead()).toBe(last);
    });

    it('a pull request cannot be merged if both branches changed a file in different ways', async () => {
      await put('both', 'topic', 'Mg==');
      await put('both', 'main', 'Mw==');
      const before = emulator.export();
      expect((await merge()).status).toBe(405);
      expect(emulator.export()).toEqual(before);
      await put('both', 'topic', 'Mw==');
      expect((await merge()).status).toBe(200);
    });
  });
});

describe('pull requests of the seed', () => {
  beforeEach(() => {
    emulator = createEmulator(noon);
  });

  describe('POST /repos/:owner/:repo/pulls', () => {
    const create = async (head: string, more: RequestOptions = {}) => {
      const body = { title: 'T', base: 'main', head };
      return await send('POST /repos/acme/rocket/pulls', { body, ...more });
    };
    const error = { resource: 'PullRequest', field: 'head', code: 'invalid' };

    beforeEach(() => {
      const { hosting } = emulator;
      hosting.addUser('eve', { password: 'x' });
      const fork = hosting.addRepo('eve', 'rocket', { forkOf: 'acme/rocket' });
      hosting.addRef(fork, 'heads/topic');
      hosting.addRef(hosting.addRepo('eve', 'other'), 'heads/elsewhere');
      hosting.addRef(
        hosting.addRepo('alan-1', 'rocket', { forkOf: 'acme/rocket', isPrivate: true }),
        'heads/hidden',
      );
      hosting.addRef('acme/rocket', 'tags/tag');
    });

    it.each(['none', 'eve:none', 'eve:elsewhere', 'tag', 'a:b:c'])(
      'responds with 422 to the unknown head %s',
      async (head) => {
        const { pulls } = emulator.hosting.state.repo('acme', 'rocket') ?? {};
        const { status, data } = await create(head);
        expect([status, data.errors]).toEqual([422, [error]]);
        expect(pulls).toHaveLength(250);
      },
    );

    it("responds with 422 if the caller can't see the head's fork", async () => {
      const auth = basic('eve', 'x');
      expect((await create('alan-1:hidden', { auth })).status).toBe(422);
    });
  });
});

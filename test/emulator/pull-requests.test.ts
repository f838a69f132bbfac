import { beforeEach, describe, expect, test } from 'vitest';
import type { Emulator, Repo } from '../../src/testing/index.js';
import { auth, engine, headIn, here, read } from './engine.js';
import { basic, sendRequest } from './send-request.js';

// Tests the emulator's pull requests, commit comments and Pages sites.

let emulator: Emulator;
let repo: Repo;

beforeEach(() => {
  ({ emulator, repo } = engine());
});

const getHead = (name?: string) => headIn(repo, name);
const get = (path: string, accept?: string) => read(emulator, path, accept);

test('GET /commits/:sha/comments lists only the comments on that commit', async () => {
  emulator.hosting.addPull(repo);
  const { sha } = emulator.hosting.addPull(repo).head;
  const path = `${here}/commits/${sha}/comments`;
  for (const body of [{ body: 'a' }, { body: 'b' }]) {
    expect((await sendRequest(emulator, `POST ${path}`, { auth, body })).status).toBe(201);
  }
  emulator.hosting.addComment(repo, 'elsewhere');
  expect((await get(`/commits/${sha}/comments`)).data).toHaveLength(2);
  repo.comments.reverse();
  const bodies = (await get('/comments')).data.map(({ body }: { body: string }) => body);
  expect(bodies).toEqual(['a', 'b', 'elsewhere']);
});

test('a Pages site without builds has the status null and no latest build', async () => {
  repo.pages = { cname: 'x.test', custom404: true, builds: [] };
  const site = { status: null, cname: 'x.test', custom_404: true };
  expect((await get('/pages')).data).toMatchObject(site);
  expect((await get('/pages/builds/latest')).status).toBe(404);
});

test('the emulator responds with 404 to a request for an unknown account', async () => {
  for (const path of ['/orgs/nobody', '/users/nobody', '/users/nobody/repos']) {
    expect((await sendRequest(emulator, `GET ${path}`, { auth })).status).toBe(404);
  }
});

test('GET /users/:username/repos lists only public repositories for anonymous callers', async () => {
  emulator.hosting.addRepo('ada', 'own');
  emulator.hosting.addRepo('ada', 'hidden', { isPrivate: true });
  const { data } = await sendRequest(emulator, 'GET /users/ada/repos', { auth: null });
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['own']);
});

describe('/pulls', () => {
  test('GET /pulls filters and sorts pull requests', async () => {
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
    // A pull request updated exactly one month ago is listed. One second later, it isn't.
    emulator.clock.advance(1000);
    expect((await get('/pulls?state=all&sort=long-running')).data).toHaveLength(4);
    expect((await get('/pulls?state=all')).data).toHaveLength(5);
  });

  test("a push to a fork immediately moves the heads of the fork's open pull requests", async () => {
    const { hosting } = emulator;
    hosting.addUser('eve', { password: 'x' });
    const fork = hosting.addRepo('eve', 'engine', { forkOf: 'lab/engine' });
    const first = headIn(fork);
    const send = async (route: string, body: object) =>
      await sendRequest(emulator, route, { auth: basic('eve', 'x'), body });
    await send(`POST ${here}/pulls`, { title: 'T', head: 'eve:main', base: 'main' });
    const [pull] = repo.pulls;
    const content = { message: 'm', content: 'YQ==' };
    const own = '/repos/eve/engine';
    const pushes = [
      () => hosting.addFile(fork, 'a.txt', 'a'),
      () => hosting.addRef(fork, 'heads/main', first),
      () => send(`PUT ${own}/contents/b.txt`, content),
      () => send(`PATCH ${own}/git/refs/heads/main`, { sha: first, force: true }),
    ];
    for (const push of pushes) {
      const before = headIn(fork);
      await push();
      expect(headIn(fork)).not.toBe(before);
      expect(pull?.head).toEqual({ login: 'eve', ref: 'main', sha: headIn(fork) });
    }
    await send(`PATCH ${here}/pulls/1`, { state: 'closed' });
    hosting.addFile(fork, 'c.txt', 'c');
    expect(pull?.head.sha).toBe(first);
  });

  test('POST /pulls creates pull requests between branches or from a fork', async () => {
    emulator.hosting.addRef(repo, 'heads/topic');
    const make = async (body: object) => {
      const whole = { base: 'main', title: 'T', ...body };
      return await sendRequest(emulator, `POST ${here}/pulls`, { auth, body: whole });
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
    await sendRequest(emulator, `PATCH ${here}/pulls/1`, { auth, body: { state: 'closed' } });
    expect((await make({ head: 'topic' })).status).toBe(201);
  });

  test('the emulator updates, closes, reopens and merges a pull request', async () => {
    emulator.hosting.addPull(repo, { title: 'T', body: 'B' });
    emulator.hosting.addFile(repo, 'a', 'x');
    const change = async (body: object) => {
      emulator.clock.advance(60_000);
      const { data } = await sendRequest(emulator, `PATCH ${here}/pulls/1`, { auth, body });
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
    const { status, data } = await sendRequest(emulator, `PUT ${here}/pulls/1/merge`, {
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
    await sendRequest(emulator, `PUT ${here}/pulls/2/merge`, { auth });
    expect(repo.commits.get(getHead())?.message).toBe('Merge pull request #2\n\nBy its title');
  });

  describe('of a branch with commits', () => {
    const put = async (path: string, branch: string, content = 'aGk=') => {
      const sha = repo.branches.get(branch)?.get(path)?.sha;
      const body = { message: 'm', content, branch, sha };
      await sendRequest(emulator, `PUT ${here}/contents/${path}`, { auth, body });
      return getHead(`heads/${branch}`);
    };
    const merge = (body: object = {}) =>
      sendRequest(emulator, `PUT ${here}/pulls/1/merge`, { auth, body });

    beforeEach(async () => {
      emulator.hosting.addFiles(repo, { both: '1', old: '1' });
      emulator.hosting.addRef(repo, 'heads/topic');
      await put('topic.txt', 'topic');
      await put('main.txt', 'main');
      const body = { title: 'T', head: 'topic', base: 'main' };
      await sendRequest(emulator, `POST ${here}/pulls`, { auth, body });
    });

    test('a pull request lists only the files changed since its branches diverged', async () => {
      const names = (await get('/pulls/1/files')).data.map(
        ({ filename }: { filename: string }) => filename,
      );
      expect(names).toEqual(['topic.txt']);
    });

    test('PUT /pulls/:number/merge merges the changes of the head branch into the base branch', async () => {
      const { sha } = repo.branches.get('topic')?.get('old') ?? {};
      const body = { message: 'm', sha, branch: 'topic' };
      await sendRequest(emulator, `DELETE ${here}/contents/old`, { auth, body });
      const [before, head] = [getHead(), getHead('heads/topic')];
      expect((await merge()).status).toBe(200);
      const names = (await get('/contents')).data.map(({ name }: { name: string }) => name);
      expect(names).toEqual(['both', 'main.txt', 'topic.txt']);
      expect(repo.commits.get(getHead())?.parents).toEqual([before, head]);
    });

    test('the head of a pull request is the latest commit of its branch until the pull request is closed', async () => {
      const readHead = async () => (await get('/pulls/1')).data.head.sha;
      const pushed = await put('more.txt', 'topic');
      expect(await readHead()).toBe(pushed);
      const body = { sha: getHead(), force: true };
      await sendRequest(emulator, `PATCH ${here}/git/refs/heads/topic`, { auth, body });
      expect(await readHead()).toBe(getHead());
      const last = await put('last.txt', 'topic');
      expect((await merge({ sha: pushed })).status).toBe(409);
      expect((await merge({ sha: last })).status).toBe(200);
      await put('late.txt', 'topic');
      expect(await readHead()).toBe(last);
    });

    test('a pull request cannot be merged if both branches changed a file in different ways', async () => {
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

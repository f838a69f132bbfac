import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, origin, sendRequest } from './send-request.js';

const auth = basic('ada', 'x');
const now = '2014-06-01T12:00:00Z';
const here = '/repos/lab/engine';
const none = '0'.repeat(40);
let emulator: Emulator;
let repo: Repo;
const getHead = (name = 'heads/main') => repo.refs.get(name)?.sha ?? '';

const addHook = (events: string[], url = 'http://far.test/') =>
  emulator.hosting.addHook(repo, { url, content_type: 'json' }, { events });

const send = async (what: string, body?: object) =>
  (await sendRequest(emulator, what.replace(' /', ` ${here}/`), { auth, body })).data;

const getDeliveries = () =>
  emulator.hosting.deliveries.map(({ event, body }) => [event, JSON.parse(body)] as const);

/** Fields that every payload contains. */
const envelope = {
  repository: expect.objectContaining({ full_name: 'lab/engine' }),
  organization: expect.objectContaining({ login: 'lab', type: 'Organization' }),
  sender: expect.objectContaining({ login: 'ada' }),
};

const ada = { name: 'ada', email: 'ada@example.com' };

function push(ref: string, before: string, message: string) {
  const sha = getHead(ref.slice(5));
  const person = { ...ada, username: 'ada' };
  const commit = {
    id: sha,
    distinct: true,
    message,
    timestamp: now,
    url: `${origin}/lab/engine/commit/${sha}`,
    author: person,
    committer: person,
    added: [],
    removed: [],
    modified: [],
  };
  return {
    ref,
    before,
    after: sha,
    created: before === none,
    deleted: false,
    forced: false,
    compare: `${origin}/lab/engine/compare/${before.slice(0, 12)}...${sha.slice(0, 12)}`,
    commits: [commit],
    head_commit: commit,
    pusher: ada,
    ...envelope,
  };
}

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada', { password: 'x', siteAdmin: true });
  emulator.hosting.addOrg('lab', ['ada']);
  repo = emulator.hosting.addRepo('lab', 'engine');
  emulator.hosting.allowDeliveries(() => false);
});

it('writing a file and updating a branch each trigger a push event', async () => {
  const first = getHead();
  addHook(['push']);
  const { commit } = await send('PUT /contents/a', { message: 'Go', content: 'aGk=' });
  await send('POST /git/refs', { ref: 'refs/heads/t', sha: first });
  await send('PATCH /git/refs/heads/t', { sha: commit.sha });
  expect(getDeliveries()).toEqual([
    ['push', push('refs/heads/main', first, 'Go')],
    ['push', push('refs/heads/t', first, 'Go')],
  ]);
});

it('only branches and tags trigger create and delete events', async () => {
  addHook(['create', 'delete']);
  for (const name of ['heads/a/b', 'tags/v1', 'notes/n', 'xheads/c']) {
    await send('POST /git/refs', { ref: `refs/${name}`, sha: getHead() });
    await send(`DELETE /git/refs/${name}`);
  }
  const branch = { ref: 'a/b', ref_type: 'branch', pusher_type: 'user', ...envelope };
  const tag = { ref: 'v1', ref_type: 'tag', pusher_type: 'user', ...envelope };
  expect(getDeliveries()).toEqual([
    ['create', branch],
    ['delete', branch],
    ['create', tag],
    ['delete', tag],
  ]);
});

it('opening, closing, reopening and merging a pull request each trigger a pull_request event', async () => {
  addHook(['pull_request', 'push']);
  const first = getHead();
  emulator.hosting.addRef(repo, 'heads/h');
  await send('POST /pulls', { title: 'T', head: 'h', base: 'main' });
  await send('PATCH /pulls/1', { title: 'U' });
  await send('PATCH /pulls/1', { state: 'closed' });
  await send('PATCH /pulls/1', { state: 'closed' });
  await send('PATCH /pulls/1', { state: 'open' });
  await send('PUT /pulls/1/merge');
  const of = (action: string, fields: object) => [
    'pull_request',
    { action, number: 1, pull_request: expect.objectContaining(fields), ...envelope },
  ];
  expect(getDeliveries()).toEqual([
    of('opened', { title: 'T', state: 'open' }),
    of('closed', { title: 'U', state: 'closed', merged_at: null }),
    of('reopened', { state: 'open' }),
    ['push', push('refs/heads/main', first, 'Merge pull request #1\n\nU')],
    of('closed', { state: 'closed', merged_at: now }),
  ]);
});

it('publishing a release triggers a release event and creates the tag', async () => {
  addHook(['release']);
  await send('POST /releases', { tag_name: 'v1', name: 'One' });
  const draft = await send('POST /releases', { tag_name: 'v2', draft: true });
  expect([draft.published_at, repo.refs.has('tags/v1'), repo.refs.has('tags/v2')]).toEqual([
    ...[null, true, false],
  ]);
  emulator.clock.advance(60_000);
  const at = '2014-06-01T12:01:00Z';
  const path = `PATCH /releases/${draft.id}`;
  expect((await send(path, { draft: true })).published_at).toBeNull();
  expect((await send(path, { draft: false })).published_at).toBe(at);
  emulator.clock.advance(60_000);
  expect((await send(path, { draft: false, name: 'Two' })).published_at).toBe(at);
  const of = (fields: object) => [
    'release',
    { action: 'published', release: expect.objectContaining(fields), ...envelope },
  ];
  expect(getDeliveries()).toEqual([of({ tag_name: 'v1', name: 'One' }), of({ tag_name: 'v2' })]);
  expect((await send(path, { draft: true })).published_at).toBeNull();
  expect(getDeliveries(), 'a draft is not reported').toHaveLength(2);
  // Publishing keeps an existing tag and creates no tag if the target commit doesn't exist.
  const [tag, old] = [getHead('tags/v1'), getHead()];
  emulator.hosting.addRef(repo, 'tags/v3', old);
  emulator.hosting.addFile(repo, 'a', 'x');
  await send('POST /releases', { tag_name: 'v3' });
  await send('POST /releases', { tag_name: 'v4', target_commitish: 'none' });
  await send('POST /releases', { tag_name: 'v5' });
  expect(['v1', 'v3', 'v4', 'v5'].map((name) => getHead(`tags/${name}`))).toEqual([
    ...[tag, old, '', getHead()],
  ]);
});

it('creating a comment, starring a repository and adding it to a team each trigger an event', async () => {
  addHook(['commit_comment', 'watch', 'team_add']);
  const comment = await send(`POST /commits/${getHead()}/comments`, { body: 'Hm' });
  for (let time = 0; time < 2; time++) {
    await sendRequest(emulator, 'PUT /user/starred/lab/engine', { auth });
  }
  const [owners] = emulator.hosting.state.listTeams('lab');
  await sendRequest(emulator, `PUT /teams/${owners?.id}/repos/lab/engine`, { auth });
  expect(getDeliveries()).toEqual([
    ['commit_comment', { action: 'created', comment, ...envelope }],
    ['watch', { action: 'started', ...envelope }],
    ['team_add', { team: expect.objectContaining({ name: 'Owners' }), ...envelope }],
  ]);
});

describe('event deliveries', () => {
  it('emit() notifies only active hooks that subscribe to the event', async () => {
    emulator.hosting.addUser('eve');
    const own = emulator.hosting.addRepo('eve', 'own');
    const add = (events: string[], active = true) =>
      emulator.hosting.addHook(own, { url: 'http://far.test/' }, { events, active }).id;
    const ids = [add(['gollum']), add(['*']), add(['push', 'gollum'])];
    add(['push']);
    add(['gollum'], false);
    emulator.hosting.emit('eve/own', 'gollum', { pages: [1] });
    expect(emulator.hosting.deliveries.map(({ hookId }) => hookId)).toEqual(ids);
    const { event, url, headers, body = '' } = emulator.hosting.deliveries[0] ?? {};
    expect([event, url, headers]).toEqual([
      'gollum',
      'http://far.test/',
      {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(body.length),
        'user-agent': 'Service Hookshot',
        'X-Service-Event': 'gollum',
        'X-Service-Delivery': expect.any(String),
      },
    ]);
    const payload = JSON.parse(new URLSearchParams(body).get('payload') ?? '');
    expect(payload).toEqual({
      pages: [1],
      repository: expect.objectContaining({ full_name: 'eve/own' }),
      sender: expect.objectContaining({ login: 'eve' }),
    });
    const guids = emulator.hosting.deliveries.map(({ id }) => id);
    expect(new Set(guids).size).toBe(3);
    emulator.hosting.emit(own, 'gollum', {});
    expect(emulator.hosting.deliveries.slice(3).map(({ id }) => id)).not.toContain(guids[0]);
  });

  it("the ping to a hook omits the hook's secret", async () => {
    const { id } = await send('POST /hooks', {
      name: 'web',
      config: { url: 'http://far.test/', content_type: 'json', secret: 's3cret' },
      events: ['watch'],
      active: false,
    });
    await send(`POST /hooks/${id}/pings`);
    const payload = {
      zen: expect.stringMatching(/\w/),
      hook_id: id,
      hook: {
        type: 'Repository',
        id,
        name: 'web',
        events: ['watch'],
        config: { url: 'http://far.test/', content_type: 'json', insecure_ssl: '0' },
      },
      ...envelope,
    };
    expect(getDeliveries()).toEqual([
      ['ping', payload],
      ['ping', payload],
    ]);
  });

  it('a hook test repeats the latest push', async () => {
    emulator.hosting.addFile(repo, 'a', 'x');
    const { sha } = repo.refs.get('heads/main') ?? {};
    const [pushed, all, other] = [addHook(['push']), addHook(['*']), addHook(['watch'])];
    for (const { id } of [pushed, all, other]) await send(`POST /hooks/${id}/tests`);
    const payload = expect.objectContaining({
      ...{ ref: 'refs/heads/main', after: sha, created: false, ...envelope },
    });
    expect(getDeliveries()).toEqual([
      ['push', payload],
      ['push', payload],
    ]);
    expect(emulator.hosting.deliveries.map(({ hookId }) => hookId)).toEqual([pushed.id, all.id]);
    repo.refs.clear();
    await send(`POST /hooks/${pushed.id}/tests`);
    expect(getDeliveries()).toHaveLength(2);
  });

  it('emit() accepts { owner, repo } and names an unknown repository in its error', () => {
    emulator.hosting.addUser('eve');
    const own = emulator.hosting.addRepo('eve', 'own');
    const { id } = emulator.hosting.addHook(own, { url: 'http://far.test/' }, { events: ['*'] });
    emulator.hosting.emit({ owner: 'eve', repo: 'own' }, 'gollum', {});
    expect(emulator.hosting.deliveries.map(({ hookId }) => hookId)).toEqual([id]);
    const unknown = { owner: 'eve', repo: 'none' };
    expect(() => emulator.hosting.emit(unknown, 'gollum', {})).toThrow(
      'repo: must be an existing repository (got eve/none)',
    );
  });

  it('payloads use the origin of the last request', async () => {
    addHook(['*']);
    const urls = () => {
      emulator.hosting.emit(repo, 'gollum', {});
      const [, { repository } = {}] = getDeliveries().at(-1) ?? [];
      return [repository.html_url, repository.url, repository.ssh_url];
    };
    expect(urls()).toEqual([
      'http://127.0.0.1/lab/engine',
      'http://127.0.0.1/api/v3/repos/lab/engine',
      'git@127.0.0.1:lab/engine.git',
    ]);
    await sendRequest(emulator, 'GET /users/ada', { auth });
    expect(urls()[0]).toBe(`${origin}/lab/engine`);
  });

  it('the emulator keeps only the last 1000 hook deliveries', () => {
    addHook(['*']);
    for (let count = 0; count < 1001; count++) emulator.hosting.emit(repo, 'gollum', { count });
    expect(getDeliveries().map(([, { count }]) => count)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index + 1),
    );
  });

  it.each<[string, string]>([
    ['http://localhost/', 'no error'],
    ['http://127.10.200.3/', 'no error'],
    ['http://[::1]/', 'no error'],
    ['http://xlocalhost/', 'an error about disabled deliveries'],
    ['http://127.0.0.1.example.com/', 'an error about disabled deliveries'],
    ['http://localhost.example.com/', 'an error about disabled deliveries'],
    ['http://far.test/', 'an error about disabled deliveries'],
    ['http://0.0.0.0/', 'an error about disabled deliveries'],
    ['ftp://localhost/', 'an error about the URL'],
    ['xhttp://localhost/', 'an error about the URL'],
  ])('the emulator records a hook delivery to %j with %s', async (url, error) => {
    // A reset also removes the function passed to `allowDeliveries`.
    emulator.reset();
    emulator.hosting.addOrg('lab');
    const own = emulator.hosting.addRepo('lab', 'engine');
    const hook = emulator.hosting.addHook(own, { url }, { events: ['*'] });
    emulator.hosting.emit(own, 'gollum', {});
    const [delivery] = emulator.hosting.deliveries;
    if (error === 'no error') expect(delivery?.error).toBeUndefined();
    else {
      expect(delivery?.error).toMatch(
        error === 'an error about the URL' ? /http/ : /deliveries to this URL are disabled/,
      );
      expect(hook.lastResponse).toEqual({
        code: null,
        status: 'connection_error',
        message: delivery?.error,
      });
    }
    await emulator.close();
  });
});

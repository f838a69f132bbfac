import { beforeEach, describe, expect, test } from 'vitest';
import {
  AdminStats,
  CommitComment,
  CommitCommentFull,
  CommitCommentHtml,
  CommitCommentText,
  Download,
  GitReference,
  PagesBuild,
  PagesSite,
} from '../../src/hosting/index.js';
import { adminStatsModels } from '../../src/hosting/models/admin-stats.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { crawl, sendRequest, validate } from './send-request.js';

const rocket = '/repos/acme/rocket';
let emulator: Emulator;
let head: string;

beforeEach(() => {
  emulator = createEmulator(noon);
  head = emulator.hosting.state.repo('acme', 'rocket')?.refs.get('heads/main')?.sha ?? '';
});

const getToken = (login: string) => `token ${emulator.hosting.addToken(login, ['repo']).token}`;

describe('commit comments', () => {
  test('the emulator lists commit comments sorted by ID', async () => {
    const { items, pages } = await crawl(emulator, `${rocket}/comments`);
    expect([items.length, pages]).toEqual([45, 2]);
    const ids = items.map((item) => validate(CommitComment, item).id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    for (const ref of [head, 'main']) {
      const { data } = await sendRequest(
        emulator,
        `GET ${rocket}/commits/${ref}/comments?per_page=100`,
      );
      expect(data).toHaveLength(45);
    }
    expect((await sendRequest(emulator, `GET ${rocket}/commits/none/comments`)).status).toBe(404);
  });

  test('the emulator creates, reads, updates and deletes a commit comment', async () => {
    const body = { body: 'Nice', path: 'src/index.ts', position: 4, line: 1, sha: head };
    const created = await sendRequest(emulator, `POST ${rocket}/commits/${head}/comments`, {
      body,
    });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.data.url);
    expect(validate(CommitComment, created.data)).toMatchObject({ body: 'Nice', commit_id: head });
    const path = `${rocket}/comments/${created.data.id}`;
    emulator.clock.advance(60_000);
    const patched = await sendRequest(emulator, `PATCH ${path}`, { body: { body: 'Nicer' } });
    expect(patched.data).toMatchObject({
      body: 'Nicer',
      created_at: '2014-06-01T12:00:00Z',
      updated_at: '2014-06-01T12:01:00Z',
    });
    const stranger = { auth: getToken('hedy-6'), body: { body: 'x' } };
    expect((await sendRequest(emulator, `PATCH ${path}`, stranger)).status).toBe(404);
    expect((await sendRequest(emulator, `PATCH ${path}`, { body: {} })).status).toBe(422);
    expect((await sendRequest(emulator, `DELETE ${path}`)).status).toBe(204);
    expect((await sendRequest(emulator, `GET ${path}`)).status).toBe(404);
  });

  test.each([
    ['raw', CommitComment, ['body']],
    ['text', CommitCommentText, ['body_text']],
    ['html', CommitCommentHtml, ['body_html']],
    ['full', CommitCommentFull, ['body', 'body_text', 'body_html']],
  ] as const)(
    'a commit comment contains only the body fields of the media type %s',
    async (variant, model, fields) => {
      for (const version of ['', 'v3.']) {
        const accept = `application/vnd.service.${version}commitcomment.${variant}+json`;
        const { data } = await sendRequest(emulator, `GET ${rocket}/comments`, {
          headers: { accept },
        });
        validate<object>(model, data[0]);
        const bodies = Object.keys(data[0]).filter((name) => name.startsWith('body'));
        expect(bodies).toEqual(fields);
      }
    },
  );

  test('POST /commits/:sha/comments responds with 422 to an invalid comment or an unknown commit', async () => {
    const create = (sha: string, body: object) =>
      sendRequest(emulator, `POST ${rocket}/commits/${sha}/comments`, { body }).then(
        (each) => each.status,
      );
    expect(await create(head, {})).toBe(422);
    expect(await create(head, { body: 'x', position: 'one' })).toBe(422);
    expect(await create('0'.repeat(40), { body: 'x' })).toBe(422);
  });
});

describe('git references', () => {
  test('GET /git/refs lists references by namespace or prefix', async () => {
    const all = await crawl(emulator, `${rocket}/git/refs`);
    const names = all.items.map((item) => validate(GitReference, item).ref);
    expect(names).toContain('refs/heads/feature/part-3');
    expect(names).toContain('refs/notes/note-1');
    expect(names.length).toBe(61);
    const tags = await crawl(emulator, `${rocket}/git/refs/tags`);
    expect(tags.items).toHaveLength(20);
    for (const path of ['feature/part-3', 'feature%2Fpart-3', 'feature/part-3/']) {
      const { data } = await sendRequest(emulator, `GET ${rocket}/git/refs/heads/${path}`);
      expect(validate(GitReference, data).object.sha).toBe(head);
    }
    const some = await sendRequest(emulator, `GET ${rocket}/git/refs/heads/feature/part`);
    expect(some.data).toHaveLength(20);
    expect((await sendRequest(emulator, `GET ${rocket}/git/refs/heads/none`)).status).toBe(404);
    expect((await sendRequest(emulator, `GET ${rocket}/git/refs/heads//main`)).status).toBe(404);
    expect((await sendRequest(emulator, `GET ${rocket}/git/ref/heads/main`)).status).toBe(200);
    expect((await sendRequest(emulator, `GET ${rocket}/git/ref/heads/mai`)).status).toBe(404);
    expect(
      (await sendRequest(emulator, `GET ${rocket}/git/matching-refs/heads/mai`)).data,
    ).toHaveLength(1);
  });

  test('the emulator creates, moves and deletes a branch', async () => {
    const body = { ref: 'refs/heads/topic/new', sha: head };
    const created = await sendRequest(emulator, `POST ${rocket}/git/refs`, { body });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.data.url);
    const put = await sendRequest(emulator, `PUT ${rocket}/contents/new.txt`, {
      body: { message: 'New', content: 'aGk=', branch: 'topic/new' },
    });
    expect(put.status).toBe(201);
    const path = `${rocket}/git/refs/heads/topic/new`;
    const moved = await sendRequest(emulator, `GET ${path}`);
    expect(moved.data.object.sha).toBe(put.data.commit.sha);
    expect(put.data.commit.parents).toMatchObject([{ sha: head }]);
    const at = `${rocket}/contents/new.txt?ref=`;
    for (const ref of ['topic/new', 'topic%2Fnew', put.data.commit.sha]) {
      expect((await sendRequest(emulator, `GET ${at}${ref}`)).status).toBe(200);
    }
    expect((await sendRequest(emulator, `GET ${at}main`)).status).toBe(404);
    const back = await sendRequest(emulator, `PATCH ${path}`, { body: { sha: head } });
    expect([back.status, back.data.message]).toEqual([422, 'Update is not a fast forward']);
    const forced = await sendRequest(emulator, `PATCH ${path}`, {
      body: { sha: head, force: true },
    });
    expect(forced.data.object.sha).toBe(head);
    expect((await sendRequest(emulator, `GET ${at}topic/new`)).status).toBe(404);
    const forward = { body: { sha: put.data.commit.sha } };
    expect((await sendRequest(emulator, `PATCH ${path}`, forward)).status).toBe(200);
    expect((await sendRequest(emulator, `DELETE ${path}`)).status).toBe(204);
    expect((await sendRequest(emulator, `DELETE ${path}`)).status).toBe(422);
    expect((await sendRequest(emulator, `PATCH ${path}`, forward)).status).toBe(422);
  });

  test.each([
    'heads/x',
    'refs/heads',
    'refs/heads/',
    'refs//x',
    'refs/heads/a..b',
    'refs/heads/a b',
    'refs/heads/.a',
    'refs/heads/a.lock',
    'refs/heads/main',
    '',
  ])('POST /git/refs responds with 422 to the reference %j', async (ref) => {
    const { status } = await sendRequest(emulator, `POST ${rocket}/git/refs`, {
      body: { ref, sha: head },
    });
    expect(status).toBe(422);
  });

  test('POST /git/refs responds with 422 to a reference to an unknown commit', async () => {
    const create = (sha: unknown) =>
      sendRequest(emulator, `POST ${rocket}/git/refs`, { body: { ref: 'refs/heads/n', sha } });
    expect((await create('0'.repeat(40))).data.message).toBe('Object does not exist');
    expect((await create('short')).data.errors).toMatchObject([{ field: 'sha', code: 'invalid' }]);
    expect((await create(undefined)).status).toBe(422);
    const auth = getToken('hedy-6');
    const stranger = { auth, body: { ref: 'refs/heads/n', sha: head } };
    expect((await sendRequest(emulator, `POST ${rocket}/git/refs`, stranger)).status).toBe(404);
  });
});

test('only repository administrators can read the Pages site', async () => {
  const site = await sendRequest(emulator, `GET ${rocket}/pages`);
  expect(validate(PagesSite, site.data)).toMatchObject({ status: 'built', cname: null });
  const { items, pages } = await crawl(emulator, `${rocket}/pages/builds`);
  expect([items.length, pages]).toEqual([35, 2]);
  for (const item of items) validate(PagesBuild, item);
  const latest = await sendRequest(emulator, `GET ${rocket}/pages/builds/latest`);
  expect(latest.data).toEqual(items[0]);
  expect((await sendRequest(emulator, `GET ${rocket}/pages`, { auth: null })).status).toBe(401);
  expect(
    (await sendRequest(emulator, `GET ${rocket}/pages`, { auth: getToken('ada-0') })).status,
  ).toBe(404);
  expect((await sendRequest(emulator, 'GET /repos/mona/project-1/pages')).status).toBe(404);
  emulator.hosting.addPagesBuild('mona/project-1', { status: null });
  const fresh = await sendRequest(emulator, 'GET /repos/mona/project-1/pages');
  expect(fresh.data.status).toBeNull();
});

test('the emulator lists, returns and deletes downloads', async () => {
  const list = await sendRequest(emulator, `GET ${rocket}/downloads`);
  expect(list.data.map((each: unknown) => validate(Download, each).name)).toEqual([
    'rocket-0.3.tar.gz',
    'rocket-0.2.tar.gz',
    'rocket-0.1.tar.gz',
  ]);
  const path = `${rocket}/downloads/${list.data[0].id}`;
  expect((await sendRequest(emulator, `GET ${path}`)).data).toEqual(list.data[0]);
  expect((await sendRequest(emulator, `DELETE ${path}`)).status).toBe(204);
  expect((await sendRequest(emulator, `GET ${path}`)).status).toBe(404);
});

test('GET /enterprise/stats/:type returns all statistics or those of one type', async () => {
  const all = await sendRequest(emulator, 'GET /enterprise/stats/all');
  const stats = validate(AdminStats, all.data);
  expect(stats.users).toMatchObject({ total_users: 126, admin_users: 1 });
  expect(stats.pulls.total_pulls).toBe(250);
  expect(stats.orgs).toMatchObject({ total_orgs: 1, total_teams: 35 });
  for (const [type, model] of Object.entries(adminStatsModels)) {
    const one = await sendRequest(emulator, `GET /enterprise/stats/${type}`);
    validate<object>(model, one.data);
    expect(one.data).toEqual(all.data[type]);
  }
  const stranger = await sendRequest(emulator, 'GET /enterprise/stats/all', {
    auth: getToken('ada-0'),
  });
  expect(stranger.status).toBe(404);
  expect((await sendRequest(emulator, 'GET /enterprise/stats/none')).status).toBe(404);
});

test('the zipball and tarball endpoints redirect to an archive', async () => {
  const { status, headers } = await sendRequest(emulator, `GET ${rocket}/zipball/feature/part-1`);
  expect(status).toBe(302);
  const location = String(headers.location);
  expect(location).toBe('http://code.test/archives/acme/rocket/zipball/feature/part-1');
  const zip = await sendRequest(emulator, `GET ${location.slice('http://code.test'.length)}`);
  expect(zip.text.startsWith('PK')).toBe(true);
  const tar = await sendRequest(emulator, `GET ${rocket}/tarball`);
  expect(tar.headers.location).toContain('/tarball/main');
  const bytes = await sendRequest(emulator, 'GET /archives/acme/rocket/tarball/main');
  expect(bytes.headers['content-type']).toBe('application/x-gzip');
  expect((await sendRequest(emulator, `GET ${rocket}/tarball/none`)).status).toBe(404);
  expect((await sendRequest(emulator, 'GET /archives/acme/rocket/rar/main')).status).toBe(404);
});

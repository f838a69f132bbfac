import { beforeEach, expect, test } from 'vitest';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { createUserResponse } from './hosting-worlds.js';
import { api, basic, origin, sendRequest } from './send-request.js';

// Checks every field of the hosting resources that hosting-responses-code.test.ts doesn't cover.

const auth = basic('ada', 'secret');
const now = '2014-06-01T12:00:00Z';
const hash = expect.stringMatching(/^[0-9a-f]{40}$/);
const here = `${api}/repos/lab/engine`;
const web = `${origin}/lab/engine`;
let emulator: Emulator;
let repo: Repo;
let head: string;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'secret', siteAdmin: true });
  hosting.addOrg('lab', ['ada']);
  repo = hosting.addRepo('lab', 'engine');
  head = repo.refs.get('heads/main')?.sha ?? '';
});

const ada = createUserResponse('ada', 1);
const lab = createUserResponse('lab', 2, 'Organization');

async function got(what: string, body?: unknown) {
  const { data, status } = await sendRequest(emulator, what, { auth, body });
  expect(status, what).toBeLessThan(300);
  return data;
}

test('the emulator returns all fields of a commit comment for each media type', async () => {
  const body = '**Big** & <small> _x_ `y`';
  const created = await sendRequest(emulator, `POST /repos/lab/engine/commits/${head}/comments`, {
    auth,
    body: { body, path: 'README.md', position: 2, line: 1 },
  });
  const comment = {
    url: `${here}/comments/5`,
    html_url: `${web}/commit/${head}#commitcomment-5`,
    id: 5,
    user: ada,
    position: 2,
    line: 1,
    path: 'README.md',
    commit_id: head,
    created_at: now,
    updated_at: now,
  };
  const text = 'Big & <small> x y';
  const html = '<p><strong>Big</strong> &amp; &lt;small&gt; _x_ `y`</p>';
  expect([created.status, created.headers.location]).toEqual([201, comment.url]);
  expect(created.data).toEqual({ ...comment, body });
  for (const [word, bodies] of [
    ['service.commitcomment.raw+json', { body }],
    ['service.commitcomment.text+json', { body_text: text }],
    ['service.v3.commitcomment.html+json', { body_html: html }],
    ['service-commitcomment.html+json', { body_html: html }],
    ['service.commitcomment.full', { body, body_text: text, body_html: html }],
    ['other.commitcomment.text+json', { body }],
    ['servicecommitcomment.text+json', { body }],
    ['services.commitcomment.text+json', { body }],
    ['service.text+json+more', { body }],
    ['service.text+json.full', { body, body_text: text, body_html: html }],
  ] as const) {
    const headers = { accept: `application/vnd.${word}` };
    const { data } = await sendRequest(emulator, 'GET /repos/lab/engine/comments/5', {
      auth,
      headers,
    });
    expect(data, word).toEqual({ ...comment, ...bodies });
  }
});

test('the emulator returns all fields of references, hooks, downloads and Pages builds', async () => {
  const reference = (name: string) => ({
    ref: `refs/${name}`,
    url: `${here}/git/refs/${name.replace('#', '%23')}`,
    object: { sha: head, type: 'commit', url: `${here}/git/commits/${head}` },
  });
  emulator.hosting.addRef(repo, 'heads/a#b');
  expect(await got('GET /repos/lab/engine/git/refs')).toEqual([
    reference('heads/a#b'),
    reference('heads/main'),
  ]);
  const at = `${here}/hooks/5`;
  const config = { url: 'http://127.0.0.1:1/', secret: '', insecure_ssl: false, port: 8 };
  expect(await got('POST /repos/lab/engine/hooks', { name: 'web', config })).toEqual({
    url: at,
    test_url: `${at}/test`,
    ping_url: `${at}/pings`,
    id: 5,
    name: 'web',
    active: true,
    events: ['push'],
    config: {
      url: 'http://127.0.0.1:1/',
      secret: '',
      insecure_ssl: '0',
      content_type: 'form',
      port: '8',
    },
    last_response: { code: null, status: 'unused', message: null },
    updated_at: now,
    created_at: now,
  });
  emulator.hosting.addDownload(repo, 'a b.zip');
  expect(await got('GET /repos/lab/engine/downloads')).toEqual([
    {
      url: `${here}/downloads/6`,
      html_url: `${origin}/downloads/lab/engine/a%20b.zip`,
      id: 6,
      name: 'a b.zip',
      description: null,
      size: 1024,
      download_count: 0,
      content_type: null,
      created_at: now,
    },
  ]);
  emulator.hosting.addPagesBuild(repo);
  const site = { url: `${here}/pages`, status: 'built', cname: null, custom_404: false };
  expect(await got('GET /repos/lab/engine/pages')).toEqual(site);
  const build = {
    url: `${here}/pages/builds/7`,
    status: 'built',
    error: { message: null },
    pusher: lab,
    commit: head,
    duration: 2000,
    created_at: now,
    updated_at: now,
  };
  expect(await got('GET /repos/lab/engine/pages/builds')).toEqual([build]);
  emulator.hosting.addPagesBuild(repo, { status: 'errored', error: 'Broken', login: 'ada' });
  const failed = { ...build, url: `${here}/pages/builds/8`, status: 'errored', pusher: ada };
  expect(await got('GET /repos/lab/engine/pages/builds/latest')).toEqual({
    ...failed,
    error: { message: 'Broken' },
  });
  expect((await got('GET /repos/lab/engine/pages')).status).toBe('errored');
});

test('the emulator returns all fields of teams and authorizations', async () => {
  const summary = {
    name: 'Über  Crew!',
    id: 5,
    slug: '-ber-crew-',
    permission: 'push',
    url: `${api}/teams/5`,
    members_url: `${api}/teams/5/members{/member}`,
    repositories_url: `${api}/teams/5/repos`,
  };
  const organization = { login: 'lab', id: 2, avatar_url: `${origin}/avatars/2` };
  const input = { name: 'Über  Crew!', permission: 'push', repo_names: ['lab/engine'] };
  const created = await sendRequest(emulator, 'POST /orgs/lab/teams', { auth, body: input });
  expect([created.status, created.headers.location]).toEqual([201, summary.url]);
  expect(created.data).toEqual({
    ...summary,
    members_count: 0,
    repos_count: 1,
    organization: { ...organization, url: `${api}/orgs/lab` },
  });
  expect((await got('GET /orgs/lab/teams'))[1]).toEqual(summary);
  const authorization = {
    id: 6,
    url: `${api}/authorizations/6`,
    app: {
      name: 'script (API)',
      url: `${origin}/settings/applications`,
      client_id: '0'.repeat(20),
    },
    token: hash,
    note: 'script',
    note_url: 'http://n.test/',
    created_at: now,
    updated_at: now,
    scopes: ['repo'],
  };
  const requests = { note: 'script', note_url: 'http://n.test/', scopes: ['repo'] };
  expect(await got('POST /authorizations', requests)).toEqual(authorization);
  const { clientId, clientSecret } = emulator.hosting.addApplication('App');
  emulator.clock.advance(60_000);
  emulator.hosting.addToken('ada', [], { clientId, token: 'abc', note: 'n' });
  const path = `/applications/${clientId}/tokens/abc`;
  const application = basic(clientId, clientSecret);
  const of = {
    ...authorization,
    id: 8,
    url: `${api}/authorizations/8`,
    app: { name: 'App', url: 'https://app.example.com', client_id: clientId },
    token: 'abc',
    note: 'n',
    note_url: null,
    scopes: [],
    created_at: '2014-06-01T12:01:00Z',
    updated_at: '2014-06-01T12:01:00Z',
    user: ada,
  };
  expect((await sendRequest(emulator, `GET ${path}`, { auth: application })).data).toEqual(of);
  emulator.clock.advance(60_000);
  const reset = await sendRequest(emulator, `POST ${path}`, { auth: application });
  expect(reset.data).toEqual({ ...of, token: hash, updated_at: '2014-06-01T12:02:00Z' });
  expect((await got('GET /authorizations')).map(({ id }: { id: number }) => id)).toEqual([6, 8]);
});

test('the emulator returns all fields of hook services, the API root and the rate limit', async () => {
  const services = await got('GET /hooks');
  expect(services[0]).toEqual({
    name: 'email',
    events: ['push'],
    supported_events: ['public', 'push'],
    schema: [
      ['string', 'address'],
      ['password', 'secret'],
      ['boolean', 'send_from_author'],
    ],
  });
  expect(services.at(-1).supported_events).not.toContain('*');
  expect(await got('GET /')).toEqual({
    authorizations_url: `${api}/authorizations`,
    current_user_url: `${api}/user`,
    hooks_url: `${api}/hooks`,
    hub_url: `${api}/hub`,
    organization_url: `${api}/orgs/{org}`,
    rate_limit_url: `${api}/rate_limit`,
    repository_url: `${api}/repos/{owner}/{repo}`,
    user_url: `${api}/users/{user}`,
  });
  const reset = Date.parse(now) / 1000 + 3600;
  const core = { limit: 5000, remaining: 4998, reset };
  expect(await got('GET /rate_limit')).toEqual({
    resources: { core, search: { limit: 30, remaining: 30, reset } },
    rate: core,
  });
});

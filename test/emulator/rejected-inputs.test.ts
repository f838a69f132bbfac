import { describe, expect, it } from 'vitest';
import { filled, laboratory } from './hosting-worlds.js';
import { basic, sendRequest } from './send-request.js';

// Tests the error for each invalid field. `hosting-permissions.test.ts` tests permissions.

const auth = basic('owner', 'x');
const repo = '/repos/lab/engine';
const config = { url: 'http://far.test/' };
const [release, asset] = [`${repo}/releases/{release}`, `${repo}/releases/assets/{asset}`];
const uploads = `POST /api/uploads${release}/assets`;
const comments = `POST ${repo}/commits/{sha}/comments`;
const [v9, pull] = [{ tag_name: 'v9' }, { title: 'T', head: 'h', base: 'main' }];
const client = { note: 'n', client_id: '{clientId}', client_secret: 'x' };
const written = { message: 'm', content: 'aGk=' };

/** Sends a request to a new emulator that already contains a record of each kind. */
async function refusal(what: string, body: unknown) {
  const { emulator, engine } = laboratory();
  const { hosting } = emulator;
  const named = hosting.state.repo('lab', 'engine');
  const [release] = named?.releases ?? [];
  if (!release || !named) throw new Error('no release');
  hosting.addAsset(release, 'b');
  const merged = hosting.addPull(named, {
    state: 'closed',
    mergedAt: '2014-06-01T12:00:00Z',
    head: { ref: 'gone', login: 'lab', sha: '0'.repeat(40) },
  });
  const names = { ...engine, merged: merged.number };
  const sent = body === undefined ? undefined : filled(JSON.stringify(body), names);
  return await sendRequest(emulator, filled(what, names), { auth, body: sent });
}

describe('the hosting API', () => {
  it.each<[string, unknown, string]>([
    [`POST ${repo}/releases`, {}, 'Release tag_name missing_field'],
    [`POST ${repo}/releases`, { tag_name: 5 }, 'Release tag_name invalid'],
    [`POST ${repo}/releases`, { tag_name: 'v1' }, 'Release tag_name already_exists'],
    [`POST ${repo}/releases`, { ...v9, draft: 'yes' }, 'Release draft invalid'],
    [`PATCH ${release}`, { tag_name: 'v2' }, 'Release tag_name already_exists'],
    [`PATCH ${release}`, { draft: 'x' }, 'Release draft invalid'],
    [`PATCH ${asset}`, { name: '' }, 'ReleaseAsset name missing_field'],
    [`PATCH ${asset}`, { name: 'b' }, 'ReleaseAsset name already_exists'],
    [uploads, {}, 'ReleaseAsset name missing_field'],
    [`${uploads}?name=b`, {}, 'ReleaseAsset name already_exists'],
    [`${uploads}?name=c`, undefined, 'ReleaseAsset content_type missing_field'],
    [`POST ${repo}/pulls`, { title: 'T', base: 'main' }, 'PullRequest head missing_field'],
    [`POST ${repo}/pulls`, { title: 'T', head: 'h' }, 'PullRequest base missing_field'],
    [`POST ${repo}/pulls`, { head: 'h', base: 'main' }, 'PullRequest title missing_field'],
    [`POST ${repo}/pulls`, { title: 'T', head: 'h', base: 'x' }, 'PullRequest base invalid'],
    [`POST ${repo}/pulls`, { title: 'T', head: 'none', base: 'main' }, 'PullRequest head invalid'],
    [`POST ${repo}/pulls`, { ...pull, head: 'topic-1' }, 'PullRequest head already_exists'],
    [`POST ${repo}/pulls`, { ...pull, body: 1 }, 'PullRequest body invalid'],
    [`PATCH ${repo}/pulls/{merged}`, { state: 'open' }, 'PullRequest state invalid'],
    [`PATCH ${repo}/pulls/1`, { title: 1 }, 'PullRequest title invalid'],
    [comments, {}, 'CommitComment body missing_field'],
    [comments, { body: 'b', path: 1 }, 'CommitComment path invalid'],
    [comments, { body: 'b', line: 1.5 }, 'CommitComment line invalid'],
    [`PATCH ${repo}/comments/{comment}`, { body: '' }, 'CommitComment body missing_field'],
    [`POST ${repo}/git/refs`, { ref: 'refs/heads/n', sha: '{sha}0' }, 'Reference sha invalid'],
    [`PATCH ${repo}/git/refs/heads/topic`, {}, 'Reference sha missing_field'],
    [
      `PATCH ${repo}/git/refs/heads/topic`,
      { sha: '{sha}', force: 'yes' },
      'Reference force invalid',
    ],
    [`PUT ${repo}/contents/new`, { ...written, message: '' }, 'Commit message missing_field'],
    [`PUT ${repo}/contents/new`, { message: 'm' }, 'Commit content invalid'],
    ...['a*', '=aaa', 'a', 'YQ=', 'YQ===', 'Y_Q=', 'YQ==YQ=='].map(
      (content): [string, unknown, string] => [
        `PUT ${repo}/contents/new`,
        { message: 'm', content },
        'Commit content invalid',
      ],
    ),
    [`PUT ${repo}/contents/new`, { ...written, branch: 1 }, 'Commit branch invalid'],
    [`PUT ${repo}/contents/new`, { ...written, author: 'x' }, 'Commit author invalid'],
    [`PUT ${repo}/contents/new`, { ...written, committer: [] }, 'Commit committer invalid'],
    [`PUT ${repo}/contents/file`, { ...written, sha: 1 }, 'Commit sha invalid'],
    ['POST /orgs/lab/teams', { name: 1 }, 'Team name invalid'],
    ['POST /orgs/lab/teams', { name: 'N', repo_names: ['none'] }, 'Team repo_names invalid'],
    ['POST /orgs/lab/teams', {}, 'Team name missing_field'],
    ['POST /orgs/lab/teams', { name: 'Crew' }, 'Team name already_exists'],
    ['POST /orgs/lab/teams', { name: 'N', permission: 'all' }, 'Team permission invalid'],
    ['PATCH /teams/{crew}', {}, 'Team name missing_field'],
    ['PATCH /teams/{crew}', { name: 'Heads' }, 'Team name already_exists'],
    ['POST /authorizations', {}, 'OauthAccess note missing_field'],
    [
      'POST /authorizations',
      { ...client, client_id: undefined },
      'OauthAccess client_id missing_field',
    ],
    ['POST /authorizations', { ...client, client_id: 'x' }, 'OauthAccess client_id invalid'],
    ['POST /authorizations', client, 'OauthAccess client_secret invalid'],
    ['POST /authorizations', { note: 'n', scopes: 'repo' }, 'OauthAccess scopes invalid'],
    ['PATCH /authorizations/{own}', { add_scopes: [1] }, 'OauthAccess add_scopes invalid'],
    ['PUT /authorizations/clients/{clientId}', {}, 'OauthAccess client_secret missing_field'],
    [`POST ${repo}/hooks`, { name: 'web', config, active: 1 }, 'Hook active invalid'],
    [`POST ${repo}/hooks`, { name: 'nonsense', config }, 'Hook name invalid'],
    [`POST ${repo}/hooks`, { name: 'web' }, 'Hook config missing_field'],
    [`PATCH ${repo}/hooks/{hook}`, { events: ['nonsense'] }, 'Hook events invalid'],
    [`PATCH ${repo}/hooks/{hook}`, { add_events: 'push' }, 'Hook add_events invalid'],
    [`PATCH ${repo}/hooks/{hook}`, { active: 'no' }, 'Hook active invalid'],
    [`GET ${repo}/pulls?state=merged`, undefined, 'PullRequest state invalid'],
    [`GET ${repo}/pulls?sort=stars`, undefined, 'PullRequest sort invalid'],
    ['GET /user/starred?sort=stars', undefined, 'Star sort invalid'],
  ])('responds with 422 to %s (body %j) and reports %s', async (what, body, expected) => {
    const { status, data } = await refusal(what, body);
    const [resource, field, code] = expected.split(' ');
    expect([status, data]).toEqual([
      422,
      { message: 'Validation Failed', errors: [{ resource, field, code }] },
    ]);
  });
});

describe('POST /repos/:owner/:repo/git/refs', () => {
  const getStatus = async (ref: string) =>
    (await refusal(`POST ${repo}/git/refs`, { ref, sha: '{sha}' })).status;

  it.each([
    ...[
      'main',
      'heads/x',
      'refs/x',
      'refs/heads',
      'refs/heads/',
      'refs//x',
      'refs/heads//x',
      'xrefs/heads/x',
    ],
    ...['a b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a..b', 'a@{b', 'a/', 'a.'].map(
      (name) => `refs/heads/${name}`,
    ),
    ...['a.lock', 'a.lock/b', '.a', 'a/.b', 'main', 'topic'].map((name) => `refs/heads/${name}`),
  ])('responds with 422 to the reference name %j', async (ref) => {
    expect(await getStatus(ref)).toBe(422);
  });

  it.each(['heads/a/b', 'heads/ä@b', 'heads/a.lock.b', 'heads/a.b', 'tags/main', 'notes/x'])(
    'responds with 201 to the reference name refs/%s',
    async (name) => {
      expect(await getStatus(`refs/${name}`)).toBe(201);
    },
  );
});

describe('rejected hosting requests', () => {
  const author = { name: 'A', email: 'a@b.c' };
  it.each<[string, unknown, number]>([
    [`PATCH ${repo}/git/refs/heads/none`, { sha: '{sha}' }, 422],
    [`POST ${repo}/git/refs`, { ref: 'refs/heads/n', sha: 'a'.repeat(40) }, 422],
    [`POST ${repo}/commits/${'a'.repeat(40)}/comments`, { body: 'b' }, 422],
    [`PUT ${repo}/contents/file`, written, 422],
    [`PUT ${repo}/contents/file`, { ...written, sha: 'x' }, 409],
    [`DELETE ${repo}/contents/file`, { message: 'm' }, 422],
    [`DELETE ${repo}/contents/file?message=m&sha={file}`, { sha: 'x' }, 409],
    [`PUT ${repo}/contents/file?sha={file}`, written, 422],
    [`DELETE ${repo}/contents/none`, { message: 'm', sha: 'x' }, 404],
    [`PUT ${repo}/contents/new`, { ...written, author: { ...author, name: '' } }, 500],
    [`PUT ${repo}/contents/new`, { ...written, author: { ...author, email: '' } }, 500],
    [`DELETE ${repo}/contents/file?message=m&sha={file}&author[name]=A`, undefined, 500],
    [`DELETE ${repo}/contents/file?message=m&sha={file}&branch=none`, undefined, 404],
    [`PUT ${repo}/pulls/1/merge`, { sha: '{sha}' }, 409],
    [`PUT ${repo}/pulls/{merged}/merge`, {}, 405],
    ['POST /authorizations', { note: 'n', scopes: ['a', 'repo'] }, 422],
    ['PATCH /authorizations/{own}', { scopes: [], remove_scopes: [] }, 422],
  ])(
    'the hosting API responds to %s (body %j) with a %i without `errors`',
    async (what, body, status) => {
      const response = await refusal(what, body);
      expect([response.status, response.data]).toEqual([
        status,
        expect.objectContaining({ message: expect.stringMatching(/./) }),
      ]);
      expect(response.data).not.toHaveProperty('errors');
    },
  );
});

it.each<[string, string, object]>([
  ['creates a release', `POST ${repo}/releases`, { tag_name: 'v9' }],
  ['creates a team', 'POST /orgs/lab/teams', { name: 'New' }],
  ['creates a file', `PUT ${repo}/contents/new`, written],
  ['stores an asset', `${uploads}?name=b.zip`, { content: 'zip' }],
])(
  'one of three concurrent equal requests %s, and the others get a 422',
  async (_what, what, body) => {
    const { emulator, engine } = laboratory();
    const send = () => sendRequest(emulator, filled(what, engine), { auth, body });
    const all = await Promise.all([send(), send(), send()]);
    expect(all.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  },
);

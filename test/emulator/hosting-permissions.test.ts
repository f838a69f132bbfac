import { expect, test } from 'vitest';
import { filled, laboratory } from './hosting-worlds.js';
import { basic, sendRequest } from './send-request.js';

// Tests each hosting route's status for each role and the scopes that a token needs.

const askers = ['stranger', 'reader', 'writer', 'admin', 'owner', 'boss'] as const;

/** Statuses for an anonymous caller, followed by the statuses for each role. */
type Statuses = readonly number[];
const all = (status: number): Statuses => ['nobody', ...askers].map(() => status);
const known = (status: number): Statuses => [401, ...askers.map(() => status)];
const writers = (status: number): Statuses => [401, 404, 404, status, status, status, status];
const admins = (status: number): Statuses => [401, 404, 404, 404, status, status, status];
const owners = (status: number): Statuses => [401, 404, 404, 404, 404, status, status];
/**
 * Sets the statuses of anonymous callers and strangers to 404, because they can't see private
 * repositories.
 */
const hidden = ([, , ...rest]: Statuses): Statuses => [404, 404, ...rest];

const code = 'public_repo, repo';
const [readHooks, writeHooks, deleteHooks] = [
  'admin:repo_hook, read:repo_hook, write:repo_hook',
  'admin:repo_hook, write:repo_hook',
  'admin:repo_hook',
];

/** Statuses for a public repository. A private repository requires `repo`, in addition to any hook scopes. */
const ofRepositories: readonly [string, Statuses, string, object?][] = [
  ['GET ', all(200), ''],
  ['GET /pulls', all(200), ''],
  ['GET /pulls/1', all(200), ''],
  ['POST /pulls', known(201), code, { title: 'T', head: 'h', base: 'main' }],
  ['PATCH /pulls/1', writers(200), code, { title: 'T' }],
  ['PATCH /pulls/2', [401, 200, 404, 200, 200, 200, 200], code, { title: 'T' }],
  ['GET /pulls/1/commits', all(200), ''],
  ['GET /pulls/1/files', all(200), ''],
  ['GET /pulls/1/merge', all(404), ''],
  ['PUT /pulls/1/merge', writers(200), code],
  ['GET /releases', all(200), ''],
  ['GET /releases/latest', all(200), ''],
  ['GET /releases/tags/v1', all(200), ''],
  ['GET /releases/tags/v2', all(404), ''],
  ['GET /releases/{release}', all(200), ''],
  ['GET /releases/{draft}', [404, 404, 404, 200, 200, 200, 200], ''],
  ['POST /releases', writers(201), code, { tag_name: 'v3' }],
  ['PATCH /releases/{release}', writers(200), code, { name: 'N' }],
  ['DELETE /releases/{release}', writers(204), code],
  ['GET /releases/{release}/assets', all(200), ''],
  ['GET /releases/assets/{asset}', all(200), ''],
  ['PATCH /releases/assets/{asset}', writers(200), code, { label: 'L' }],
  ['DELETE /releases/assets/{asset}', writers(204), code],
  ['GET /readme', all(404), ''],
  ['GET /contents/file', all(200), ''],
  ['PUT /contents/new', writers(201), code, { message: 'm', content: '' }],
  ['DELETE /contents/file', writers(200), code, { message: 'm', sha: '{file}' }],
  ['GET /tarball/main', all(302), ''],
  ['GET /zipball/main', all(302), ''],
  ['GET /stargazers', all(200), ''],
  ['GET /comments', all(200), ''],
  ['GET /commits/main/comments', all(200), ''],
  ['POST /commits/{sha}/comments', known(201), code, { body: 'b' }],
  ['GET /comments/{comment}', all(200), ''],
  ['PATCH /comments/{comment}', writers(200), code, { body: 'b' }],
  ['DELETE /comments/{comment}', writers(204), code],
  ['GET /commits/main', all(200), ''],
  ['GET /git/refs/', all(200), ''],
  ['GET /git/ref/heads/main', all(200), ''],
  ['GET /git/matching-refs/heads', all(200), ''],
  ['POST /git/refs', writers(201), code, { ref: 'refs/heads/n', sha: '{sha}' }],
  ['PATCH /git/refs/heads/topic', writers(200), code, { sha: '{sha}' }],
  ['DELETE /git/refs/heads/topic', writers(204), code],
  ['GET /pages', admins(200), 'repo'],
  ['GET /pages/builds', admins(200), 'repo'],
  ['GET /pages/builds/latest', admins(200), 'repo'],
  ['GET /hooks', admins(200), readHooks],
  ['POST /hooks', admins(201), writeHooks, { name: 'web', config: { url: 'http://far.test/' } }],
  ['GET /hooks/{hook}', admins(200), readHooks],
  ['PATCH /hooks/{hook}', admins(200), writeHooks, { active: false }],
  ['DELETE /hooks/{hook}', admins(204), deleteHooks],
  ['POST /hooks/{hook}/test', admins(204), readHooks],
  ['POST /hooks/{hook}/tests', admins(204), readHooks],
  ['POST /hooks/{hook}/pings', admins(204), readHooks],
  ['GET /downloads', all(200), ''],
  ['GET /downloads/{download}', all(200), ''],
  ['DELETE /downloads/{download}', writers(204), code],
];

const readTeams = 'admin:org, read:org, write:org';
const writeTeams = 'admin:org, write:org';

const others: readonly [string, Statuses, string, object?][] = [
  ['GET /', all(200), ''],
  ['GET /rate_limit', all(200), ''],
  ['GET /user', known(200), ''],
  ['GET /users/reader', all(200), ''],
  ['GET /orgs/lab', all(200), ''],
  ['GET /users/lab/repos', all(200), ''],
  ['GET /orgs/lab/repos', all(200), ''],
  ['GET /hooks', known(200), readHooks],
  ['GET /user/starred', known(200), ''],
  ['GET /users/reader/starred', all(200), ''],
  ['GET /user/starred/lab/engine', known(404), ''],
  ['PUT /user/starred/lab/engine', known(204), code],
  ['DELETE /user/starred/lab/engine', known(204), code],
  ['GET /user/teams', known(200), 'repo, user'],
  ['GET /orgs/lab/teams', [401, 404, 404, 403, 403, 200, 200], readTeams],
  ['POST /orgs/lab/teams', [401, 404, 404, 403, 403, 201, 201], writeTeams, { name: 'N' }],
  ['GET /teams/{crew}', [401, 404, 404, 200, 404, 200, 200], readTeams],
  ['PATCH /teams/{crew}', [401, 404, 404, 403, 404, 200, 200], writeTeams, { name: 'N' }],
  ['DELETE /teams/{crew}', [401, 404, 404, 403, 404, 204, 204], writeTeams],
  ['DELETE /teams/{heads}', [401, 404, 404, 404, 403, 204, 204], writeTeams],
  ['DELETE /teams/{owners}', owners(403), writeTeams],
  ['GET /teams/{crew}/members', [401, 404, 404, 200, 404, 200, 200], readTeams],
  ['GET /teams/{crew}/members/writer', [401, 404, 404, 204, 404, 204, 204], readTeams],
  ['PUT /teams/{crew}/members/reader', [401, 404, 404, 403, 404, 204, 204], writeTeams],
  ['PUT /teams/{heads}/members/reader', [401, 404, 404, 404, 204, 204, 204], writeTeams],
  ['DELETE /teams/{crew}/members/writer', [401, 404, 404, 403, 404, 204, 204], writeTeams],
  ['DELETE /teams/{heads}/members/admin', [401, 404, 404, 404, 204, 204, 204], writeTeams],
  ['GET /teams/{crew}/repos', [401, 404, 404, 200, 404, 200, 200], readTeams],
  ['GET /teams/{crew}/repos/lab/engine', [401, 404, 404, 204, 404, 204, 204], readTeams],
  ['PUT /teams/{heads}/repos/lab/vault', [401, 404, 404, 404, 403, 204, 204], writeTeams],
  ['DELETE /teams/{crew}/repos/lab/engine', [401, 404, 404, 403, 404, 204, 204], writeTeams],
  ['DELETE /teams/{owners}/repos/lab/engine', owners(403), writeTeams],
  ['GET /authorizations', known(200), 'password'],
  ['GET /authorizations/{own}', [401, 404, 404, 404, 404, 200, 404], 'password'],
  ['POST /authorizations', known(201), 'password', { note: 'n' }],
  ['PUT /authorizations/clients/{clientId}', known(422), 'password', { client_secret: 'x' }],
  ['PATCH /authorizations/{own}', [401, 404, 404, 404, 404, 200, 404], 'password'],
  ['DELETE /authorizations/{own}', [401, 404, 404, 404, 404, 204, 404], 'password'],
  ['GET /applications/{clientId}/tokens/t', all(401), 'application'],
  ['POST /applications/{clientId}/tokens/t', all(401), 'application'],
  ['DELETE /applications/{clientId}/tokens/t', all(401), 'application'],
  ['DELETE /applications/{clientId}/tokens', all(401), 'application'],
  ['POST /hub', known(422), 'hub'],
  ['GET /enterprise/stats/all', [404, 404, 404, 404, 404, 404, 200], 'boss'],
  ['POST /api/uploads/repos/lab/engine/releases/{release}/assets?name=n', writers(201), code, {}],
];

type Row = readonly ['engine' | 'vault', string, Statuses, string, object | undefined];

const rows: readonly Row[] = [
  ...others.map((row): Row => ['engine', row[0], row[1], row[2], row[3]]),
  ...ofRepositories.map(([what, statuses, scopes, body]): Row => {
    const named = what.replace(/^(\w+) /, '$1 /repos/lab/engine');
    return ['engine', named, statuses, scopes, body];
  }),
  ...ofRepositories.map(([what, statuses, scopes, body]): Row => {
    const own = [scopes === code || scopes === 'repo' ? '' : scopes, 'repo'];
    const named = what.replace(/^(\w+) /, '$1 /repos/lab/vault');
    return ['vault', named, hidden(statuses), own.filter(Boolean).join(', '), body];
  }),
];

test.each(rows)(
  'the emulator enforces roles and scopes in the repository %s for %s',
  async (place, what, statuses, scopes, body) => {
    const statusFor = async (auth: string | null) => {
      const created = laboratory();
      const names = created[place];
      const sent = body && filled(JSON.stringify(body), names);
      return await sendRequest(created.emulator, filled(what, names), { auth, body: sent });
    };
    const found = [(await statusFor(null)).status];
    for (const login of askers) found.push((await statusFor(basic(login, 'x'))).status);
    expect(found, ['nobody', ...askers].join(', ')).toEqual(statuses);

    const withToken = async (...granted: string[]) => {
      const created = laboratory();
      const { token } = created.emulator.hosting.addToken('owner', granted);
      const names = created[place];
      const sent = body && filled(JSON.stringify(body), names);
      return await sendRequest(created.emulator, filled(what, names), {
        auth: `token ${token}`,
        body: sent,
      });
    };
    const bare = await withToken('gist');
    if (scopes === 'password') {
      expect(bare.status, 'by token').toBe(403);
    } else if (scopes === 'application' || scopes === 'hub') {
      expect(bare.status, 'by token').toBe(401);
    } else if (scopes === '') {
      expect(bare.headers['x-accepted-oauth-scopes']).toBe('');
    } else if (scopes !== 'boss') {
      expect(bare.status, 'without a scope').toBe(404);
      const wanted = scopes.split(', ');
      // A private repository requires `repo` in addition to the route's scopes.
      for (const granted of place === 'engine' ? wanted.map((each) => [each]) : [wanted]) {
        const { status, headers } = await withToken(...granted);
        expect(status, granted.join()).toBe(statuses[5]);
        const accepted = String(headers['x-accepted-oauth-scopes']).split(', ');
        expect(new Set(accepted), granted.join()).toEqual(new Set(wanted));
      }
    }
  },
);

test('a member has the highest permission granted by a team', async () => {
  const { emulator } = laboratory();
  const { hosting } = emulator;
  const permissions = async (login: string, repo: string) => {
    const { data } = await sendRequest(emulator, `GET /repos/${repo}`, { auth: basic(login, 'x') });
    return data.permissions;
  };
  hosting.addRepo('stranger', 'own', { isPrivate: true });
  const admin = { admin: true, push: true, pull: true };
  expect(await permissions('stranger', 'stranger/own')).toEqual(admin);
  hosting.addTeam('lab', 'Readers', { members: ['admin', 'writer'], repos: ['lab/vault'] });
  expect(await permissions('admin', 'lab/vault')).toEqual(admin);
  expect(await permissions('writer', 'lab/vault')).toEqual({ ...admin, admin: false });
  expect(await permissions('reader', 'lab/vault')).toEqual({
    admin: false,
    push: false,
    pull: true,
  });
});

test('only authenticated callers get their permissions', async () => {
  const { emulator } = laboratory();
  const { data } = await sendRequest(emulator, 'GET /repos/lab/engine', { auth: null });
  expect(data).toMatchObject({ full_name: 'lab/engine' });
  expect(data).not.toHaveProperty('permissions');
});

test('a token without write access gets a release list without drafts', async () => {
  const { emulator } = laboratory();
  const drafts = async (...scopes: string[]) => {
    const { token } = emulator.hosting.addToken('owner', scopes);
    const { data } = await sendRequest(emulator, 'GET /repos/lab/engine/releases', {
      auth: `token ${token}`,
    });
    return data.map(({ draft }: { draft: boolean }) => draft);
  };
  expect([await drafts('gist'), await drafts('public_repo')]).toEqual([[false], [true, false]]);
});

test('authors can change and delete their commit comments', async () => {
  const { emulator } = laboratory();
  const { id } = emulator.hosting.addComment('lab/engine', 'Mine', { login: 'stranger' });
  const change = async (login: string, method: string) => {
    const what = `${method} /repos/lab/engine/comments/${id}`;
    return (await sendRequest(emulator, what, { auth: basic(login, 'x'), body: { body: 'b' } }))
      .status;
  };
  expect(await change('reader', 'PATCH')).toBe(404);
  expect(await change('stranger', 'PATCH')).toBe(200);
  expect(await change('reader', 'DELETE')).toBe(404);
  expect(await change('stranger', 'DELETE')).toBe(204);
});

import { beforeEach, describe, expect, test } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  supportSeed,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, mona, origin, sendRequest } from './send-request.js';

// Tests details of the API contract and the options for servers that deviate from the contract.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const rocket = (of = emulator) => {
  const repo = of.hosting.state.repo('acme', 'rocket');
  if (!repo) throw new Error('no rocket');
  return repo;
};
const tokenWith = (of: Emulator, ...scopes: string[]) =>
  `token ${of.hosting.addToken('mona', scopes).token}`;

/** Sends an in-process request to the support API or the console. */
async function other(of: Emulator, what: string, form?: Record<string, string>, type?: string) {
  const [method = '', path = ''] = what.split(' ');
  const headers = {
    authorization: basic('license', consoleSeed.licenseMd5),
    ...(type && { 'content-type': type }),
  };
  const body = form && new URLSearchParams(form);
  const init = { method, headers, ...(body && { body: type ? String(body) : body }) };
  const response = await of.respond(new Request(origin + path, init));
  return { status: response.status, data: JSON.parse((await response.text()) || 'null') };
}

describe('console options', () => {
  const status = async (options: EmulatorOptions = {}) =>
    (await other(createEmulator(options), 'GET /setup/api/maintenance')).data;
  const settings = async (options: EmulatorOptions = {}) =>
    (await other(createEmulator(options), 'GET /setup/api/settings')).data.enterprise;
  const setMaintenance = (when: unknown, of = emulator) =>
    other(of, 'POST /setup/api/maintenance', {
      maintenance: JSON.stringify({ enabled: true, when }),
    });

  test("sends connection counts as strings if consoleNumbers is 'string'", async () => {
    expect((await status()).connection_services[0].number).toBe(0);
    const text = await status({ consoleNumbers: 'string' });
    expect(text.connection_services[0].number).toBe('0');
  });

  test("consoleScheduledTime: 'scheduled' omits scheduled_time without scheduled maintenance", async () => {
    expect(await status()).toMatchObject({ status: 'off', scheduled_time: '' });
    expect(await status({ consoleScheduledTime: 'scheduled' })).not.toHaveProperty(
      'scheduled_time',
    );
    const timed = createEmulator({ ...noon, consoleScheduledTime: 'scheduled' });
    expect((await setMaintenance('2014-06-02', timed)).data).toHaveProperty('scheduled_time');
    const { data } = await setMaintenance('now');
    expect(data).toMatchObject({ status: 'on', scheduled_time: 'Sunday, June  1 at 12:00 +0000' });
  });

  test('turns scheduled maintenance on at the scheduled time', async () => {
    await setMaintenance('2014-06-01T14:00:00Z');
    expect(emulator.console.maintenance).toBe('scheduled');
    emulator.clock.advance(2 * 3_600_000);
    expect(emulator.console.maintenance).toBe('on');
  });

  test("sends unconfigured settings groups as null if consoleGroups is 'null'", async () => {
    const groups = await settings();
    expect(groups.ldap).toMatchObject({ host: '', base: [], user_groups: [] });
    expect(groups.service_oauth).toMatchObject({ client_id: '' });
    const names = Object.keys(groups).filter((name) => groups[name] === null);
    expect(names).toEqual(['admin_password']);
    const bare = await settings({ consoleGroups: 'null' });
    expect([bare.ldap, bare.service_oauth]).toEqual([null, null]);
  });

  test('rejects an unknown value of consoleNumbers', () => {
    const wrong = { consoleNumbers: 'text' } as unknown as EmulatorOptions; // `as`: the type doesn't allow this value.
    expect(() => createEmulator(wrong)).toThrow(
      'consoleNumbers: must be integer or string (got text)',
    );
  });
});

describe('the scopes option', () => {
  const recorded = () => createEmulator({ ...noon, scopes: 'recorded' });
  const listTeams = async (of: Emulator, ...scopes: string[]) =>
    (await sendRequest(of, 'GET /orgs/acme/teams', { auth: tokenWith(of, ...scopes) })).status;
  const makeTeam = async (of: Emulator, ...scopes: string[]) =>
    (
      await sendRequest(of, 'POST /orgs/acme/teams', {
        auth: tokenWith(of, ...scopes),
        body: { name: 'New' },
      })
    ).status;

  test("requires an org scope for teams unless set to 'recorded'", async () => {
    for (const scope of ['read:org', 'write:org', 'admin:org']) {
      expect([scope, await listTeams(emulator, scope)]).toEqual([scope, 200]);
    }
    expect(await listTeams(emulator, 'repo', 'user')).toBe(404);
    expect(await makeTeam(emulator, 'read:org', 'repo', 'user')).toBe(404);
    expect(await makeTeam(emulator, 'write:org')).toBe(201);
    expect(await makeTeam(createEmulator(noon), 'admin:org')).toBe(201);
    expect([await listTeams(recorded(), 'user'), await makeTeam(recorded(), 'repo')]).toEqual([
      200, 201,
    ]);
    expect(await listTeams(recorded(), 'repo')).toBe(200);
  });

  test("requires a repo_hook scope for hooks unless set to 'recorded'", async () => {
    const may = async (of: Emulator, ...scopes: string[]) => {
      const auth = tokenWith(of, ...scopes);
      const { id } = of.hosting.addHook('acme/rocket', { url: 'http://127.0.0.1:9/' });
      const at = `/repos/acme/rocket/hooks/${id}`;
      const requests = [`GET ${at}`, `POST ${at}/pings`, `PATCH ${at}`, `DELETE ${at}`];
      const statuses: number[] = [];
      for (const what of requests) statuses.push((await sendRequest(of, what, { auth })).status);
      return statuses;
    };
    expect(await may(emulator, 'read:repo_hook')).toEqual([200, 204, 404, 404]);
    expect(await may(emulator, 'write:repo_hook')).toEqual([200, 204, 200, 404]);
    expect(await may(emulator, 'admin:repo_hook')).toEqual([200, 204, 200, 204]);
    expect(await may(emulator, 'repo', 'public_repo')).toEqual([404, 404, 404, 404]);
    expect(await may(recorded(), 'public_repo')).toEqual([200, 204, 200, 204]);
    const { headers } = await sendRequest(recorded(), 'GET /hooks');
    expect(headers['x-accepted-oauth-scopes']).toMatch(/, public_repo, read:repo_hook, repo, /);
  });
});

test('the emulator lists commit comments by a branch name with slashes', async () => {
  emulator.hosting.addFile('acme/rocket', 'x', 'x', 'feature/part-1');
  const sha = rocket().refs.get('heads/feature/part-1')?.sha ?? '';
  emulator.hosting.addComment('acme/rocket', 'On the branch', { sha });
  for (const ref of ['feature/part-1', 'feature%2Fpart-1', 'refs/heads/feature/part-1']) {
    const { data } = await sendRequest(emulator, `GET /repos/acme/rocket/commits/${ref}/comments`);
    expect(data).toMatchObject([{ body: 'On the branch' }]);
  }
  expect((await sendRequest(emulator, 'GET /repos/acme/rocket/commits//comments')).status).toBe(
    404,
  );
});

test('a lockout after ten failed logins ends after 15 minutes', async () => {
  const login = (password: string) =>
    sendRequest(emulator, 'GET /user', { auth: basic('ada-0', password) });
  for (let count = 0; count < 10; count++) expect((await login('wrong')).status).toBe(401);
  expect((await login('password of ada-0')).status).toBe(403);
  emulator.clock.advance(15 * 60_000 - 1);
  expect((await login('password of ada-0')).status).toBe(403);
  emulator.clock.advance(1);
  expect((await login('password of ada-0')).status).toBe(200);
});

test('a successful login resets the count of failed logins', async () => {
  const login = (password: string) =>
    sendRequest(emulator, 'GET /user', { auth: basic('ada-0', password) });
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 9; count++) expect((await login('wrong')).status).toBe(401);
    expect((await login('password of ada-0')).status).toBe(200);
  }
});

test('PUT contents responds with 422 to a file of more than 1 MiB', async () => {
  const write = (size: number) =>
    sendRequest(emulator, 'PUT /repos/acme/rocket/contents/big.bin', {
      body: { message: 'big', content: Buffer.alloc(size).toString('base64') },
    });
  const refused = await write(1_048_577);
  expect(refused.status).toBe(422);
  expect(refused.data.errors).toMatchObject([{ field: 'content', code: 'too_large' }]);
  expect((await write(1_048_576)).status).toBe(201);
});

describe('hook config', () => {
  const url = 'http://127.0.0.1:9/';
  test.each<[string, object, string, string]>([
    ['web', {}, 'url', 'missing_field'],
    ['web', { url: 'ftp://x/' }, 'url', 'invalid'],
    ['web', { url: 'nonsense' }, 'url', 'invalid'],
    ['web', { url, content_type: 'xml' }, 'content_type', 'invalid'],
    ['web', { url, insecure_ssl: '2' }, 'insecure_ssl', 'invalid'],
    ['irc', { server: 'x', ssl: 'yes' }, 'ssl', 'invalid'],
  ])('rejects the %s config %j', async (name, config, field, code) => {
    const { status, data } = await sendRequest(emulator, 'POST /repos/acme/rocket/hooks', {
      body: { name, config },
    });
    expect(status).toBe(422);
    expect(data.errors).toEqual([{ resource: 'Hook', field, code }]);
    const hook = emulator.hosting.addHook('acme/rocket', { url }, { name });
    const patch = await sendRequest(emulator, `PATCH /repos/acme/rocket/hooks/${hook.id}`, {
      body: { config },
    });
    expect(patch.status).toBe(422);
  });

  test("stores the JSON boolean true as '1'", async () => {
    const body = { name: 'web', config: { url, insecure_ssl: true } };
    const { data } = await sendRequest(emulator, 'POST /repos/acme/rocket/hooks', { body });
    expect(data.config).toMatchObject({ insecure_ssl: '1', content_type: 'form' });
  });
});

test('the emulator sorts starred repositories by star date', async () => {
  emulator.clock.advance(1000);
  await sendRequest(emulator, 'PUT /user/starred/acme/component-9');
  emulator.clock.advance(1000);
  await sendRequest(emulator, 'PUT /user/starred/acme/rocket');
  const names = async (query: string) =>
    (await sendRequest(emulator, `GET /user/starred${query}`)).data.map(
      (repo: { name: string }) => repo.name,
    );
  expect((await names('')).slice(0, 3)).toEqual(['rocket', 'component-9', 'project-40']);
  expect(await names('?direction=asc&per_page=1')).toEqual(['project-1']);
  expect((await sendRequest(emulator, 'GET /user/starred?sort=stars')).status).toBe(422);
});

test('GET /enterprise/stats/:type responds with 404 to non-administrators', async () => {
  expect((await sendRequest(emulator, 'GET /enterprise/stats/all', { auth: null })).status).toBe(
    404,
  );
  const auth = basic('ada-0', 'password of ada-0');
  expect((await sendRequest(emulator, 'GET /enterprise/stats/all', { auth })).status).toBe(404);
  expect((await sendRequest(emulator, 'GET /enterprise/stats/all')).status).toBe(200);
});

describe('the emulator', () => {
  const create = (type: string, body: string) =>
    sendRequest(emulator, 'POST /repos/acme/rocket/releases', {
      body,
      headers: { 'content-type': type },
    });
  const json = (tag: string) => JSON.stringify({ tag_name: tag });

  test.each([
    ['application/json; charset=utf-8', json('a'), 201],
    ['application/vnd.service.v3+json', json('b'), 201],
    ['application/x-www-form-urlencoded', 'tag_name=c', 201],
    // Some clients send JSON with a form's Content-Type.
    ['application/x-www-form-urlencoded', json('d'), 201],
    ['text/plain', json('e'), 415],
    ['application/xml', '<x/>', 415],
    ['application/json', '[1]', 400],
    ['application/json', '{', 400],
  ])('responds to the %s body %s with a %i', async (type, body, status) => {
    expect((await create(type, body)).status).toBe(status);
  });

  test('rejects deeply nested JSON and an oversized body', async () => {
    expect(
      (await create('application/json', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)).status,
    ).toBe(400);
    expect((await create('application/json', '['.repeat(1_000_000))).status).toBe(400);
    expect((await create('application/json', `"${' '.repeat(9_000_000)}"`)).status).toBe(413);
  });

  test('replaces an escaped lone surrogate in a body', async () => {
    const sha = rocket().refs.get('heads/main')?.sha;
    const { status, data } = await sendRequest(emulator, 'POST /repos/acme/rocket/git/refs', {
      body: `{"ref":"refs/heads/\\ud800","sha":"${sha}"}`,
    });
    expect([status, data.ref]).toEqual([201, 'refs/heads/\ufffd']);
  });

  test('accepts only form bodies in the support API', async () => {
    const login = (type?: string) =>
      other(emulator, 'POST /api/v2/authenticate', { ...supportSeed }, type);
    expect((await login()).data.success).toBe(true);
    expect(await login('application/json')).toMatchObject({
      status: 400,
      data: { success: false },
    });
  });
});

test.each([
  ['GET /repos/acme/rocket', {}],
  ['GET /repos/acme/none', {}],
  ['GET /nowhere', {}],
  ['GET /user', { auth: 'token wrong' }],
  ['GET /user', { auth: null }],
  ['POST /repos/acme/rocket/releases', { body: '{' }],
  ['GET /repos/acme/rocket', { headers: { 'user-agent': '' } }],
])('the response to %s (options %j) contains rate-limit headers', async (what, how) => {
  const { headers } = await sendRequest(emulator, what, how);
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
});

test('a 304 from GET /rate_limit uses no quota', async () => {
  const { headers } = await sendRequest(emulator, 'GET /rate_limit');
  const again = await sendRequest(emulator, 'GET /rate_limit', {
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([304, '5000']);
});

test('a request with a blank User-Agent gets a 403', async () => {
  const { status, data } = await sendRequest(emulator, 'GET /user', {
    headers: { 'user-agent': ' ' },
  });
  expect(status).toBe(403);
  expect(data.message).toContain('User-Agent');
});

describe('OAuth web flow', () => {
  const flow = async (redirectUri: string, callbackUrl = 'http://127.0.0.1:4321/callback') => {
    const { clientId } = emulator.hosting.addApplication('Mine', { callbackUrl });
    emulator.hosting.signedIn = 'ada-0';
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri });
    const { status, headers } = await sendRequest(emulator, `GET /login/oauth/authorize?${query}`, {
      auth: null,
    });
    return status === 302 ? new URL(String(headers.location)).searchParams.get('error') : status;
  };

  test.each([
    ['http://127.0.0.1:4321/callback', 200],
    ['http://127.0.0.1:4321/callback/below', 200],
    ['https://127.0.0.1:4321/callback', 200], // Only host, port and path are compared.
    ['http://127.0.0.1:4322/callback', 'redirect_uri_mismatch'],
    ['http://localhost:4321/callback', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/callbacks', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/callback/../other', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/callback/..%2fother', 'redirect_uri_mismatch'],
    ['javascript://127.0.0.1:4321/callback', 'redirect_uri_mismatch'],
  ])('responds to redirect_uri %s with %s', async (redirectUri, outcome) => {
    expect(await flow(redirectUri)).toBe(outcome);
  });

  test('treats the default ports of https and http as different', async () => {
    expect(await flow('https://app.test/cb', 'http://app.test/cb')).toBe('redirect_uri_mismatch');
    expect(await flow('https://app.test:443/cb', 'https://app.test/cb')).toBe(200);
  });

  test('exchanges a code only for the redirect_uri of the authorization request', async () => {
    const callbackUrl = 'http://127.0.0.1:4321/callback';
    const { clientId, clientSecret } = emulator.hosting.addApplication('Mine', { callbackUrl });
    emulator.hosting.addToken('mona', ['gist'], { clientId });
    const codeFor = async () => {
      const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${callbackUrl}/a` });
      const { headers } = await sendRequest(emulator, `GET /login/oauth/authorize?${query}`, {
        auth: null,
      });
      return new URL(String(headers.location)).searchParams.get('code') ?? '';
    };
    const exchange = async (redirectUri: string) => {
      const code = await codeFor();
      const body = {
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
      };
      const headers = { accept: 'application/json' };
      return (
        await sendRequest(emulator, 'POST /login/oauth/access_token', { auth: null, body, headers })
      ).data;
    };
    expect((await exchange(`${callbackUrl}/b`)).error).toBe('bad_verification_code');
    expect((await exchange(`${callbackUrl}/a`)).scope).toBe('gist');
  });
});

describe('singlePageLinks', () => {
  test("omits the Link header of a single-page list if set to 'none'", async () => {
    const none = createEmulator({ ...noon, singlePageLinks: 'none' });
    for (const { hosting } of [emulator, none]) {
      hosting.addHook('acme/rocket', { url: 'http://far.test/' });
    }
    for (const [path, auth] of [
      ['/authorizations', mona],
      ['/repos/acme/rocket/hooks', undefined],
      ['/repos/mona/project-1/stargazers', undefined],
    ] as const) {
      const { headers } = await sendRequest(emulator, `GET ${path}`, { auth });
      expect(headers.link).toMatch(/page=1>; rel="first", <[^>]*page=1>; rel="last"$/);
      expect((await sendRequest(none, `GET ${path}`, { auth })).headers.link).toBeUndefined();
    }
    expect(
      (await sendRequest(emulator, 'GET /repos/acme/rocket/downloads')).headers.link,
    ).toBeUndefined();
  });
});

test.each(['state=merged', 'sort=stars', 'direction=up'])(
  'GET /repos/:owner/:repo/pulls responds with 422 to the query %s',
  async (query) => {
    const { status, data } = await sendRequest(emulator, `GET /repos/acme/rocket/pulls?${query}`);
    expect(status).toBe(422);
    const [field] = query.split('=');
    expect(data.errors).toEqual([{ resource: 'PullRequest', field, code: 'invalid' }]);
  },
);

test("a support record's `url` returns the record", async () => {
  const { data: session } = await other(emulator, 'POST /api/v2/authenticate', { ...supportSeed });
  const get = async (path: string) =>
    (await other(emulator, `GET ${path}?access_token=${session.access_token}`)).data;
  const one = await get('/api/v2/case/1');
  expect(one).toMatchObject({ credits: 0, handling_ms: 0, sla_seconds: 0 });
  expect(one.we_did_not_reply_since_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/);
  for (const record of [one, one.contact]) {
    const { pathname } = new URL(record.url);
    expect((await get(pathname)).id).toBe(record.id);
  }
  expect(one.url).toBe(`${origin}/api/v2/case/1`);
});

test('the hosting API sends master_branch only in the beta version', async () => {
  const get = async (accept: string) =>
    (await sendRequest(emulator, 'GET /repos/acme/rocket', { headers: { accept } })).data;
  const beta = await get('application/vnd.service.beta+json');
  const v3 = await get('application/vnd.service.v3+json');
  expect(beta).toMatchObject({ master_branch: 'main', public: true, forks: beta.forks_count });
  expect(v3).toMatchObject({ watchers: v3.watchers_count, open_issues: v3.open_issues_count });
  expect(v3).not.toHaveProperty('master_branch');
});

import { beforeEach, describe, expect, it } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { adasLab } from './hosting-worlds.js';
import { basic, type RequestOptions, sendRequest } from './send-request.js';

let emulator: Emulator;

const get = (path: string, how: RequestOptions = {}) =>
  sendRequest(emulator, `GET ${path}`, { auth: null, ...how });

beforeEach(() => {
  emulator = adasLab();
  const { hosting } = emulator;
  hosting.addUser('eve', { password: 'x', suspended: true });
  hosting.addToken('eve', [], { token: 'e' });
  hosting.addUser('gone');
  hosting.addToken('gone', [], { token: 'g' });
  hosting.state.accounts.delete('gone');
});

describe('the hosting API', () => {
  it.each<[string | null, string, number]>([
    ['token t', '', 200],
    ['BEARER   t ', '', 200],
    ['token x', '', 401],
    ['tokent', '', 401],
    ['digest t', '', 401],
    ['token e', '', 403],
    [basic('ada', 'a:b'), '', 200],
    [basic('ada', 'a'), '', 401],
    [basic('nobody', 'x'), '', 401],
    [basic('eve', 'x'), '', 403],
    [basic('t', ''), '', 200],
    [basic('t', 'x-oauth-basic'), '', 200],
    ['Basic nonsense', '', 401],
    [null, '?access_token=t', 200],
    [null, '?access_token=x', 401],
    ['token x', '?access_token=t', 401],
    [null, '', 401],
  ])('responds to Authorization: %j and the query %j with a %i', async (auth, query, status) => {
    const response = await get(`/user${query}`, { auth });
    expect([response.status, response.data.login]).toEqual([
      status,
      status === 200 ? 'ada' : undefined,
    ]);
    if (status === 200) expect(response.headers['x-ratelimit-limit']).toBe('5000');
  });

  it.each([
    ['client_id=id&client_secret=s', 200, '5000'],
    ['client_id=id&client_secret=x', 401, '60'],
    ['client_id=x&client_secret=s', 401, '60'],
    ['client_secret=s', 200, '60'],
    ['', 200, '60'],
  ])('responds to the query %j with a %i and a rate limit of %s', async (query, status, limit) => {
    const response = await get(`/repos/lab/engine?${query}`);
    expect([response.status, response.headers['x-ratelimit-limit']]).toEqual([status, limit]);
  });

  it('requests a one-time password only if the password is correct', async () => {
    const ada = emulator.hosting.state.account('ada');
    if (ada) ada.otp = '123';
    const login = async (password: string, otp?: string) => {
      const headers = otp === undefined ? {} : { 'x-service-otp': otp };
      const response = await get('/user', { auth: basic('ada', password), headers });
      if (response.status === 401) expect(response.data).toHaveProperty('documentation_url');
      return [response.status, response.headers['x-service-otp']];
    };
    expect(await login('a:b')).toEqual([401, 'required; app']);
    expect(await login('a:b', '124')).toEqual([401, 'required; app']);
    expect(await login('x', '123')).toEqual([401, undefined]);
    expect(await login('a:b', '123')).toEqual([200, undefined]);
    expect(
      (await get('/user', { auth: 'token t' })).status,
      'a token needs no one-time password',
    ).toBe(200);
  });
});

describe('failed logins', () => {
  const login = async (password: string) =>
    (await get('/user', { auth: basic('ada', password) })).status;
  const fail = async (times: number) => {
    for (let count = 0; count < times; count++) expect(await login('wrong')).toBe(401);
  };

  it('ten failed logins lock a user out for 15 minutes', async () => {
    await fail(10);
    expect(await login('a:b')).toBe(403);
    emulator.clock.advance(15 * 60_000 - 1);
    expect(await login('a:b')).toBe(403);
    emulator.clock.advance(1);
    expect(await login('a:b')).toBe(200);
  });

  it('a successful login resets the count of failed logins', async () => {
    for (let round = 0; round < 2; round++) {
      await fail(9);
      expect(await login('a:b')).toBe(200);
    }
  });
});

it("GET /user/emails returns the caller's address", async () => {
  emulator.hosting.addToken('ada', ['user'], { token: 'u' });
  const { data } = await get('/user/emails', { auth: 'token u' });
  expect(data).toEqual([{ email: 'ada@example.com', primary: true, verified: true }]);
  expect((await get('/user/emails', { auth: 'token t' })).status).toBe(404);
});

it('the hosting API matches logins and names case-insensitively, but returns them as stored', async () => {
  const auth = basic('Ada', 'a:b');
  emulator.hosting.addRepo('ada', 'own');
  expect((await get('/repos/LAB/Engine')).data.full_name).toBe('lab/engine');
  expect((await get('/users/ADA')).data.login).toBe('ada');
  expect((await get('/user', { auth })).data.login).toBe('ada');
  expect((await get('/users/ADA/repos')).data).toHaveLength(1);
  emulator.hosting.addToken('ada', ['read:org'], { token: 'o' });
  expect((await get('/orgs/Lab/teams', { auth: 'token o' })).data).not.toEqual([]);
  expect(() => emulator.hosting.addUser('Ada')).toThrow('must be unique');
  emulator.hosting.renameRepo('lab/engine', 'Engine');
  expect((await get('/repos/lab/engine')).data.name).toBe('Engine');
});

describe('secondary rate limits', () => {
  const { owner, repo, token } = seeded;
  const limit = { kind: 'secondaryLimit', requests: 1, per: 60_000, pause: 2000 } as const;
  const rejected = { code: 'rate_limit', reason: 'secondary', retryAfter: 2000 };

  it.each([
    ['every request', {}, limit, ['star']],
    ['only writes if `writes` is true', {}, { ...limit, writes: true }, ['get', 'get', 'star']],
    ['only requests that match', { method: 'PUT' }, limit, ['get', 'get', 'star']],
  ] as const)('a `secondaryLimit` fault counts %s', async (_what, matcher, fault, accepted) => {
    emulator = createEmulator();
    await using hosting = new HostingClient({
      baseUrl: 'https://code.test/api/v3/',
      auth: { type: 'token', token },
      dispatcher: emulator.dispatcher(),
      retry: false,
    });
    const calls = {
      get: () => hosting.pulls.get({ owner, repo, number: 1 }),
      star: () => hosting.starring.star({ owner, repo }),
    };
    emulator.fail(matcher, fault);
    for (const name of accepted) await calls[name]();
    await expect(calls.star()).rejects.toMatchObject(rejected);
  });
});

describe('the rate limit', () => {
  it("the hosting API's rate limit counts the requests of each caller separately", async () => {
    emulator.hosting.setRateLimit(1);
    expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('0');
    expect((await get('/user', { auth: 'token t' })).status).toBe(200);
    const spent = async (how: RequestOptions = {}) => {
      const { status, data, headers } = await get('/users/ada', how);
      return [status, data.message, headers['x-ratelimit-remaining']];
    };
    expect(await spent()).toEqual([403, 'API rate limit exceeded for anonymous.', '0']);
    const auth = basic('ada', 'a:b');
    expect(await spent({ auth })).toEqual([403, 'API rate limit exceeded for user ada.', '0']);
    for (const path of ['/rate_limit', '/rate_limit/']) {
      expect((await get(path)).data.rate.remaining).toBe(0);
    }
    emulator.clock.advance(3_600_000 - 1000);
    expect((await get('/users/ada')).status).toBe(403);
    emulator.clock.advance(1000);
    expect((await get('/users/ada')).status).toBe(200);
    emulator.hosting.setRateLimit(undefined);
    expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('59');
    emulator.hosting.setRateLimit(5);
    emulator.reset();
    expect((await get('/rate_limit')).data.rate.limit).toBe(60);
  });

  it("the hosting API counts an application's requests separately from anonymous requests", async () => {
    emulator.hosting.setRateLimit(1);
    const path = '/users/ada?client_id=id&client_secret=s';
    expect((await get(path)).status).toBe(200);
    expect((await get(path)).data.message).toContain('app id');
    expect((await get('/users/ada')).status).toBe(200);
  });
});

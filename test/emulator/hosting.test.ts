import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostingAuth } from '../../src/hosting/index.js';
import { HostingClient, type RetryOptions } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

const { owner, repo, token } = seeded;
const rocket = { owner, repo };
let emulator: Emulator;
let hosting: HostingClient;
let anonymous: HostingClient;

const retry: RetryOptions = { limit: 0 };

async function clientWith(auth?: HostingAuth): Promise<HostingClient> {
  const dispatcher = emulator.dispatcher();
  return new HostingClient({ baseUrl: 'http://code.test/api/v3', dispatcher, auth, retry });
}

beforeEach(async () => {
  emulator = createEmulator(noon);
  hosting = await clientWith({ type: 'token', token });
  anonymous = await clientWith();
});

afterEach(() => hosting.close());

describe('hosting API authentication', () => {
  test.each<[string, HostingAuth, string]>([
    ['the hosting API accepts a token', { type: 'token', token }, 'ok'],
    ['the hosting API accepts a token in the query', { type: 'token', token, in: 'query' }, 'ok'],
    [
      'the hosting API accepts a password',
      { type: 'basic', username: seeded.login, password: seeded.password },
      'ok',
    ],
    ['the hosting API rejects a wrong token', { type: 'token', token: 'wrong' }, 'authentication'],
    [
      'the hosting API rejects a wrong password',
      { type: 'basic', username: seeded.login, password: 'wrong' },
      'authentication',
    ],
    ['the hosting API rejects a request without credentials', { type: 'none' }, 'authentication'],
    [
      'the hosting API rejects an unknown application',
      { type: 'application', clientId: 'a'.repeat(20), clientSecret: 'b'.repeat(40) },
      'authentication',
    ],
  ])('%s', async (_name, auth, expected) => {
    const client = await clientWith(auth);
    const outcome = await client.starring
      .listStarred()
      .first()
      .then(
        () => 'ok',
        (error: { code: string }) => error.code,
      );
    expect(outcome).toBe(expected);
  });

  test('the hosting API rejects a password with otp_required until the client sends the one-time password', async () => {
    const account = emulator.hosting.state.account(seeded.login);
    if (account) account.otp = '123456';
    const basic = { type: 'basic', username: seeded.login, password: seeded.password } as const;
    const without = await clientWith(basic);
    await expect(without.starring.listStarred().first()).rejects.toMatchObject({
      reason: 'otp_required',
    });
    for (const otp of ['123456', async () => '123456']) {
      const client = await clientWith({ ...basic, otp });
      await expect(client.starring.listStarred().first()).resolves.toBeDefined();
    }
  });

  test('the hosting API rejects the correct password after 10 failed logins', async () => {
    const wrong = await clientWith({ type: 'basic', username: seeded.login, password: 'wrong' });
    for (let attempt = 0; attempt < 10; attempt++) {
      await expect(wrong.starring.listStarred().first()).rejects.toMatchObject({ status: 401 });
    }
    const right = await clientWith({
      type: 'basic',
      username: seeded.login,
      password: seeded.password,
    });
    await expect(right.starring.listStarred().first()).rejects.toMatchObject({
      code: 'permission',
      reason: 'login_lockout',
    });
  });

  test('the hosting API hides private repositories from anonymous callers', async () => {
    const secret = { owner, repo: 'secret' };
    await expect(anonymous.contents.get({ ...secret, path: '' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(hosting.contents.get({ ...secret, path: '' })).resolves.toEqual([]);
  });
});

describe('hosting rate limits', () => {
  test('the hosting API rejects requests until the window ends if the quota is exhausted', async () => {
    emulator.hosting.setRateLimit(2);
    const { response } = await hosting.pulls.get({ ...rocket, number: 1 }).withResponse();
    expect(response.rateLimit).toMatchObject({
      limit: 2,
      remaining: 1,
      reset: new Date('2014-06-01T13:00:00Z'),
    });
    await hosting.pulls.get({ ...rocket, number: 1 });
    const other = await clientWith({ type: 'token', token });
    await expect(other.pulls.get({ ...rocket, number: 1 })).rejects.toMatchObject({
      code: 'rate_limit',
      reason: 'primary',
      retryAfter: 3_600_000,
      response: { rateLimit: { reset: new Date('2014-06-01T13:00:00Z') } },
    });
    emulator.clock.advance(3_600_000);
    other.resetLimits();
    await expect(other.pulls.get({ ...rocket, number: 1 })).resolves.toMatchObject({ number: 1 });
  });

  test('an anonymous 304 uses no quota', async () => {
    const first = await anonymous.pulls.get({ ...rocket, number: 1 }).withResponse();
    expect(first.response.rateLimit).toMatchObject({ limit: 60, remaining: 59 });
    const { etag } = first.response;
    const again = anonymous.pulls.get(
      { ...rocket, number: 1 },
      { headers: { 'if-none-match': etag } },
    );
    await expect(again).rejects.toMatchObject({
      status: 304,
      response: { rateLimit: { remaining: 59 } },
    });
  });
});

describe('POST /repos/:owner/:repo/releases', () => {
  test.each([
    ['{', 400, 'Problems parsing JSON'],
    ['[]', 400, 'Body should be a JSON Hash'],
    ['{}', 422, 'Validation Failed'],
    ['{"tag_name": 5}', 422, 'Validation Failed'],
    ['{"tag_name":"v","draft":"yes"}', 422, 'Validation Failed'],
  ])(
    'POST /repos/:owner/:repo/releases responds to %s with %i %s',
    async (data, status, message) => {
      const create = hosting.request(
        'POST /repos/acme/rocket/releases',
        {},
        { body: { data, contentType: 'application/json' } },
      );
      await expect(create).rejects.toMatchObject({ status, body: { message } });
    },
  );
});

describe('HostingClient', () => {
  test('HostingClient remembers the redirect of a renamed repository', async () => {
    emulator.hosting.state.renamed.set('acme/old', 'acme/rocket');
    const old = { owner, repo: 'old' };
    for (let time = 0; time < 2; time++) {
      await expect(hosting.pulls.get({ ...old, number: 4 })).resolves.toMatchObject({ number: 4 });
    }
    expect(emulator.requests.map((each) => each.status)).toEqual([301, 200, 200]);
  });
});

test("GET /rate_limit doesn't count toward the limit", async () => {
  const sendRequest = () => hosting.request('GET /rate_limit');
  await sendRequest();
  await expect(sendRequest()).resolves.toMatchObject({ resources: { core: { remaining: 5000 } } });
});

test('an emulator without a seed has no repositories', async () => {
  emulator = createEmulator({ ...noon, seed: false });
  const client = await clientWith();
  await expect(client.contents.getReadme(rocket)).rejects.toMatchObject({ status: 404 });
});

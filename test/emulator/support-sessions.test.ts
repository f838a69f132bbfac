import { describe, expect, test } from 'vitest';
import { AuthenticationError, NotFoundError } from '../../src/index.js';
import { parseSupportDate, SupportClient, supportOffset } from '../../src/support/index.js';
import { createEmulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { base, getToken, place, raw } from './support-emulator.js';

const askToInclude = /include the access_token parameter, use the authenticate endpoint/;
const askToRenew = /renew the token/;

describe('POST /authenticate', () => {
  test('POST /authenticate returns a token and its expiry in the configured time zone', async () => {
    const emulator = createEmulator({ ...noon, support: { tokenLifetime: 90, utcOffset: 330 } });
    const { status, data } = await raw(emulator, 'POST /authenticate', { ...supportSeed });
    expect(status).toBe(200);
    expect(data).toEqual({
      success: true,
      statusMessage: 'ok',
      access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
      expires: '2014-06-01T17:31:30+0530',
    });
  });

  test('POST /authenticate returns a new token for each session', async () => {
    const [one, other] = [createEmulator(noon), createEmulator(noon)];
    const first = await getToken(one);
    expect(await getToken(other)).toBe(first);
    expect(await getToken(one)).not.toBe(first);
    expect(one.support.authentications).toBe(2);
  });

  test.each(['userName', 'apiKey', 'password'])(
    'POST /authenticate rejects a wrong %s',
    async (name) => {
      const { emulator } = place();
      const auth = { ...supportSeed, [name]: 'wrong' };
      const client = new SupportClient({ baseUrl: base, auth, dispatcher: emulator.dispatcher() });
      const error = await client.contacts.get({ contact_id: 1 }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(String(error)).toContain('invalid userName, apiKey or password');
      expect(emulator.support.authentications).toBe(0);
    },
  );

  test('POST /authenticate reports missing fields in a 200 response', async () => {
    const { emulator } = place();
    const { status, data } = await raw(emulator, 'POST /authenticate', { userName: 'mona' });
    expect(status).toBe(200);
    expect(data).toEqual({
      success: false,
      statusMessage: 'userName, apiKey and password are required',
    });
  });

  test('POST /authenticate accepts users added with addUser()', async () => {
    const emulator = createEmulator({ ...noon, seed: false });
    const auth = { userName: 'grace', apiKey: 'k', password: 'p' };
    emulator.support.addUser(auth);
    const client = new SupportClient({ baseUrl: base, auth, dispatcher: emulator.dispatcher() });
    await expect(client.me()).resolves.toMatchObject({ logged_in: true });
  });
});

describe('support tokens', () => {
  test('the support API responds with 401 if the token is missing', async () => {
    const { emulator } = place();
    for (const what of ['GET /contact/1', 'POST /contact', 'GET /nowhere', 'HEAD /contact/1']) {
      const { status, statusText, text } = await raw(emulator, what);
      expect([what, status, text]).toEqual([what, 401, '']);
      expect(statusText).toMatch(askToInclude);
    }
  });

  test('the support API responds with 401 to an unknown token', async () => {
    const { emulator } = place();
    for (const path of ['/contact/1', '/me']) {
      const { status, statusText, text } = await raw(emulator, `GET ${path}?access_token=made-up`);
      expect([status, text]).toEqual([401, '']);
      expect(statusText).toMatch(askToRenew);
    }
  });

  test('the support API accepts a token in the query or the form', async () => {
    const { emulator } = place();
    const token = await getToken(emulator);
    const inQuery = await raw(emulator, `POST /contact?access_token=${token}`, { name: 'A' });
    const inForm = await raw(emulator, 'POST /contact', { access_token: token, name: 'A' });
    expect([inQuery.data.success, inForm.data.success]).toEqual([true, true]);
  });

  test('the support API rejects a token at its expiry time', async () => {
    const { emulator, client } = place({ support: { tokenLifetime: 60 } });
    const { accessToken, expires } = await client.authenticate();
    expect(Number(expires) - emulator.clock.now.getTime()).toBeGreaterThan(58_000);
    expect(Number(expires) - emulator.clock.now.getTime()).toBeLessThanOrEqual(60_000);
    emulator.clock.advance(58_000);
    expect((await raw(emulator, `GET /me?access_token=${accessToken}`)).status).toBe(200);
    emulator.clock.advance(2_000);
    expect((await raw(emulator, `GET /me?access_token=${accessToken}`)).status).toBe(401);
  });

  test('support.configure() sets the token lifetime until a reset', async () => {
    const { emulator, client } = place();
    const lifetime = async () => {
      const { expires } = await client.authenticate();
      return Math.round((Number(expires) - emulator.clock.now.getTime()) / 1000);
    };
    emulator.support.configure({ tokenLifetime: 600 });
    expect([599, 600]).toContain(await lifetime());
    emulator.reset();
    expect([3599, 3600]).toContain(await lifetime());
  });

  test('SupportClient throws an AuthenticationError if a passed token expires', async () => {
    const { emulator, client } = place();
    const { accessToken } = await client.authenticate();
    const fixed = client.withAuth({ accessToken });
    await expect(fixed.me()).resolves.toMatchObject({ logged_in: true });
    emulator.support.expireTokens();
    const error = await fixed.contacts.get({ contact_id: 1 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(String(error)).toMatch(askToRenew);
    expect(String(error)).not.toContain(accessToken);
  });

  test('SupportClient renews an expired token once for 16 concurrent calls', async () => {
    const { emulator, client } = place();
    await client.me();
    emulator.support.expireTokens();
    const ids = Array.from({ length: 16 }, (_, index) => index + 1);
    const got = await Promise.all(ids.map((id) => client.contacts.get({ contact_id: id })));
    expect(got.map(({ id }) => id)).toEqual(ids);
    expect(emulator.support.authentications).toBe(2);
  });

  test('SupportClient renews an expired token before a write', async () => {
    const { emulator, client } = place({ seed: false });
    await client.me();
    emulator.support.expireTokens();
    await client.contacts.create({ name: 'Ada' });
    expect(emulator.support.contacts.map(({ name }) => name)).toEqual(['Ada']);
  });
});

describe('GET /me with a session', () => {
  test('GET /me with a session reports that the caller is logged in', async () => {
    const { client } = place();
    await expect(client.me()).resolves.toEqual({
      success: true,
      statusMessage: 'you are logged in',
      logged_in: true,
    });
  });
});

test('the support API responds with 404 to unknown paths, methods and records', async () => {
  const { emulator, client } = place();
  await expect(client.contacts.get({ contact_id: 9999 })).rejects.toBeInstanceOf(NotFoundError);
  await expect(client.cases.get({ case_id: 9999 })).rejects.toBeInstanceOf(NotFoundError);
  const token = await getToken(emulator);
  for (const what of [
    'GET /nowhere',
    'GET /contact/ada',
    'DELETE /contact/1',
    'GET /authenticate',
  ]) {
    const { status, data } = await raw(emulator, `${what}?access_token=${token}`);
    expect([what, status, data.success]).toEqual([what, 404, false]);
  }
});

test('support.counts() returns the number of records of each kind', async () => {
  const { emulator, client } = place();
  await client.cases.create({ contact_id: 1 });
  expect(emulator.support.counts()).toEqual({
    contacts: 250,
    cases: 121,
    campaigns: 2,
    authentications: 1,
  });
});

test('the support API responds to HEAD without a body', async () => {
  const { emulator } = place();
  const token = await getToken(emulator);
  const { status, text } = await raw(emulator, `HEAD /contact/1?access_token=${token}`);
  expect([status, text]).toEqual([200, '']);
});

test('support dates have the time zone set with utcOffset', async () => {
  const { client } = place({ support: { utcOffset: -210 } });
  const contact = await client.contacts.get({ contact_id: 1 });
  const date = contact.creation_date ?? '';
  expect(date).toMatch(/-0330$/);
  expect(supportOffset(date)).toBe(-210);
  expect(parseSupportDate(date).getTime()).toBeLessThan(Date.now());
});

test("the emulator's request log contains no secrets from support requests", async () => {
  const { emulator, client } = place();
  await client.contacts.get({ contact_id: 1 });
  await client.contacts.update({ contact_id: 1, name: 'Ada' });
  const { accessToken } = await client.authenticate();
  await client.withAuth({ accessToken }).me();
  const shown = JSON.stringify(emulator.requests) + emulator.printRequests();
  for (const secret of [supportSeed.apiKey, supportSeed.password, accessToken]) {
    expect(shown).not.toContain(secret);
  }
});

test('the support emulator rejects an invalid maxCount or defaultCount', () => {
  expect(() => createEmulator({ ...noon, support: { maxCount: 0 } })).toThrow(/maxCount/);
  expect(() => createEmulator(noon).support.configure({ defaultCount: 0.5 })).toThrow(
    /defaultCount/,
  );
});

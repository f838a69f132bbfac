import { afterEach, describe, expect, it } from 'vitest';
import { AuthenticationError } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { base, getToken, place, raw } from './support-emulator.js';

const askToInclude = /include the access_token parameter, use the authenticate endpoint/;
const askToRenew = /renew the token/;
let client: SupportClient | undefined;

describe('POST /authenticate', () => {
  it('returns a token and its expiry in the configured time zone', async () => {
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

  it('returns a new token for each session', async () => {
    const [one, other] = [createEmulator(noon), createEmulator(noon)];
    const first = await getToken(one);
    expect(await getToken(other)).toBe(first);
    expect(await getToken(one)).not.toBe(first);
    expect(one.support.authentications).toBe(2);
  });

  it.each(['userName', 'apiKey', 'password'])('rejects a wrong %s', async (name) => {
    const { emulator } = place();
    const auth = { ...supportSeed, [name]: 'wrong' };
    const client = new SupportClient({ baseUrl: base, auth, dispatcher: emulator.dispatcher() });
    const error = await client.contacts.get({ contact_id: 1 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(String(error)).toContain('invalid userName, apiKey or password');
    expect(emulator.support.authentications).toBe(0);
  });

  it('reports missing fields in a 200 response', async () => {
    const { emulator } = place();
    const { status, data } = await raw(emulator, 'POST /authenticate', { userName: 'mona' });
    expect(status).toBe(200);
    expect(data).toEqual({
      success: false,
      statusMessage: 'userName, apiKey and password are required',
    });
  });

  it('accepts users added with addUser()', async () => {
    const emulator = createEmulator({ ...noon, seed: false });
    const auth = { userName: 'grace', apiKey: 'k', password: 'p' };
    emulator.support.addUser(auth);
    const client = new SupportClient({ baseUrl: base, auth, dispatcher: emulator.dispatcher() });
    await expect(client.me()).resolves.toMatchObject({ logged_in: true });
  });
});

describe('support tokens', () => {
  it('the support API responds with 401 if the token is missing', async () => {
    const { emulator } = place();
    for (const what of ['GET /contact/1', 'POST /contact', 'GET /nowhere', 'HEAD /contact/1']) {
      const { status, statusText, text } = await raw(emulator, what);
      expect([what, status, text]).toEqual([what, 401, '']);
      expect(statusText).toMatch(askToInclude);
    }
  });

  it('the support API responds with 401 to an unknown token', async () => {
    const { emulator } = place();
    for (const path of ['/contact/1', '/me']) {
      const { status, statusText, text } = await raw(emulator, `GET ${path}?access_token=made-up`);
      expect([status, text]).toEqual([401, '']);
      expect(statusText).toMatch(askToRenew);
    }
  });

  it('the support API accepts a token in the query or the form', async () => {
    const { emulator } = place();
    const token = await getToken(emulator);
    const inQuery = await raw(emulator, `POST /contact?access_token=${token}`, { name: 'A' });
    const inForm = await raw(emulator, 'POST /contact', { access_token: token, name: 'A' });
    expect([inQuery.data.success, inForm.data.success]).toEqual([true, true]);
  });

  it('the support API rejects a token at its expiry time', async () => {
    const { emulator, client } = place({ support: { tokenLifetime: 60 } });
    const { accessToken, expires } = await client.authenticate();
    expect(Number(expires) - emulator.clock.now.getTime()).toBeGreaterThan(58_000);
    expect(Number(expires) - emulator.clock.now.getTime()).toBeLessThanOrEqual(60_000);
    emulator.clock.advance(58_000);
    expect((await raw(emulator, `GET /me?access_token=${accessToken}`)).status).toBe(200);
    emulator.clock.advance(2_000);
    expect((await raw(emulator, `GET /me?access_token=${accessToken}`)).status).toBe(401);
  });

  it('support.configure() sets the token lifetime until a reset', async () => {
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

  it('SupportClient throws an AuthenticationError if a passed token expires', async () => {
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

  it('SupportClient renews an expired token once for 16 concurrent calls', async () => {
    const { emulator, client } = place();
    await client.me();
    emulator.support.expireTokens();
    const ids = Array.from({ length: 16 }, (_, index) => index + 1);
    const got = await Promise.all(ids.map((id) => client.contacts.get({ contact_id: id })));
    expect(got.map(({ id }) => id)).toEqual(ids);
    expect(emulator.support.authentications).toBe(2);
  });

  it('SupportClient renews an expired token before a write', async () => {
    const { emulator, client } = place({ seed: false });
    await client.me();
    emulator.support.expireTokens();
    await client.contacts.create({ name: 'Ada' });
    expect(emulator.support.contacts.map(({ name }) => name)).toEqual(['Ada']);
  });
});

describe('GET /me with a session', () => {
  it('reports that the caller is logged in', async () => {
    const { client } = place();
    await expect(client.me()).resolves.toEqual({
      success: true,
      statusMessage: 'you are logged in',
      logged_in: true,
    });
  });
});

it('support.counts() returns the number of records of each kind', async () => {
  const { emulator, client } = place();
  await client.cases.create({ contact_id: 1 });
  expect(emulator.support.counts()).toEqual({
    contacts: 250,
    cases: 121,
    campaigns: 2,
    authentications: 1,
  });
});

it("the emulator's request log contains no secrets from support requests", async () => {
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

describe('GET /me', () => {
  it.each(['/me', '/me?access_token='])(
    'responds to GET %s with a 401 and a reason',
    async (path) => {
      const { emulator } = place();
      const { status, statusText } = await raw(emulator, `GET ${path}`);
      expect([status, statusText]).toEqual([401, expect.stringContaining('Missing access token')]);
    },
  );
});

describe('SupportClient over a socket', () => {
  let emulator: Emulator | undefined;

  async function listening(options: Parameters<typeof createEmulator>[0] = {}) {
    const opened = createEmulator(options);
    emulator = opened;
    opened.support.addUser(supportSeed);
    const { supportUrl } = await opened.listen();
    const opener = new SupportClient({ baseUrl: supportUrl, auth: supportSeed });
    client = opener;
    return { emulator: opened, client: opener, supportUrl };
  }

  afterEach(async () => {
    await client?.close();
    await emulator?.close();
  });

  it('performs every operation', async () => {
    const { emulator: server, client: support } = await listening();
    await support.authenticate();
    await support.me();
    const { contact_id = 0 } = await support.contacts.create({ name: 'Ada ÄÖ & 日本' });
    await support.contacts.update({ contact_id, name: 'Ada', attributes: { 'a b': 'c=d&e' } });
    await expect(support.contacts.get({ contact_id })).resolves.toMatchObject({ 'a b': 'c=d&e' });
    await expect(support.contacts.search({ count: 100 }).toArray()).resolves.toHaveLength(251);
    const profile = { contact_id, source: 'email', ext_id: 'ada@example.com' };
    await support.contacts.addProfile(profile);
    await expect(support.contacts.listProfiles({ contact_id })).resolves.toHaveLength(2);
    await support.contacts.removeProfile(profile);
    await support.contacts.updateTags({ contact_id, add: ['x', 'y'], remove: ['y'] });
    await expect(support.contacts.listTags({ contact_id })).resolves.toEqual(['x']);
    const { case_id } = await support.cases.create({ contact_id, campaign: 'Support' });
    await support.cases.update({ case_id, subject: 'Help' });
    await expect(support.cases.get({ case_id })).resolves.toMatchObject({ subject: 'Help' });
    await expect(support.cases.search({ contact_id }).toArray()).resolves.toHaveLength(1);
    const message = { case_id, source: 'email', ext_id: 'm' };
    await support.cases.addMessage(message);
    await expect(support.cases.listMessages({ case_id })).resolves.toHaveLength(1);
    await support.cases.removeMessage(message);
    await support.cases.updateTags({ case_id, add: ['z'] });
    await expect(support.cases.listTags({ case_id })).resolves.toEqual(['z']);
    // `authenticate()` opens one session, and the client opens another for its other calls.
    expect(server.support.authentications).toBe(2);
    expect(server.requests.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('receives the reason for a 401 in the status line', async () => {
    const { supportUrl } = await listening();
    const response = await fetch(`${supportUrl}contact/1`);
    expect(response.status).toBe(401);
    expect(response.statusText).toContain('include the access_token parameter');
    expect(await response.text()).toBe('');
    const fixed = new SupportClient({ baseUrl: supportUrl, auth: { accessToken: 'old' } });
    const error = await fixed.me().catch((reason: unknown) => reason);
    await fixed.close();
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(String(error)).toContain('renew the token');
  });
});

import { describe, expect, it } from 'vitest';
import { AuthenticationError } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createEmulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { base, getToken, place, raw } from './support-emulator.js';

const askToInclude = /include the access_token parameter, use the authenticate endpoint/;
const askToRenew = /renew the token/;

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

import { describe, expect, it } from 'vitest';
import { AuthenticationError } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createEmulator, type Dataset, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { base, getToken, place, raw } from './support-emulator.js';

/** Creates a contact and its case, then advances the clock by a minute. `sendRequest` sends requests with a session. */
async function createScene(options: Parameters<typeof place>[0] = {}) {
  const { emulator } = place({ seed: false, ...options });
  const { id: contact_id } = emulator.support.addContact({ name: 'Ada', updated_by: 'grace' });
  emulator.support.addCase({ contact_id, updated_by: 'grace' });
  emulator.clock.advance(60_000);
  const access_token = await getToken(emulator);
  const sendRequest = async (what: string, form?: Record<string, string>) => {
    const [method, path] = what.split(' ');
    if (form) return raw(emulator, what, { access_token, ...form });
    return raw(
      emulator,
      `${method} ${path}${path?.includes('?') ? '&' : '?'}access_token=${access_token}`,
    );
  };
  return { emulator, support: emulator.support, sendRequest };
}

const now = '2014-06-01T12:00:00Z';

const empty: Dataset = { now, support: {} };

describe('the support API', () => {
  it.each<[string, Record<string, string>]>([
    ['POST /contact/1', { name: 'A', cases: '3' }],
    ['POST /contact', { name: '' }],
    ['POST /case/1/messages/add', { source: 'x' }],
    ['POST /contact/1/profiles/remove', { ext_id: 'x' }],
    ['POST /case', { contact_id: '7' }],
    ['POST /case', { campaign: 'None' }],
    ['POST /case', { messages: 'x' }],
    ['POST /case/1', { contact: 'x' }],
    ['POST /case/1', { echo_data: 'maybe' }],
    ['POST /case', { private: 'True' }],
    ...['userName', 'apiKey', 'password'].map((name): [string, Record<string, string>] => [
      'POST /authenticate',
      { ...supportSeed, [name]: '' },
    ]),
    ['POST /authenticate', { ...supportSeed, userName: 'constructor' }],
    ['POST /contact/1/profiles/remove', { source: 'api', ext_id: '1' }],
  ])('responds with 200 and a reason to the invalid write %s %j', async (what, form) => {
    const { emulator, sendRequest } = await createScene();
    const before = emulator.export();
    const { status, data } = await sendRequest(what, form);
    expect([status, data]).toEqual([
      200,
      { success: false, statusMessage: expect.stringMatching(/./) },
    ]);
    expect(emulator.export()).toEqual(before);
  });
});

it.each([
  ...['GET /case/0x1', 'GET /case/1.0', 'GET /case/2', 'POST /case/2', 'GET /contact/2/tags'],
  ...[
    'POST /case/2/messages/add',
    'POST /contact/2/profiles/add',
    'DELETE /case/1',
    'GET /nowhere',
  ],
])('the support API responds with 404 and a reason to %s', async (what) => {
  const { sendRequest } = await createScene();
  const { status, data } = await sendRequest(what);
  expect([status, data]).toMatchObject([
    404,
    { success: false, statusMessage: expect.stringMatching(/./) },
  ]);
});

it("the support API responds with 400 if the body isn't a form", async () => {
  const { emulator } = await createScene();
  for (const type of ['application/json', 'text/plain']) {
    const init = { method: 'POST', body: '{"name":"Ada"}', headers: { 'content-type': type } };
    const response = await emulator.respond(
      new Request('http://support.test/api/v2/contact', init),
    );
    expect([response.status, await response.json()]).toEqual([
      400,
      { success: false, statusMessage: expect.stringContaining('form') },
    ]);
  }
});

describe('support writes', () => {
  it('POST /case omits empty fields', async () => {
    const { support, sendRequest } = await createScene();
    const form = { id: '', contact_id: '', campaign: '', private: 'false', echo_data: 'false' };
    const { data } = await sendRequest('POST /case', { ...form, tag: '', note: '', subject: '' });
    expect(data).toEqual({ success: true, statusMessage: 'ok', case_id: 2 });
    const [, created] = support.cases;
    expect(created).toMatchObject({ private: false, state: 'Open', reopened: false });
    for (const name of ['contact', 'campaign', 'tags', 'notes', 'subject']) {
      expect(created).not.toHaveProperty(name);
    }
    const passed = await sendRequest('POST /case', {
      contact_id: '1',
      private: 'true',
      echo_data: 'true',
    });
    expect(passed.data).toMatchObject({
      case_id: 3,
      data: { id: 3, private: true, contact: { id: 1 } },
    });
    expect(support.contacts[0]?.cases).toBe(2);
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['POST /case/1/messages/add', { source: 'email', ext_id: 'm' }, true],
    ['POST /case/1/messages/remove', { source: 'sms', ext_id: 'a' }, true],
    ['POST /case/1/messages/remove', { source: 'sms', ext_id: 'b' }, false],
    ['POST /case/1/tags', { add: 'a' }, true],
    ['POST /contact/1/profiles/add', { source: 'api', ext_id: '2' }, true],
    ['POST /contact/1/profiles/remove', { source: 'api', ext_id: '1' }, true],
    ['POST /contact/1/profiles/remove', { source: 'api', ext_id: '7' }, false],
    ['POST /contact/1/tags', { add: 'a' }, true],
  ])(
    'a support write sets update_date only if it changes the record (%s %j, changed: %s)',
    async (what, form, changes) => {
      const { emulator, sendRequest } = await createScene();
      await sendRequest('POST /case/1/messages/add', { source: 'sms', ext_id: 'a' });
      await sendRequest('POST /contact/1/profiles/add', { source: 'sms', ext_id: '7' });
      emulator.clock.advance(60_000);
      const kind = what.includes('/case/') ? 'cases' : 'contacts';
      const facts = () => emulator.support[kind][0];
      const before = facts();
      const { status, data } = await sendRequest(what, form);
      expect([status, data.success, data.statusMessage === 'ok']).toEqual([200, true, changes]);
      if (!changes) {
        expect(data.statusMessage).toMatch(/./);
        expect(facts()).toEqual(before);
        return;
      }
      expect(facts()?.updated_by).toBe('mona');
      expect(facts()?.update_date).not.toBe(before?.update_date);
      expect(facts()?.creation_date).toBe(before?.creation_date);
    },
  );
});

it.each([
  [0, '+0000'],
  [-210, '-0330'],
])('support dates with the utcOffset %i end with %s', async (utcOffset, zone) => {
  const { support } = await createScene({ support: { utcOffset } });
  expect(support.contacts[0]?.creation_date?.slice(-5)).toBe(zone);
});

describe('added support records', () => {
  it.each([
    ['Closed', 'Open', 'reopened'],
    ['Closed', undefined, 'not reopened'],
    ['Open', 'Open', 'not reopened'],
    ['Waiting', 'Open', 'reopened'],
    ['Closed', 'Waiting', 'not reopened'],
  ])('a %s case touched with { state: %s } is %s', (before, after, outcome) => {
    const reopened = outcome === 'reopened';
    const emulator = createEmulator({ ...noon, seed: false });
    const { id, last_open_date: opened } = emulator.support.addCase({ state: before });
    emulator.clock.advance(60_000);
    const touched = emulator.support.touchCase(id ?? 0, { state: after });
    expect(touched).toMatchObject({ state: after ?? before, reopened });
    expect(touched.last_open_date === touched.update_date).toBe(reopened);
    expect(touched.last_open_date === opened).toBe(!reopened);
  });

  const emulator = createEmulator({ seed: empty });
  const { support } = emulator;

  it('addContact() and addCase() accept any unreserved attribute name', () => {
    const [of, taken] = [(name: string) => ({ attributes: { [name]: 'x' } }), RangeError];
    expect(support.addContact(of('inbox_date'))).toHaveProperty('inbox_date', 'x');
    expect(support.addCase(of('profiles'))).toHaveProperty('profiles', 'x');
    expect(() => support.addContact(of('profiles'))).toThrow(taken);
    expect(() => support.addCase(of('inbox_date'))).toThrow(taken);
  });
});

describe('support data', () => {
  it('the support API accepts an imported session until it expires', async () => {
    const expires = Date.parse(now) + 5000;
    const sessions = [{ token: 'kept', userName: 'ada', expires }];
    const emulator = createEmulator({ seed: { now, support: { sessions } } });
    const me = async () => (await raw(emulator, 'GET /me?access_token=kept')).status;
    emulator.clock.advance(4999);
    expect(await me()).toBe(200);
    emulator.clock.advance(1);
    expect(await me(), 'at the time of expiry').toBe(401);
  });
});

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

  it('the support API responds with 401 to an unknown or expired token', async () => {
    const { emulator } = place();
    const expired = await getToken(emulator);
    emulator.support.expireTokens();
    for (const what of ['/contact/1?access_token=made-up', `/me?access_token=${expired}`]) {
      const { status, statusText, text } = await raw(emulator, `GET ${what}`);
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

it.each(['/me', '/me?access_token='])('GET %s responds with a 401 and a reason', async (path) => {
  const { status, statusText } = await raw(place().emulator, `GET ${path}`);
  expect([status, statusText]).toEqual([401, expect.stringContaining('Missing access token')]);
});

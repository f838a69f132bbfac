import { describe, expect, test } from 'vitest';
import { createEmulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { getToken, place, raw } from './support-emulator.js';

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

describe('the support API', () => {
  test.each<[string, Record<string, string>]>([
    ['POST /contact', { name: 'A', '': 'x' }],
    ['POST /contact/1', { name: 'A', cases: '3' }],
    ['POST /contact/1', { name: 'A', profiles: 'x' }],
    ['POST /contact/1', { name: '' }],
    ['POST /case', { messages: 'x' }],
    ['POST /case/1', { contact: 'x' }],
    ['POST /case/1', { '': 'x' }],
    ['POST /case/1', { echo_data: 'maybe' }],
    ['POST /case', { private: 'True' }],
    ['POST /authenticate', { ...supportSeed, password: '' }],
    ['POST /authenticate', { userName: 'mona', apiKey: supportSeed.apiKey }],
    ['POST /authenticate', { ...supportSeed, userName: 'constructor' }],
    ['POST /contact/1/profiles/remove', { source: 'api', ext_id: '1' }],
  ])(
    'the support API responds with 200 and a reason to the invalid write %s %j',
    async (what, form) => {
      const { emulator, sendRequest } = await createScene();
      const before = emulator.export();
      const { status, data } = await sendRequest(what, form);
      expect([status, data]).toEqual([
        200,
        { success: false, statusMessage: expect.stringMatching(/./) },
      ]);
      expect(emulator.export()).toEqual(before);
    },
  );
});

test.each([
  ...['GET /case/0x1', 'GET /case/1.0', 'GET /case/1e0', 'GET /case/2', 'POST /case/2'],
  ...['GET /contact/0x1', 'GET /contact/1.0', 'GET /contact/2', 'GET /contact/2/tags'],
  ...['POST /case/2/messages/add', 'POST /contact/2/profiles/add', 'DELETE /case/1', 'POST /me'],
])('the support API responds with 404 and a reason to %s', async (what) => {
  const { sendRequest } = await createScene();
  const { status, data } = await sendRequest(what);
  expect([status, data]).toMatchObject([
    404,
    { success: false, statusMessage: expect.stringMatching(/./) },
  ]);
});

test('the support API suggests the closest routes for an unknown path', async () => {
  const { sendRequest } = await createScene();
  const nearest = async (what: string) => (await sendRequest(what)).data.nearest;
  expect(await nearest('POST /authentication')).toContain('POST /api/v2/authenticate');
  expect(await nearest('GET /mes')).toContain('GET /api/v2/me');
  expect(await nearest('GET /case/1/tag')).toContain('GET /api/v2/case/:id/tags');
});

test("the support API responds with 400 if the body isn't a form", async () => {
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
  test('POST /contact omits empty fields', async () => {
    const { support, sendRequest } = await createScene();
    const form = { id: '', name: 'Eve', tag: '', note: '', level: '', state: 'any' };
    const { data } = await sendRequest('POST /contact', { ...form, echo_data: 'false' });
    expect(data).toEqual({ success: true, statusMessage: 'ok', contact_id: 2 });
    const [, eve] = support.contacts;
    expect(eve).toMatchObject({ name: 'Eve', state: 'any', updated_by: 'mona' });
    for (const name of ['tags', 'notes', 'level']) expect(eve).not.toHaveProperty(name);
  });

  test('POST /case omits empty fields', async () => {
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

  test.each<[string, Record<string, string>, boolean]>([
    ['POST /case/1/messages/add', { source: 'email', ext_id: 'm' }, true],
    ['POST /case/1/messages/remove', { source: 'sms', ext_id: 'a' }, true],
    ['POST /case/1/messages/remove', { source: 'sms', ext_id: 'b' }, false],
    ['POST /case/1/messages/remove', { source: 'email', ext_id: 'a' }, false],
    ['POST /case/1/tags', { add: 'a' }, true],
    ['POST /contact/1/profiles/add', { source: 'api', ext_id: '2' }, true],
    ['POST /contact/1/profiles/add', { source: 'sms', ext_id: '1' }, true],
    ['POST /contact/1/profiles/remove', { source: 'api', ext_id: '1' }, true],
    ['POST /contact/1/profiles/remove', { source: 'api', ext_id: '7' }, false],
    ['POST /contact/1/profiles/remove', { source: 'twitter', ext_id: '1' }, false],
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
      const other = kind === 'cases' ? `${what.split('/')[3]}` : '';
      if (other === 'messages')
        expect(facts()).toHaveProperty('messages', what.endsWith('add') ? 2 : 0);
      if (what.includes('profiles')) {
        const linked = emulator.support.contacts[0]?.profiles;
        expect(linked?.map(({ source, ext_id }) => `${source} ${ext_id}`)).toEqual(
          what.endsWith('add') ? ['api 1', 'sms 7', `${form.source} ${form.ext_id}`] : ['sms 7'],
        );
      }
    },
  );
});

test('the support API responds to GET /me/ and HEAD /me', async () => {
  const { sendRequest } = await createScene();
  expect((await sendRequest('GET /me/')).data).toMatchObject({ logged_in: true });
  expect(await sendRequest('HEAD /me')).toMatchObject({ status: 200, text: '' });
});

test('support dates end with +0000 if utcOffset is 0', async () => {
  const { support } = await createScene({ support: { utcOffset: 0 } });
  expect(support.contacts[0]?.creation_date).toMatch(/\+0000$/);
});

test('a custom support route that returns undefined causes a 404', async () => {
  const { emulator, sendRequest } = await createScene();
  emulator.support.route('POST /echo/:name', async ({ json, params, query }) => {
    const body = await json();
    return params.name === 'none' ? undefined : { body: { ...body, of: query.get('of') } };
  });
  const none = await sendRequest('POST /echo/none', { of: 'x' });
  expect([none.status, none.data]).toEqual([
    404,
    { success: false, statusMessage: expect.stringMatching(/./) },
  ]);
  expect((await sendRequest('POST /echo/a', { of: 'x' })).data).toEqual({ of: 'x' });
  expect((await sendRequest('POST /echos/a')).data.nearest).toContain('POST /api/v2/echo/:name');
});

describe('added support records', () => {
  test('addCase() and addContact() use defaults for omitted fields', () => {
    const { support } = createEmulator({ ...noon, seed: false });
    const created = support.addCase();
    expect(created).toMatchObject({
      id: 1,
      state: 'Open',
      private: false,
      reopened: false,
      messages: 0,
    });
    for (const name of ['contact', 'campaign', 'subject', 'tags', 'updated_by']) {
      expect(created).not.toHaveProperty(name);
    }
    expect(support.cases[0]).not.toHaveProperty('notes');
    expect(support.counts()).toMatchObject({ campaigns: 0 });
    const { campaign, private: hidden } = support.addCase({ campaign: 'New', private: true });
    expect([campaign, hidden]).toEqual([{ id: 1, name: 'New' }, true]);
    expect(support.addCampaign('New')).toBe(1);
    const contact = support.addContact({ notes: ['nobody wrote this'] });
    expect(contact).toMatchObject({ name: 'Contact 1', cases: 0 });
    expect(contact.notes?.[0]).not.toHaveProperty('userName');
  });

  test.each([
    ['Closed', 'Open', 'reopened'],
    ['Closed', 'Closed', 'not reopened'],
    ['Closed', undefined, 'not reopened'],
    ['Open', 'Open', 'not reopened'],
    ['Open', undefined, 'not reopened'],
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
});

test('the support seed contains 250 contacts and 120 cases', () => {
  const { support, clock } = createEmulator(noon);
  const { contacts, cases } = support;
  const daysAgo = (date: string | null | undefined) =>
    (clock.now.getTime() - Date.parse((date ?? '').replace(/(\d\d)$/, ':$1'))) / 86_400_000;
  const share = (some: readonly unknown[], all: readonly unknown[]) => some.length / all.length;
  const getValues = (values: readonly unknown[]) => new Set(values);
  const segmentOf = (contact: object): unknown => Reflect.get(contact, 'segment');
  expect(contacts).toHaveLength(250);
  for (const { id, name, first_name, last_name, crm_id, profiles, ...rest } of contacts) {
    expect(name).toBe(`${first_name} ${last_name}`);
    expect(name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    expect(crm_id).toBe(`crm-${id}`);
    const [profile] = profiles ?? [];
    const ext_id = profile?.source === 'email' ? `person-${id}@example.com` : String(7000 + id);
    expect(profiles).toEqual([{ id, source: profile?.source, ext_id, name }]);
    expect([id, Math.round(daysAgo(rest.creation_date))]).toEqual([id, 400 - id]);
    expect(rest.updated_by).toBe('mona');
    expect(rest.tags ?? ['none']).toHaveLength(1);
    expect((rest.notes ?? []).map(({ text }) => text)).toEqual(rest.notes ? ['called back'] : []);
  }
  const sources = new Set(['email', 'facebook', 'sms', 'twitter']);
  expect(getValues(contacts.map(({ profiles }) => profiles?.[0]?.source))).toEqual(sources);
  expect(getValues(contacts.flatMap(({ tags = [] }) => tags))).toEqual(
    new Set(['churned', 'press', 'trial', 'vip']),
  );
  expect(getValues(contacts.map((each) => segmentOf(each) ?? ''))).toEqual(
    new Set(['', 'gold', 'silver']),
  );
  const shares = {
    tags: share(
      contacts.filter(({ tags }) => tags),
      contacts,
    ),
    notes: share(
      contacts.filter(({ notes }) => notes),
      contacts,
    ),
    segment: share(
      contacts.filter((each) => segmentOf(each)),
      contacts,
    ),
  };
  expect(shares).toEqual({
    tags: expect.closeTo(1 / 3, 1),
    notes: expect.closeTo(1 / 5, 1),
    segment: expect.closeTo(1 / 4, 1),
  });
  const updates = contacts.map(({ update_date }) => daysAgo(update_date));
  expect([Math.max(...updates) > 90, Math.min(...updates) < 10]).toEqual([true, true]);

  expect(cases).toHaveLength(120);
  for (const each of cases) {
    expect(each).toMatchObject({
      subject: `Question ${each.id}`,
      state: (each.id ?? 0) % 3 === 0 ? 'Closed' : 'Open',
      messages: 1,
      updated_by: 'mona',
    });
    expect(each.contact?.id).toBeLessThanOrEqual(40);
    expect(each.tags).toHaveLength(1);
    expect(daysAgo(each.creation_date)).toBeCloseTo(100 - (each.id ?? 0) / 2);
  }
  expect(getValues(cases.map(({ source }) => source))).toEqual(sources);
  const campaigns = new Set(['1 Support', '2 Spring']);
  expect(getValues(cases.map(({ campaign }) => `${campaign?.id} ${campaign?.name}`))).toEqual(
    campaigns,
  );
  expect(
    share(
      cases.filter((each) => each.private),
      cases,
    ),
  ).toBeCloseTo(1 / 2, 1);
  const changed = cases.map(({ update_date }) => daysAgo(update_date));
  expect([Math.max(...changed) > 35, Math.min(...changed) < 5]).toEqual([true, true]);
});

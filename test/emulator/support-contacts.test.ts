import { describe, expect, test } from 'vitest';
import { OperationFailedError } from '../../src/index.js';
import { formatSupportDate } from '../../src/support/index.js';
import { getToken, place, raw } from './support-emulator.js';

/** Creates an emulator with one contact. */
function withAda() {
  const { emulator, client } = place({ seed: false });
  const ada = emulator.support.addContact({ name: 'Ada', crm_id: 'c-1', tags: ['vip'] });
  return { emulator, client, ada, contact_id: ada.id };
}

describe('contacts.create()', () => {
  test('contacts.create() stores every input', async () => {
    const { emulator, client } = place({ seed: false });
    const created = await client.contacts.create({
      name: 'Ada Byron',
      first_name: 'Ada',
      last_name: 'Byron',
      crm_id: 'c-1',
      client_id: 'k-1',
      extended_value: 'countess',
      note: ['one', 'two'],
      tag: ['a', 'b'],
      attributes: { level: 3, vip: true },
      echo_data: true,
    });
    const date = formatSupportDate(emulator.clock.now, { offset: -180 });
    expect(created).toEqual({
      success: true,
      statusMessage: 'ok',
      contact_id: 1,
      data: {
        id: 1,
        url: 'http://support.test/api/v2/contact/1',
        name: 'Ada Byron',
        first_name: 'Ada',
        last_name: 'Byron',
        crm_id: 'c-1',
        client_id: 'k-1',
        extended_value: 'countess',
        level: '3',
        vip: 'true',
        cases: 0,
        profiles: [{ id: 1, source: 'api', ext_id: '1', name: 'Ada Byron' }],
        tags: ['a', 'b'],
        notes: ['one', 'two'].map((text) => ({
          date: emulator.clock.now.getTime(),
          text,
          userName: 'mona',
        })),
        creation_date: date,
        update_date: date,
        updated_by: 'mona',
      },
    });
    expect(await client.contacts.get({ contact_id: 1 })).toEqual(created.data);
    expect(emulator.support.contacts).toEqual([created.data]);
  });

  test('contacts.create() omits empty and unset fields from the contact', async () => {
    const { client } = place({ seed: false });
    const { contact_id: id = 0, data } = await client.contacts.create({ name: 'Ada', crm_id: '' });
    expect(data).toBeUndefined();
    const contact = await client.contacts.get({ contact_id: id });
    expect(new Set(Object.keys(contact))).toEqual(
      new Set([
        'cases',
        'creation_date',
        'id',
        'name',
        'profiles',
        'update_date',
        'updated_by',
        'url',
      ]),
    );
  });

  test('POST /contact responds to an invalid field with a 200 and a reason', async () => {
    const { emulator } = place({ seed: false });
    const access_token = await getToken(emulator);
    const tried: [Record<string, string>, string][] = [
      [{ crm_id: 'c' }, 'name is required'],
      [{ name: '' }, 'name is required'],
      [{ name: 'Ada', echo_data: 'maybe' }, 'echo_data must be true or false'],
      [{ name: 'Ada', creation_date: 'x' }, "creation_date can't be set"],
      [{ name: 'Ada', cases: '3' }, "cases can't be set"],
    ];
    for (const [form, statusMessage] of tried) {
      const { status, data } = await raw(emulator, 'POST /contact', { access_token, ...form });
      expect(status).toBe(200);
      expect(data).toEqual({ success: false, statusMessage });
    }
    expect(emulator.support.contacts).toEqual([]);
  });

  test('POST /contact accepts attributes named after Object.prototype members', async () => {
    const { emulator } = place({ seed: false });
    const access_token = await getToken(emulator);
    const form = { access_token, name: 'Ada', toString: 'a', hasOwnProperty: 'b' };
    const { data } = await raw(emulator, 'POST /contact', form);
    expect(data.success).toBe(true);
    const { text } = await raw(emulator, `GET /contact/1?access_token=${access_token}`);
    expect(text).toContain('"toString":"a"');
  });
});

describe('contacts.update()', () => {
  test('contacts.update() changes passed fields and appends notes and tags', async () => {
    const { emulator, client, contact_id } = withAda();
    emulator.clock.advance(5000);
    const updated = await client.contacts.update({
      contact_id,
      name: 'Ada Byron',
      crm_id: '',
      note: 'called',
      tag: 'new',
      attributes: { level: 4 },
    });
    expect(updated).toMatchObject({ name: 'Ada Byron', level: '4', tags: ['vip', 'new'] });
    const got = await client.contacts.get({ contact_id });
    expect(updated).toMatchObject(got);
    expect(got).not.toHaveProperty('crm_id');
    expect(got.notes).toEqual([
      { date: emulator.clock.now.getTime(), text: 'called', userName: 'mona' },
    ]);
    expect(got.update_date).toBe(formatSupportDate(emulator.clock.now, { offset: -180 }));
    expect(got.creation_date).not.toBe(got.update_date);
  });

  test('POST /contact accepts the ID as a field instead of in the path', async () => {
    const { emulator } = withAda();
    const access_token = await getToken(emulator);
    const { data } = await raw(emulator, 'POST /contact', { access_token, id: '1', name: 'New' });
    expect(data).toMatchObject({ success: true, statusMessage: 'ok', id: 1, name: 'New' });
    const none = await raw(emulator, 'POST /contact', { access_token, id: '2', name: 'New' });
    expect(none.status).toBe(404);
  });

  test('POST /contact/:id requires a name', async () => {
    const { emulator } = withAda();
    const access_token = await getToken(emulator);
    const { status, data } = await raw(emulator, 'POST /contact/1', { access_token, crm_id: 'x' });
    expect(status).toBe(200);
    expect(data).toEqual({ success: false, statusMessage: 'name is required' });
    expect(emulator.support.contacts[0]).toMatchObject({ crm_id: 'c-1' });
  });
});

describe('touchContact()', () => {
  test('touchContact() changes the passed fields and the update date', async () => {
    const { emulator, client, contact_id } = withAda();
    emulator.clock.advance(60_000);
    emulator.support.touchContact(contact_id, {
      last_name: 'Byron',
      notes: ['met'],
      attributes: { level: '5' },
      updated_by: 'grace',
    });
    const got = await client.contacts.get({ contact_id });
    expect(got).toMatchObject({ name: 'Ada', last_name: 'Byron', level: '5', updated_by: 'grace' });
    expect(got.notes).toMatchObject([{ text: 'met', userName: 'grace' }]);
    expect(got.update_date).toBe(formatSupportDate(emulator.clock.now, { offset: -180 }));
    const kept = emulator.support.touchContact(contact_id, { name: undefined });
    expect(kept.name, 'undefined keeps the value').toBe('Ada');
    const updated = '2030-01-02T03:04:05.678Z';
    expect(emulator.support.touchContact(contact_id, { updated }).update_date).toBe(
      '2030-01-02T00:04:05-0300',
    );
    expect(() => emulator.support.touchContact(99)).toThrow(
      'must be the ID of an existing contact (got 99)',
    );
  });
});

test('updateTags() adds and removes the tags of a contact', async () => {
  const { client, contact_id } = withAda();
  await expect(client.contacts.listTags({ contact_id })).resolves.toEqual(['vip']);
  const changed = await client.contacts.updateTags({
    contact_id,
    add: ['a', 'b'],
    remove: ['vip'],
  });
  expect(changed).toMatchObject({ id: contact_id, tags: ['a', 'b'] });
  await client.contacts.updateTags({ contact_id, remove: ['a', 'b', 'never there'] });
  await expect(client.contacts.listTags({ contact_id })).resolves.toEqual([]);
  expect(await client.contacts.get({ contact_id })).not.toHaveProperty('tags');
});

test('removeProfile() rejects the removal of the last profile', async () => {
  const { client, contact_id } = withAda();
  const twitter = { contact_id, source: 'twitter', ext_id: '55' };
  await client.contacts.addProfile({ ...twitter, user_name: 'ada' });
  await client.contacts.addProfile({ ...twitter, name: 'Ada B.' });
  const own = { id: 1, source: 'api', ext_id: '1', name: 'Ada' };
  await expect(client.contacts.listProfiles({ contact_id })).resolves.toEqual([
    own,
    { id: 2, source: 'twitter', ext_id: '55', user_name: 'ada', name: 'Ada B.' },
  ]);
  await client.contacts.removeProfile(twitter);
  await client.contacts.removeProfile(twitter); // Changes nothing, because the profile is already removed.
  await expect(client.contacts.listProfiles({ contact_id })).resolves.toEqual([own]);
  const last = client.contacts.removeProfile({ contact_id, source: 'api', ext_id: '1' });
  const error = await last.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperationFailedError);
  expect(error).toMatchObject({ statusMessage: 'a contact must have at least one profile' });
});

test.each(['profiles/add', 'profiles/remove'])(
  'POST /contact/:id/%s requires source and ext_id',
  async (path) => {
    const { emulator } = withAda();
    const access_token = await getToken(emulator);
    for (const [name, other] of [
      ['source', 'ext_id'],
      ['ext_id', 'source'],
    ] as const) {
      const form = { access_token, [other]: 'x' };
      const { status, data } = await raw(emulator, `POST /contact/1/${path}`, form);
      expect(status).toBe(200);
      expect(data).toEqual({ success: false, statusMessage: `${name} is required` });
    }
  },
);

describe('support.addContact()', () => {
  test('addContact() stores the passed fields and assigns the next ID', async () => {
    const { emulator, client } = place({ seed: false });
    const added = emulator.support.addContact({
      id: 40,
      name: 'Grace',
      url: 'https://crm.example.com/40',
      profiles: [{ source: 'email', ext_id: 'grace@example.com', followers: 3 }],
      tags: ['navy'],
      notes: ['first'],
      attributes: { rank: 'admiral' },
      created: '2015-02-20T19:32:51.999Z',
      updated_by: 'ada',
    });
    expect(added).toMatchObject({
      id: 40,
      rank: 'admiral',
      url: 'https://crm.example.com/40',
      profiles: [{ id: 1, source: 'email', ext_id: 'grace@example.com', followers: 3 }],
      creation_date: '2015-02-20T16:32:51-0300',
      update_date: '2015-02-20T16:32:51-0300',
      updated_by: 'ada',
    });
    expect(await client.contacts.get({ contact_id: 40 })).toEqual(added);
    expect(emulator.support.addContact().id).toBe(41);
  });

  test('addContact() rejects reserved attribute names, negative IDs and IDs that are in use', () => {
    const { emulator, contact_id } = withAda();
    expect(() => emulator.support.addContact({ id: contact_id })).toThrow(/unused.* \(got 1\)/);
    expect(() => emulator.support.addContact({ id: -1 })).toThrow(RangeError);
    expect(() => emulator.support.addContact({ attributes: { tags: 'x' } })).toThrow(/reserved/);
  });

  test('addContacts() adds 10,000 contacts with different dates', async () => {
    const { emulator, client } = place({ seed: false });
    const ids = emulator.support.addContacts(10_000);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 1, 10_000]);
    const dates = new Set(emulator.support.contacts.map((each) => each.update_date));
    expect(dates.size).toBe(10_000);
    emulator.support.addContacts(2, (index) => ({ name: `Own ${index}` }));
    const own = await client.contacts.search({ name: 'own' }).toArray();
    expect(own.map(({ name }) => name)).toEqual(['Own 0', 'Own 1']);
  });

  test('emulator.reset() removes added contacts and undoes changes', () => {
    const { emulator } = place();
    const before = emulator.support.contacts;
    emulator.support.addContacts(3);
    emulator.support.touchContact(1, { name: 'Other' });
    emulator.reset();
    expect(emulator.support.contacts).toEqual(before);
  });
});

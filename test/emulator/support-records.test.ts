import { describe, expect, it } from 'vitest';
import { OperationFailedError } from '../../src/index.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { writeDate } from '../../src/testing/support/dates.js';
import { place } from './support-emulator.js';

/** Creates an emulator with one contact and its case. */
function withCase() {
  const { emulator, client } = place({ seed: false });
  const { id: contact_id } = emulator.support.addContact({ name: 'Ada' });
  const { id: case_id } = emulator.support.addCase({ contact_id, subject: 'Help', tags: ['old'] });
  return { emulator, client, contact_id, case_id };
}

/** Creates an emulator with one contact. */
function withAda() {
  const { emulator, client } = place({ seed: false });
  const ada = emulator.support.addContact({ name: 'Ada', crm_id: 'c-1', tags: ['vip'] });
  return { emulator, client, ada, contact_id: ada.id };
}

describe('cases.create()', () => {
  it('stores every input', async () => {
    const { emulator, client } = place({ seed: false });
    const campaign = emulator.support.addCampaign('Spring');
    const { id: contact_id } = emulator.support.addContact({ name: 'Ada' });
    const created = await client.cases.create({
      campaign: 'Spring',
      contact_id,
      subject: 'Help',
      source: 'email',
      private: true,
      note: ['one', 'two'],
      tag: 'urgent',
      attributes: { priority: 'high' },
      echo_data: true,
    });
    const date = writeDate(emulator.clock.now.getTime(), -180);
    const contact = await client.contacts.get({ contact_id });
    expect(contact.cases).toBe(1);
    expect(created).toEqual({
      success: true,
      statusMessage: 'ok',
      case_id: 1,
      data: {
        id: 1,
        url: 'http://support.test/api/v2/case/1',
        credits: 0,
        handling_ms: 0,
        sla_seconds: 0,
        we_did_not_reply_since_date: date,
        state: 'Open',
        reopened: false,
        private: true,
        campaign: { id: campaign, name: 'Spring' },
        contact,
        subject: 'Help',
        source: 'email',
        priority: 'high',
        tags: ['urgent'],
        messages: 0,
        messages_sent: 0,
        messages_received: 0,
        first_open_date: date,
        last_open_date: date,
        inbox_date: date,
        creation_date: date,
        update_date: date,
        updated_by: 'mona',
      },
    });
    expect(await client.cases.get({ case_id: 1 })).toEqual(created.data);
    // The API doesn't return a case's notes, but the emulator's state contains them.
    const noteDate = emulator.clock.now.getTime();
    const notes = ['one', 'two'].map((text) => ({ date: noteDate, text, userName: 'mona' }));
    expect(emulator.support.cases).toEqual([{ ...created.data, notes }]);
  });
});

describe('cases.update()', () => {
  it('changes passed fields and appends tags and notes', async () => {
    const { emulator, client, case_id } = withCase();
    emulator.clock.advance(5000);
    const updated = await client.cases.update({
      case_id,
      subject: 'Other',
      note: 'n',
      tag: ['new'],
      attributes: { priority: 'low' },
      echo_data: true,
    });
    expect(updated).toMatchObject({ subject: 'Other', priority: 'low', tags: ['old', 'new'] });
    const got = await client.cases.get({ case_id });
    expect(updated, 'the outcome of the write is not part of the case').toEqual(got);
    expect(got.update_date).toBe(writeDate(emulator.clock.now.getTime(), -180));
    expect(got.creation_date).not.toBe(got.update_date);
    expect(emulator.support.cases[0]?.notes).toMatchObject([{ text: 'n', userName: 'mona' }]);
  });
});

it('addMessage() adds a message to a case only once', async () => {
  const { client, case_id } = withCase();
  const message = { source: 'email', ext_id: 'm-1' };
  await client.cases.addMessage({ case_id, ...message });
  await client.cases.addMessage({ case_id, ...message });
  await client.cases.addMessage({ case_id, source: 'sms', ext_id: 'm-1' });
  await expect(client.cases.listMessages({ case_id })).resolves.toEqual([
    message,
    { source: 'sms', ext_id: 'm-1' },
  ]);
  await expect(client.cases.get({ case_id })).resolves.toMatchObject({
    messages: 2,
    messages_received: 2,
  });
  await client.cases.removeMessage({ case_id, ...message });
  await client.cases.removeMessage({ case_id, ...message }); // Changes nothing, because the message is already removed.
  await client.cases.removeMessage({ case_id, source: 'sms', ext_id: 'm-1' });
  await expect(client.cases.listMessages({ case_id })).resolves.toEqual([]);
});

describe('contacts.create()', () => {
  it('stores every input', async () => {
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
    const date = writeDate(emulator.clock.now.getTime(), -180);
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
});

describe('contacts.update()', () => {
  it('changes passed fields and appends notes and tags', async () => {
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
    expect(got.update_date).toBe(writeDate(emulator.clock.now.getTime(), -180));
    expect(got.creation_date).not.toBe(got.update_date);
  });
});

describe('touchContact()', () => {
  it('changes the passed fields and the update date', async () => {
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
    expect(got.update_date).toBe(writeDate(emulator.clock.now.getTime(), -180));
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

it('removeProfile() rejects the removal of the last profile', async () => {
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

describe('addContact()', () => {
  it('stores the passed fields and assigns the next ID', async () => {
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

  it('rejects negative IDs and IDs that are in use', () => {
    const { support } = createEmulator();
    expect(() => support.addContact({ id: 1 })).toThrow(/unused.* \(got 1\)/);
    expect(() => support.addContact({ id: -1 })).toThrow(RangeError);
  });

  it('addContacts() adds 10,000 contacts with different dates', async () => {
    const { emulator, client } = place({ seed: false });
    const ids = emulator.support.addContacts(10_000);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 1, 10_000]);
    const dates = new Set(emulator.support.contacts.map((each) => each.update_date));
    expect(dates.size).toBe(10_000);
    emulator.support.addContacts(2, (index) => ({ name: `Own ${index}` }));
    const own = await client.contacts.search({ name: 'own' }).toArray();
    expect(own.map(({ name }) => name)).toEqual(['Own 0', 'Own 1']);
  });
});

it.each(['contacts', 'cases'] as const)('%s.updateTags() adds and removes tags', async (kind) => {
  const { emulator, client } = place({ seed: false });
  const tags = ['old'];
  if (kind === 'contacts') emulator.support.addContact({ tags });
  else emulator.support.addCase({ tags });
  const update = (input: object) =>
    kind === 'contacts'
      ? client.contacts.updateTags({ contact_id: 1, ...input })
      : client.cases.updateTags({ case_id: 1, ...input });
  const list = () =>
    kind === 'contacts'
      ? client.contacts.listTags({ contact_id: 1 })
      : client.cases.listTags({ case_id: 1 });
  expect(await list()).toEqual(['old']);
  expect(await update({ add: ['a', 'b'], remove: ['old'] })).toMatchObject({
    id: 1,
    tags: ['a', 'b'],
  });
  expect(await list()).toEqual(['a', 'b']);
  await update({ remove: ['a', 'b', 'never there'] });
  expect(await list()).toEqual([]);
  expect(emulator.support[kind][0]).not.toHaveProperty('tags');
});

it.each<[string, (emulator: Emulator) => unknown]>([
  [
    'touchContact',
    ({ support }) => support.touchContact(1, { name: 'New', attributes: { tags: 'x' } }),
  ],
  ['touchCase', ({ support }) => support.touchCase(1, { subject: 'New', attributes: { id: '7' } })],
  ['addCase', ({ support }) => support.addCase({ contact_id: 1, attributes: { state: 'x' } })],
  ['addContact', ({ support }) => support.addContact({ attributes: { profiles: 'x' } })],
])('support.%s() leaves the support data unchanged if it throws', (_what, act) => {
  const emulator = createEmulator();
  const before = emulator.snapshot();
  const cases = emulator.support.contacts[0]?.cases;
  expect(() => act(emulator)).toThrow(RangeError);
  expect(emulator.snapshot()).toEqual(before);
  expect(emulator.support.contacts[0]?.cases).toBe(cases);
});

import { describe, expect, test } from 'vitest';
import { OperationFailedError } from '../../src/index.js';
import { formatSupportDate } from '../../src/support/index.js';
import { getToken, place, raw } from './support-emulator.js';

/** Creates an emulator with one contact and its case. */
function withCase() {
  const { emulator, client } = place({ seed: false });
  const { id: contact_id } = emulator.support.addContact({ name: 'Ada' });
  const { id: case_id } = emulator.support.addCase({ contact_id, subject: 'Help', tags: ['old'] });
  return { emulator, client, contact_id, case_id };
}

describe('cases.create()', () => {
  test('cases.create() stores every input', async () => {
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
    const date = formatSupportDate(emulator.clock.now, { offset: -180 });
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

  test('cases.create() requires no input', async () => {
    const { client } = place({ seed: false });
    const { case_id, data } = await client.cases.create({});
    expect(data).toBeUndefined();
    const got = await client.cases.get({ case_id });
    expect(got).toMatchObject({ id: 1, private: false, state: 'Open' });
    for (const name of ['contact', 'campaign', 'tags', 'subject', 'source']) {
      expect(got).not.toHaveProperty(name);
    }
  });

  test('cases.create() throws an error with the reason if an input is invalid', async () => {
    const { emulator, client } = place({ seed: false });
    const create = async (input: Parameters<typeof client.cases.create>[0]) => {
      const error = await client.cases.create(input).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OperationFailedError);
      return error;
    };
    expect(await create({ contact_id: 7 })).toMatchObject({
      statusMessage: 'contact 7 does not exist',
    });
    expect(await create({ campaign: 'None' })).toMatchObject({
      statusMessage: 'campaign None does not exist',
    });
    expect(await create({ attributes: { state: 'Closed' } })).toMatchObject({
      statusMessage: "state can't be set",
    });
    const access_token = await getToken(emulator);
    const { data } = await raw(emulator, 'POST /case', { access_token, private: 'no' });
    expect(data).toEqual({ success: false, statusMessage: 'private must be true or false' });
    expect(emulator.support.cases).toEqual([]);
  });
});

describe('cases.update()', () => {
  test('cases.update() changes passed fields and appends tags and notes', async () => {
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
    expect(got.update_date).toBe(formatSupportDate(emulator.clock.now, { offset: -180 }));
    expect(got.creation_date).not.toBe(got.update_date);
    expect(emulator.support.cases[0]?.notes).toMatchObject([{ text: 'n', userName: 'mona' }]);
  });

  test('POST /case accepts the ID as a field instead of in the path', async () => {
    const { emulator } = withCase();
    const access_token = await getToken(emulator);
    const { data } = await raw(emulator, 'POST /case', { access_token, id: '1', subject: 'New' });
    expect(data).toMatchObject({ success: true, id: 1, subject: 'New' });
  });
});

describe('touchCase()', () => {
  test('touchCase() closes and reopens a case', async () => {
    const { emulator, client, case_id } = withCase();
    emulator.clock.advance(60_000);
    emulator.support.touchCase(case_id, { state: 'Closed', updated_by: 'grace' });
    const closed = await client.cases.get({ case_id });
    expect(closed).toMatchObject({ state: 'Closed', reopened: false, updated_by: 'grace' });
    emulator.clock.advance(60_000);
    emulator.support.touchCase(case_id, { state: 'Open' });
    const opened = await client.cases.get({ case_id });
    const now = formatSupportDate(emulator.clock.now, { offset: -180 });
    expect(opened).toMatchObject({ state: 'Open', reopened: true, last_open_date: now });
    expect(opened.first_open_date).not.toBe(now);
    expect(() => emulator.support.touchCase(99)).toThrow(
      'must be the ID of an existing case (got 99)',
    );
    expect(() => emulator.support.addCase({ contact_id: 99 })).toThrow(
      'must be the ID of an existing contact (got 99)',
    );
  });
});

test('addMessage() adds a message to a case only once', async () => {
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

test.each(['messages/add', 'messages/remove'])(
  'POST /case/:id/%s requires source and ext_id',
  async (path) => {
    const { emulator } = withCase();
    const access_token = await getToken(emulator);
    const without = await raw(emulator, `POST /case/1/${path}`, { access_token, source: 'email' });
    expect(without.status).toBe(200);
    expect(without.data).toEqual({ success: false, statusMessage: 'ext_id is required' });
    const other = await raw(emulator, `POST /case/1/${path}`, { access_token, ext_id: 'm' });
    expect(other.data).toEqual({ success: false, statusMessage: 'source is required' });
  },
);

test('updateTags() adds and removes the tags of a case', async () => {
  const { client, case_id } = withCase();
  const changed = await client.cases.updateTags({ case_id, add: ['a', 'b'], remove: ['old'] });
  expect(changed).toMatchObject({ id: case_id, tags: ['a', 'b'] });
  await expect(client.cases.listTags({ case_id })).resolves.toEqual(['a', 'b']);
});

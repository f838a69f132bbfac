import { expect, test } from 'vitest';
import { SupportClient } from '../../src/support/index.js';
import { createEmulator, supportSeed } from '../../src/testing/index.js';

test('a search goes to the end', async () => {
  const emulator = createEmulator({ now: new Date() });
  const client = new SupportClient({
    baseUrl: 'http://support.test/api/v2/',
    auth: supportSeed,
    dispatcher: emulator.dispatcher(),
  });
  const contacts = await client.contacts.search({ count: 100 }).toArray();
  expect(contacts).toEqual(emulator.support.contacts);
  expect(contacts).toHaveLength(250);
  expect(emulator.support.authentications).toBe(1);
  const made = await client.contacts.create({ name: 'New', echo_data: true });
  expect(await client.contacts.get({ contact_id: made.contact_id })).toEqual(made.data);
});

import { afterEach, expect, test } from 'vitest';
import { AuthenticationError } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';

let emulator: Emulator | undefined;
let client: SupportClient | undefined;

afterEach(async () => {
  await client?.close();
  await emulator?.close();
});

async function listening(options: Parameters<typeof createEmulator>[0] = {}) {
  const opened = createEmulator(options);
  emulator = opened;
  opened.support.addUser(supportSeed);
  const { supportUrl } = await opened.listen();
  const opener = new SupportClient({ baseUrl: supportUrl, auth: supportSeed });
  client = opener;
  return { emulator: opened, client: opener, supportUrl };
}

test('SupportClient performs every operation over a socket', async () => {
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

test('the support emulator sends the reason for a 401 in the status line', async () => {
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

test('SupportClient renews an expired token once for 16 workers', async () => {
  const { emulator: server, client: support } = await listening({ seed: false });
  const ids = server.support.addContacts(10_000);
  const wanted = support.contacts.search({ count: 100 })[Symbol.asyncIterator]();
  const read: number[] = [];
  let inFlight = 0;
  let expired = false;
  const worker = async () => {
    for (let next = await wanted.next(); !next.done; next = await wanted.next()) {
      inFlight += 1;
      const getting = support.contacts.get({ contact_id: next.value.id });
      if (!expired && inFlight === 16 && read.length > 3000) {
        expired = true;
        server.support.expireTokens();
      }
      read.push((await getting).id);
      inFlight -= 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(expired, '16 calls were in flight when the token expired').toBe(true);
  expect(server.support.authentications).toBe(2);
  expect(read.toSorted((a, b) => a - b)).toEqual(ids);
});

import { describe, expect, test } from 'vitest';
import { createEmulator, type Dataset, supportSeed } from '../../src/testing/index.js';
import { getToken, place, raw } from './support-emulator.js';

const now = '2014-06-01T12:00:00Z';
const contact = { id: 4, name: 'Ada' };
const empty: Dataset = { now, support: {} };

describe('support data', () => {
  test('emulator.reset() restores imported support data', () => {
    const emulator = createEmulator({ seed: { now, support: { contacts: [contact] } } });
    expect(emulator.status().families).toHaveProperty('support.contacts', 1);
    const { support } = emulator.export();
    expect(support?.contacts).toMatchObject([contact]);
    emulator.support.touchContact(4, { name: 'Grace' });
    emulator.reset();
    expect(emulator.export().support).toEqual(support);
    expect(createEmulator({ seed: false }).support.contacts).toEqual([]);
  });

  test('the default seed contains cases with unique email message IDs', () => {
    const ids = createEmulator()
      .export()
      .support?.cases?.map(({ messages }) => {
        expect(messages).toMatchObject([{ source: 'email', ext_id: expect.stringMatching(/./) }]);
        return messages?.[0]?.ext_id;
      });
    expect(new Set(ids).size).toBe(ids?.length);
  });

  test('the support API accepts an imported session until it expires', async () => {
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

describe('added support records', () => {
  const emulator = createEmulator({ seed: empty });
  const { support } = emulator;

  test('a new contact has a URL before the first request', () => {
    expect(support.addContact().url).toMatch(/^http:\/\/[^/]+\/api\/v2\/contact\/\d+$/);
  });

  test('addContact() omits an empty list of profiles', () => {
    expect(support.addContact({ profiles: [] })).not.toHaveProperty('profiles');
    expect(support.addContact({ profiles: [{ source: 'sms' }] })).toHaveProperty('profiles');
  });

  test('addCase() stores the messages of a case', () => {
    const messages = [{ source: 'email', ext_id: 'm' }];
    const { id } = support.addCase({ messages });
    const created = emulator.export().support?.cases?.find((each) => each.id === id);
    expect(created?.messages).toEqual(messages);
  });

  test('addContact() and addCase() accept any unreserved attribute name', () => {
    const [of, taken] = [(name: string) => ({ attributes: { [name]: 'x' } }), RangeError];
    expect(support.addContact(of('inbox_date'))).toHaveProperty('inbox_date', 'x');
    expect(support.addCase(of('profiles'))).toHaveProperty('profiles', 'x');
    expect(() => support.addContact(of('profiles'))).toThrow(taken);
    expect(() => support.addCase(of('inbox_date'))).toThrow(taken);
  });
});

test('GET /case sorts by state', async () => {
  const { emulator } = place({ seed: false });
  for (const state of ['Open', 'Closed', 'Open']) emulator.support.addCase({ state });
  const token = await getToken(emulator);
  const { data } = await raw(emulator, `GET /case?order_by=state&access_token=${token}`);
  const states = data.items.map(({ state }: { state: string }) => state);
  expect(states).toEqual(['Closed', 'Open', 'Open']);
});

test('a maxCount of 1 limits each page to one record', async () => {
  const { emulator } = place({ seed: false, support: { maxCount: 1, defaultCount: 1 } });
  for (let count = 0; count < 2; count++) emulator.support.addContact();
  const token = await getToken(emulator);
  const { data } = await raw(emulator, `GET /contact?access_token=${token}`);
  expect([data.total, data.items.length]).toEqual([2, 1]);
  expect(() => place({ support: { maxCount: 0 } })).toThrow(RangeError);
});

test('json() in a custom support route returns an empty object for a form', async () => {
  const { emulator } = place({ seed: false });
  emulator.support.route('POST /echo', async ({ json }) => ({ body: await json() }));
  const token = await getToken(emulator);
  const { data } = await raw(emulator, 'POST /echo', { access_token: token, a: '1' });
  expect(data).toEqual({});
});

test.each(['userName', 'apiKey', 'password'])(
  'POST /authenticate rejects an empty %s',
  async (name) => {
    const { emulator } = place({ seed: false });
    const { status, data } = await raw(emulator, 'POST /authenticate', {
      ...supportSeed,
      [name]: '',
    });
    expect([status, data]).toMatchObject([200, { success: false }]);
  },
);

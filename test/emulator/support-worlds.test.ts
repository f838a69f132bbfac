import { describe, expect, test } from 'vitest';
import { createEmulator, supportSeed, type World } from '../../src/testing/index.js';
import { place, raw, tokenOf } from './support-place.js';

// What the support API knows beside requests: worlds, sessions that go on, records that are made.

const now = '2014-06-01T12:00:00Z';
const contact = { id: 4, name: 'Ada' };
const empty: World = { now, support: {} };

describe('a world', () => {
  test('goes in and out, and is what a reset goes back to', () => {
    const emulator = createEmulator({ seed: { now, support: { contacts: [contact] } } });
    expect(emulator.status().families).toHaveProperty('support.contacts', 1);
    const { support } = emulator.export();
    expect(support?.contacts).toMatchObject([contact]);
    emulator.support.touchContact(4, { name: 'Grace' });
    emulator.reset();
    expect(emulator.export().support).toEqual(support);
    expect(createEmulator({ seed: false }).support.contacts).toEqual([]);
  });

  test('of the seed has cases that came by mail, with the ids of their messages', () => {
    const ids = createEmulator()
      .export()
      .support?.cases?.map(({ messages }) => {
        expect(messages).toMatchObject([{ source: 'email', ext_id: expect.stringMatching(/./) }]);
        return messages?.[0]?.ext_id;
      });
    expect(new Set(ids).size).toBe(ids?.length);
  });

  test('brings sessions along, until they expire', async () => {
    const expires = Date.parse(now) + 5000;
    const sessions = [{ token: 'kept', userName: 'ada', expires }];
    const emulator = createEmulator({ seed: { now, support: { sessions } } });
    const me = async () => (await raw(emulator, 'GET /me?access_token=kept')).status;
    emulator.clock.advance(4999);
    expect(await me()).toBe(200);
    emulator.clock.advance(1);
    expect(await me(), 'at the very moment').toBe(401);
  });
});

describe('records that are made', () => {
  const emulator = createEmulator({ seed: empty });
  const { support } = emulator;

  test('have URLs before anybody has asked', () => {
    expect(support.addContact().url).toMatch(/^http:\/\/[^/]+\/api\/v2\/contact\/\d+$/);
  });

  test('show no profiles where there are none', () => {
    expect(support.addContact({ profiles: [] })).not.toHaveProperty('profiles');
    expect(support.addContact({ profiles: [{ source: 'sms' }] })).toHaveProperty('profiles');
  });

  test('have their messages', () => {
    const messages = [{ source: 'email', ext_id: 'm' }];
    const { id } = support.addCase({ messages });
    const made = emulator.export().support?.cases?.find((each) => each.id === id);
    expect(made?.messages).toEqual(messages);
  });

  test('have attributes of any name but of those that mean something for their kind', () => {
    const [of, taken] = [(name: string) => ({ attributes: { [name]: 'x' } }), RangeError];
    expect(support.addContact(of('inbox_date'))).toHaveProperty('inbox_date', 'x');
    expect(support.addCase(of('profiles'))).toHaveProperty('profiles', 'x');
    expect(() => support.addContact(of('profiles'))).toThrow(taken);
    expect(() => support.addCase(of('inbox_date'))).toThrow(taken);
  });
});

test('a search of cases is in the order of their states where that is asked for', async () => {
  const { emulator } = place({ seed: false });
  for (const state of ['Open', 'Closed', 'Open']) emulator.support.addCase({ state });
  const token = await tokenOf(emulator);
  const { data } = await raw(emulator, `GET /case?order_by=state&access_token=${token}`);
  const states = data.items.map(({ state }: { state: string }) => state);
  expect(states).toEqual(['Closed', 'Open', 'Open']);
});

test('one record at a time is the least that a search may answer', async () => {
  const { emulator } = place({ seed: false, support: { maxCount: 1, defaultCount: 1 } });
  for (let count = 0; count < 2; count++) emulator.support.addContact();
  const token = await tokenOf(emulator);
  const { data } = await raw(emulator, `GET /contact?access_token=${token}`);
  expect([data.total, data.items.length]).toEqual([2, 1]);
  expect(() => place({ support: { maxCount: 0 } })).toThrow(RangeError);
});

test('a route of one’s own finds no JSON in a form', async () => {
  const { emulator } = place({ seed: false });
  emulator.support.route('POST /echo', async ({ json }) => ({ body: await json() }));
  const token = await tokenOf(emulator);
  const { data } = await raw(emulator, 'POST /echo', { access_token: token, a: '1' });
  expect(data).toEqual({});
});

test.each(['userName', 'apiKey', 'password'])('nobody is let in without %s', async (name) => {
  const { emulator } = place({ seed: false });
  const { status, data } = await raw(emulator, 'POST /authenticate', {
    ...supportSeed,
    [name]: '',
  });
  expect([status, data]).toMatchObject([200, { success: false }]);
});

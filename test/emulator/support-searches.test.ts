import { describe, expect, it } from 'vitest';
import {
  type Contact,
  parseSupportDate,
  type SearchCases,
  type SupportCase,
} from '../../src/support/index.js';
import { getToken, place, raw } from './support-emulator.js';

const time = (date: string | null | undefined) => parseSupportDate(date ?? '').getTime();
const getIds = (records: readonly { id: number }[]) => records.map(({ id }) => id);

describe('cases.search()', () => {
  const { emulator, client } = place();
  const all = emulator.support.cases;
  const middle = all[60]?.update_date ?? '';
  const created = all[60]?.creation_date ?? '';
  const spring = all.find(({ campaign }) => campaign?.name === 'Spring')?.campaign?.id;
  const filters: [SearchCases, (each: SupportCase) => boolean][] = [
    [{ contact_id: 3 }, ({ contact }) => contact?.id === 3],
    [{ campaign_id: spring ?? undefined }, ({ campaign }) => campaign?.name === 'Spring'],
    [{ state: 'Closed' }, ({ state }) => state === 'Closed'],
    [{ source: 'email' }, ({ source }) => source === 'email'],
    [{ with_tag: 'vip' }, ({ tags }) => tags?.includes('vip') === true],
    [{ without_tag: 'vip' }, ({ tags }) => tags?.includes('vip') !== true],
    [{ updated_since: middle }, ({ update_date: date }) => time(date) >= time(middle)],
    [
      { created_since: new Date(time(created)) },
      (each) => time(each.creation_date) >= time(created),
    ],
    [
      { state: 'Open', source: 'sms', without_tag: 'press' },
      ({ state, source, tags }) => state === 'Open' && source === 'sms' && !tags?.includes('press'),
    ],
  ];

  // Test names contain only parameter names, because the dates differ in each run.
  const named = filters.map(([filter, wanted], at) => ({
    name: Object.keys(filter).join(', '),
    at: at + 1,
    filter,
    wanted,
  }));
  it.each(named)('applies the parameters $name (filter $at)', async ({ filter, wanted }) => {
    const found = await client.cases.search(filter).toArray();
    const expected = all.filter(wanted);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    expect(getIds(found)).toEqual(getIds(expected));
  });
});

describe('contacts.search()', () => {
  const { emulator, client } = place();
  const all = emulator.support.contacts;

  it('finds a contact only by its complete crm_id', async () => {
    const found = await client.contacts.search({ crm_id: 'crm-2' }).toArray();
    expect(getIds(found)).toEqual([2]);
  });

  it('finds contacts by a case-insensitive part of their name', async () => {
    const found = await client.contacts.search({ name: 'aDA b' }).toArray();
    expect(found.length).toBeGreaterThan(0);
    expect(getIds(found)).toEqual(getIds(all.filter(({ name }) => name === 'Ada Byron')));
  });
});

describe('order_by', () => {
  const { emulator, client } = place();
  const all = emulator.support.contacts;
  const ordered = (order_by: string | undefined, order_dir?: 'ASC' | 'DESC') =>
    client.contacts.search({ order_by, order_dir, count: 100 }).toArray();
  const byDate = (a: Contact, b: Contact) =>
    time(a.update_date) - time(b.update_date) || a.id - b.id;

  it('a support search sorts by ID by default', async () => {
    expect(getIds(await ordered(undefined))).toEqual(getIds(all));
    expect(getIds(await ordered('id', 'DESC'))).toEqual(getIds(all.toReversed()));
  });

  it('sorts contacts by a date field', async () => {
    const wanted = all.toSorted(byDate);
    expect(getIds(await ordered('update_date', 'ASC'))).toEqual(getIds(wanted));
    expect(getIds(await ordered('update_date', 'DESC'))).toEqual(getIds(wanted.toReversed()));
    expect(getIds(await ordered('creation_date'))).toEqual(getIds(all));
  });

  it.each(['name', 'segment', 'nobody_has_it', 'constructor'])(
    "sorts contacts alphabetically by '%s'",
    async (name) => {
      const text = (each: Contact) =>
        Object.hasOwn(each, name) ? String(Reflect.get(each, name)) : '';
      const compare = (a: Contact, b: Contact) =>
        text(a) === text(b) ? a.id - b.id : text(a) < text(b) ? -1 : 1;
      expect(getIds(await ordered(name))).toEqual(getIds(all.toSorted(compare)));
    },
  );

  it('sorts equal values by ID', async () => {
    const { emulator: own, client: pending } = place({ seed: false });
    for (const [id, grade] of [
      [9, 'B'],
      [5, undefined],
      [7, 'A'],
      [4, 'B'],
      [8, ''],
    ] as const) {
      own.support.addContact({
        id,
        name: 'Same',
        ...(grade !== undefined && { attributes: { grade } }),
      });
      own.support.addCase({ id, ...(id !== 4 && { contact_id: id, campaign: 'One' }) });
    }
    const search = async (order_by: string, order_dir?: 'DESC') =>
      getIds(await pending.contacts.search({ order_by, order_dir }).toArray());
    for (const by of ['name', 'update_date', 'creation_date', 'id', 'valueOf']) {
      expect([by, await search(by)]).toEqual([by, [4, 5, 7, 8, 9]]);
      expect([by, await search(by, 'DESC')]).toEqual([by, [9, 8, 7, 5, 4]]);
    }
    expect(await search('grade'), 'contacts without a grade come first').toEqual([5, 8, 7, 4, 9]);
    const cases = async (input: SearchCases) => getIds(await pending.cases.search(input).toArray());
    expect(await cases({ contact_id: 9 })).toEqual([9]);
    expect(await cases({ contact_id: 0 })).toEqual([]);
    expect(await cases({ campaign_id: 1 })).toEqual([5, 7, 8, 9]);
    expect(await cases({ campaign_id: 2 })).toEqual([]);
  });

  it('sorts a contact by its new update_date immediately after a change', async () => {
    const newest = () => ordered('update_date', 'DESC');
    await newest();
    emulator.support.touchContact(5);
    const [last] = await newest();
    expect(last?.id).toBe(5);
  });
});

describe('search pages', () => {
  it('maxCount limits a search page, and defaultCount is its default size', async () => {
    const { emulator } = place({ support: { defaultCount: 7, maxCount: 30 } });
    const token = await getToken(emulator);
    const page = async (query: string) => {
      const { data } = await raw(emulator, `GET /contact?access_token=${token}${query}`);
      expect(Object.keys(data)).toEqual(['success', 'total', 'items']);
      expect([data.success, data.total]).toEqual([true, 250]);
      return getIds(data.items);
    };
    const from = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => first + index);
    expect(await page('')).toEqual(from(1, 7));
    expect(await page('&count=12')).toEqual(from(1, 12));
    expect(await page('&count=1000')).toEqual(from(1, 30));
    expect(await page('&count=10&index=245')).toEqual(from(246, 5));
    expect(await page('&index=250')).toEqual([]);
    expect(await page('&index=100000')).toEqual([]);
  });
});

it.each([
  ['2015-02-20T16:32:51+0000', 'finds'],
  ['2015-02-20T16:32:52+0000', 'misses'],
  ['2015-02-20T22:02:51+0530', 'finds'],
  ['2015-02-20T22:02:52+0530', 'misses'],
])('a search with updated_since %s %s a contact changed at 16:32:51 UTC', async (date, outcome) => {
  const { emulator } = place({ seed: false });
  emulator.support.addContact({ created: '2015-02-20T16:32:51.999Z' });
  const query = new URLSearchParams({
    updated_since: date,
    access_token: await getToken(emulator),
  });
  const { data } = await raw(emulator, `GET /contact?${query}`);
  expect(data.total).toBe(outcome === 'finds' ? 1 : 0);
});

it.each([
  ['/contact', 'count=0'],
  ['/contact', 'count=many'],
  ['/contact', 'index=-1'],
  ['/contact', 'order_dir=UP'],
  ['/contact', 'updated_since=yesterday'],
  ['/contact', 'updated_since=2015-02-30T00%3A00%3A00%2B0000'],
  ['/case', 'created_since=2015-02-20'],
  ['/case', 'contact_id=ada'],
  ['/case', 'campaign_id=Spring'],
])('GET %s?%s responds with a 400 that names the parameter', async (path, query) => {
  const { emulator } = place();
  const token = await getToken(emulator);
  const { status, data } = await raw(emulator, `GET ${path}?${query}&access_token=${token}`);
  expect(status).toBe(400);
  expect(data).toEqual({ success: false, statusMessage: expect.stringContaining(' ') });
  expect(data.statusMessage).toContain(query.split('=', 1)[0]);
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatSupportDate, parseSupportDate } from '../../src/support/index.js';
import { world } from './support-world.js';

const start = Date.UTC(2014, 0, 1);

/** Formats a time in seconds after `start` in the service's format. */
const at = (second: number) => formatSupportDate(new Date(start + second * 1000));

interface Changed {
  readonly id: number;
  /** Time of the last change, in seconds after `start`. A service may omit the time. */
  second?: number;
}

/** Creates a record for each time of its last change, in seconds after `start`. */
const changedAt = (...seconds: readonly number[]): Changed[] =>
  seconds.map((second, index) => ({ id: index + 1, second }));

/**
 * Starts a service that returns at most `most` records per page, regardless of the requested
 * number.
 */
async function service(records: Changed[], most: number) {
  const { client, server } = await world({
    respond: ({ url }, response) => {
      const requests = new URL(url, 'http://host').searchParams;
      const since = requests.get('updated_since');
      const from = since === null ? 0 : parseSupportDate(since).getTime();
      const found = records
        .filter(({ second }) => second === undefined || start + second * 1000 >= from)
        .sort((a, b) => (a.second ?? 0) - (b.second ?? 0) || a.id - b.id);
      const index = Number(requests.get('index') ?? 0);
      const items = found.slice(index, index + most).map(({ id, second }) => ({
        id,
        ...(second !== undefined && { update_date: at(second) }),
      }));
      response.end(JSON.stringify({ success: true, total: found.length, items }));
    },
  });
  /** Returns each request's `updated_since`, in seconds after `start`, and its `index`. */
  const requests = () =>
    server.log
      .filter((line) => line.startsWith('GET'))
      .map((line) => {
        const query = new URL(line.slice(4), 'http://host').searchParams;
        const since = query.get('updated_since');
        const index = query.get('index');
        const second = since && (parseSupportDate(since).getTime() - start) / 1000;
        return `${second ?? 'all'}${index === null ? '' : `, ${index}`}`;
      });
  return { client, server, requests };
}

const getIds = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id);

describe('changedSince()', () => {
  it('requests changes in order, starting ten minutes before the date', async () => {
    const { client, server } = await service([], 5);
    for (const date of [new Date(start + 600_000), at(600)]) {
      await client.contacts.changedSince(date).toArray();
      const { pathname, searchParams } = new URL(server.requests.at(-1)?.url ?? '', 'http://host');
      searchParams.delete('access_token');
      expect(pathname).toBe('/api/v2/contact');
      expect(Object.fromEntries(searchParams)).toEqual({
        order_by: 'update_date',
        order_dir: 'ASC',
        count: '100',
        updated_since: '2014-01-01T00:00:00+0000',
      });
    }
  });

  it('continues at the last date of a page and returns each record once', async () => {
    const { client, requests: listRequests } = await service(changedAt(0, 1, 2, 3, 4), 3);
    expect(getIds(await client.cases.changedSince().toArray())).toEqual([1, 2, 3, 4, 5]);
    expect(listRequests()).toEqual(['all', '1', '2']);
  });

  it('returns a record again if the record changes between two page requests', async () => {
    const records = changedAt(0, 1, 2, 3, 4);
    const { client, requests: listRequests } = await service(records, 3);
    const pages: number[][] = [];
    for await (const page of client.cases.changedSince().pages()) {
      pages.push(getIds(page.items));
      if (pages.length === 1) records[2] = { id: 3, second: 4 };
    }
    expect(pages).toEqual([[1, 2, 3], [4, 3], [5]]);
    expect(listRequests()).toEqual(['all', '1', '3']);
  });

  it('continues by index if records of the same second fill several pages', async () => {
    const { client, requests: listRequests } = await service(changedAt(0, 0, 0, 0, 0), 2);
    expect(getIds(await client.cases.changedSince().toArray())).toEqual([1, 2, 3, 4, 5]);
    expect(listRequests()).toEqual(['all', '-1', '-1, 1', '-1, 2', '-1, 3']);
  });

  it('rereads the records of a second if their positions have changed', async () => {
    const records = changedAt(0, 0, 0, 0, 0);
    const { client, requests: listRequests } = await service(records, 2);
    const seen: number[] = [];
    for await (const page of client.cases.changedSince().pages()) {
      seen.push(...getIds(page.items));
      if (seen.length === 3 && records[0]?.second === 0) records[0] = { id: 1, second: 7 };
    }
    expect(new Set(seen)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(seen.lastIndexOf(1), 'its change comes last').toBe(seen.length - 1);
    expect(listRequests().slice(0, 5)).toEqual(['all', '-1', '-1, 1', '-1, 2', '-1']);
  });
  it("changedSince().as() yields the schema's output, even without an ID and a date", async () => {
    const { client } = await service(changedAt(0, 1, 2), 2);
    const label = z.pipe(
      z.object({ id: z.int() }),
      z.transform(({ id }) => `#${id}`),
    );
    expect(await client.cases.changedSince().as(label).toArray()).toEqual(['#1', '#2', '#3']);
  });

  it.each([
    ['unsorted records', [7, 8, 3].map((id) => ({ id, update_date: at(id) })), 'update_date'],
    ['an invalid date', [{ id: 7, update_date: 'yesterday' }], 'an update_date is invalid'],
    ['a record without a numeric ID', [{ id: '7', update_date: at(7) }], 'numeric ID'],
  ])('rejects a page with %s', async (_name, items, says) => {
    const { client } = await world({
      options: { validation: 'off' },
      respond: (_request, response) => {
        response.end(JSON.stringify({ success: true, total: 9, items }));
      },
    });
    const refused: unknown = await client.cases
      .changedSince()
      .toArray()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'response_shape',
      request: { operation: 'changedSince', method: 'GET' },
      issues: [{ path: [], message: expect.stringContaining(says) }],
      response: { status: 200 },
    });
    expect(refused).toHaveProperty('request.url', expect.stringContaining('/api/v2/case'));
  });

  it("continues from a cursor's date and index", async () => {
    const { client, requests: listRequests } = await service(changedAt(0, 0, 0, 1), 2);
    const [first, second] = await Promise.all([
      client.cases.changedSince(undefined, { from: '|2|' }).toArray(),
      client.cases.changedSince(undefined, { from: `${at(-1)}|1|2` }).first(),
    ]);
    expect(getIds(first)).toEqual([3, 4]);
    expect(second).toMatchObject({ id: 2 });
    expect(listRequests()).toEqual(expect.arrayContaining(['-1, 1', 'all, 2']));
  });

  it.each(['', '7', '|0', '||', '|0||', '7||1|', '|1|1x', `|${'1'.repeat(16)}|`])(
    'rejects the cursor %j',
    async (from) => {
      const { client, requests: listRequests } = await service([], 1);
      const call = client.cases.changedSince(undefined, { from }).first();
      await expect(call).rejects.toMatchObject({ code: 'invalid_request', field: 'from' });
      expect(listRequests()).toEqual([]);
    },
  );
});

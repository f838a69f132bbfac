import { describe, expect, test } from 'vitest';
import type { Contact } from '../../src/support/index.js';
import { world } from './support-world.js';

test('a search over 10,000 contacts feeds 16 workers; the token ends while all are in flight', async () => {
  const total = 10_000;
  const read: number[] = [];
  let inFlight = 0;
  let expired = false;
  const held: (() => void)[] = [];
  const { client, sessions, expire } = await world({
    answer: (request, response) => {
      const url = new URL(request.url, 'http://host');
      const id = /\/contact\/(\d+)$/.exec(url.pathname)?.[1];
      if (id !== undefined) {
        read.push(Number(id));
        response.end(JSON.stringify({ id: Number(id) }));
        return;
      }
      const index = Number(url.searchParams.get('index') ?? 0);
      // The server caps what is asked for.
      const items = Array.from({ length: Math.min(400, total - index) }, (_, offset) => ({
        id: index + offset,
      }));
      response.end(JSON.stringify({ success: true, total, items }));
    },
  });
  const found = client.contacts.search({ count: 1000 })[Symbol.asyncIterator]();
  async function worker(): Promise<void> {
    for (;;) {
      const next = await found.next();
      if (next.done) return;
      inFlight += 1;
      if (!expired && next.value.id >= 5000) {
        // All sixteen meet here, and ask with a token that has just ended.
        const all = new Promise<void>((resolve) => held.push(resolve));
        if (held.length === 16) {
          expired = true;
          expire();
          for (const go of held) go();
        }
        await all;
      }
      await client.contacts.get({ contact_id: next.value.id });
      inFlight -= 1;
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker));
  await client.close();
  expect(expired).toBe(true);
  expect(inFlight).toBe(0);
  expect(sessions()).toBe(2);
  expect(read).toHaveLength(total);
  expect(new Set(read).size).toBe(total);
});

describe('searches', () => {
  async function searching(pages: readonly unknown[]) {
    let page = 0;
    return await world({
      answer: (_request, response) => {
        response.end(JSON.stringify(pages[page++]));
      },
    });
  }
  const ids = (contacts: readonly Contact[]) => contacts.map((contact) => contact.id);

  test.each<[string, readonly unknown[], readonly number[]]>([
    [
      'envelopes with a total',
      [
        { total: 3, items: [{ id: 1 }, { id: 2 }] },
        { total: 3, items: [{ id: 3 }] },
      ],
      [1, 2, 3],
    ],
    [
      'envelopes without one',
      [{ items: [{ id: 1 }] }, { items: [{ id: 2 }] }, { items: [] }],
      [1, 2],
    ],
    ['bare arrays', [[{ id: 1 }], [{ id: 2 }], []], [1, 2]],
    ['a lone record', [{ id: 1 }], [1]],
    ['nothing', [{ success: true, total: 0, items: [] }], []],
  ])('%s', async (_name, pages, expected) => {
    const { client } = await searching(pages);
    expect(ids(await client.contacts.search().toArray())).toEqual(expected);
    await client.close();
  });

  test('a page that repeats is an error, and so is an empty one before the total', async () => {
    const repeating = await searching([[{ id: 1 }], [{ id: 1 }]]);
    await expect(repeating.client.contacts.search().toArray()).rejects.toThrow(
      'repeats the one before',
    );
    await repeating.client.close();
    const short = await searching([
      { total: 9, items: [{ id: 1 }] },
      { total: 9, items: [] },
    ]);
    await expect(short.client.contacts.search().toArray()).rejects.toMatchObject({
      code: 'response_shape',
    });
    await short.client.close();
  });

  test('continues from a cursor', async () => {
    const { client, server } = await searching([
      { total: 9, items: [{ id: 8 }] },
      { total: 9, items: [{ id: 8 }] },
    ]);
    const first = await client.contacts.search({ index: 7 }).pages().next();
    expect(first.value.cursor).toBe('8');
    await client.contacts.search({}, { from: first.value.cursor }).toArray();
    expect(server.log.at(-1)).toContain('index=8');
    await expect(client.contacts.search({}, { from: 'page 2' }).toArray()).rejects.toMatchObject({
      field: 'from',
    });
    await client.close();
  });

  test('a record that does not fit is named by its place', async () => {
    const { client } = await searching([{ total: 2, items: [{ id: 1 }, { id: 'two' }] }]);
    await expect(client.contacts.search().toArray()).rejects.toMatchObject({
      issues: [{ path: ['items', 1, 'id'] }],
    });
    await client.close();
  });
});

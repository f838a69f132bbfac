import { describe, expect, test } from 'vitest';
import type { Contact } from '../../src/support/index.js';
import { world } from './support-world.js';

describe('support searches', () => {
  async function searching(pages: readonly unknown[]) {
    let page = 0;
    return await world({
      respond: (_request, response) => {
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
      'envelopes without a total',
      [{ items: [{ id: 1 }] }, { items: [{ id: 2 }] }, { items: [] }],
      [1, 2],
    ],
    ['bare arrays', [[{ id: 1 }], [{ id: 2 }], []], [1, 2]],
    ['a single record', [{ id: 1 }], [1]],
    ['an empty envelope', [{ success: true, total: 0, items: [] }], []],
  ])('a support search accepts %s', async (_name, pages, expected) => {
    const { client } = await searching(pages);
    expect(ids(await client.contacts.search().toArray())).toEqual(expected);
    await client.close();
  });

  test('a support search rejects a repeated page, and an empty page before the total is reached', async () => {
    const repeating = await searching([[{ id: 1 }], [{ id: 1 }]]);
    await expect(repeating.client.contacts.search().toArray()).rejects.toThrow(
      'repeats the previous page',
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

  test('a support search resumes from a numeric cursor and rejects other text', async () => {
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

  test('a support search reports the path of an invalid record', async () => {
    const { client } = await searching([{ total: 2, items: [{ id: 1 }, { id: 'two' }] }]);
    await expect(client.cases.search().toArray()).rejects.toMatchObject({
      issues: [{ path: ['items', 1, 'id'] }],
    });
    await client.close();
  });
});

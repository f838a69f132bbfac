import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SupportClient } from '../../src/support/index.js';
import { rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { recordEvents } from '../unit/transport/recorded-events.js';

const request = 'GET /contact';

/** Creates a client and a server that sends the pages in order. */
async function searching(...pages: readonly unknown[]) {
  const server = await serve((_request, response, index) => sendJson(response, pages[index]));
  const client = new SupportClient({ baseUrl: server.origin, auth: { accessToken: 'tok' } });
  return { client, server };
}

describe('support searches', () => {
  test.each<[string, unknown]>([
    ['in `items` next to other arrays', { total: 2, facets: ['x'], items: [1, 2] }],
    [
      'in the only array of an envelope, under any name',
      { total: 2, success: true, contacts: [1, 2] },
    ],
    ['in an array without an envelope', [1, 2]],
  ])('a support search finds records %s', async (_name, page) => {
    const { client } = await searching(page, []);
    expect(await client.paginate(request).toArray()).toEqual([1, 2]);
    await client.close();
  });

  test.each<[string, unknown]>([
    ['two arrays, neither named items', { contacts: [1], users: [2] }],
    ['no array', { total: 2, success: true }],
  ])('a support search rejects an envelope with %s', async (_name, page) => {
    const { client } = await searching(page);
    expect(await rejectionOf(client.paginate(request).toArray())).toMatchObject({
      code: 'response_shape',
    });
    await client.close();
  });

  const fitting = z.object({ id: z.number().transform(String) });
  const other = z.object({ id: z.string() });

  test.each<[string, (client: SupportClient, schema: z.ZodType) => unknown]>([
    ["a request's schema", (client, schema) => client.paginate(request, {}, { schema }).toArray()],
    ['the schema of as()', (client, schema) => client.paginate(request).as(schema).toArray()],
  ])('a support search validates each record with %s', async (_name, read) => {
    const page = { total: 1, items: [{ id: 7 }] };
    const { client } = await searching(page, page);
    expect(await read(client, fitting)).toEqual([{ id: '7' }]);
    const error = await rejectionOf(Promise.resolve(read(client, other)));
    expect(error).toMatchObject({ code: 'response_shape', issues: [{}] });
    await client.close();
  });
});

test("an empty search doesn't publish a triforge:list:moved event", async () => {
  const events = recordEvents('triforge:list:moved');
  const { client } = await searching({ total: 0, items: [] });
  expect(await client.paginate(request, {}, { concurrency: 4 }).toArray()).toEqual([]);
  expect(events).toEqual([]);
  await client.close();
});

import { expect, onTestFinished, test } from 'vitest';
import type { SupportClient } from '../../src/support/index.js';
import { world } from './support-world.js';

/** Runs a search and returns each request's `index` parameter, or null if a request has none. */
async function getIndexes(search: (client: SupportClient) => { toArray(): Promise<unknown> }) {
  const pages = [[{ id: 1 }, { id: 2 }], [{ id: 3 }], []];
  let page = 0;
  const { client, server } = await world({
    respond: (_request, response) => response.end(JSON.stringify(pages[page++])),
  });
  onTestFinished(() => client.close());
  await search(client).toArray();
  const urls = server.log.map((line) => new URL(line.slice(line.indexOf('/')), server.origin));
  return urls
    .filter(({ pathname }) => !pathname.endsWith('/authenticate'))
    .map(({ searchParams }) => searchParams.get('index'));
}

test('a search without an index omits the parameter for the first page', async () => {
  expect(await getIndexes(({ contacts }) => contacts.search())).toEqual([null, '2', '3']);
});

test('a search with an index of 0 sends index=0 for the first page', async () => {
  const indexes = await getIndexes(({ contacts }) => contacts.search({ index: 0 }));
  expect(indexes).toEqual(['0', '2', '3']);
});

test('a cursor overrides the index, even if the cursor is 0', async () => {
  const indexes = await getIndexes(({ contacts }) => contacts.search({ index: 5 }, { from: '0' }));
  expect(indexes).toEqual(['0', '2', '3']);
});

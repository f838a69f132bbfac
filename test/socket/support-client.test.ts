import { expect, test } from 'vitest';
import type { SupportClient } from '../../src/index.js';
import { until } from '../support/client.js';
import { world } from './support-world.js';

test.each<[string, (client: SupportClient) => Promise<void>]>([
  ['on close()', (client) => client.close()],
  ['at the end of an `await using` block', (client) => client[Symbol.asyncDispose]()],
])('SupportClient closes its sockets %s', async (_how, end) => {
  const { client, server } = await world({
    respond(_request, response) {
      // Without this header, undici would soon close the connection itself.
      response.setHeader('keep-alive', 'timeout=600');
      response.end('{"logged_in":true}');
    },
  });
  await client.me();
  await end(client);
  await until('no socket is open', async () => (await server.open()) === 0);
});

test('SupportClient exposes only the properties contacts and cases', async () => {
  const { client } = await world();
  expect(Object.keys(client)).toEqual(['contacts', 'cases']);
  await client.close();
});

import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import { consoleServer, type Reply } from './console-server.js';

const licenseMd5 = '0'.repeat(32);

const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** All calls that change an appliance. */
const writes: Readonly<Record<string, (client: ConsoleClient) => PromiseLike<unknown>>> = {
  'start()': (client) => client.start({ license: Buffer.from('a'), package: Buffer.from('b') }),
  'upgrade()': (client) => client.upgrade({ license: Buffer.from('a') }),
  'configure()': (client) => client.configure(),
  'settings.update()': (client) => client.settings.update({ enterprise: { private_mode: true } }),
  'maintenance.set()': (client) => client.maintenance.set({ enabled: false }),
  'authorizedKeys.add()': (client) =>
    client.authorizedKeys.add({ authorized_key: Buffer.from(publicKey) }),
  'authorizedKeys.delete()': (client) =>
    client.authorizedKeys.delete({ authorized_key: Buffer.from(publicKey) }),
  'a raw POST': (client) =>
    client.request(
      'POST /x',
      {},
      { body: { data: JSON.stringify({}), contentType: 'application/json' } },
    ),
  'a raw PUT': (client) =>
    client.request(
      'PUT /x',
      {},
      { body: { data: JSON.stringify({}), contentType: 'application/json' } },
    ),
  'a raw DELETE': (client) => client.request('DELETE /x'),
};

const responses: Readonly<Record<string, Reply>> = {
  'a 429': { status: 429, headers: { 'retry-after': '0' }, body: {} },
  'a 403 for an exhausted quota': {
    status: 403,
    headers: {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1000000000',
    },
    body: { message: 'API rate limit exceeded' },
  },
  'a 503 with Retry-After': { status: 503, headers: { 'retry-after': '0' }, body: {} },
  'a lost connection': 'reset',
};

describe('ConsoleClient', () => {
  for (const [name, response] of Object.entries(responses)) {
    it.each(Object.entries(writes))(
      `ConsoleClient does not retry %s after ${name}`,
      async (_name, write) => {
        await using server = await consoleServer(() => response);
        await using client = new ConsoleClient({
          baseUrl: server.url,
          auth: { licenseMd5 },
          retry: { baseDelay: 0 },
          rateLimit: { onLimit: 'wait' },
        });
        await rejectionOf(write(client));
        expect(server.seen).toHaveLength(1);
      },
    );

    it(`ConsoleClient retries configCheck() after ${name}`, async () => {
      const status = { status: 'success', progress: [] };
      await using server = await consoleServer((_seen, count) =>
        count === 1 ? response : { status: 200, body: status },
      );
      await using client = new ConsoleClient({
        baseUrl: server.url,
        auth: { licenseMd5 },
        retry: { baseDelay: 0 },
        rateLimit: { onLimit: 'wait' },
      });
      expect(await client.configCheck()).toMatchObject(status);
      expect(server.seen).toHaveLength(2);
    });

    it(`ConsoleClient retries a raw GET after ${name}`, async () => {
      await using server = await consoleServer((_seen, count) =>
        count === 1 ? response : { status: 200, body: {} },
      );
      await using client = new ConsoleClient({
        baseUrl: server.url,
        auth: { licenseMd5 },
        retry: { baseDelay: 0 },
        rateLimit: { onLimit: 'wait' },
      });
      expect(await client.request('GET /x')).toEqual({});
      expect(server.seen).toHaveLength(2);
    });
  }
});

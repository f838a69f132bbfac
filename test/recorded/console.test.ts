import { describe, expect, it } from 'vitest';
import * as api from '../../src/console/index.js';
import { key, licenseMd5 } from '../contract/rows/console.js';
import { consoleServer } from '../socket/console-server.js';
import { formatTitle, loadRecordings, recordingsAvailable, recordingsNote } from './recordings.js';

const files = { license: Buffer.from('license'), package: Buffer.from('package') };

/** Client method for each recorded operation. */
const calls: Readonly<Record<string, (client: api.ConsoleClient) => Promise<unknown>>> = {
  'console.start': (client) => client.start(files),
  'console.upgrade': (client) => client.upgrade(files),
  'console.configcheck': (client) => client.configCheck(),
  'console.configure': (client) => client.configure(),
  'console.settings.get': (client) => client.settings.get(),
  'console.settings.update': (client) =>
    client.settings.update({ enterprise: { customer: { name: 'Jean-Luc Picard' } } }),
  'console.maintenance.get': (client) => client.maintenance.get(),
  'console.maintenance.set': (client) => client.maintenance.set({ enabled: true, when: 'now' }),
  'console.authorizedKeys.list': (client) => client.authorizedKeys.list(),
  'console.authorizedKeys.add': (client) => client.authorizedKeys.add({ authorized_key: key }),
  'console.authorizedKeys.remove': (client) =>
    client.authorizedKeys.delete({ authorized_key: key }),
};

const recordings = loadRecordings('hosting-and-console.ndjson').filter((each) =>
  each.operation?.startsWith('console.'),
);
const clientCases = recordings.map((recording) => ({ title: formatTitle(recording), recording }));

describe.skipIf(!recordingsAvailable)(
  `ConsoleClient with recorded responses, in strict mode (${recordingsNote})`,
  () => {
    it('recordings cover every console operation', () => {
      const operations = new Set(recordings.map(({ operation }) => operation));
      expect(operations).toEqual(new Set(Object.keys(calls)));
    });

    it.each(clientCases.map((each) => [each.title, each] as const))(
      'ConsoleClient parses the recorded response of %s',
      async (_title, { recording }) => {
        const { operation, request, response } = recording;
        const { status, body } = response;
        const headers = Object.fromEntries(
          Object.entries(response.headers).filter(
            ([name]) => !/^(?:content-length|transfer-encoding|connection|status)$/i.test(name),
          ),
        );
        // The body is sent as text, exactly as it was recorded.
        await using server = await consoleServer(() => ({ status, headers, body }));
        await using client = new api.ConsoleClient({
          baseUrl: server.url,
          auth: { licenseMd5 },
          vendor: 'github',
          validation: 'strict',
          maxRedirects: 0,
        });
        const result = await calls[operation ?? '']?.(client);
        const [seen] = server.seen;
        expect(seen?.method).toBe(request.method);
        expect(seen?.url).toBe(new URL(request.url).pathname);
        const location = response.headers.Location;
        if (status === 202) expect(result).toEqual({ location });
        else if (status === 204) expect(result).toBeUndefined();
        else expectHolds(result, JSON.parse(body));
      },
    );
  },
);

/**
 * Expects the result to contain every received value. The server may have sent numbers as strings.
 */
function expectHolds(result: unknown, received: unknown): void {
  if (typeof received !== 'object' || received === null) {
    expect(String(result)).toBe(String(received));
    return;
  }
  for (const [name, value] of Object.entries(received)) {
    const held: unknown =
      typeof result === 'object' && result !== null ? Reflect.get(result, name) : undefined;
    expect(held, name).toBeDefined();
    expectHolds(held, value);
  }
}

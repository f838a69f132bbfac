import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { HostingClient } from '../../src/hosting/index.js';
import type { Paginated } from '../../src/transport/pagination/paginated.js';
import { createClient, until, watchRejections } from './client.js';
import { type PageQuirks, pagesSeen, servePages } from './pages.js';
import type { TestServer } from './server.js';

export const items = 'GET /items';

/** Objects available to a consumer. */
export interface World {
  readonly server: TestServer;
  readonly client: HostingClient;
  readonly list: Paginated<unknown>;
  readonly controller: AbortController;
}

/** One way to use a list and the expected result. */
export interface ConsumerCase {
  readonly name: string;
  readonly quirks?: PageQuirks;
  readonly options?: { prefetch?: boolean };
  /** Uses the list. The test compares the returned value with `result`. */
  readonly run: (world: World) => Promise<unknown>;
  readonly result: unknown;
  /** Expected numbers of the requested pages, in order. */
  readonly seen: readonly number[];
}

/** Collects items until `stop` returns true. */
export async function walk(
  list: Paginated<unknown>,
  stop: (item: unknown) => boolean | Promise<boolean>,
) {
  const got: unknown[] = [];
  for await (const item of list) {
    got.push(item);
    if (await stop(item)) break;
  }
  return got;
}

/** Quirks of a server that responds to page 2 with 404. */
export const failing: PageQuirks = {
  instead: { 2: (response) => response.writeHead(404).end('{"message":"gone"}') },
};

/** Runs each case and checks that no rejection, listener or socket remains. */
export function testConsumers(unit: string, cases: readonly ConsumerCase[]): void {
  describe(unit, () => {
    for (const each of cases) {
      const pages = each.seen.length === 1 ? 'one page' : `${each.seen.length || 'no'} pages`;
      it(`the client requests ${pages} and leaves no socket open if the consumer ${each.name}`, async () => {
        const rejections = watchRejections();
        const server = await servePages(each.quirks);
        const client = createClient(server);
        const controller = new AbortController();
        const list = client.paginate(items, {}, { signal: controller.signal, ...each.options });

        expect(await each.run({ server, client, list, controller })).toEqual(each.result);

        expect(pagesSeen(server)).toEqual(each.seen);
        expect(server.most, 'requests in flight at once').toBeLessThanOrEqual(1);
        await until('no listener is left on the signal', () => {
          return getEventListeners(controller.signal, 'abort').length === 0;
        });
        expect(await rejections()).toEqual([]);
        await client.close();
        await until('no socket is open', async () => (await server.open()) === 0);
      });
    }
  });
}

import { expect, describe as group, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import type { ListOptions } from '../../src/transport/pagination/paginated.js';
import { rejectionOf, turns, until } from '../support/client.js';
import { movingLinks, movingSearch, type Script } from '../support/moving-lists.js';
import { recordEvents } from '../unit/transport/recorded-events.js';
import { walk } from './walk-list.js';

group('the concurrency option', () => {
  const script: Script = { perPage: 2, state: () => ({ total: 40 }) };

  /**
   * Returns the maximum number of requests in flight for a list with the specified options.
   * Responses wait until `due` requests are in flight.
   */
  async function countMost(client: Partial<ClientOptions>, options: ListOptions, due: number) {
    const instead: Script['instead'] = async (page) => {
      if (page > 1) await until(`${due} are in flight`, () => moving.most() >= due);
      return false;
    };
    const moving = await movingLinks({ ...script, instead }, client);
    expect(await moving.list(options).toArray()).toHaveLength(40);
    return moving.most();
  }

  it("the concurrency option of a call overrides the client's, and the default is 1", async () => {
    expect(await countMost({ concurrency: 4 }, {}, 4)).toBe(4);
    expect(await countMost({ concurrency: 4 }, { concurrency: 2 }, 2)).toBe(2);
    expect(await countMost({ concurrency: 4 }, { concurrency: 1 }, 1)).toBe(1);
    expect(await countMost({}, {}, 1)).toBe(1);
  });

  it('the concurrency of a list never exceeds maxConcurrency', async () => {
    expect(await countMost({ maxConcurrency: 3 }, { concurrency: 8 }, 3)).toBe(3);
  });

  it('a list with `prefetch: false` ignores concurrency', async () => {
    const moving = await movingLinks(script);
    await walk(moving, { concurrency: 8, prefetch: false }, async (_page, count) => {
      await turns(10);
      expect(moving.requests).toHaveLength(count);
    });
  });

  it.each([0, 101, Number.NaN])(
    'a list rejects a concurrency of %s without sending a request',
    async (concurrency) => {
      const field = { code: 'invalid_request', field: 'concurrency' };
      for (const world of [movingLinks, movingSearch]) {
        const moving = await world(script);
        const list = moving.list({ concurrency });
        expect(await rejectionOf(list.toArray())).toMatchObject(field);
        expect(await rejectionOf(list.pages().next())).toMatchObject(field);
        expect(moving.requests).toEqual([]);
      }
    },
  );

  it('a list publishes triforge:list:moved if a page contradicts earlier pages', async () => {
    const events = recordEvents('triforge:list:moved');
    const total = (page: number) => (page < 6 ? 12 : 9);
    const moving = await movingLinks({ perPage: 2, state: (page) => ({ total: total(page) }) });
    expect(await moving.list({ concurrency: 8 }).toArray()).toHaveLength(10);
    const reasons = events.map(([, message]) => Reflect.get(Object(message), 'reason'));
    // Page 6 is still empty when it is requested again.
    expect(new Set(reasons)).toEqual(new Set(['empty']));
    expect(events[0]?.[1]).toMatchObject({ request: { url: expect.stringMatching(/page=6&/) } });
  });
});

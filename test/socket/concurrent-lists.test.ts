import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { Random } from '../../src/testing/random.js';
import type { Page } from '../../src/transport/pagination/page-walker.js';
import type { ListOptions } from '../../src/transport/pagination/paginated.js';
import { rejectionOf, turns, until } from '../support/client.js';
import { byExtent, seeds } from '../support/extent.js';
import { type Moving, movingLinks, type Script } from '../support/moving-lists.js';

interface Walked {
  readonly items: readonly unknown[];
  readonly cursors: readonly unknown[];
  readonly error: unknown;
}

/**
 * Walks a list page by page until `leave` returns true. Returns the items, cursors and error that
 * the consumer gets.
 */
async function walk(
  moving: Moving,
  options: Parameters<Moving['list']>[0],
  leave: (page: Page<unknown>, count: number) => unknown = () => false,
): Promise<Walked> {
  const items: unknown[] = [];
  const cursors: unknown[] = [];
  try {
    for await (const page of moving.list(options).pages()) {
      items.push(...page.items);
      // Ports differ between servers.
      cursors.push(page.cursor?.replace(/:\d+/, ''));
      if (await leave(page, cursors.length)) break;
    }
  } catch (error) {
    return { items, cursors, error: Reflect.get(Object(error), 'code') ?? error };
  }
  return { items, cursors, error: undefined };
}

/** Runs all seeds, eight at a time, because the runs spend most of their time waiting. */
async function forSeeds(run: (seed: number) => Promise<void>): Promise<void> {
  const left = seeds(byExtent(2, 200, 200));
  const lane = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) await run(seed);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** Creates an unchanging list whose responses can overtake each other. */
function steady(random: Random): Script & { readonly pages: number } {
  const perPage = 1 + random.below(4);
  const pages = 3 + random.below(20);
  const total = (pages - 1) * perPage + 1 + random.below(perPage);
  const delays = Array.from({ length: 64 }, () => random.below(4));
  return { perPage, pages, state: () => ({ total }), delay: (page) => delays[page % 64] ?? 0 };
}

/** A list and a way to read it. Serial and concurrent reads must have the same result. */
interface Row {
  readonly name: string;
  script(random: Random): Script & { readonly pages: number };
  /** Reads the list. Default: reads all pages. */
  run?(moving: Moving, concurrency: number, random: Random, pages: number): Promise<unknown>;
  /**
   * Set if the list aborts requests. The server notices aborts late, so it may count more than
   * `concurrency` requests in flight.
   */
  readonly aborts?: true;
  /** Checks which pages were requested. */
  check?(requests: readonly number[], concurrency: number, script: Script): void;
}

const all: Row['run'] = (moving, concurrency) => walk(moving, { concurrency });

const rows: readonly Row[] = [
  {
    name: 'does not change (and requests every page once)',
    script: steady,
    check: (requests) => expect(new Set(requests).size).toBe(requests.length),
  },
  {
    name: 'grows',
    script: (random) => {
      const script = steady(random);
      const { total } = script.state(1, 0);
      const from = 1 + random.below(script.pages);
      const more = 1 + random.below(8 * script.perPage);
      return { ...script, state: (page) => ({ total: page < from ? total : total + more }) };
    },
  },
  {
    name: 'shrinks',
    aborts: true,
    script: (random) => {
      const script = steady(random);
      const { total } = script.state(1, 0);
      const from = 2 + random.below(script.pages);
      const less = 1 + random.below(total);
      return { ...script, state: (page) => ({ total: page < from ? total : total - less }) };
    },
  },
  {
    name: 'has a page that fails',
    aborts: true,
    script: (random) => {
      const script = steady(random);
      const broken = 1 + random.below(script.pages);
      const instead: Script['instead'] = (page, response) => {
        if (page !== broken) return false;
        response.writeHead(404).end('{"message":"gone"}');
        return true;
      };
      return { ...script, instead };
    },
  },
  {
    name: 'exceeds the quota (and sends exactly as many requests as the quota allows)',
    script: (random) => {
      const script = steady(random);
      return { ...script, budget: 1 + random.below(script.pages - 1) };
    },
    check: (requests, _concurrency, { budget }) => expect(requests).toHaveLength(budget ?? 0),
  },
  {
    name: 'has a slow consumer (and requests at most `concurrency` pages ahead)',
    script: steady,
    run: (moving, concurrency) =>
      walk(moving, { concurrency }, async (_page, count) => {
        await turns(10);
        // The list prefetches only after the consumer has requested page 2. On a busy machine, a
        // request can fail and be repeated, so count pages rather than requests.
        const ahead = count === 1 ? 0 : concurrency;
        expect(new Set(moving.requests).size).toBeLessThanOrEqual(count + ahead);
      }),
  },
  {
    name: 'is resumed from a cursor',
    aborts: true,
    script: steady,
    run: async (moving, concurrency, random, pages) => {
      const stop = 1 + random.below(pages);
      let from: string | undefined;
      const first = await walk(moving, { concurrency }, ({ cursor }, count) => {
        from = cursor;
        return count === stop;
      });
      return [first, from === undefined ? 'ended' : await walk(moving, { concurrency, from })];
    },
  },
  {
    name: 'is read with a limit (and sends the same number of requests)',
    script: (random) => {
      const script = steady(random);
      return { ...script, pages: 1 + random.below(script.perPage * script.pages + 5) };
    },
    run: async (moving, concurrency, _random, limit) => {
      const items = await moving.list({ concurrency }).toArray({ limit });
      return [items, Math.max(...moving.requests), moving.requests.length];
    },
  },
];

describe('a concurrent walk of a list', () => {
  for (const { name, script, run = all, aborts, check } of rows) {
    it(`returns the same result as a serial walk if the list ${name}`, { timeout: 300_000 }, () =>
      forSeeds(async (seed) => {
        const random = () => new Random(seed);
        const concurrency = 2 + random().below(15);
        const outcomes: unknown[] = [];
        for (const width of [1, concurrency]) {
          const scripted = script(random());
          const moving = await movingLinks(scripted);
          outcomes.push(await run(moving, width, random(), scripted.pages));
          if (!aborts) {
            expect(moving.most(), `seed ${seed}: in flight at once`).toBeLessThanOrEqual(width);
          }
          check?.(moving.requests, width, scripted);
          await moving.close();
        }
        expect(outcomes[1], `seed ${seed}, concurrency ${concurrency}`).toEqual(outcomes[0]);
      }),
    );
  }

  it('aborts its requests in flight when the consumer exits the loop early', async () => {
    let responded = 0;
    const moving = await movingLinks({
      perPage: 2,
      state: () => ({ total: 100 }),
      instead: async (page) => {
        if (page < 3) return false;
        await turns(1);
        responded += 1;
        return true; // The response never arrives.
      },
    });
    const { items } = await walk(moving, { concurrency: 8 }, async (_page, count) => {
      if (count < 2) return false;
      await until('eight are in flight', () => responded === 8);
      return true;
    });
    expect(items).toEqual([0, 1, 2, 3]);
    expect(moving.requests.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await until('the aborted requests are closed', async () => (await moving.open()) <= 1);
  });
});

describe('the concurrency option', () => {
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

  it("overrides the client's option if a call sets it, and is 1 by default", async () => {
    expect(await countMost({ concurrency: 4 }, {}, 4)).toBe(4);
    expect(await countMost({ concurrency: 4 }, { concurrency: 2 }, 2)).toBe(2);
    expect(await countMost({ concurrency: 4 }, { concurrency: 1 }, 1)).toBe(1);
    expect(await countMost({}, {}, 1)).toBe(1);
  });

  it('never exceeds maxConcurrency', async () => {
    expect(await countMost({ maxConcurrency: 3 }, { concurrency: 8 }, 3)).toBe(3);
  });

  it.each([0, 101, Number.NaN])(
    'rejects %s, because it is not a number from 1 to 100',
    async (concurrency) => {
      const field = { code: 'invalid_request', field: 'concurrency' };
      const moving = await movingLinks(script);
      const list = moving.list({ concurrency });
      expect(await rejectionOf(list.toArray())).toMatchObject(field);
      expect(await rejectionOf(list.pages().next())).toMatchObject(field);
      expect(moving.requests).toEqual([]);
    },
  );
});

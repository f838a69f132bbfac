import { expect, test } from 'vitest';
import type { ListOptions } from '../../src/transport/pagination/paginated.js';
import { createClient, turns } from '../support/client.js';
import { pagesSeen, servePages } from '../support/pages.js';

/** Reads a list of five pages in which page 3 links back to page 2. Pauses after each item. */
async function readInCircle(options: ListOptions) {
  const server = await servePages({
    pages: 5,
    headers: (page, origin): Record<string, string> => {
      const back = page === 3 ? 2 : page + 1;
      const to = (number: number, rel: string) =>
        `<${origin}/api/v3/items?page=${number}>; rel="${rel}"`;
      return page < 5 ? { link: `${to(back, 'next')}, ${to(5, 'last')}` } : {};
    },
  });
  const items: unknown[] = [];
  let error: unknown;
  try {
    for await (const item of createClient(server).paginate('GET /items', {}, options)) {
      items.push(item);
      await turns(20);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { items, error, requests: pagesSeen(server) };
}

test.each([1, 4])(
  'iterating over a circular list throws before the client requests a page twice (concurrency: %i)',
  async (concurrency) => {
    const { items, error, requests } = await readInCircle({ concurrency });
    expect(items).toEqual([11, 12, 13, 21, 22, 23, 31, 32, 33]);
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(requests, 'each page is requested once').toEqual([...new Set(requests)]);
  },
);

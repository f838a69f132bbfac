import { describe, expect, it } from 'vitest';
import { createClient, turns } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';

/** Creates a handler for long lists that share one quota. */
function listsWith(budget: number, pages = 40): { handler: Handler; left: () => number } {
  let left = budget;
  const reset = `${Math.ceil(Date.now() / 1000) + 600}`;
  const handler: Handler = (request, response) => {
    const headers = (remaining: number) => ({
      'x-ratelimit-limit': `${budget}`,
      'x-ratelimit-remaining': `${remaining}`,
      'x-ratelimit-reset': reset,
    });
    if (left === 0) {
      sendJson(response, { message: 'API rate limit exceeded' }, 403, headers(0));
      return;
    }
    left--;
    const url = new URL(request.url, `http://${request.headers.host}`);
    const page = Number(url.searchParams.get('page') ?? 1);
    const to = (number: number, rel: string) => {
      url.searchParams.set('page', `${number}`);
      return `<${url}>; rel="${rel}"`;
    };
    const link = page < pages ? { link: `${to(page + 1, 'next')}, ${to(pages, 'last')}` } : {};
    sendJson(response, [page * 2, page * 2 + 1], 200, { ...headers(left), ...link });
  };
  return { handler, left: () => left };
}

describe('parallel lists', () => {
  it('parallel lists use the entire quota if toArray() needs it', async () => {
    const { handler, left } = listsWith(12, 4);
    const client = createClient(await serve(handler));
    const lists = ['a', 'b', 'c'].map((name) =>
      client.paginate(`GET /${name}`, {}, { concurrency: 8 }).toArray(),
    );
    expect((await Promise.all(lists)).map((items) => items.length)).toEqual([8, 8, 8]);
    expect(left()).toBe(0);
  });
});

describe('toArray() with a limit', () => {
  it.each([
    ['without per_page', {}],
    ['with per_page', { per_page: 30 }],
  ])(
    'toArray() with a limit sends no more requests than a serial list, even if page sizes differ (%s)',
    async (_name, query) => {
      const server = await serve((request, response) => {
        const url = new URL(request.url, `http://${request.headers.host}`);
        const page = Number(url.searchParams.get('page') ?? 1);
        const to = (number: number, rel: string) => {
          url.searchParams.set('page', `${number}`);
          return `<${url}>; rel="${rel}"`;
        };
        const items = Array.from({ length: page === 1 ? 2 : 30 }, (_, at) => at);
        sendJson(response, items, 200, { link: `${to(page + 1, 'next')}, ${to(50, 'last')}` });
      });
      const list = createClient(server).paginate('GET /things', { ...query }, { concurrency: 10 });
      expect(await list.toArray({ limit: 20 })).toHaveLength(20);
      await turns(5);
      expect(server.requests).toHaveLength(2);
    },
  );
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

/** Serves a list of four pages with two items each. */
async function fourPages() {
  const server = await serve((request, response) => {
    const page = Number(new URL(request.url, server.origin).searchParams.get('page') ?? 1);
    const url = (number: number) => `<${server.origin}/api/v3/things?page=${number}>`;
    const link = `${url(page + 1)}; rel="next", ${url(4)}; rel="last"`;
    sendJson(response, [page * 10, page * 10 + 1], 200, page < 4 ? { link } : {});
  });
  return server;
}

const all = [10, 11, 20, 21, 30, 31, 40, 41];

describe('a list under fake timers', () => {
  it.each([
    ['page by page', {}],
    ['with pages in parallel', { concurrency: 3 }],
  ])('is read to its end %s', async (_name, options) => {
    const client = createClient(await fourPages());
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const items: unknown[] = [];
    for await (const item of client.paginate({ path: '/things' }, options)) items.push(item);
    expect(items).toEqual(all);
    expect(await client.paginate({ path: '/things' }, options).toArray()).toEqual(all);
    expect(await client.paginate({ path: '/things' }, options).first()).toBe(10);
  });

  it('is read to its end if everything except process.nextTick is faked', async () => {
    const client = createClient(await fourPages(), { cache: true, maxConcurrency: 2 });
    vi.useFakeTimers({
      toFake: ['setTimeout', 'setImmediate', 'setInterval', 'Date', 'performance'],
    });
    onTestFinished(() => void vi.useRealTimers());
    const lists = [1, 2, 3].map(() =>
      client.paginate({ path: '/things' }, { concurrency: 4 }).toArray(),
    );
    expect(await Promise.all(lists)).toEqual([all, all, all]);
  });
});

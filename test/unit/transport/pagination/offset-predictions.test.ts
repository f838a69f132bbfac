import { describe, expect, it } from 'vitest';
import {
  OffsetPages,
  type OffsetSlice,
} from '../../../../src/transport/pagination/offset-pages.js';
import { secretSpec } from '../policies/cached-spec.js';
import { createDetails } from '../response/create-details.js';

/** Fetches the first page of a search that requests five records per page. */
function firstPage(slice: Omit<OffsetSlice<string>, 'last'>, count = 5) {
  const pages = new OffsetPages<string>(
    'contacts.search',
    0,
    (index) =>
      secretSpec('contacts.search', {
        origin: 'https://a.example',
        path: `/find?count=${count}&index=${index}&q=s3cret`,
      }),
    async () => ({ data: { ...slice, last: false }, response: createDetails() }),
  );
  const { signal } = new AbortController();
  return pages.fetch(undefined, {
    signal,
    onHeaders: () => undefined,
  });
}

describe('predict()', () => {
  it('predict() returns the start index of every page up to the total', async () => {
    const { predict } = await firstPage({ items: ['a', 'b'], total: 7 });
    const prediction = predict?.();
    expect(prediction?.end).toBe(7);
    expect(['0', '2', '4', '6'].map((cursor) => prediction?.after(cursor))).toEqual([
      '2',
      '4',
      '6',
      undefined,
    ]);
  });

  it('predict() returns undefined if the server reports no total', async () => {
    const { predict, page } = await firstPage({ items: ['a', 'b'] });
    expect(page.cursor).toBe('2');
    expect(predict?.()).toBeUndefined();
  });

  it('predict() masks secrets in the request URL', async () => {
    const { predict } = await firstPage({ items: ['a'], total: 7 });
    expect(predict?.()?.request()).toEqual({
      operation: 'contacts.search',
      method: 'GET',
      url: 'https://a.example/find?count=5&index=0&q=***',
    });
  });
});

it('a search accepts a total of 0', async () => {
  const { page } = await firstPage({ items: [], total: 0 });
  expect(page.total).toBe(0);
});

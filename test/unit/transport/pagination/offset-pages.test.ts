import { describe, expect, it } from 'vitest';
import { ResponseShapeError } from '../../../../src/errors/index.js';
import {
  OffsetPages,
  type OffsetSlice,
} from '../../../../src/transport/pagination/offset-pages.js';
import { secretSpec } from '../policies/cached-spec.js';
import { createDetails } from '../response/create-details.js';
import { expectRefusedCursor, fetching } from './manual-pages.js';

const response = createDetails();

const createSpec = (index: number) =>
  secretSpec('contacts.search', {
    origin: 'https://a.example',
    path: `/find?index=${index}&q=s3cret`,
  });

/** Creates a search from `start` that returns the slices in order. */
function createSearch(slices: readonly OffsetSlice<string>[], start = 0) {
  const requested: string[] = [];
  const left = [...slices];
  const pages = new OffsetPages<string>('contacts.search', start, createSpec, async (spec) => {
    requested.push(spec.target.path);
    const slice = left.shift();
    if (!slice) throw new Error('the list requested more slices than the test has');
    return { data: slice, response };
  });
  return { ...fetching(pages), requested };
}

const where = '[GET https://a.example/find?index=2&q=***]';
const request = {
  operation: 'contacts.search',
  method: 'GET',
  url: 'https://a.example/find?index=2&q=***',
};

function expectShapeError(error: unknown, what: RegExp): void {
  expect(error).toBeInstanceOf(ResponseShapeError);
  expect(error).toMatchObject({
    code: 'response_shape',
    message: expect.stringMatching(/^contacts\.search: /),
    data: undefined,
  });
  if (!(error instanceof ResponseShapeError)) return;
  expect(error.message.endsWith(` ${where}`), error.message).toBe(true);
  expect(error.request).toEqual(request);
  expect(error.issues).toEqual([{ message: expect.stringMatching(what), path: [] }]);
  expect(error.message).toMatch(what);
  expect(error.response).toBe(response);
}

describe('a search', () => {
  it('starts each page after the previous items until the total is reached', async () => {
    const { get, requested } = createSearch([
      { items: ['a', 'b'], total: 3, last: false },
      { items: ['c'], total: 3, last: false },
    ]);
    const first = await get();
    expect(first.nextPageError).toBeUndefined();
    expect(first.page).toMatchObject({ items: ['a', 'b'], cursor: '2', total: 3 });
    expect(first.page.response).toBe(response);
    const second = await get('2');
    expect(second.page).toMatchObject({ items: ['c'], cursor: undefined, total: 3 });
    expect(requested).toEqual(['/find?index=0&q=s3cret', '/find?index=2&q=s3cret']);
  });

  it.each([
    [
      'returns the next cursor if the response has no total',
      { items: ['a'], last: false },
      '6',
      undefined,
    ],
    [
      'returns the next cursor before the total is reached',
      { items: ['a'], total: 7, last: false },
      '6',
      7,
    ],
    [
      'returns no cursor if the total is reached',
      { items: ['a'], total: 6, last: false },
      undefined,
      6,
    ],
    ['returns no cursor after the last page', { items: ['a'], total: 9, last: true }, undefined, 9],
    [
      'returns no cursor if the response has no items and no total',
      { items: [], last: false },
      undefined,
      undefined,
    ],
  ])('%s', async (_name, slice, cursor, total) => {
    const { page } = await createSearch([slice], 5).get();
    expect({ cursor: page.cursor, total: page.total }).toEqual({ cursor, total });
  });

  it('rejects a page that repeats the previous page', async () => {
    const { get, failure } = createSearch([
      { items: ['a', 'b'], last: false },
      { items: ['a', 'b'], last: false },
    ]);
    await get();
    expectShapeError(await failure('2'), /index 2 repeats/);
  });

  it('rejects an empty page before the total is reached', async () => {
    const { failure } = createSearch([{ items: [], total: 3, last: false }]);
    expectShapeError(await failure('2'), /index 2 is empty.* 3\b/);
  });

  it.each(['"5x"', '"-1"', '"1234567890123456"', '5'])('rejects the cursor %s', (json) =>
    expectRefusedCursor(createSearch([{ items: [], last: true }]), json, /search/),
  );
});

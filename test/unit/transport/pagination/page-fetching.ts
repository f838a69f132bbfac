import { expect } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import type { PageFetcher, PageHooks } from '../../../../src/transport/pagination/page-walker.js';
import { about } from '../../about.js';

/**
 * Creates functions for single pages. `get` returns the page for a cursor, and `failure` returns
 * the page's error.
 */
export function fetching<T>(
  pages: PageFetcher<T>,
  onHeaders: PageHooks['onHeaders'] = () => undefined,
) {
  const get = async (cursor?: string) => {
    const { signal } = new AbortController();
    const fetched = await pages.fetch(cursor, { signal, onHeaders });
    const { predict } = fetched;
    const verifyOrder = fetched.verifyOrder?.() ?? fetched;
    return predict ? Object.assign(verifyOrder, { predict }) : verifyOrder;
  };
  const failure = (cursor?: string): Promise<unknown> =>
    get(cursor).then(
      () => expect.fail('the page was expected to fail'),
      (error: unknown) => error,
    );
  return { get, failure };
}

/** Expects a cursor in JSON form to be rejected before a request is sent. */
export async function expectRefusedCursor(
  world: { requested: readonly string[]; failure: (cursor: string) => Promise<unknown> },
  json: string,
  expected: RegExp,
): Promise<void> {
  // Callers without types can pass any value.
  const error = await world.failure(JSON.parse(json));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({
    code: 'invalid_request',
    message: about('from', expected),
    field: 'from',
  });
  expect(world.requested, 'requested paths').toEqual([]);
}

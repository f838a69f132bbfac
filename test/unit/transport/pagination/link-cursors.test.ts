import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { LinkPages } from '../../../../src/transport/pagination/link-pages.js';
import type { PagePrediction } from '../../../../src/transport/pagination/page-walker.js';
import { formatUrl } from '../../../../src/transport/request/request-spec.js';
import { rejectionOf } from '../../../support/client.js';
import { secretSpec } from '../policies/cached-spec.js';
import { createDetails } from '../response/create-details.js';

const origin = 'https://a.example';
const to = (uri: string, rel: string) => `<${uri}>; rel="${rel}"`;

/**
 * Creates a list whose pages can be fetched individually. `links` contains the `Link` header of
 * each page by path and query.
 */
function createPages(links: Readonly<Record<string, string>>, path = '/pulls?page=1') {
  const requested: string[] = [];
  const predictions: (PagePrediction | undefined)[] = [];
  const pages = new LinkPages<number>(
    'pulls.list',
    () => secretSpec('pulls.list', { origin, path }),
    async ({ target }, { onHeaders }) => {
      requested.push(target.path);
      const link = links[target.path];
      const response = createDetails({
        url: formatUrl(target),
        headers: link === undefined ? {} : { link },
      });
      await onHeaders(response);
      return { data: [requested.length], response };
    },
    { trustedOrigins: new Set([origin]), credentialParameters: new Set(), inputs: new Set() },
  );
  const get = (cursor?: string) =>
    pages.fetch(cursor, {
      signal: new AbortController().signal,
      onHeaders: (_next, predict) => {
        predictions.push(predict?.());
        return undefined;
      },
    });
  return { get, requested, predictions };
}

describe('LinkPages.fetch()', () => {
  it('LinkPages.fetch() accepts a cursor without a query', async () => {
    const { get, requested } = createPages({});
    await get(`${origin}/pulls`);
    expect(requested).toEqual(['/pulls']);
  });

  it('LinkPages.fetch() rejects a cursor from another list', async () => {
    const { get, requested } = createPages({});
    const error = await rejectionOf(get(`${origin}/keys?page=2`));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'from' });
    expect(requested).toEqual([]);
  });

  it("LinkPages.fetch() keeps each page's cursor after a later page arrives", async () => {
    const elsewhere = `${origin}/repositories/1/more`;
    const { get, requested } = createPages({
      '/pulls?page=1': `${to(`${origin}/pulls?page=2`, 'next')}, ${to(`${origin}/pulls?page=9`, 'last')}`,
      '/pulls?page=2': to(elsewhere, 'next'),
      '/pulls?page=3': to(`${origin}/pulls?page=4`, 'next'),
    });
    const first = await get();
    const { page } = first.verifyOrder?.() ?? expect.fail('page 1 has no verifyOrder()');
    const guess = first.predict?.()?.after(page.cursor ?? '');
    const second = await get(page.cursor);
    await get(guess);
    const { cursor } = second.verifyOrder?.().page ?? expect.fail('page 2 has no verifyOrder()');
    expect(cursor).toBe(elsewhere);
    await get(cursor);
    expect(requested.slice(1)).toEqual(['/pulls?page=2', '/pulls?page=3', '/repositories/1/more']);
  });
});

describe('predict()', () => {
  it('predict() predicts later pages before the response is decoded', async () => {
    const link = `${to(`${origin}/pulls?page=2`, 'next')}, ${to(`${origin}/pulls?page=9`, 'last')}`;
    const { get, predictions } = createPages({ '/pulls?page=1': link });
    await get();
    expect(predictions).toHaveLength(1);
    const [prediction] = predictions;
    expect(prediction?.end).toBe(9);
    expect(prediction?.after(`${origin}/pulls?page=2`)).toBe(`${origin}/pulls?page=3`);
  });

  it.each([
    ['only the last page has a number', '?after=b', '?page=9'],
    ['only the next page has a number', '?page=2', '?after=z'],
  ])('predict() returns undefined if %s', async (_name, next, last) => {
    const link = `${to(`${origin}/pulls${next}`, 'next')}, ${to(`${origin}/pulls${last}`, 'last')}`;
    const { predict } = await createPages({ '/pulls?page=1': link }).get();
    expect(predict?.()).toBeUndefined();
  });

  it('predict() returns undefined if the Link header is invalid', async () => {
    const { predict, nextPageError } = await createPages(
      { '/pulls?page=7': '<x' },
      '/pulls?page=7',
    ).get();
    expect(nextPageError?.()).toMatchObject({ code: 'response_shape' });
    expect(predict?.()).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { ResponseShapeError } from '../../../../src/errors/index.js';
import { LinkPages } from '../../../../src/transport/pagination/link-pages.js';
import type {
  PageHooks,
  PagePrediction,
} from '../../../../src/transport/pagination/page-walker.js';
import { formatUrl } from '../../../../src/transport/request/request-spec.js';
import type { ResponseDetails } from '../../../../src/transport/response/response-details.js';
import { secretSpec } from '../policies/cached-spec.js';
import { createDetails } from '../response/create-details.js';
import { expectRefusedCursor, fetching } from './manual-pages.js';

const origin = 'https://a.example';
const foreign = 'https://b.example';
const firstPath = '/pulls?state=open&q=s3cret';

/** Returns the URL of a path on the list's own origin. Leaves other text unchanged. */
const absolute = (uri: string) => (uri.startsWith('/') ? `${origin}${uri}` : uri);
const linkTo = (uri: string, rel: string) => `<${absolute(uri)}>; rel="${rel}"`;
const next = (uri: string) => linkTo(uri, 'next');
const nextAndLast = (uri: string, last: string) => `${next(uri)}, ${linkTo(last, 'last')}`;

interface Options {
  readonly trusted?: readonly string[];
  /** Path of the first page. */
  readonly path?: string;
}

/** Creates a list whose responses have the specified `Link` headers, in order. */
function createCrawl(
  links: readonly (string | undefined)[],
  { trusted = [origin], path = firstPath }: Options = {},
) {
  const requested: string[] = [];
  const nextLinks: (string | undefined)[] = [];
  const responses: ResponseDetails[] = [];
  const predictions: (PagePrediction | undefined)[] = [];
  const left = [...links];
  const pages = new LinkPages<number>(
    'pulls.list',
    () => secretSpec('pulls.list', { origin, path }),
    async (each, { onHeaders }) => {
      const url = formatUrl(each.target);
      requested.push(url);
      const link = left.shift();
      const headers = link === undefined ? {} : { link };
      const response = createDetails({ url, headers, credentials: ['t0ken-0123456789'] });
      responses.push(response);
      await onHeaders(response);
      return { data: [requested.length], response };
    },
    {
      trustedOrigins: new Set(trusted),
      credentialParameters: new Set(['access_token']),
      inputs: new Set(['state', 'since']),
    },
  );
  const onHeaders: PageHooks['onHeaders'] = (link, predict) => {
    nextLinks.push(link);
    predictions.push(predict?.());
    return undefined;
  };
  const world = fetching(pages, onHeaders);
  return { ...world, pages, requested, nextLinks, responses, predictions };
}

describe('a list', () => {
  it('does not follow a link that echoes the credentials', async () => {
    const { get, responses } = createCrawl([next('/pulls?page=2&t=t0ken-0123456789')]);
    const { nextPageError, page } = await get();
    expect(page.cursor).toBeUndefined();
    expect(responses[0]?.links.next).toBe('***');
    expect(String(nextPageError?.())).toMatch(/the next page's URL contains the credentials/);
  });

  it('follows each next link in order', async () => {
    const { get, requested, nextLinks, responses } = createCrawl([next('/pulls?page=2')]);
    const first = await get();
    expect(first).not.toHaveProperty('nextPageError');
    expect(first.page).toMatchObject({
      items: [1],
      cursor: `${origin}/pulls?page=2`,
      total: undefined,
    });
    expect(first.page.response).toBe(responses[0]);
    const second = await get(first.page.cursor);
    expect(second).not.toHaveProperty('nextPageError');
    expect(second.page).toMatchObject({ items: [2], cursor: undefined });
    expect(requested).toEqual([`${origin}${firstPath}`, `${origin}/pulls?page=2`]);
    expect(nextLinks).toEqual([`${origin}/pulls?page=2`, undefined]);
  });

  it.each([
    ['no Link header', undefined],
    ['a next link to another resource', `<${origin}/x>; rel=next; anchor="/other"`],
  ])('ends without an error if the response has %s', async (_name, link) => {
    const { get, nextLinks } = createCrawl([link]);
    const fetched = await get();
    expect(fetched).not.toHaveProperty('nextPageError');
    expect(fetched.page.cursor).toBeUndefined();
    expect(nextLinks).toEqual([undefined]);
  });

  it.each([
    ['a URL that must be normalized', '/./p?access_token=t&page=2', '/p?page=2'],
    ['a relative URL', '?page=2&access_token=t', '/pulls?page=2'],
    ['a URL on another trusted origin', `${foreign}/p?access_token=t`, `${foreign}/p`],
  ])('returns a cursor without credentials for %s', async (_name, uri, expected) => {
    const url = absolute(expected);
    const { get, requested } = createCrawl([next(uri)], { trusted: [origin, foreign] });
    const { page } = await get();
    expect(page.cursor).toBe(url);
    await get(page.cursor);
    expect(requested[1]).toBe(url);
  });

  it.each([
    ['cannot be parsed', '<x', /Link header.*\b0\)$/],
    [
      'leads back to an earlier page',
      next(firstPath),
      /already fetched \(https:\/\/\S+\/pulls\?state=open&q=\*\*\*\)$/,
    ],
    ['is not a URL', next('http://['), /URL .* invalid$/],
    [
      'leads to an untrusted origin',
      next('https://b.example/x?q=s3cret'),
      /https:\/\/b\.example, .*trustedOrigins$/,
    ],
  ])('reports an error for the next page if the link %s', async (_name, link, what) => {
    const { get, nextLinks, responses } = createCrawl([link]);
    const { page, nextPageError } = await get();
    expect(page).toMatchObject({ items: [1], cursor: undefined });
    expect(page.response).toBe(responses[0]);
    expect(nextLinks).toEqual([undefined]);
    const error = nextPageError?.();
    if (!(error instanceof ResponseShapeError)) expect.fail(`no ResponseShapeError: ${error}`);
    const url = `${origin}/pulls?state=open&q=***`;
    expect(error.code).toBe('response_shape');
    expect(error.request).toEqual({ operation: 'pulls.list', method: 'GET', url });
    const message = expect.stringMatching(what);
    expect(error.issues).toEqual([{ message, path: ['headers', 'link'] }]);
    expect(error.message).toMatch(/^pulls\.list: /);
    const end = `: ${error.issues[0]?.message} [GET ${url}]`;
    expect(error.message.endsWith(end), error.message).toBe(true);
    expect(error.data).toBe(link);
    expect(error.response).toBe(responses[0]);
  });

  it.each([
    ["text that isn't a URL", '"3"'],
    ['a URL on another origin', '"https://b.example/pulls?page=3"'],
  ])('rejects %s as the cursor', (_name, json) =>
    expectRefusedCursor(createCrawl([undefined]), json, /this list/),
  );
});

describe('predict()', () => {
  /** Returns the prediction from the first page's `Link` header. */
  async function predict(link: string | undefined, path = '/pulls?page=1') {
    const { predict: predictPages } = await createCrawl([link], { path }).get();
    return predictPages?.();
  }

  it('returns the URL of every page up to the last page', async () => {
    const found = await predict(nextAndLast('/p?page=2&a=b', '/p?page=4&a=b'));
    expect(found).toMatchObject({ end: 4 });
    expect([2, 3, 4].map((page) => found?.after(`${origin}/p?page=${page}&a=b`))).toEqual([
      `${origin}/p?page=3&a=b`,
      `${origin}/p?page=4&a=b`,
      undefined,
    ]);
    expect(found?.after(`${origin}/p?page=2&a=c`), 'another list').toBeUndefined();
  });

  it.each([
    ['no Link header', undefined],
    ['no last page', next('/p?page=2')],
    ['different paths', nextAndLast('/p?page=2', '/q?page=9')],
    ['different parameters', nextAndLast('/p?page=2&a=b', '/p?page=9&a=c')],
    ['different origins', nextAndLast('/p?page=2', `${foreign}/p?page=9`)],
    ['cursors instead of page numbers', nextAndLast('/p?after=2', '/p?after=9')],
    ['a foreign next page', nextAndLast(`${foreign}/p?page=2`, `${foreign}/p?page=9`)],
  ])('returns undefined for a response with %s', async (_name, link) => {
    expect(await predict(link, '/pulls')).toBeUndefined();
  });

  it('reports a numbered page without a Link header as the end of the list', async () => {
    const found = await predict(undefined, '/pulls?page=7');
    expect([found?.end, found?.after(`${origin}/pulls?page=7`)]).toEqual([7, undefined]);
  });

  it('returns URLs without credentials or secrets', async () => {
    const [second, last] = ['/p?access_token=t&page=2', '/p?access_token=t&page=9'];
    const found = await predict(nextAndLast(second, last), '/pulls?q=s3cret');
    expect(found?.after(`${origin}/p?page=2`)).toBe(`${origin}/p?page=3`);
  });
});

import { describe, expect, it } from 'vitest';
import { ResponseShapeError } from '../../../../src/errors/index.js';
import { LinkPages } from '../../../../src/transport/pagination/link-pages.js';
import { formatUrl } from '../../../../src/transport/request/request-spec.js';
import type { ResponseDetails } from '../../../../src/transport/response/response-details.js';
import { secretSpec } from '../policies/cached-spec.js';
import { createDetails } from '../response/create-details.js';
import { expectRefusedCursor, fetching } from './page-fetching.js';

const origin = 'https://a.example';
const spec = secretSpec('pulls.list', { origin, path: '/pulls?state=open&q=s3cret' });

/** Creates a list whose responses have the specified `Link` headers, in order. */
function createCrawl(
  links: readonly (string | undefined)[],
  options: { trusted?: readonly string[] } = {},
) {
  const { trusted = [origin] } = options;
  const requested: string[] = [];
  const nextLinks: (string | undefined)[] = [];
  const responses: ResponseDetails[] = [];
  const left = [...links];
  const pages = new LinkPages<number>(
    'pulls.list',
    () => spec,
    async (each, { onHeaders }) => {
      const url = formatUrl(each.target);
      requested.push(url);
      const link = left.shift();
      const response = createDetails({
        url,
        headers: link === undefined ? {} : { link },
        credentials: ['t0ken-0123456789'],
      });
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
  const world = fetching(pages, (next) => {
    nextLinks.push(next);
    return undefined;
  });
  return { ...world, requested, nextLinks, responses };
}

const next = (uri: string) => `<${uri}>; rel="next"`;

describe('LinkPages', () => {
  it('a list does not follow a link that echoes the credentials', async () => {
    const { get, responses } = createCrawl([next(`${origin}/pulls?page=2&t=t0ken-0123456789`)]);
    const { nextPageError, page } = await get();
    expect(page.cursor).toBeUndefined();
    expect(responses[0]?.links.next).toBe('***');
    expect(String(nextPageError?.())).toMatch(/the next page's URL contains the credentials/);
  });

  it('a list follows each next link in order', async () => {
    const { get, requested, nextLinks, responses } = createCrawl([
      next(`${origin}/pulls?page=2`),
      undefined,
    ]);
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
    expect(requested).toEqual([`${origin}/pulls?state=open&q=s3cret`, `${origin}/pulls?page=2`]);
    expect(nextLinks).toEqual([`${origin}/pulls?page=2`, undefined]);
  });

  it('a list follows links on its own origin even if no origin is trusted', async () => {
    const { get, requested } = createCrawl([next(`${origin}/pulls?page=2`), undefined], {
      trusted: [],
    });
    const { page } = await get();
    expect(page.cursor).toBe(`${origin}/pulls?page=2`);
    await get(page.cursor);
    expect(requested[1]).toBe(`${origin}/pulls?page=2`);
  });

  it.each([
    ['no Link header', undefined],
    ['an empty Link header', ''],
    ['no next link', `<${origin}/pulls?page=1>; rel="prev first"`],
    ['a next link to another resource', `<${origin}/x>; rel=next; anchor="/other"`],
  ])('a list ends without an error if the response has %s', async (_name, link) => {
    const { get, nextLinks } = createCrawl([link]);
    const fetched = await get();
    expect(fetched).not.toHaveProperty('nextPageError');
    expect(fetched.page.cursor).toBeUndefined();
    expect(nextLinks).toEqual([undefined]);
  });

  it.each([
    ['a plain URL', `${origin}/p?access_token=t&page=2`, `${origin}/p?page=2`],
    ['a URL that must be normalized', `${origin}/./p?access_token=t&page=2`, `${origin}/p?page=2`],
    ['a URL without credentials', `${origin}/./p?page=2`, `${origin}/p?page=2`],
    ['a relative URL', '?page=2&access_token=t', `${origin}/pulls?page=2`],
    [
      'a URL on another trusted origin',
      'https://b.example/p?access_token=t',
      'https://b.example/p',
    ],
  ])('a list returns a cursor without credentials for %s', async (_name, uri, url) => {
    const { get, requested } = createCrawl([next(uri), undefined], {
      trusted: [origin, 'https://b.example'],
    });
    const { page } = await get();
    expect(page.cursor).toBe(url);
    await get(page.cursor);
    expect(requested[1]).toBe(url);
  });

  it.each([
    ['cannot be parsed', '<x', /Link header.*\b0\)$/],
    [
      'leads back to an earlier page',
      next(`${origin}/pulls?state=open&q=s3cret`),
      /already fetched \(https:\/\/\S+\/pulls\?state=open&q=\*\*\*\)$/,
    ],
    ['is not a URL', next('http://['), /URL .* invalid$/],
    [
      'leads to an untrusted origin',
      next('https://b.example/x?q=s3cret'),
      /https:\/\/b\.example, .*trustedOrigins$/,
    ],
  ])('a list reports an error for the next page if the link %s', async (_name, link, what) => {
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

  it('a list removes credentials from a passed cursor', async () => {
    const { get, requested } = createCrawl([undefined]);
    await get(`${origin}/pulls?access_token=t&page=3`);
    expect(requested).toEqual([`${origin}/pulls?state=open&q=s3cret&page=3`]);
  });

  it.each([
    ["text that isn't a URL", '"3"'],
    ['a URL on another origin', '"https://b.example/pulls?page=3"'],
    ['an array', '["https://a.example/pulls?page=3"]'],
    ['a number', '3'],
  ])('a list rejects %s as the cursor', (_name, json) =>
    expectRefusedCursor(createCrawl([undefined]), json, /this list/),
  );
});

describe('predict()', () => {
  /** Returns the page prediction for a `Link` header. */
  async function predict(link: string | undefined, path = '/pulls?page=1', trusted = [origin]) {
    const pages = new LinkPages<number>(
      'pulls.list',
      () => ({ ...spec, target: { origin, path } }),
      async (each, { onHeaders }) => {
        const url = formatUrl(each.target);
        const response = createDetails({
          url,
          headers: link === undefined ? {} : { link },
          credentials: ['t0ken-0123456789'],
        });
        await onHeaders(response);
        return { data: [1], response };
      },
      {
        trustedOrigins: new Set(trusted),
        credentialParameters: new Set(['access_token']),
        inputs: new Set(),
      },
    );
    const { signal } = new AbortController();
    const { predict } = await pages.fetch(undefined, {
      signal,
      onHeaders: () => undefined,
    });
    return predict?.();
  }

  it('predict() returns the URL of every page up to the last page', async () => {
    const found = await predict(
      `${next(`${origin}/p?page=2&a=b`)}, <${origin}/p?page=4&a=b>; rel="last"`,
    );
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
    ['no last page', next(`${origin}/p?page=2`)],
    [
      'a next and a last page on different paths',
      `${next(`${origin}/p?page=2`)}, <${origin}/q?page=9>; rel="last"`,
    ],
    [
      'a next and a last page with different parameters',
      `${next(`${origin}/p?page=2&a=b`)}, <${origin}/p?page=9&a=c>; rel="last"`,
    ],
    [
      'a next and a last page whose parameters have different orders',
      `${next(`${origin}/p?page=2&a=b`)}, <${origin}/p?a=b&page=9>; rel="last"`,
    ],
    [
      'a next and a last page on different origins',
      `${next(`${origin}/p?page=2`)}, <https://b.example/p?page=9>; rel="last"`,
    ],
    [
      'a SHA instead of a page number',
      `${next(`${origin}/p?sha=ab12`)}, <${origin}/p?sha=cd34>; rel="last"`,
    ],
    [
      'a cursor instead of a page number',
      `${next(`${origin}/p?after=2`)}, <${origin}/p?after=9>; rel="last"`,
    ],
    [
      'a last page of another resource',
      `${next(`${origin}/p?page=2`)}, <${origin}/p?page=9>; rel=last; anchor="/x"`,
    ],
    ["a last page that isn't a URL", `${next(`${origin}/p?page=2`)}, <http://[>; rel="last"`],
    [
      'a next page on another origin',
      `${next('https://b.example/p?page=2')}, <https://b.example/p?page=9>; rel="last"`,
    ],
  ])('predict() returns undefined for a response with %s', async (_name, link) => {
    expect(await predict(link, '/pulls')).toBeUndefined();
  });

  it('predict() reports a numbered page without a Link header as the end of the list', async () => {
    const found = await predict(undefined, '/pulls?page=7');
    expect([found?.end, found?.after(`${origin}/pulls?page=7`)]).toEqual([7, undefined]);
  });

  it('predict() returns URLs without credentials or secrets', async () => {
    const link = `${next(`${origin}/p?access_token=t&page=2`)}, <${origin}/p?access_token=t&page=9>; rel="last"`;
    const found = await predict(link, '/pulls?q=s3cret');
    expect(found?.after(`${origin}/p?page=2`)).toBe(`${origin}/p?page=3`);
    expect(found?.request().url).toBe(`${origin}/pulls?q=***`);
  });

  it("predict() predicts URLs with the server's path instead of the list's path", async () => {
    const link = `${next(`${origin}/repositories/1/pulls?page=2`)}, <${origin}/repositories/1/pulls?page=9>; rel="last"`;
    const { get, requested } = createCrawl([link, undefined, undefined]);
    const { page, predict } = await get();
    await get(predict?.()?.after(page.cursor ?? ''));
    expect(requested[1]).toBe(`${origin}/repositories/1/pulls?page=3`);
  });
});

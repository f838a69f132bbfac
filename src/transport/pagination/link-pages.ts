import { ResponseShapeError } from '../../errors/index.js';
import { scanLinkHeader } from '../http/headers.js';
import { createInputError, encodeParameters } from '../request/input.js';
import {
  describeRequest,
  formatUrl,
  type OriginTrust,
  type RequestSpec,
  resolveNamedUrl,
  type Target,
  urlProblems,
} from '../request/request-spec.js';
import { formatMessage } from '../response/failure.js';
import type { CallResult, ResponseDetails } from '../response/response-details.js';
import {
  type FetchedPage,
  isPlainUrl,
  ListPage,
  type PageFetcher,
  type PageHooks,
  type PageNumber,
  type PagePrediction,
  splitPageNumber,
} from './page-walker.js';

interface PageSending extends Pick<PageHooks, 'signal'> {
  /** Called with the response before it is decoded. The function's result is awaited. */
  readonly onHeaders: (response: ResponseDetails) => Promise<unknown> | undefined;
}

type SendPage<T> = (spec: RequestSpec, page: PageSending) => Promise<CallResult<T[]>>;

/** The next page according to a `Link` header. */
type NextLink =
  | { readonly url: undefined }
  | { readonly url: string; readonly target: Target }
  | { readonly problem: string };

/** The links that pagination reads from a response's `Link` header. */
interface PageLinks {
  readonly next: NextLink;
  /** URL of the last page, unchanged from the header. */
  readonly last?: string | undefined;
}

/**
 * Fetches pages by following the server's `next` links (RFC 8288). If a `Link` header can't be
 * read, the list throws after that response's items rather than ending early.
 */
export class LinkPages<T> implements PageFetcher<T> {
  readonly #first: () => RequestSpec;
  readonly #send: SendPage<T>;
  readonly #context: LinkContext;
  /** URLs of the consumed pages, to detect cycles. */
  readonly #visited = new Set<string>();
  #start: RequestSpec | undefined;
  #known: { readonly url: string; readonly target: Target } | undefined;
  /**
   * List and origin of the predicted pages. A cursor with this list belongs to a predicted page.
   */
  #numbered: (Pick<PageNumber, 'list'> & Pick<Target, 'origin'>) | undefined;

  /** @param first builds the request for the first page. */
  constructor(
    readonly operation: string,
    first: () => RequestSpec,
    send: SendPage<T>,
    context: LinkContext,
  ) {
    this.#first = first;
    this.#send = send;
    this.#context = context;
  }

  async fetch(
    cursor: string | undefined,
    { signal, onHeaders }: PageHooks,
  ): Promise<FetchedPage<T>> {
    this.#start ??= this.#first();
    const spec =
      cursor === undefined
        ? this.#start
        : { ...this.#start, target: this.#resolveTarget(cursor, this.#start) };
    let links: PageLinks = { next: { url: undefined } };
    const reportHeaders = (details: ResponseDetails) => {
      links = readLinks(spec, details, this.#context);
      const next = this.#checkVisited(links.next, spec, details);
      this.#known = 'target' in next ? next : undefined;
      return onHeaders('url' in next ? next.url : undefined, () =>
        this.#predict(spec, links, details),
      );
    };
    const page = { signal, onHeaders: reportHeaders };
    const { data: items, response } = await this.#send(spec, page);
    const url = formatUrl(spec.target);
    let number = splitPageNumber(url)?.number;
    if (number === undefined && cursor === undefined) {
      // A list whose links contain no page numbers has no numbered pages.
      const isNumbered = !('target' in links.next) || splitPageNumber(links.next.url) !== undefined;
      if (isNumbered) number = 1;
    }
    const createPage = (next: NextLink) =>
      toPage(items, { next, last: links.last, number }, spec, response);
    const fetched: FetchedPage<T> = {
      ...createPage(links.next),
      predict: () => this.#predict(spec, links, response),
      verifyOrder: () => {
        const next = this.#checkVisited(links.next, spec, response);
        this.#visited.add(url);
        if ('target' in next) this.#known = next;
        return next === links.next ? fetched : createPage(next);
      },
    };
    return fetched;
  }

  cursorOf(number: number): string {
    this.#start ??= this.#first();
    const url = new URL(formatUrl(this.#start.target));
    url.searchParams.set('page', String(number));
    return url.href;
  }

  #resolveTarget(cursor: string, start: RequestSpec): Target {
    if (cursor === this.#known?.url) return this.#known.target;
    const numbered = this.#numbered;
    return numbered && splitPageNumber(cursor)?.list === numbered.list
      ? { origin: numbered.origin, path: cursor.slice(numbered.origin.length) }
      : resolveCursor(cursor, start, this.#context);
  }

  #checkVisited(next: NextLink, { target }: RequestSpec, response: ResponseDetails): NextLink {
    if (!('target' in next)) return next;
    return next.url === formatUrl(target) || this.#visited.has(next.url)
      ? { problem: `the next page was already fetched (${response.show(next.url)})` }
      : next;
  }

  /**
   * Predicts the pages up to the last page if the URLs of the next and last page differ only in the
   * page number.
   */
  #predict(
    spec: RequestSpec,
    { next, last }: PageLinks,
    response: ResponseDetails,
  ): PagePrediction | undefined {
    if ('problem' in next) return undefined;
    const own = formatUrl(spec.target);
    if (next.url === undefined) {
      const page = splitPageNumber(own);
      return page && { end: page.number, after: () => undefined };
    }
    const target =
      last === undefined ? undefined : resolveLink(last, spec, response, this.#context);
    if (!target || 'problem' in target) return undefined;
    const from = splitPageNumber(next.url);
    const to = splitPageNumber(formatUrl(target));
    if (!from || !to || from.list !== to.list) return undefined;
    this.#numbered = { list: from.list, origin: next.target.origin };
    const after = (cursor: string) => {
      const { number, list } = splitPageNumber(cursor) ?? to;
      if (list !== from.list || number >= to.number) return undefined;
      return `${from.before}${number + 1}${from.after}`;
    };
    return { end: to.number, after };
  }
}

function toPage<T>(
  items: T[],
  { next, last, number }: PageLinks & Pick<ListPage<T>, 'number'>,
  spec: RequestSpec,
  response: ResponseDetails,
): FetchedPage<T> {
  const reported = last === undefined ? undefined : splitPageNumber(last)?.number;
  if (!('problem' in next)) {
    const count = next.url === undefined && (items.length > 0 || number === 1) ? number : reported;
    return { page: new ListPage(items, response, next.url, undefined, number, count) };
  }
  return {
    page: new ListPage(items, response, undefined, undefined, number, reported),
    nextPageError: () => createLinkError(spec, response, next.problem),
  };
}

function readLinks(spec: RequestSpec, response: ResponseDetails, context: LinkContext): PageLinks {
  const header = response.link;
  if (header === undefined) return { next: { url: undefined } };
  const { uris, problem } = scanLinkHeader(header);
  if (problem !== undefined) {
    return { next: { problem: `the Link header cannot be read (${problem})` } };
  }
  const { next, last } = uris;
  if (next === undefined) return { next: { url: undefined } };
  const target = resolveLink(next, spec, response, context);
  if ('problem' in target) return { next: target, last };
  const url = formatUrl(target);
  // A cursor must not contain credentials. If the URL differs from the request's URL only in the
  // page number, it needs no check.
  const isKnown = removePageNumber(url) === removePageNumber(formatUrl(spec.target));
  return !isKnown && response.echoesCredentials(url)
    ? { next: { problem: "the next page's URL contains the credentials" } }
    : { next: { url, target }, last };
}

/** Removes the page number. Replaces `?`, because the page number may be the first parameter. */
function removePageNumber(url: string): string {
  return url.replace('?', '&').replace(/&page=\d{1,15}(?=&|$)/, '');
}

/** Resolves a link to its target, or to the reason why the link can't be followed. */
function resolveLink(
  uri: string,
  spec: RequestSpec,
  response: ResponseDetails,
  context: LinkContext,
): Target | { readonly problem: string } {
  const { urlSource: by } = response;
  // A list on an untrusted origin continues on that origin, without credentials.
  const { origin, trusted } = by;
  const isOwn = origin === spec.target.origin && (trusted || !context.trustedOrigins.has(origin));
  if (isOwn && isPlainUrl(uri, origin, context.credentialParameters)) {
    return { origin, path: uri.slice(origin.length) };
  }
  if (!URL.canParse(uri, response.url)) return { problem: "the next page's URL is invalid" };
  const url = new URL(uri, response.url);
  const named = resolveNamedUrl(url, by, context);
  if (typeof named === 'string') {
    return { problem: `the next page's URL ${urlProblems[named]}` };
  }
  if (named.trusted || (isOwn && url.origin === origin)) return named.target;
  return {
    problem: trusted
      ? `the next page is on ${response.show(url.origin)}, which is not in trustedOrigins`
      : `the link to the next page comes from ${response.show(origin)}, which is not in trustedOrigins`,
  };
}

function createLinkError(
  spec: RequestSpec,
  response: ResponseDetails,
  what: string,
): ResponseShapeError {
  // Mask secrets in the URL, because the server may have put them there.
  const described = describeRequest(spec);
  const request = { ...described, url: response.show(described.url) };
  return new ResponseShapeError(
    formatMessage(request, `the list cannot continue after this page: ${what}`),
    {
      request,
      issues: [{ message: what, path: ['headers', 'link'] }],
      data: response.headers.link,
      response,
    },
  );
}

/** Trust rules and input names for a list that follows `Link` headers. */
interface LinkContext extends OriginTrust {
  readonly inputs: ReadonlySet<string>;
}

/**
 * Parameters that select a page and its size in most lists. Some lists use these parameters as
 * filters.
 */
const pageNames = new Set(
  'page per_page cursor after before since offset start limit count index marker page_token'.split(
    ' ',
  ),
);

/**
 * Resolves a stored cursor to a page of this list. Stored cursors aren't trusted, so the request
 * keeps the list's path and parameters. The cursor sets only the page and the page parameters that
 * neither the caller nor the endpoint sets.
 * @throws {InvalidRequestError} if the cursor is invalid or belongs to another list.
 */
function resolveCursor(cursor: string, { target }: RequestSpec, context: LinkContext): Target {
  const url = typeof cursor === 'string' && URL.canParse(cursor) ? new URL(cursor) : undefined;
  const list = new URL(formatUrl(target));
  // Compare only the last segment, because servers may use an ID in the path
  // (`/repositories/1/pulls`).
  if (!url || !context.trustedOrigins.has(url.origin) || lastSegment(url) !== lastSegment(list)) {
    throw createInputError(
      'from',
      "must be a page cursor from this list. Pass a page's cursor unchanged.",
    );
  }
  const page: [string, string][] = [];
  for (const name of new Set(url.searchParams.keys())) {
    if (context.credentialParameters.has(name)) continue;
    const values = url.searchParams.getAll(name);
    const own = list.searchParams.getAll(name);
    const isInput = context.inputs.has(name) && name !== 'per_page';
    const isFree = name === 'page' || (pageNames.has(name) && !isInput && own.length === 0);
    const [value = '', ...more] = values;
    if (isFree && more.length === 0) page.push([name, value]);
    else if (JSON.stringify(values) !== JSON.stringify(own)) {
      const shown = JSON.stringify(name.slice(0, 40));
      throw createInputError(
        'from',
        `must be a page cursor from this list (got a different ${shown} parameter)`,
      );
    }
  }
  const own = [...list.searchParams].filter(([name]) => name !== 'page');
  const query = encodeParameters([...own, ...page]);
  return { origin: list.origin, path: list.pathname + (query === '' ? '' : `?${query}`) };
}

function lastSegment({ pathname }: URL): string | undefined {
  return pathname.split('/').at(-1);
}

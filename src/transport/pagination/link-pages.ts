import { InvalidRequestError, ResponseShapeError } from '../../errors/index.js';
import type { ResponseInfo } from '../../response-info.js';
import { scanLinkHeader } from '../http/link-header.js';
import { showUrl, stripParameters } from '../http/redact.js';
import {
  describe,
  type RequestSpec,
  type Target,
  targetOf,
  urlOf,
} from '../request/request-spec.js';
import type { Answered, AnswerInfo } from '../response/answer-info.js';
import { AnsweredPage, type FetchedPage, type PageFetcher } from './page.js';
import { isPlainUrl } from './plain-url.js';
import { VisitedUrls } from './visited-urls.js';

/** What a crawl by `Link` headers must know of its client. */
export interface LinkContext {
  readonly isTrusted: (origin: string) => boolean;
  readonly credentialNames: ReadonlySet<string>;
}

/** Sends one request of a list, and tells of its answer before it is decoded. */
export type SendPage<T> = (
  spec: RequestSpec,
  signal: AbortSignal,
  arrived: (response: AnswerInfo) => Promise<unknown> | undefined,
) => Promise<Answered<T[]>>;

/** Where a `Link` header leads to. */
type Next =
  | { readonly url: undefined }
  | { readonly url: string; readonly target: Target }
  | { readonly problem: string };

/**
 * Pages by the server's own `next` URLs (RFC 8288). What can't be read
 * where a next page might stand is an error, after the items of the page it stands on: a list never
 * ends early in silence.
 */
export function linkFetcher<T>(
  first: () => RequestSpec,
  send: SendPage<T>,
  context: LinkContext,
): PageFetcher<T> {
  const visited = new VisitedUrls();
  let start: RequestSpec | undefined;
  let known: { readonly url: string; readonly target: Target } | undefined;
  return async (cursor, signal, arrived): Promise<FetchedPage<T>> => {
    start ??= first();
    const spec =
      cursor === undefined
        ? start
        : {
            ...start,
            target: cursor === known?.url ? known.target : cursorTarget(cursor, start, context),
          };
    visited.add(urlOf(spec.target));
    const seen: { next: Next } = { next: { url: undefined } };
    const { data: items, response } = await send(spec, signal, (answer) => {
      const next = nextOf(spec, answer, visited, context);
      seen.next = next;
      known = 'target' in next ? next : undefined;
      return arrived('url' in next ? next.url : undefined, answer);
    });
    const { next } = seen;
    if (!('problem' in next)) return { page: new AnsweredPage(items, response, next.url) };
    const { problem } = next;
    return {
      page: new AnsweredPage(items, response, undefined),
      deadEnd: () => linkError(spec, response, problem),
    };
  };
}

/** Names of parameters that say which page is wanted, and not what is listed. */
const paging = new Set(['page', 'per_page', 'cursor', 'after', 'before', 'since']);

/**
 * Where a stored cursor leads: to its page of this list, whatever else it names. Applications keep
 * cursors where others can write.
 */
function cursorTarget(cursor: string, { target }: RequestSpec, context: LinkContext): Target {
  const url = typeof cursor === 'string' ? urlIn(cursor) : undefined;
  const list = new URL(urlOf(target));
  const isOurs =
    url &&
    context.isTrusted(url.origin) &&
    // Servers name the same list by an id (`/repositories/1/pulls`).
    lastSegment(url) === lastSegment(list) &&
    // A server's own cursor may stand for all parameters, but contradicts none.
    [...list.searchParams].every(
      ([name, value]) =>
        paging.has(name) ||
        !url.searchParams.has(name) ||
        url.searchParams.getAll(name).includes(value),
    );
  if (!isOurs) {
    throw new InvalidRequestError(
      'from: expected the cursor of a page of this list: a URL of this API',
      'from',
    );
  }
  const { path } = bareTarget(url, context);
  const mark = path.indexOf('?');
  return { origin: list.origin, path: list.pathname + (mark < 0 ? '' : path.slice(mark)) };
}

function lastSegment({ pathname }: URL): string | undefined {
  return pathname.split('/').at(-1);
}

function nextOf(
  spec: RequestSpec,
  response: AnswerInfo,
  visited: VisitedUrls,
  context: LinkContext,
): Next {
  const header = response.link;
  if (header === undefined) return { url: undefined };
  const { links, problem } = scanLinkHeader(header);
  if (problem !== undefined) return { problem: `its Link header can't be read: ${problem}` };
  const link = links.find((each) => !each.anchored && each.rels.includes('next'));
  if (!link) return { url: undefined };
  const target = targetIn(link.uri, spec, response, context);
  if ('problem' in target) return target;
  const next = urlOf(target);
  return visited.has(next)
    ? { problem: `its next page was fetched already: ${showUrl(next, spec.secrets)}` }
    : { url: next, target };
}

/** Where a link leads to, or why that can't be followed. */
function targetIn(
  uri: string,
  spec: RequestSpec,
  response: AnswerInfo,
  context: LinkContext,
): Target | { readonly problem: string } {
  const { origin } = spec.target;
  if (isPlainUrl(uri, origin)) {
    return { origin, path: stripParameters(uri, context.credentialNames).slice(origin.length) };
  }
  const url = urlIn(uri) ?? urlIn(uri, response.url);
  if (!url) return { problem: 'its next page is no URL' };
  if (context.isTrusted(url.origin)) return bareTarget(url, context);
  return {
    problem: `its next page is on another origin, ${url.origin}, which is not among trustedOrigins`,
  };
}

function urlIn(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Where a URL leads to, without the credentials that it may carry. */
function bareTarget(url: URL, { credentialNames }: LinkContext): Target {
  const bare = stripParameters(url.href, credentialNames);
  return targetOf(bare === url.href ? url : new URL(bare));
}

function linkError(spec: RequestSpec, response: ResponseInfo, what: string): ResponseShapeError {
  const request = describe(spec);
  return new ResponseShapeError(
    `${request.operation}: the list can't go on after this page: ${what} [${request.method} ${request.url}]`,
    request,
    [{ message: what, path: ['headers', 'link'] }],
    { data: response.headers.link, response },
  );
}

import { InvalidRequestError, ResponseShapeError } from '../errors.js';
import type { ResponseInfo } from '../response-info.js';
import type { AnswerInfo } from './answer-info.js';
import type { ResponseHolder } from './call.js';
import { scanLinkHeader } from './link-header.js';
import { AnsweredPage, type FetchedPage, type PageFetcher } from './page.js';
import { isPlainUrl } from './plain-url.js';
import { showUrl, stripParameters } from './redact.js';
import { describe, type RequestSpec, type Target, targetOf, urlOf } from './request-spec.js';
import { VisitedUrls } from './visited-urls.js';

/** What a crawl by `Link` headers must know of its client. */
export interface LinkContext {
  readonly isTrusted: (origin: string) => boolean;
  readonly credentialNames: ReadonlySet<string>;
}

/**
 * Sends one request of a list and gives its items; leaves the facts of the answer in the holder, and
 * tells of it before it is decoded.
 */
export type SendPage<T> = (
  spec: RequestSpec,
  signal: AbortSignal,
  holder: ResponseHolder,
  arrived: (response: AnswerInfo) => Promise<unknown> | undefined,
) => Promise<T[]>;

/** Where a `Link` header leads to. */
type Next =
  | { readonly url: undefined }
  | { readonly url: string; readonly target: Target }
  | { readonly problem: string };

/**
 * Pages by the server's own `next` URLs (contract: Limits, Pagination; RFC 8288). What can't be read
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
            target: cursor === known?.url ? known.target : cursorTarget(cursor, context),
          };
    visited.add(urlOf(spec.target));
    const holder: ResponseHolder = { response: undefined };
    let next: Next | undefined;
    const items = await send(spec, signal, holder, (response) => {
      next = nextOf(spec, response, visited, context);
      known = 'target' in next ? next : undefined;
      return arrived('url' in next ? next.url : undefined, response);
    });
    const { response } = holder;
    if (!response || !next) throw new TypeError('a page came without an answer');
    if ('url' in next) return { page: new AnsweredPage(items, response, next.url) };
    const { problem } = next;
    return {
      page: new AnsweredPage(items, response, undefined),
      deadEnd: () => linkError(spec, response, problem),
    };
  };
}

function cursorTarget(cursor: string, context: LinkContext): Target {
  const url = typeof cursor === 'string' ? urlIn(cursor) : undefined;
  if (!url || !context.isTrusted(url.origin)) {
    throw new InvalidRequestError(
      'from: expected the cursor of a page of this list: a URL of this API',
      'from',
    );
  }
  return bareTarget(url, context);
}

function nextOf(
  spec: RequestSpec,
  response: AnswerInfo,
  visited: VisitedUrls,
  context: LinkContext,
): Next {
  const header = response.field('link');
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

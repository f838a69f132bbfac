import { InvalidRequestError, ResponseShapeError } from '../errors.js';
import type { ResponseInfo } from '../response-info.js';
import type { ResponseHolder } from './call.js';
import { scanLinkHeader } from './link-header.js';
import { AnsweredPage, type Page, type PageFetcher } from './page.js';
import { showUrl, stripParameters } from './redact.js';
import { describe, type RequestSpec, targetOf, urlOf } from './request-spec.js';

/** What a crawl by `Link` headers must know of its client. */
export interface LinkContext {
  readonly isTrusted: (origin: string) => boolean;
  readonly credentialNames: ReadonlySet<string>;
}

/** Sends one request of a list and gives its items; leaves the facts of the answer in the holder. */
export type SendPage<T> = (
  spec: RequestSpec,
  signal: AbortSignal,
  holder: ResponseHolder,
) => Promise<T[]>;

/**
 * Pages by the server's own `next` URLs (contract: Limits, Pagination; RFC 8288). What can't be read
 * where a next page might stand is an error: a list never ends early in silence.
 */
export function linkFetcher<T>(
  first: () => RequestSpec,
  send: SendPage<T>,
  context: LinkContext,
): PageFetcher<T> {
  const visited = new Set<string>();
  return async (cursor, signal): Promise<Page<T>> => {
    const start = first();
    const spec = cursor === undefined ? start : { ...start, target: cursorTarget(cursor, context) };
    visited.add(urlOf(spec.target));
    const holder: ResponseHolder = { response: undefined };
    const items = await send(spec, signal, holder);
    const { response } = holder;
    if (!response) throw new TypeError('a page came without an answer');
    const next = nextOf(spec, response, context);
    if (next !== undefined && visited.has(next)) {
      throw linkError(
        spec,
        response,
        `its next page was fetched already: ${showUrl(next, spec.secrets)}`,
      );
    }
    return new AnsweredPage(items, response, next);
  };
}

function cursorTarget(cursor: string, context: LinkContext): RequestSpec['target'] {
  const url = typeof cursor === 'string' && URL.canParse(cursor) ? new URL(cursor) : undefined;
  if (!url || !context.isTrusted(url.origin)) {
    throw new InvalidRequestError(
      'from: expected the cursor of a page of this list: a URL of this API',
      'from',
    );
  }
  return targetOf(new URL(stripParameters(url.href, context.credentialNames)));
}

function nextOf(
  spec: RequestSpec,
  response: ResponseInfo,
  context: LinkContext,
): string | undefined {
  const header = response.headers.link;
  if (header === undefined) return undefined;
  const { links, problem } = scanLinkHeader(header);
  if (problem !== undefined) {
    throw linkError(spec, response, `its Link header can't be read: ${problem}`);
  }
  const link = links.find((each) => !each.anchored && each.rels.includes('next'));
  if (!link) return undefined;
  if (!URL.canParse(link.uri, response.url)) {
    throw linkError(spec, response, 'its next page is no URL');
  }
  const url = new URL(link.uri, response.url);
  if (!context.isTrusted(url.origin)) {
    throw linkError(
      spec,
      response,
      `its next page is on another origin, ${url.origin}, which is not among trustedOrigins`,
    );
  }
  return urlOf(targetOf(new URL(stripParameters(url.href, context.credentialNames))));
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

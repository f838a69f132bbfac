import type { ServerResponse } from 'node:http';
import { type Seen, sendJson, serve, type TestServer } from './server.js';

/** Deviations from the default pages. */
export interface PageQuirks {
  /** Functions that send a different response, by page number. */
  readonly instead?: Readonly<Record<number, (response: ServerResponse, request: Seen) => unknown>>;
  /** Additional headers for a page, which override default headers. */
  readonly headers?: (page: number, origin: string) => Record<string, string>;
  readonly pages?: number;
  readonly perPage?: number;
}

/**
 * Serves `/api/v3/items` as pages of numbers with `Link` headers. Item n on page p is `p * 10 + n`.
 */
export async function servePages(quirks: PageQuirks = {}): Promise<TestServer & { most: number }> {
  const { pages = 3, perPage = 3 } = quirks;
  let inFlight = 0;
  const state = { most: 0 };
  const server = await serve((request, response) => {
    inFlight++;
    state.most = Math.max(state.most, inFlight);
    response.once('close', () => {
      inFlight--;
    });
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    const instead = quirks.instead?.[page];
    if (instead) {
      instead(response, request);
      return;
    }
    const next = `<${server.origin}/api/v3/items?page=${page + 1}>; rel="next"`;
    sendJson(
      response,
      Array.from({ length: perPage }, (_, index) => page * 10 + index + 1),
      200,
      { ...(page < pages && { link: next }), ...quirks.headers?.(page, server.origin) },
    );
  });
  return Object.assign(server, {
    get most() {
      return state.most;
    },
  });
}

/** Returns the pages requested from a server, in order. */
export function pagesSeen(server: TestServer): number[] {
  return server.requests.map(({ url }) =>
    Number(new URL(url, 'http://x').searchParams.get('page') ?? 1),
  );
}

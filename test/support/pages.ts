import type { ServerResponse } from 'node:http';
import { type Seen, sendJson, serve, type TestServer } from './server.js';

/** What a list of pages may do differently on one page. */
export interface PageQuirks {
  /** Replaces the answer of a page. */
  readonly instead?: Readonly<Record<number, (response: ServerResponse, request: Seen) => unknown>>;
  /** Header fields of a page, over those it has anyway. */
  readonly headers?: (page: number, origin: string) => Record<string, string>;
  readonly pages?: number;
  readonly perPage?: number;
  /** Told when a page is asked for, before it is answered. */
  readonly gate?: (page: number) => Promise<void> | undefined;
}

/** A server of `/api/v3/items`: pages of numbers, linked by `Link`. Item n of page p is `p * 10 + n`. */
export async function servePages(quirks: PageQuirks = {}): Promise<TestServer & { most: number }> {
  const { pages = 3, perPage = 3 } = quirks;
  let inFlight = 0;
  const state = { most: 0 };
  const server = await serve(async (request, response) => {
    inFlight++;
    state.most = Math.max(state.most, inFlight);
    response.once('close', () => {
      inFlight--;
    });
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    await quirks.gate?.(page);
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

/** The pages a server was asked for, in order. */
export function pagesSeen(server: TestServer): number[] {
  return server.requests.map(({ url }) =>
    Number(new URL(url, 'http://x').searchParams.get('page') ?? 1),
  );
}

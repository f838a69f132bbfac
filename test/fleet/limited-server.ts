import { setTimeout as sleep } from 'node:timers/promises';
import { type Seen, sendJson, serve, type TestServer } from '../support/server.js';

/** A service with a quota per window. */
export interface LimitedServer extends TestServer {
  /** Arrival times of successful and rejected requests, as values of `performance.now()`. */
  readonly served: readonly number[];
  readonly refused: readonly number[];
  /** Highest number of requests that were in flight at the same time. */
  readonly most: number;
  /** Number of windows in which a request arrived. */
  readonly windows: number;
}

export interface LimitedServerOptions {
  /** Time in ms to the response. Default: 5. */
  readonly latency?: number;
  /** Length of a window in seconds. Default: 3600. */
  readonly seconds?: number;
  /** Returns the `Retry-After` in seconds if a secondary limit rejects the request. */
  readonly refuse?: (request: Seen, now: number) => number | undefined;
}

/** Starts a server that allows `limit` requests per window. */
export async function limitedServer(
  limit: number,
  { latency = 5, seconds = 3600, refuse }: LimitedServerOptions = {},
): Promise<LimitedServer> {
  const counts = { served: [] as number[], refused: [] as number[], most: 0, windows: 0 };
  let inFlight = 0;
  let window = { used: 0, reset: 0 };
  const server = await serve(async (request, response) => {
    counts.most = Math.max(counts.most, ++inFlight);
    const now = Date.now();
    if (window.reset * 1000 <= now) {
      window = { used: 0, reset: Math.floor(now / 1000) + seconds };
      counts.windows++;
    }
    const retryAfter = refuse?.(request, performance.now());
    const allowed = retryAfter === undefined && window.used < limit;
    if (allowed) window.used++;
    (allowed ? counts.served : counts.refused).push(performance.now());
    const headers = {
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-remaining': `${limit - window.used}`,
      'x-ratelimit-reset': `${window.reset}`,
    };
    await sleep(latency);
    inFlight--;
    if (allowed) sendJson(response, { ok: true }, 200, headers);
    else if (retryAfter === undefined) {
      sendJson(response, { message: 'API rate limit exceeded' }, 403, headers);
    } else {
      const message = 'You have exceeded a secondary rate limit';
      sendJson(response, { message }, 403, { ...headers, 'retry-after': `${retryAfter}` });
    }
  });
  return Object.assign(counts, server);
}

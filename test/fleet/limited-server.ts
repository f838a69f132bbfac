import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson, serve, type TestServer } from '../support/server.js';

/** A service with an hourly limit for each credential. */
export interface LimitedServer extends TestServer {
  /** Numbers of successful and rejected requests by credential. */
  readonly served: Map<string, number>;
  readonly refused: Map<string, number>;
  /** Returns the highest number of requests that were in flight at the same time. */
  readonly most: () => number;
}

/**
 * Starts a server that responds after `latency` ms. Each window ends `seconds` after the
 * credential's first request.
 */
export async function limitedServer(
  limit: number,
  { latency = 5, seconds = 3600 } = {},
): Promise<LimitedServer> {
  const served = new Map<string, number>();
  const refused = new Map<string, number>();
  const windows = new Map<string, { used: number; reset: number }>();
  let [inFlight, most] = [0, 0];
  const server = await serve(async (request, response) => {
    inFlight++;
    most = Math.max(most, inFlight);
    const credential = request.headers.authorization ?? '';
    const now = Date.now();
    let window = windows.get(credential);
    if (!window || window.reset * 1000 <= now) {
      window = { used: 0, reset: Math.floor(now / 1000) + seconds };
      windows.set(credential, window);
    }
    const allowed = window.used < limit;
    if (allowed) window.used++;
    const counted = allowed ? served : refused;
    counted.set(credential, (counted.get(credential) ?? 0) + 1);
    const headers = {
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-remaining': `${limit - window.used}`,
      'x-ratelimit-reset': `${window.reset}`,
    };
    await sleep(latency);
    inFlight--;
    if (allowed) sendJson(response, { ok: true }, 200, headers);
    else sendJson(response, { message: 'API rate limit exceeded' }, 403, headers);
  });
  return Object.assign(server, { served, refused, most: () => most });
}

export const sum = (counts: Map<string, number>) =>
  [...counts.values()].reduce((total, each) => total + each, 0);

// Handles requests to `/limited/…`. Each token contains its hourly limit. Each response takes 20
// ms.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodies } from './data.js';

/** Response time, in ms. */
export const latency = 20;

/** Returns a token with an hourly limit. @param name Makes the token unique. */
export function createToken(limit: number, name: string): string {
  return `${limit}-${name}`;
}

/** The server's request counts for one token. */
export interface Used {
  readonly served: number;
  readonly refused: number;
  /** Time of the last response that isn't a rejection, in ms since the epoch. */
  readonly last: number;
}

const small = bodies.small();
const reset = Math.ceil(Date.now() / 1000) + 3600;
const all = new Map<string, { served: number; refused: number; last: number }>();

/** Returns the time in ms since the epoch. All processes on the machine share this clock. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Responds to a request for the limited API. `…/used` returns a token's counts. */
export function respondLimited(request: IncomingMessage, response: ServerResponse): void {
  const { authorization = '' } = request.headers;
  const used = all.get(authorization) ?? { served: 0, refused: 0, last: 0 };
  all.set(authorization, used);
  if (request.url?.endsWith('/used')) {
    response.end(JSON.stringify(used satisfies Used));
    return;
  }
  const limit = Number(/ (\d+)-/.exec(authorization)?.[1]);
  const isServed = used.served < limit;
  if (isServed) used.served += 1;
  else used.refused += 1;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': limit - used.served,
    'x-ratelimit-reset': reset,
  };
  setTimeout(() => {
    if (isServed) {
      used.last = now();
      response.writeHead(200, { ...headers, 'content-length': small.length }).end(small);
    } else {
      response.writeHead(403, headers).end('{"message":"API rate limit exceeded"}');
    }
  }, latency);
}

// What the server answers below `/limited/…`: each token has as many requests an hour as it says, each
// answered after 20 ms.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodies } from './data.js';

/** Milliseconds until an answer. */
export const latency = 20;

/** A token with so many requests. @param name tells it from others of as many. */
export function createToken(limit: number, name: string): string {
  return `${limit}-${name}`;
}

/** What the server tells of a token. */
export interface Used {
  readonly served: number;
  readonly refused: number;
  /** When the last request was answered that was not refused: ms since the epoch. */
  readonly last: number;
}

const small = bodies.small();
const reset = Math.ceil(Date.now() / 1000) + 3600;
const all = new Map<string, { served: number; refused: number; last: number }>();

/** Milliseconds since the epoch, by a clock that all processes of the machine share. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Answers a request of a limited API; `…/used` tells what came of the token. */
export function answerLimited(request: IncomingMessage, response: ServerResponse): void {
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

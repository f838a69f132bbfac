import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import type { Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isTriforgeError } from '../../../src/errors/index.js';
import type { HostingClientOptions } from '../../../src/hosting/index.js';
import { getMember } from '../../../src/schema/unknown-values.js';
import type { Route } from '../../../src/transport/base-client.js';
import type { RequestOptions } from '../../../src/transport/options.js';
import { createClient, until, watchRejections } from '../../support/client.js';
import { holdTimers } from '../../support/held-timers.js';
import { type Handler, sendJson, serve, serveRaw } from '../../support/server.js';

/** The server in a fault case. */
export interface Place {
  readonly origin: string;
  /** Received requests. */
  readonly requests?: readonly unknown[];
  /** Returns the number of open connections. */
  readonly open?: () => Promise<number>;
  /** Client options that depend on the running server, such as its proxy or certificate. */
  readonly options?: Partial<HostingClientOptions> & { readonly dispatcher?: Dispatcher };
}

/** A call's expected outcome: a result, or an error's properties. */
export interface Ending {
  readonly result?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
  /** Number of attempts. Default: 1. */
  readonly attempts?: number;
  /**
   * Number of requests that reach the server, including redirects and stale sockets. Default:
   * `attempts`.
   */
  readonly requests?: number;
}

/** A fault and the expected outcome for each method. */
export interface FaultCase {
  readonly name: string;
  readonly place: () => Promise<Place>;
  readonly options?: Partial<HostingClientOptions>;
  readonly call?: RequestOptions;
  /** Number of successful calls before the tested call. */
  readonly before?: number;
  readonly ends: Readonly<Partial<Record<keyof typeof requests, Ending>>>;
  /** Number of requests after which the total timeout (`heldLimit`) expires. */
  readonly runsOutAfter?: number;
}

type FaultRequest = readonly [Route, { a?: number }?, { idempotent?: boolean }?];

const requests = {
  GET: ['GET /x'],
  POST: ['POST /x', { a: 1 }],
  /** Marked as idempotent, like the methods for stars and team memberships. */
  'idempotent PUT': ['PUT /x', { a: 1 }, { idempotent: true }],
} as const satisfies Record<string, FaultRequest>;

/**
 * Runs each case with each method that has an expected outcome. Allows two immediate retries. Each
 * title consists of `subject`, the case's name and the outcome.
 */
export function testFaults(unit: string, subject: string, cases: readonly FaultCase[]): void {
  describe(unit, () => {
    for (const each of cases) {
      for (const [method, request] of Object.entries(requests)) {
        // `as`: `Object.entries` widens the keys to strings.
        const ending = each.ends[method as keyof typeof requests];
        if (!ending) continue;
        it(`${subject} ${each.name} ${describeEnding(method, ending)}`, { timeout: 40_000 }, () =>
          play(each, request, ending),
        );
      }
    }
  });
}

function describeEnding(method: string, { error, attempts = 1 }: Ending): string {
  const call = method.startsWith('i') ? `an ${method}` : `a ${method}`;
  const times = attempts === 1 ? '' : ` after ${attempts} attempts`;
  if (!error) return `lets ${call} succeed${times}`;
  const { name, ...rest } = error;
  const facts = [...(name === undefined ? ['code'] : []), 'reason', 'status', 'mayHaveActed']
    .flatMap((key) => (rest[key] === undefined ? [] : `${key}: ${rest[key]}`))
    .join(', ');
  return `makes ${call} fail with ${name ?? 'an error'}${facts && ` (${facts})`}${times}`;
}

async function play(
  each: FaultCase,
  [route, inputs = {}, options = {}]: FaultRequest,
  ending: Ending,
): Promise<void> {
  const rejections = watchRejections();
  const place = await each.place();
  const retry = { limit: 2, baseDelay: 0 };
  const client = createClient(place, { retry, ...place.options, ...each.options });
  for (let count = 0; count < (each.before ?? 0); count++) {
    await client.request('GET /before');
    // undici releases a socket one event-loop turn after the response.
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  const { requests: seen = [] } = place;
  const before = seen.length;
  const ledger = watchAttempts(place.origin);
  const timers = holdTimers();
  const call = client.request(route, inputs, { ...options, ...each.call });
  const settled = call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const { runsOutAfter } = each;
  if (runsOutAfter !== undefined) {
    await until('a request arrived', () => seen.length >= before + runsOutAfter);
    timers.runOut();
  }
  const outcome = await settled;
  if (ending.error) {
    if (!('error' in outcome)) throw new Error(`expected an error, got ${inspect(outcome)}`);
    const { error } = outcome;
    expect(isTriforgeError(error), inspect(error)).toBe(true);
    expect(error).toMatchObject(ending.error);
    expect(String(error), 'a message of one line').not.toMatch(/[\r\n]/);
  } else {
    expect(outcome).toEqual({ result: ending.result });
    expect((await call.withResponse()).response.attempts).toBe(ending.attempts ?? 1);
  }
  const { attempts = 1 } = ending;
  expect(ledger.started, 'attempts reported as started').toBe(attempts);
  expect(ledger.ended, 'attempts reported as ended').toBe(attempts);
  const { requests: due = attempts } = ending;
  // The last request may reach the server after the client has given up.
  if (place.requests)
    await until('the expected requests arrived', () => seen.length >= before + due);
  await client.close();
  await place.options?.dispatcher?.destroy();
  const { open } = place;
  if (open) await until('no socket is open', async () => (await open()) === 0);
  if (place.requests) expect(seen.length - before, 'requests received').toBe(due);
  expect(await rejections()).toEqual([]);
}

/** Counts attempts at one origin, because calls from earlier tests may still publish events. */
export function watchAttempts(origin: string): { started: number; ended: number } {
  const ledger = { started: 0, ended: 0 };
  const counting = (count: 'started' | 'ended') => (message: unknown) => {
    const url = getMember(getMember(message, 'request'), 'url');
    if (String(url).startsWith(`${origin}/`)) ledger[count]++;
  };
  const listeners = {
    'triforge:request:start': counting('started'),
    'triforge:request:end': counting('ended'),
    'triforge:request:error': counting('ended'),
  };
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener);
  onTestFinished(() => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener);
  });
  return ledger;
}

/**
 * Returns a function that starts a server. The server responds to every request with the bytes in
 * `wire`, and closes the connection if `closes` is set.
 */
export function bytes(wire: Buffer | string, closes = false): () => Promise<Place> {
  return () =>
    serveRaw((socket) => {
      if (closes) socket.end(wire);
      else socket.write(wire);
    });
}

/** Creates a server that passes each request's socket to `respond`. */
export function onSocket(
  respond: (socket: Socket, index: number) => unknown,
): () => Promise<Place> {
  return () => serveRaw(respond);
}

export function onHttp(handler: Handler): () => Promise<Place> {
  return () => serve(handler);
}

/** Creates a handler that calls `fault` for the first request and then responds normally. */
export function once(fault: Handler): Handler {
  return (seen, response, index) =>
    index === 0 ? fault(seen, response, index) : fine(seen, response, index);
}

/** Sends the normal response. */
export const fine: Handler = (_seen, response: ServerResponse) => sendJson(response, { ok: true });

/** Body of the response that {@link fine} sends. */
export const ok = { ok: true };

/** Returns a complete response as bytes: status line, headers and body. */
export function respond(
  head: string,
  body: Buffer | string = '',
  length: number | false = body.length,
): Buffer {
  const framing = length === false ? '' : `content-length: ${length}\r\n`;
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${head.replaceAll('\n', '\r\n')}\r\n${framing}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

/** Creates the expected error for a failed connection. */
export const connection = (mayHaveActed: boolean, code?: string) => ({
  name: 'ConnectionError',
  code: 'connection',
  mayHaveActed,
  ...(code !== undefined && { cause: { code } }),
});

/** Creates the expected error for an unreadable body. */
export const broken = (reason: string, status = 200, mayHaveActed = true) => ({
  name: 'ResponseBodyError',
  code: 'response_body',
  reason,
  status,
  mayHaveActed,
});

/** Creates the expected outcome of a fault after which GET and POST return the same result. */
export const gives = (result: unknown): { GET: Ending; POST: Ending } => ({
  GET: { result },
  POST: { result },
});

type Failure = Readonly<Record<string, unknown>>;

/** Creates the expected outcome of a fault after which GET and POST fail without a retry. */
export const fails = (error: Failure, rest: Ending = {}): { GET: Ending; POST: Ending } => ({
  GET: { error, ...rest },
  POST: { error, ...rest },
});

/** Creates the expected outcome of a fault after which only GET is retried, and both fail. */
export const retriesGet = (error: Failure): { GET: Ending; POST: Ending } => ({
  GET: { error, attempts: 3 },
  POST: { error },
});

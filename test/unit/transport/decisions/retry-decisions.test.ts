import { describe, expect, it } from 'vitest';
import {
  isPossiblyExecuted,
  type RetryFacts,
} from '../../../../src/transport/decisions/retry-decision.js';
import type { Failure, HttpResponse } from '../../../../src/transport/http/raw-response.js';
import { failure, respond } from '../attempt-results.js';
import { decide, usedUp } from './retry-facts.js';

const broken = (cause: unknown, more: Partial<Failure> = {}) =>
  failure('connection', { cause, ...more });

const backoff = { delay: 100, free: false };
const free = { delay: 0, free: true };
const asking = (seconds: string) => ({ 'retry-after': seconds });

const primary = { limited: 'primary', maxWait: 9000 } as const;
const secondary = { limited: 'secondary' } as const;

describe('decideRetry()', () => {
  const table: readonly [string, HttpResponse, Partial<RetryFacts>, object | undefined][] = [
    ['never retries after a 200', respond(200), {}, undefined],
    ['never retries after a 404', respond(404), {}, undefined],
    ['never retries after a 499', respond(499), {}, undefined],
    ['never retries after a 404 with Retry-After', respond(404, asking('1')), {}, undefined],
    ['retries with a backoff after a 500', respond(500), {}, backoff],
    [
      "waits for the time in a 503's Retry-After",
      respond(503, asking('2')),
      {},
      { ...backoff, delay: 2000 },
    ],
    [
      'waits for the longest allowed Retry-After',
      respond(503, asking('60')),
      {},
      { ...backoff, delay: 60_000 },
    ],
    [
      'grants a free retry after a primary limit that the client waits for',
      respond(403, usedUp),
      primary,
      { delay: 9000, free: true },
    ],
    [
      'grants a free retry after a secondary limit with Retry-After',
      respond(403, asking('60')),
      secondary,
      { delay: 60_000, free: true },
    ],
    [
      'never retries if the upload data has the wrong length',
      failure('invalid_body'),
      {},
      undefined,
    ],
  ];
  it.each(table)('decideRetry() %s', (_name, outcome, facts, expected) => {
    expect(decide(outcome, facts)).toEqual(expected);
  });

  it.each([
    ['a 500', respond(500), {}],
    ['a 503 with Retry-After', respond(503, asking('2')), {}],
    ['a secondary limit that requests no wait', respond(429, asking('0')), secondary],
  ])('decideRetry() retries up to the retry limit after %s', (_name, outcome, facts) => {
    expect(decide(outcome, { ...facts, failures: 3 })).toBeDefined();
    expect(decide(outcome, { ...facts, failures: 4 })).toBeUndefined();
  });
});

describe('decideRetry() after a rate limit', () => {
  it.each([
    ['primary', respond(403, usedUp), primary, 9000],
    ['secondary', respond(429), secondary, 60_000],
  ])(
    'decideRetry() retries after a %s limit until the waits add up to an hour',
    (_name, outcome, facts, delay) => {
      const longest = { ...facts, failures: 99, limitedFor: 3_600_000 - delay };
      expect(decide(outcome, longest)).toMatchObject({ delay, free: true });
      expect(decide(outcome, { ...longest, limitedFor: longest.limitedFor + 1 })).toBeUndefined();
    },
  );

  it('decideRetry() never retries after a rate limit if retries are off', () => {
    expect(decide(respond(429), secondary, { limit: 0 })).toBeUndefined();
  });
});

describe('decideRetry() after a failed connection', () => {
  it.each([
    ['a string', 'ECONNRESET'],
    ['null', null],
    ['undefined', undefined],
    ['an error without a code', new Error('x')],
    ["an error whose code isn't a string", { code: ['CERT_HAS_EXPIRED'] }],
    [
      "an error whose code merely contains a permanent code's prefix",
      { code: 'PEER_UNABLE_TO_ANSWER' },
    ],
    [
      'an error from a proxy that fails',
      new Error('Proxy response (500) !== 200 when HTTP Tunneling'),
    ],
    [
      "an error from a proxy that can't reach the server",
      new Error('Proxy response (502) !== 200 when HTTP Tunneling'),
    ],
  ])('decideRetry() retries a failed connection if the cause is %s', (_name, cause) => {
    expect(decide(broken(cause))).toEqual(backoff);
  });

  it.each([
    ['ERR_TLS_CERT_ALTNAME_INVALID'],
    ['CERT_HAS_EXPIRED'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['SELF_SIGNED_CERT_IN_CHAIN'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['UND_ERR_HEADERS_OVERFLOW'],
  ])('decideRetry() never retries a failed connection if the error code is %s', (code) => {
    expect(decide(broken({ code }, { sent: false }))).toBeUndefined();
  });
});

it.each([
  ['Proxy Authentication Required (407)'],
  ['Proxy response (403) !== 200 when HTTP Tunneling'],
])('decideRetry() never retries after the proxy error "%s"', (message) => {
  expect(decide(broken(new Error(message), { sent: false }))).toBeUndefined();
});

describe('decideRetry() after a failure on a reused socket', () => {
  it.each([
    ['an immediate free retry after ECONNRESET', 'ECONNRESET', {}, free],
    ['an immediate free retry after EPIPE', 'EPIPE', {}, free],
    ['an immediate free retry after UND_ERR_SOCKET', 'UND_ERR_SOCKET', {}, free],
    ['a retry with a backoff after ETIMEDOUT', 'ETIMEDOUT', {}, backoff],
    // A response had started, so the server had already read the request.
    ['a retry with a backoff if a response has started', 'ECONNRESET', { status: 200 }, backoff],
  ])('decideRetry() allows %s on a reused socket', (_what, code, more, expected) => {
    expect(decide(broken({ code }, { reused: true, ...more }))).toEqual(expected);
  });

  it('decideRetry() never retries after a failure on a reused socket if retries are off', () => {
    expect(decide(broken({ code: 'EPIPE' }, { reused: true }), {}, { limit: 0 })).toBeUndefined();
  });
});

describe('decideRetry() for a possibly executed request', () => {
  it.each([
    ['repeats a possibly executed request', 'safe', true],
    ['repeats a possibly executed request', 'idempotent', true],
    ['never repeats a possibly executed request', 'refused', false],
    ['never repeats a possibly executed request', 'unsent', false],
  ] as const)('decideRetry() %s under the retry rule "%s"', (_what, rule, expected) => {
    // The connection was refused, so every rule allows another attempt.
    const refused = broken({ code: 'ECONNREFUSED' }, { sent: false });
    expect(decide(refused, { rule })).toEqual(backoff);
    expect(decide(refused, { rule, executed: true })).toEqual(expected ? backoff : undefined);
  });
});

describe('isPossiblyExecuted()', () => {
  const table: readonly [string, HttpResponse, boolean][] = [
    ['a 200', respond(200), false],
    ['a 404', respond(404), false],
    ['a 499', respond(499), false],
    ['a 500', respond(500), true],
    ['a 503', respond(503), true],
    ['a 503 with Retry-After', respond(503, asking('1')), true],
    ['a 500 with Retry-After', respond(500, asking('1')), true],
    ['a connection that was never established', failure('connection', { sent: false }), false],
    ['a lost connection', failure('connection'), true],
    ['upload data of the wrong length', failure('invalid_body'), false],
    ['a truncated 200', failure('truncated', { status: 200 }), true],
    ['a truncated 399', failure('truncated', { status: 399 }), true],
    ['a truncated 400', failure('truncated', { status: 400 }), false],
    ['a truncated 404', failure('truncated', { status: 404 }), false],
    ['a truncated 499', failure('truncated', { status: 499 }), false],
    ['a truncated 500', failure('truncated', { status: 500 }), true],
  ];
  it.each(table.filter(([, , expected]) => expected))(
    'isPossiblyExecuted() returns true after %s',
    (_name, outcome) => {
      expect(isPossiblyExecuted(outcome)).toBe(true);
    },
  );

  it.each(table.filter(([, , expected]) => !expected))(
    'isPossiblyExecuted() returns false after %s',
    (_name, outcome) => {
      expect(isPossiblyExecuted(outcome)).toBe(false);
    },
  );
});

import { describe, expect, it } from 'vitest';
import {
  decideRetry,
  isPossiblyExecuted,
  type RetryDecision,
  type RetryFacts,
  type RetrySettings,
} from '../../../../src/transport/decisions/retry-decision.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import type { Failure, HttpResponse } from '../../../../src/transport/http/raw-response.js';

/** Creates a response without a body. */
const respond = (status: number, headers: RawHeaders = {}): HttpResponse => ({
  failed: false,
  status,
  statusText: '',
  headers,
  body: [],
});

/** Creates the failure of a request that was sent but got no response. */
const failure = (kind: Failure['kind'], more: Partial<Failure> = {}): Failure => ({
  failed: true,
  kind,
  cause: new Error('x'),
  sent: true,
  status: undefined,
  ...more,
});

const readOnce = {
  kind: 'stream',
  replayable: false,
  open: () => Promise.reject(new Error('already read')),
} as const;

const settings = { limit: 3, baseDelay: 100, maxDelay: 1000, maxRetryAfter: 60_000 };

/** Arrival time of the response. */
const now = Date.UTC(2024, 0, 1, 12);

/** Response headers for an exhausted quota that resets in 9 seconds. */
const usedUp = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${now / 1000 + 9}`,
};

/**
 * Decides on a retry after the first failure of a GET. `facts` and `changed` override the defaults.
 */
function decide(
  outcome: HttpResponse,
  facts: Partial<RetryFacts> = {},
  changed: Partial<RetrySettings> = {},
): RetryDecision | undefined {
  const usual: RetryFacts = {
    outcome,
    rule: 'safe',
    executed: false,
    body: undefined,
    limited: undefined,
    maxWait: undefined,
    limitedFor: 0,
    maxTotalWait: 3_600_000,
    failures: 1,
    now,
    random: 1,
  };
  return decideRetry({ ...usual, ...facts }, { ...settings, ...changed });
}

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });

const reset = failure('connection', { cause: coded('ECONNRESET') });
const callers = {
  safe: { rule: 'safe' },
  idempotent: { rule: 'idempotent' },
  refused: { rule: 'refused' },
  unsent: { rule: 'unsent' },
} as const;
const safe = ['safe', 'idempotent'];
const limited = ['safe', 'idempotent', 'refused'];
const everyone = Object.keys(callers);

const backoff = { delay: 100, free: false };
const asking = (retryAfter: string) => ({ 'retry-after': retryAfter });
const primary = { limited: 'primary', maxWait: 9000 } as const;
const secondary = { limited: 'secondary' } as const;
const later = new Date(now + 5000).toUTCString();

const broken = (cause: unknown, more: Partial<Failure> = {}) =>
  failure('connection', { cause, ...more });
/** Creates a failure of a connection that was never established. */
const unsent = (code: string) => broken(coded(code), { sent: false });

const table: readonly [string, RetryFacts['outcome'], Partial<RetryFacts>, readonly string[]][] = [
  ['a refused connection', unsent('ECONNREFUSED'), {}, everyone],
  ['a connection that timed out', failure('timeout_connect', { sent: false }), {}, everyone],
  ['a connection reset before the headers', reset, {}, safe],
  ['a headers timeout', failure('timeout_headers'), {}, safe],
  ['a body timeout', failure('timeout_body', { status: 200 }), {}, safe],
  ['a truncated body', failure('truncated', { status: 200 }), {}, safe],
  ['a body that is too large', failure('too_large', { status: 200 }), {}, []],
  ["a body that can't be decoded", failure('undecodable', { status: 200 }), {}, []],
  ['upload data of the wrong length', failure('invalid_body'), {}, []],
  ['a rejected certificate', unsent('CERT_HAS_EXPIRED'), {}, []],
  ['an attempt on a closed client', unsent('UND_ERR_DESTROYED'), {}, []],
  ['a 404', respond(404), {}, []],
  ['a 404 with Retry-After', respond(404, asking('1')), {}, []],
  ['a 500', respond(500), {}, safe],
  ['a 501', respond(501), {}, []],
  ['a 503', respond(503), {}, safe],
  ['a 503 with an invalid Retry-After', respond(503, asking('soon')), {}, safe],
  ['a 503 with a Retry-After that is too long', respond(503, asking('61')), {}, []],
  ['a secondary limit', respond(429), secondary, limited],
  ['a secondary limit with a wait that is too long', respond(403, asking('61')), secondary, []],
  [
    'a primary limit without a reset time, if maxWait is below 60 s',
    respond(403),
    { limited: 'primary', maxWait: 59_999 },
    [],
  ],
  [
    'a primary limit whose wait exceeds maxWait',
    respond(403, usedUp),
    { limited: 'primary', maxWait: 8999 },
    [],
  ],
  ['a primary limit whose wait equals maxWait', respond(403, usedUp), primary, limited],
];

describe('decideRetry()', () => {
  for (const [name, outcome, facts, expected] of table) {
    const either = new Intl.ListFormat('en', { type: 'disjunction' }).format(expected);
    const some = expected === everyone ? 'under every rule' : `only if the rule is ${either}`;
    const claim = expected.length > 0 ? `retries ${some}` : 'never retries';

    it(`${claim} after ${name}`, () => {
      const again = Object.entries(callers).filter(
        ([, caller]) => decide(outcome, { ...caller, ...facts }) !== undefined,
      );
      expect(again.map(([caller]) => caller)).toEqual(expected);
      // A body that can't be sent again prevents a retry, and so does the retry limit.
      expect(decide(outcome, { ...facts, body: readOnce })).toBeUndefined();
      const isFree = facts.limited !== undefined;
      if (!isFree) expect(decide(outcome, { ...facts, failures: 4 })).toBeUndefined();
    });
  }

  const dates = respond(503, {
    'retry-after': new Date(now + 3_605_000).toUTCString(),
    date: new Date(now + 3_600_000).toUTCString(),
  });
  it.each<[string, HttpResponse, Partial<RetryFacts>, object]>([
    ['400 ms for the third backoff', reset, { failures: 3 }, { delay: 400, free: false }],
    [
      '100 ms for the third backoff if the random number is 0.25',
      reset,
      { failures: 3, random: 0.25 },
      backoff,
    ],

    ['7 s for Retry-After: 7', respond(503, asking('7')), {}, { delay: 7000, free: false }],
    ['5 s for a Retry-After date in 5 s', respond(503, asking(later)), {}, { delay: 5000 }],
    ["5 s for a date in 5 s on the server's clock", dates, {}, { delay: 5000 }],
    ['0 ms for Retry-After: 0', respond(503, asking('0')), {}, { delay: 0 }],
    [
      '9 s before a free retry after a primary limit',
      respond(403, usedUp),
      primary,
      { delay: 9000, free: true },
    ],
    [
      '60 s before a free retry after a secondary limit',
      respond(429),
      secondary,
      { delay: 60_000, free: true },
    ],
  ])('waits %s', (_name, outcome, facts, decision) => {
    expect(decide(outcome, facts)).toMatchObject(decision);
  });

  it('waits at most maxDelay before a retry', () => {
    expect(decide(reset, { failures: 3 }, { maxDelay: 150 })?.delay).toBe(150);
  });

  it('counts a secondary limit without a wait toward the retry limit', () => {
    const outcome = respond(429, asking('0'));
    expect(decide(outcome, { ...secondary, failures: 3 })).toBeDefined();
    expect(decide(outcome, { ...secondary, failures: 4 })).toBeUndefined();
  });

  it.each([
    ['primary', respond(403, usedUp), primary, 9000],
    ['secondary', respond(429), secondary, 60_000],
  ])(
    'retries after a %s limit until the waits add up to an hour',
    (_name, outcome, facts, delay) => {
      const longest = { ...facts, failures: 99, limitedFor: 3_600_000 - delay };
      expect(decide(outcome, longest)).toMatchObject({ delay, free: true });
      expect(decide(outcome, { ...longest, limitedFor: longest.limitedFor + 1 })).toBeUndefined();
    },
  );

  it.each([
    ['a rate limit', respond(429), secondary],
    ['a broken connection', broken({ code: 'EPIPE' }), {}],
  ])('never retries after %s if retries are off', (_name, outcome, facts) => {
    expect(decide(outcome, facts, { limit: 0 })).toBeUndefined();
  });

  it.each([
    ['a string', 'ECONNRESET'],
    ["an error whose code isn't a string", { code: ['CERT_HAS_EXPIRED'] }],
    ['an error whose code contains "UNABLE_TO"', { code: 'PEER_UNABLE_TO_ANSWER' }],
    ['a proxy failure', new Error('Proxy response (500) !== 200 when HTTP Tunneling')],
  ])('retries a failed connection if the cause is %s', (_name, cause) => {
    expect(decide(broken(cause))).toEqual(backoff);
  });

  it.each([
    coded('ERR_TLS_CERT_ALTNAME_INVALID'),
    coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    coded('INVALID_PURPOSE'),
    coded('PATH_LENGTH_EXCEEDED'),
    coded('CRL_HAS_EXPIRED'),
    coded('UND_ERR_HEADERS_OVERFLOW'),
    new Error('Proxy Authentication Required (407)'),
    new Error('Proxy response (403) !== 200 when HTTP Tunneling'),
  ])('never retries a failed connection if the cause is %s', (cause) => {
    expect(decide(broken(cause, { sent: false }))).toBeUndefined();
  });

  it.each([
    ['repeats', 'safe', backoff],
    ['repeats', 'idempotent', backoff],
    ['never repeats', 'refused', undefined],
    ['never repeats', 'unsent', undefined],
  ] as const)('%s a possibly executed request under the rule "%s"', (_what, rule, expected) => {
    // The connection was refused, so every rule allows another attempt.
    const refused = unsent('ECONNREFUSED');
    expect(decide(refused, { rule })).toEqual(backoff);
    expect(decide(refused, { rule, executed: true })).toEqual(expected);
  });
});

describe('isPossiblyExecuted()', () => {
  it.each<[boolean, string, HttpResponse]>([
    [false, 'a 200', respond(200)],
    [false, 'a 499', respond(499)],
    [true, 'a 500', respond(500)],
    [false, 'a connection that was never established', failure('connection', { sent: false })],
    [true, 'a lost connection', failure('connection')],
    [false, 'upload data of the wrong length', failure('invalid_body')],
    [true, 'a truncated 200', failure('truncated', { status: 200 })],
    [true, 'a truncated 399', failure('truncated', { status: 399 })],
    [false, 'a truncated 400', failure('truncated', { status: 400 })],
    [false, 'a truncated 499', failure('truncated', { status: 499 })],
    [true, 'a truncated 500', failure('truncated', { status: 500 })],
  ])('returns %s after %s', (expected, _name, outcome) => {
    expect(isPossiblyExecuted(outcome)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import type { RetryFacts } from '../../../../src/transport/decisions/retry-decision.js';
import { failure, respond } from '../attempt-results.js';
import { stream } from './redirected.js';
import { decide, now, usedUp } from './retry-facts.js';

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });

const reset = failure('connection', { cause: coded('ECONNRESET') });
const refused = failure('connection', { cause: coded('ECONNREFUSED'), sent: false });
const stale = failure('connection', { cause: coded('UND_ERR_SOCKET'), reused: true });
const callers = {
  safe: { rule: 'safe' },
  idempotent: { rule: 'idempotent' },
  refused: { rule: 'refused' },
  unsent: { rule: 'unsent' },
} as const;
const safe = ['safe', 'idempotent'];
const limited = ['safe', 'idempotent', 'refused'];
const everyone = Object.keys(callers);

const later = new Date(now + 5000).toUTCString();
const table: readonly [string, RetryFacts['outcome'], Partial<RetryFacts>, readonly string[]][] = [
  ['a refused connection', refused, {}, everyone],
  ['a connection that timed out', failure('timeout_connect', { sent: false }), {}, everyone],
  ['a connection reset before the headers', reset, {}, safe],
  ['a headers timeout', failure('timeout_headers'), {}, safe],
  ['a body timeout', failure('timeout_body', { status: 200 }), {}, safe],
  ['a truncated body', failure('truncated', { status: 200 }), {}, safe],
  ['a socket closed while idle', stale, {}, safe],
  ['a body that is too large', failure('too_large', { status: 200 }), {}, []],
  ["a body that can't be decoded", failure('undecodable', { status: 200 }), {}, []],
  ['an abort', failure('interrupted'), {}, []],
  [
    'a rejected certificate',
    failure('connection', { cause: coded('CERT_HAS_EXPIRED'), sent: false }),
    {},
    [],
  ],
  [
    'an attempt on a closed client',
    failure('connection', { cause: coded('UND_ERR_DESTROYED'), sent: false }),
    {},
    [],
  ],
  ['a 500', respond(500), {}, safe],
  ['a 500 with Retry-After', respond(500, { 'retry-after': '1' }), {}, safe],
  ['a 501', respond(501), {}, []],
  ['a 502', respond(502), {}, safe],
  ['a 503', respond(503), {}, safe],
  ['a 503 with Retry-After', respond(503, { 'retry-after': '1' }), {}, safe],
  ['a 503 with a Retry-After date', respond(503, { 'retry-after': later }), {}, safe],
  ['a 503 with an invalid Retry-After', respond(503, { 'retry-after': 'soon' }), {}, safe],
  ['a 503 with a Retry-After that is too long', respond(503, { 'retry-after': '61' }), {}, []],
  ['a secondary limit', respond(429), { limited: 'secondary' }, limited],
  [
    'a secondary limit with a wait that is too long',
    respond(403, { 'retry-after': '61' }),
    { limited: 'secondary' },
    [],
  ],
  ['a primary limit without maxWait', respond(403, usedUp), { limited: 'primary' }, []],
  [
    'a primary limit without a reset time, if maxWait is 60 s',
    respond(403),
    { limited: 'primary', maxWait: 60_000 },
    limited,
  ],
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
  [
    'a primary limit whose wait equals maxWait',
    respond(403, usedUp),
    { limited: 'primary', maxWait: 9000 },
    limited,
  ],
];

describe('decideRetry()', () => {
  for (const [name, outcome, facts, expected] of table) {
    const either = new Intl.ListFormat('en', { type: 'disjunction' }).format(expected);
    const some = expected === everyone ? 'under every rule' : `only if the rule is ${either}`;
    const claim = expected.length > 0 ? `retries ${some}` : 'never retries';

    it(`decideRetry() ${claim} after ${name}`, () => {
      const again = Object.entries(callers).filter(
        ([, caller]) => decide(outcome, { ...caller, ...facts }) !== undefined,
      );
      expect(again.map(([caller]) => caller)).toEqual(expected);
      // A body that can't be sent again prevents a retry, and so does the retry limit.
      expect(decide(outcome, { ...facts, body: stream(false) })).toBeUndefined();
      const isFree = outcome === stale || facts.limited !== undefined;
      if (!isFree) expect(decide(outcome, { ...facts, failures: 4 })).toBeUndefined();
    });
  }
});

describe('decideRetry() delays and free retries', () => {
  it.each([
    ['100 ms for the first backoff', reset, { failures: 1 }, 100],
    ['400 ms for the third backoff', reset, { failures: 3 }, 400],
    [
      '100 ms for the third backoff with the random factor 0.25',
      reset,
      { failures: 3, random: 0.25 },
      100,
    ],
    ['7 s for Retry-After: 7', respond(503, { 'retry-after': '7' }), {}, 7000],
    ['5 s for a Retry-After date in 5 s', respond(503, { 'retry-after': later }), {}, 5000],
    [
      "5 s for a Retry-After date in 5 s on the server's clock",
      respond(503, {
        'retry-after': new Date(now + 3_605_000).toUTCString(),
        date: new Date(now + 3_600_000).toUTCString(),
      }),
      {},
      5000,
    ],
    ['0 ms for Retry-After: 0', respond(503, { 'retry-after': '0' }), {}, 0],
    ['0 ms after a stale socket', stale, {}, 0],
  ])('decideRetry() waits %s', (_name, outcome, facts, delay) => {
    expect(decide(outcome, facts)).toMatchObject({ delay });
  });

  it('decideRetry() waits at most maxDelay before a retry', () => {
    const decision = decide(reset, { failures: 3 }, { maxDelay: 150 });
    expect(decision?.delay).toBe(150);
  });

  it('decideRetry() grants a free retry after a secondary limit', () => {
    expect(decide(respond(429), { limited: 'secondary' })).toEqual({
      delay: 60_000,
      free: true,
    });
  });

  it('decideRetry() grants no more free retries after eight stale sockets', () => {
    expect(decide(stale, { failures: 99 })).toMatchObject({ free: true });
    expect(decide(stale, { staleSockets: 8 })).toMatchObject({ free: false });
  });

  it("decideRetry() doesn't grant a free retry if the socket was new", () => {
    const cause = coded('UND_ERR_SOCKET');
    expect(decide(failure('connection', { cause, reused: false }))).toMatchObject({ free: false });
  });
});

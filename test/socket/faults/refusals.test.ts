import { expect } from 'vitest';
import { type Handler, sendJson } from '../../support/server.js';
import { type Ending, type FaultCase, fine, ok, once, onHttp, testFaults } from './fault-table.js';

/** A `Retry-After` value and its meaning. */
interface Form {
  readonly name: string;
  readonly header: () => string;
  /** Offset of the response's `Date` from the local clock, in seconds. */
  readonly serverClock?: number;
  /** Wait in seconds, `again` for an immediate retry, or `nothing` if the header is invalid. */
  readonly means: number | 'again' | 'nothing';
}
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const forms: readonly Form[] = [
  { name: '600 seconds', header: () => '600', means: 600 },
  { name: 'zero seconds', header: () => '0', means: 'again' },
  { name: 'a 300-digit number', header: () => '9'.repeat(300), means: 2 ** 31 },
  { name: 'a date in 600 seconds', header: () => inSeconds(600).toUTCString(), means: 600 },
  {
    name: 'a date by a clock that is one hour ahead',
    header: () => inSeconds(3600 + 600).toUTCString(),
    serverClock: 3600,
    means: 600,
  },
  { name: 'an invalid word', header: () => 'soon', means: 'nothing' },
];

function refuse(status: number, { header, serverClock = 0 }: Form): Handler {
  return (_seen, response) =>
    sendJson(response, { message: 'later' }, status, {
      'retry-after': header(),
      date: inSeconds(serverClock).toUTCString(),
    });
}

/**
 * Matches a time `seconds` from now, ±15 s. HTTP dates have no milliseconds, and tests take time.
 */
const around = (seconds: number) =>
  expect.toSatisfy(
    (at: unknown) =>
      at instanceof Date && Math.abs(at.getTime() - Date.now() - seconds * 1000) < 15_000,
    `in ${seconds} s`,
  );

/**
 * Creates the expected outcome if the server responds with 503 once. A write is never retried,
 * regardless of the wait that the server requests.
 */
function unavailable({ means }: Form): Readonly<Record<'GET' | 'POST', Ending>> {
  const retryAt = means === 'nothing' ? undefined : around(means === 'again' ? 0 : means);
  const error = { name: 'ServerError', status: 503, retryAt, mayHaveActed: true };
  const later = means !== 'nothing' && means !== 'again';
  return { GET: later ? { error } : { result: ok, attempts: 2 }, POST: { error } };
}

function tooMany({ means }: Form): Readonly<Record<'GET' | 'POST', Ending>> {
  if (means === 'again') {
    const again = { result: ok, attempts: 2 };
    return { GET: again, POST: again };
  }
  const resetAt = around(means === 'nothing' ? 60 : means);
  const error = { name: 'RateLimitError', reason: 'secondary', status: 429, resetAt };
  const later = { error: { ...error, mayHaveActed: false } };
  return { GET: later, POST: later };
}

const options = { retry: { limit: 2, baseDelay: 0, maxRetryAfter: 30_000 } };

testFaults(
  'Retry-After in a 503',
  'a 503 with a Retry-After of',
  forms.map(
    (form): FaultCase => ({
      name: form.name,
      place: onHttp(once(refuse(503, form))),
      options,
      ends: unavailable(form),
    }),
  ),
);

testFaults(
  'Retry-After in a 429',
  'a 429 with a Retry-After of',
  forms.map(
    (form): FaultCase => ({
      name: form.name,
      place: onHttp(once(refuse(429, form))),
      options,
      ends: tooMany(form),
    }),
  ),
);

/**
 * Creates the headers for an exhausted quota that resets in `reset` seconds. The server's clock is
 * `ahead` seconds ahead of the local clock.
 */
const usedUp = (ahead: number, reset: number) => ({
  date: inSeconds(ahead).toUTCString(),
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${Math.ceil(inSeconds(ahead + reset).getTime() / 1000)}`,
});

testFaults('quotas and server errors', 'a server', [
  ...[-3600, 3600].map(
    (ahead): FaultCase => ({
      name: `whose clock is one hour ${ahead < 0 ? 'behind' : 'ahead'}, and whose quota resets in 1 s,`,
      place: onHttp(once((_seen, response) => sendJson(response, {}, 403, usedUp(ahead, 1)))),
      options: { ...options, rateLimit: { onLimit: 'wait', maxWait: 60_000 } },
      ends: { POST: { result: ok, attempts: 2 } },
    }),
  ),
  ...[-3600, 3600].map(
    (ahead): FaultCase => ({
      name: `whose clock is one hour ${ahead < 0 ? 'behind' : 'ahead'}, and whose quota was already exhausted,`,
      place: onHttp((seen, response, index) =>
        index === 0 ? sendJson(response, {}, 200, usedUp(ahead, 1)) : fine(seen, response, index),
      ),
      options: { ...options, rateLimit: { onLimit: 'wait', maxWait: 60_000 } },
      before: 1,
      ends: { GET: { result: ok } },
    }),
  ),
  {
    name: 'whose quota resets after maxWait',
    place: onHttp((_seen, response) => sendJson(response, {}, 403, usedUp(0, 600))),
    options: { ...options, rateLimit: { onLimit: 'wait', maxWait: 1000 } },
    ends: {
      GET: { error: { name: 'RateLimitError', reason: 'primary', resetAt: around(600) } },
      POST: { error: { name: 'RateLimitError', reason: 'primary', mayHaveActed: false } },
    },
  },
  {
    name: 'that always responds with 500',
    place: onHttp((_seen, response) => sendJson(response, {}, 500)),
    ends: {
      GET: { error: { name: 'ServerError', status: 500, mayHaveActed: true }, attempts: 3 },
      POST: { error: { name: 'ServerError', status: 500, mayHaveActed: true } },
      'idempotent PUT': { error: { name: 'ServerError', status: 500 }, attempts: 3 },
    },
  },
]);

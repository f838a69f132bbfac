import { describe, expect, it } from 'vitest';
import { RateLimitError } from '../../../../src/errors/index.js';
import type { RateLimit } from '../../../../src/response-info.js';
import type { WaitReason } from '../../../../src/transport/limits/credential-limits.js';
import { createNotSentError } from '../../../../src/transport/policies/call-errors.js';
import { anonymous } from '../../../../src/transport/request/credentials.js';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
import { anyJson, createCallContext, createJob } from '../prepared-calls.js';

const until = Date.UTC(2024, 0, 1, 12, 30);
const reset = new Date(Date.UTC(2024, 0, 1, 12, 29, 58));
const spec: RequestSpec = {
  operation: 'pulls.list',
  method: 'GET',
  target: {
    origin: 'https://code.example.com',
    path: '/api/v3/repos/o/r/pulls?state=open&access_token=t0ken&q=s3cret',
  },
  accept: 'application/json',
  headers: [],
  body: undefined,
  secrets: ['s3cret'],
  auth: undefined,
  retry: 'safe',
  exemptFromLimits: false,
};
const wait = 90_000;
function refused(
  limit: RateLimit | undefined,
  mayHaveActed = false,
  maxWait?: number,
  reason: WaitReason = limit ? 'quota' : 'pause',
) {
  const authorizer = { ...anonymous, credentialParameters: new Set(['access_token']) };
  const context = createCallContext(createJob(anyJson, { spec, authorizer }), {
    onLimit: maxWait === undefined ? 'throw' : 'wait',
    ...(maxWait === undefined ? {} : { maxWait }),
    clock: () => 1000,
    now: () => until - wait,
  });
  context.mayHaveActed = mayHaveActed;
  const error = createNotSentError(context, {
    limit,
    until: 1000 + wait,
    reason,
    bound: `rateLimit.maxWait (${maxWait} ms)`,
  });
  if (error instanceof RateLimitError) return error;
  throw error;
}
const url = 'https://code.example.com/api/v3/repos/o/r/pulls?state=open&access_token=***&q=***';

function expectMessage({ message }: Error): void {
  expect(message).toMatch(
    /^pulls\.list: the request was not sent, because .* 2024-01-01T12:30:00\.000Z\. /,
  );
  expect(message.endsWith(`[GET ${url}]`), message).toBe(true);
}

describe('createNotSentError()', () => {
  it('the error for an unsent call reports an exhausted quota', () => {
    const error = refused({ limit: 60, remaining: 0, reset });
    expect(error).toBeInstanceOf(RateLimitError);
    expectMessage(error);
    expect(error).toMatchObject({
      code: 'rate_limit',
      reason: 'primary',
      status: 403,
      retryAfter: wait,
      resetAt: new Date(until),
      mayHaveActed: false,
      request: { operation: 'pulls.list', method: 'GET' },
    });
    expect({ ...error.response.headers }).toEqual({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1704112198',
    });
    expect(error.response.rateLimit).toMatchObject({ limit: 60, remaining: 0, reset });
  });

  it('the error for an unsent call omits the reset time if the server sent none', () => {
    const { response } = refused({ limit: 60, remaining: 0 });
    expect(response.headers['x-ratelimit-reset']).toBeUndefined();
    expect(response.rateLimit).toMatchObject({ limit: 60, remaining: 0 });
    expect(response.rateLimit?.reset).toBeUndefined();
  });

  it("the error for an unsent call doesn't report a quota if the client is paused", () => {
    const error = refused(undefined);
    expect(error).toBeInstanceOf(RateLimitError);
    expectMessage(error);
    expect(error).toMatchObject({
      reason: 'secondary',
      status: 429,
      retryAfter: wait,
      resetAt: new Date(until),
    });
    expect(Object.keys(error.response.headers)).toEqual([]);
    expect(error.response.rateLimit).toBeUndefined();
  });

  it('createNotSentError() removes credentials from the URL of the synthetic response', () => {
    const { response } = refused(undefined);
    expect(response).toMatchObject({
      status: 429,
      statusText: 'not sent',
      url: 'https://code.example.com/api/v3/repos/o/r/pulls?state=open&q=***',
      fromCache: false,
      attempts: 0,
    });
  });

  it('the error for an unsent call names the option that makes calls wait', () => {
    expect(refused({ limit: 60, remaining: 0, reset }).message).toContain(
      ". To wait instead, set rateLimit: { onLimit: 'wait' }. [",
    );
  });

  it('the error for an unsent call names the maximum wait that the call exceeds', () => {
    expect(refused({ limit: 60, remaining: 0, reset }, false, 1000).message).toContain(
      '. The wait exceeds rateLimit.maxWait (1000 ms). [',
    );
  });

  it('the error for an unsent call names the write interval if the interval delays the call', () => {
    expect(refused(undefined, false, 1000, 'write_interval').message).toContain(
      'not sent, because writes start one interval apart, until ',
    );
  });

  it.each([true, false])(
    'the error for an unsent call keeps mayHaveActed: %s from earlier attempts',
    (earlier) => {
      expect(refused(undefined, earlier).mayHaveActed).toBe(earlier);
    },
  );
});

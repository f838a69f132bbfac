import { describe, expect, it } from 'vitest';
import { ConnectionError, TimeoutError } from '../../../src/errors/index.js';
import {
  failedError,
  failureContext,
  interruptedError,
} from '../../../src/transport/call-errors.js';
import { Deadline } from '../../../src/transport/dispatch/deadline.js';
import type { FollowedResponse } from '../../../src/transport/policy/redirects.js';
import type { PreparedCall } from '../../../src/transport/prepared-call.js';
import { anonymous } from '../../../src/transport/request/credentials.js';
import { defaultRetry, type Method } from '../../../src/transport/request/endpoint.js';
import { answerInfoOf } from '../../../src/transport/response/answer-info.js';
import { answer as bare, failure } from './attempt-results.js';
import { secretSpec } from './policy/cached-spec.js';

const timeouts = { total: 60_000, headers: 1000, body: 2000 };
const target = {
  origin: 'https://code.example.com',
  path: '/api/v3/user?state=open&access_token=t0ken&q=s3cret',
};
const elsewhere = { origin: 'https://files.example.net', path: '/x?signature=abc&page=2' };
const jobOf = (method: Method = 'POST'): PreparedCall<unknown> => ({
  spec: { ...secretSpec('users.update', target), method, retry: defaultRetry(method) },
  answer: { kind: 'none', schema: undefined, map: () => undefined },
  isDecoded: false,
  authorizer: { ...anonymous, queryNames: new Set(['access_token']) },
  signals: [],
  timeouts,
  retry: { limit: 0, baseDelay: 1, maxDelay: 1, maxRetryAfter: 1 },
  validation: 'strict',
});
const { queryNames } = jobOf().authorizer;
const raw = { ...bare(201, { 'x-echo': ['a', 'b'] }), statusText: 'Created' };
const broken = failure('connection', { cause: new Error('t0ken refused') });
const followedTo = (more: Partial<FollowedResponse> = {}): FollowedResponse => ({
  outcome: raw,
  target,
  trusted: true,
  executed: false,
  secrets: ['s3cret', 't0ken'],
  ...more,
});
const stopped = (reason: unknown) => new Deadline([AbortSignal.abort(reason)], 0);
const running = () => new Deadline([], 0);
const trouble = { mayHaveActed: true, maxBytes: 9 };

describe('the answer that users see', () => {
  it('has the facts of the answer', () => {
    const answer = answerInfoOf(followedTo(), raw, 2, queryNames);
    expect(answer).toMatchObject({ status: 201, statusText: 'Created', attempts: 2 });
    expect(answer.headers['x-echo']).toBe('a, b');
  });

  it.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('tells whether it is from the cache: %s', (fromCache, told) => {
    expect(answerInfoOf(followedTo({ fromCache }), raw, 1, queryNames).fromCache).toBe(told);
  });

  it('has the URL without credentials', () => {
    expect(answerInfoOf(followedTo(), raw, 1, queryNames).url).toBe(
      'https://code.example.com/api/v3/user?state=open&q=***',
    );
  });

  it('has a foreign URL without what may be its signature', () => {
    const followed = followedTo({ target: elsewhere, trusted: false });
    expect(answerInfoOf(followed, raw, 1, queryNames).url).toBe(
      'https://files.example.net/x?signature=***&page=2',
    );
  });

  it('has the links without credentials, and prints no secret', () => {
    const headers = { link: '<?page=2&access_token=t0ken>; rel="next"', server: 'for t0ken' };
    const answer = answerInfoOf(followedTo(), { ...raw, headers }, 1, queryNames);
    expect(answer.links.next).toBe('https://code.example.com/api/v3/user?page=2');
    expect(answer.toJSON()).toMatchObject({ headers: { server: 'for ***' } });
  });
});

describe('the error of a call that failed', () => {
  it('names the place that was asked last, and shows no secret', () => {
    const followed = followedTo({ outcome: broken, target: elsewhere });
    const error = failedError(jobOf(), followed, running(), trouble);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message:
        'users.update: the connection failed: *** refused; the server may have executed the request ' +
        '[POST https://files.example.net/x?signature=***&page=2]',
      mayHaveActed: true,
      request: { operation: 'users.update', method: 'POST' },
      cause: { message: '*** refused' },
    });
  });

  it('is the reason of the signal that stopped it, whatever else failed', () => {
    const reason = new Error('enough');
    const followed = followedTo({ outcome: broken });
    expect(failedError(jobOf(), followed, stopped(reason), trouble)).toBe(reason);
  });

  it('is the total timeout that stopped it, told of the place that was asked for', async () => {
    const scope = new Deadline([], 1);
    await new Promise<void>((resolve) => scope.watch(resolve));
    const followed = followedTo({ outcome: broken, target: elsewhere, secrets: ['user-17'] });
    const error = failedError(jobOf('PATCH'), followed, scope, {
      ...trouble,
      mayHaveActed: false,
      target: { ...target, path: '/api/v3/user-17' },
    });
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      kind: 'total',
      mayHaveActed: false,
      message:
        'users.update: not done within 1 ms; the request was not executed ' +
        '[PATCH https://code.example.com/api/v3/***]',
    });
  });

  it('says so where the transport took an answer for a failure', () => {
    const error = failedError(jobOf(), followedTo(), running(), trouble);
    expect(error).toEqual(new TypeError('an answer is no failure'));
  });
});

describe('the error of a call that was stopped', () => {
  it('is the reason of the signal', () => {
    const reason = { not: 'an error' };
    expect(interruptedError(jobOf(), stopped(reason), trouble)).toBe(reason);
  });

  it('says so where nothing stopped it', () => {
    const error = interruptedError(jobOf(), running(), trouble);
    expect(error).toEqual(new TypeError('nothing interrupted the call'));
  });
});

describe('what errors are made from', () => {
  it('is of the call alone where nothing else is known', () => {
    expect(failureContext(jobOf(), trouble)).toEqual({
      request: {
        operation: 'users.update',
        method: 'POST',
        url: 'https://code.example.com/api/v3/user?state=open&access_token=***&q=***',
      },
      timeouts,
      maxBytes: 9,
      mayHaveActed: true,
      reads: false,
      secrets: [],
    });
  });

  it('is of the place and the secrets of the last attempt', () => {
    const more = { ...trouble, secrets: ['files-1'], target: elsewhere };
    expect(failureContext(jobOf(), more)).toMatchObject({
      request: { url: 'https://files.example.net/x?signature=***&page=2' },
      secrets: ['files-1'],
    });
  });

  it.each([
    ['GET', true],
    ['HEAD', true],
    ['POST', false],
    ['DELETE', false],
  ] as const)('%s reads: %s', (method, reads) => {
    expect(failureContext(jobOf(method), trouble).reads).toBe(reads);
  });
});

import { describe, expect, it } from 'vitest';
import { ConnectionError, TimeoutError } from '../../../../src/errors/index.js';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import {
  createCallFailureError,
  createInterruptedError,
  createStreamError,
} from '../../../../src/transport/policies/call-errors.js';
import type { Attempt, CallContext } from '../../../../src/transport/policies/context.js';
import { anonymous } from '../../../../src/transport/request/credentials.js';
import type { Method } from '../../../../src/transport/request/endpoint.js';
import { respond as bare, failure } from '../attempt-results.js';
import { anyJson, createCallContext, createJob } from '../prepared-calls.js';
import { secretSpec } from './cached-spec.js';

const target = {
  origin: 'https://code.example.com',
  path: '/api/v3/user?state=open&access_token=t0ken&q=s3cret',
};
const elsewhere = { origin: 'https://files.example.net', path: '/x?signature=abc&page=2' };
const credentialParameters = new Set(['access_token']);
const stopped = (reason: unknown) => new Deadline([AbortSignal.abort(reason)], 0);

/** Creates the context of a call that has two secrets and may have been executed. */
function callOver(
  { attempt, ...more }: Partial<Omit<CallContext, 'attempt'>> & { attempt?: Partial<Attempt> } = {},
  method: Method = 'POST',
  deadline?: Deadline,
) {
  const call = createJob(anyJson, {
    spec: { ...secretSpec('users.update', target), method, retry: 'refused' },
    authorizer: { ...anonymous, credentialParameters },
    timeouts: { total: 60_000, headers: 1000, body: 2000 },
  });
  const context = createCallContext(call, { maxResponseBytes: 9 }, deadline);
  context.mask(['t0ken']);
  Object.assign(context.attempt, attempt);
  return Object.assign(context, { mayHaveActed: true, ...more });
}

describe('CallContext.response', () => {
  const raw = { ...bare(201, { 'x-echo': ['a', 'b'] }), statusText: 'Created' };
  const responseOver = (attempt: Partial<Attempt> = {}, head = raw) =>
    callOver({ attempt: { number: 2, ...attempt }, head }).response;

  it('a response exposes its status, headers and number of attempts', () => {
    const response = responseOver();
    expect(response).toMatchObject({ status: 201, statusText: 'Created', attempts: 2 });
    expect(response.headers['x-echo']).toBe('a, b');
  });

  it.each([false, true])('a response reports fromCache as %s', (fromCache) => {
    expect(responseOver({ fromCache }).fromCache).toBe(fromCache);
  });

  it("a response's URL contains no credentials", () => {
    expect(responseOver().url).toBe('https://code.example.com/api/v3/user?state=open&q=***');
  });

  it("a response's URL on an untrusted origin hides the signature", () => {
    expect(responseOver({ target: elsewhere, trusted: false }).url).toBe(
      'https://files.example.net/x?signature=***&page=2',
    );
  });

  it("a response's links and printed headers contain no secrets", () => {
    const headers = { link: '<?page=2&access_token=t0ken>; rel="next"', server: 'for t0ken' };
    const response = responseOver({}, { ...raw, headers });
    expect(response.links.next).toBe('https://code.example.com/api/v3/user?page=2');
    expect(response.toJSON()).toMatchObject({ headers: { server: 'for ***' } });
  });
});

describe('createCallFailureError()', () => {
  const broken = failure('connection', { cause: new Error('t0ken refused') });

  it("a call's error names the method and URL of the last request", () => {
    const error = createCallFailureError(callOver({ attempt: { target: elsewhere } }), broken);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message:
        'users.update: the connection failed: *** refused. The server may have executed the request. ' +
        '[POST https://files.example.net/x?signature=***&page=2]',
      mayHaveActed: true,
      request: { operation: 'users.update', method: 'POST' },
      cause: { message: '*** refused' },
    });
  });

  it("a call's error includes the number of attempts", () => {
    expect(createCallFailureError(callOver({ attempt: { number: 3 } }), broken)).toMatchObject({
      message: expect.stringContaining('the connection failed after 3 attempts: '),
    });
  });

  it('the error for a body that is too large names maxResponseBytes', () => {
    expect(createCallFailureError(callOver(), failure('too_large'))).toMatchObject({
      message: expect.stringContaining('exceeds maxResponseBytes'),
    });
  });

  it("createCallFailureError() returns the signal's abort reason despite another failure", () => {
    const reason = new Error('enough');
    expect(createCallFailureError(callOver({}, 'POST', stopped(reason)), broken)).toBe(reason);
  });

  it('createCallFailureError() returns a TimeoutError if the total timeout stopped the call', async () => {
    const deadline = new Deadline([], 1);
    await new Promise<void>((resolve) => {
      deadline.onStop = resolve;
    });
    const context = callOver(
      { mayHaveActed: false, attempt: { target: elsewhere } },
      'PATCH',
      deadline,
    );
    const error = createCallFailureError(context, broken);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      reason: 'total',
      mayHaveActed: false,
      message:
        'users.update: the call did not complete within 1 ms. The server did not execute the request. ' +
        '[PATCH https://code.example.com/api/v3/user?state=open&access_token=***&q=***]',
    });
  });
});

describe('createInterruptedError()', () => {
  it("createInterruptedError() returns the signal's reason", () => {
    const reason = { not: 'an error' };
    expect(createInterruptedError(callOver({}, 'POST', stopped(reason)))).toBe(reason);
  });

  it('createInterruptedError() returns a TypeError if nothing stopped the call', () => {
    expect(createInterruptedError(callOver())).toEqual(
      new TypeError('nothing interrupted the call'),
    );
  });
});

describe('createStreamError()', () => {
  it('a stream error reports that the server may have acted', () => {
    const error = createStreamError(callOver({ mayHaveActed: false }), failure('connection'));
    expect(error).toMatchObject({ mayHaveActed: true });
  });
});

import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  InvalidRequestError,
  ResponseBodyError,
  TimeoutError,
} from '../../../../src/errors/index.js';
import type { Failure } from '../../../../src/transport/http/raw-response.js';
import {
  createFailureError,
  createInterruptionError,
  type FailureContext,
} from '../../../../src/transport/response/failure.js';
import { context, failure, lost, matchMessage, request } from './failures.js';

const acted = { mayHaveActed: true };
const idle = { mayHaveActed: false };
const reading = { reads: true };

describe('expired timeouts', () => {
  const table: readonly [Failure['kind'], Partial<FailureContext>, kind: string, says: RegExp][] = [
    [
      'timeout_connect',
      idle,
      'connect',
      /was not established in time\. .*did not execute the request\./,
    ],
    ['timeout_connect', acted, 'connect', /was not established in time\. .*may have executed .*/],
    [
      'timeout_connect',
      { ...idle, proxy: 'http://proxy.test:3128' },
      'connect',
      /the connection through the proxy http:\/\/proxy\.test:3128 was not established in time\. .*did not execute the request\./,
    ],
    ['timeout_headers', acted, 'headers', /1000 ms\. .*may have executed .*/],
    ['timeout_headers', idle, 'headers', /1000 ms\. .*did not execute the request\./],
    ['timeout_headers', reading, 'headers', /1000 ms/],
    ['timeout_body', acted, 'body', /2000 ms\. .*may have executed .*/],
    ['timeout_body', reading, 'body', /2000 ms/],
  ];

  it.each(table)(
    'createFailureError() returns a TimeoutError for the kind %s with %o',
    (kind, more, limit, says) => {
      const facts = context(more);
      const cause = new Error('late');
      const error = createFailureError(failure(kind, { cause }), facts);
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({
        code: 'timeout',
        reason: limit,
        request,
        mayHaveActed: facts.mayHaveActed,
        message: matchMessage(says),
      });
      expect(error.cause).toBe(cause);
    },
  );
});

describe('incomplete bodies', () => {
  type Row = readonly [Failure['kind'], number, Partial<FailureContext>, problem: string, RegExp];
  const table: readonly Row[] = [
    [
      'truncated',
      200,
      acted,
      'truncated',
      /truncated: the reason\. .*server executed the request\./,
    ],
    [
      'truncated',
      299,
      acted,
      'truncated',
      /truncated: the reason\. .*server executed the request\./,
    ],
    ['truncated', 300, acted, 'truncated', /truncated: the reason\. .*may have executed .*/],
    ['truncated', 500, acted, 'truncated', /truncated: the reason\. .*may have executed .*/],
    [
      'truncated',
      404,
      idle,
      'truncated',
      /truncated: the reason\. .*did not execute the request\./,
    ],
    ['truncated', 200, reading, 'truncated', /truncated: the reason/],
    ['truncated', 500, reading, 'truncated', /truncated: the reason/],
    [
      'too_large',
      201,
      acted,
      'too_large',
      /maxResponseBytes: the reason\. .*server executed the request\./,
    ],
    [
      'undecodable',
      202,
      acted,
      'undecodable',
      /decompressed: the reason\. .*server executed the request\./,
    ],
  ];

  it.each(table)(
    'createFailureError() returns a ResponseBodyError for the kind %s after a %i with %o',
    (kind, status, more, problem, says) => {
      const facts = context(more);
      const cause = new Error('the reason');
      const error = createFailureError(failure(kind, { status, cause }), facts);
      expect(error).toBeInstanceOf(ResponseBodyError);
      expect(error).toMatchObject({
        code: 'response_body',
        reason: problem,
        status,
        request,
        mayHaveActed: facts.mayHaveActed,
        message: matchMessage(says),
      });
      expect(error.cause).toBe(cause);
    },
  );
});

describe('upload failures', () => {
  const cause = new InvalidRequestError('file: 3 bytes, not 4', { field: 'file' });

  it('the error for an upload of the wrong length names the field', () => {
    const error = createFailureError(failure('invalid_body', { cause }), context());
    expect(error).toBeInstanceOf(InvalidRequestError);
    const message = matchMessage(/file: 3 bytes, not 4\. .*may have executed .*/);
    expect(error).toMatchObject({ code: 'invalid_request', field: 'file', message });
    expect(error.cause).toBe(cause);
  });

  it("the error of a failed upload has the cause of the source's error", () => {
    const broken = new Error('disk gone');
    const wrapped = new InvalidRequestError('the stream failed', { field: 'a', cause: broken });
    const error = createFailureError(failure('invalid_body', { cause: wrapped }), context());
    expect(error.cause).toBe(broken);
  });

  it('createFailureError() returns a ConnectionError if the upload source failed', () => {
    const error = createFailureError(
      failure('invalid_body', { cause: new Error('disk gone') }),
      context(idle),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toHaveProperty(
      'message',
      matchMessage(/failed: disk gone\. .*did not execute the request\./),
    );
  });

  it('createFailureError() returns an InvalidRequestError only for the kind invalid_body', () => {
    expect(lost(cause)).toBeInstanceOf(ConnectionError);
    expect(
      createFailureError(failure('truncated', { cause, status: 200 }), context()),
    ).toBeInstanceOf(ResponseBodyError);
  });
});

describe('connection failures', () => {
  const several = (...errors: unknown[]) => new AggregateError(errors);
  const table: readonly [string, cause: unknown, text: string][] = [
    ['a message', new Error('socket hang up'), 'socket hang up'],
    [
      'a code and a message',
      Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      'UND_ERR_SOCKET other side closed',
    ],
    [
      'a message that already contains the code',
      Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' }),
      'connect ECONNREFUSED ::1:80',
    ],
    [
      'a code without a message',
      Object.assign(new Error(''), { code: 'ECONNRESET' }),
      'ECONNRESET',
    ],
    ['a code that is a number', Object.assign(new Error('gone'), { code: 23 }), 'gone'],
    ['an empty message', new Error(''), ''],
    ['the first of several errors', several(new Error('::1'), new Error('127.0.0.1')), '::1'],
    [
      'the code of an AggregateError',
      Object.assign(several(new Error('refused')), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED refused',
    ],
    [
      'the message of an AggregateError',
      new AggregateError([new Error('::1')], 'all failed'),
      'all failed',
    ],
    ["several values that aren't errors", several('::1'), ''],
    ["a value that isn't an error", 'broken', 'unknown'],
    ['an undefined cause', undefined, 'unknown'],
  ];

  it.each(table)('a ConnectionError takes its reason from %s', (_title, cause, text) => {
    const error = lost(cause);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection', request, mayHaveActed: true });
    const start = 'pulls.create: the connection failed: ';
    expect(error.message).toMatch(/\. .*may have executed/);
    expect(error.message.slice(start.length).split('. The server may')[0]).toBe(text);
    expect(error.cause).toBe(cause instanceof Error ? cause : undefined);
  });

  it.each([
    [acted, /failed: gone\. .*may have executed .*/],
    [idle, /failed: gone\. .*did not execute the request\./],
    [{ ...acted, ...reading }, /failed: gone/],
    [{ ...idle, ...reading }, /failed: gone/],
  ])('a ConnectionError sets mayHaveActed and its message for %o', (more, says) => {
    const error = lost(new Error('gone'), more);
    expect(error).toMatchObject({ mayHaveActed: more.mayHaveActed, message: matchMessage(says) });
  });
});

describe('createInterruptionError()', () => {
  it.each([new Error('stop'), 'stop', undefined])(
    "createInterruptionError() returns the signal's reason %s",
    (reason) => {
      expect(createInterruptionError({ kind: 'aborted', reason }, context())).toBe(reason);
    },
  );

  it.each([
    [acted, /250 ms\. .*may have executed .*/],
    [idle, /250 ms\. .*did not execute the request\./],
    [{ ...acted, ...reading }, /250 ms/],
  ])(
    'createInterruptionError() returns a TimeoutError after the total timeout with %o',
    (more, says) => {
      const error = createInterruptionError({ kind: 'total', limit: 250 }, context(more));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({
        code: 'timeout',
        reason: 'total',
        request,
        mayHaveActed: more.mayHaveActed,
        message: matchMessage(says),
      });
    },
  );
});

import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  InvalidRequestError,
  ResponseBodyError,
  TimeoutError,
} from '../../../src/errors.js';
import {
  type FailureContext,
  failureError,
  interruptionError,
} from '../../../src/transport/failure.js';
import type { Failure } from '../../../src/transport/raw-response.js';

const request = {
  operation: 'pulls.create',
  method: 'POST',
  url: 'https://code.example.com/api/v3/repos/o/r/pulls',
};
const place = '[POST https://code.example.com/api/v3/repos/o/r/pulls]';
const context = (more: Partial<FailureContext> = {}): FailureContext => ({
  request,
  timeouts: { total: 60_000, headers: 1000, body: 2000 },
  maxBytes: 4096,
  mayHaveActed: true,
  reads: false,
  secrets: [],
  ...more,
});
const failure = (kind: Failure['kind'], more: Partial<Failure> = {}): Failure => ({
  failed: true,
  kind,
  cause: new Error('the reason'),
  sent: true,
  status: undefined,
  ...more,
});
const lost = (cause: unknown, more: Partial<FailureContext> = {}) =>
  failureError(failure('connection', { cause }), context(more));

const acted = { mayHaveActed: true };
const idle = { mayHaveActed: false };
const reading = { reads: true };

describe('a limit that ran out', () => {
  const table: readonly [Failure['kind'], Partial<FailureContext>, kind: string, text: string][] = [
    ['timeout_connect', idle, 'connect', 'no connection in time'],
    ['timeout_connect', acted, 'connect', 'no connection in time'],
    [
      'timeout_headers',
      acted,
      'headers',
      'no answer within 1000 ms; the server may have executed the request',
    ],
    ['timeout_headers', idle, 'headers', 'no answer within 1000 ms; the request was not executed'],
    ['timeout_headers', reading, 'headers', 'no answer within 1000 ms'],
    [
      'timeout_body',
      acted,
      'body',
      'the body stalled for 2000 ms; the server may have executed the request',
    ],
    ['timeout_body', reading, 'body', 'the body stalled for 2000 ms'],
  ];

  it.each(table)('%s, %o', (kind, more, limit, text) => {
    const facts = context(more);
    const cause = new Error('late');
    const error = failureError(failure(kind, { cause }), facts);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: 'timeout',
      kind: limit,
      request,
      mayHaveActed: facts.mayHaveActed,
    });
    expect(error.message).toBe(`pulls.create: ${text} ${place}`);
    expect(error.cause).toBe(cause);
  });
});

describe('a body that did not come whole', () => {
  const cut = 'the body was cut short: the reason';
  const done = '; the request itself was executed';
  const maybe = '; the server may have executed the request';
  type Row = readonly [Failure['kind'], number, Partial<FailureContext>, problem: string, string];
  const table: readonly Row[] = [
    ['truncated', 200, acted, 'truncated', `${cut}${done}`],
    ['truncated', 299, acted, 'truncated', `${cut}${done}`],
    ['truncated', 300, acted, 'truncated', `${cut}${maybe}`],
    ['truncated', 500, acted, 'truncated', `${cut}${maybe}`],
    ['truncated', 404, idle, 'truncated', `${cut}; the request was not executed`],
    ['truncated', 200, reading, 'truncated', cut],
    ['truncated', 500, reading, 'truncated', cut],
    [
      'too_large',
      201,
      acted,
      'too_large',
      `the body is larger than maxResponseBytes (4096): the reason${done}`,
    ],
    [
      'undecodable',
      202,
      acted,
      'undecodable',
      `the body could not be decoded from its content coding: the reason${done}`,
    ],
  ];

  it.each(table)('%s after %i, %o', (kind, status, more, problem, text) => {
    const facts = context(more);
    const cause = new Error('the reason');
    const error = failureError(failure(kind, { status, cause }), facts);
    expect(error).toBeInstanceOf(ResponseBodyError);
    expect(error).toMatchObject({
      code: 'response_body',
      problem,
      status,
      request,
      mayHaveActed: facts.mayHaveActed,
    });
    expect(error.message).toBe(`pulls.create: ${text} ${place}`);
    expect(error.cause).toBe(cause);
  });
});

describe('data to be sent that was not as announced', () => {
  const cause = new InvalidRequestError('file: 3 bytes, not 4', 'file');

  it('names the field and says what may have been done', () => {
    const error = failureError(failure('invalid_body', { cause }), context());
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ code: 'invalid_request', field: 'file' });
    expect(error.message).toBe(
      `pulls.create: file: 3 bytes, not 4; the server may have executed the request ${place}`,
    );
    expect(error.cause).toBe(cause);
  });

  it('is a lost connection where the source itself failed', () => {
    const error = failureError(
      failure('invalid_body', { cause: new Error('disk gone') }),
      context(idle),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toBe(
      `pulls.create: the connection failed: disk gone; the request was not executed ${place}`,
    );
  });

  it('is only said of a body: a dispatcher may throw the same class', () => {
    expect(lost(cause)).toBeInstanceOf(ConnectionError);
    expect(failureError(failure('truncated', { cause, status: 200 }), context())).toBeInstanceOf(
      ResponseBodyError,
    );
  });
});

describe('a connection that failed', () => {
  const several = (...errors: unknown[]) => new AggregateError(errors);
  const table: readonly [string, cause: unknown, text: string][] = [
    ['a message', new Error('socket hang up'), 'socket hang up'],
    [
      'a code and a message',
      Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      'UND_ERR_SOCKET other side closed',
    ],
    [
      'a message that says the code already',
      Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' }),
      'connect ECONNREFUSED ::1:80',
    ],
    ['a code alone', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
    ['a code that is a number', Object.assign(new Error('gone'), { code: 23 }), 'gone'],
    ['nothing', new Error(''), ''],
    ['the first of several addresses', several(new Error('::1'), new Error('127.0.0.1')), '::1'],
    [
      'the code of several addresses',
      Object.assign(several(new Error('refused')), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED refused',
    ],
    [
      'its own words for several',
      new AggregateError([new Error('::1')], 'all failed'),
      'all failed',
    ],
    ['several that are no errors', several('::1'), ''],
    ['no error at all', 'broken', 'unknown'],
    ['no cause', undefined, 'unknown'],
  ];

  it.each(table)('says why: %s', (_title, cause, text) => {
    const error = lost(cause);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection', request, mayHaveActed: true });
    expect(error.message).toBe(
      `pulls.create: the connection failed: ${text}; the server may have executed the request ${place}`,
    );
    expect(error.cause).toBe(cause instanceof Error ? cause : undefined);
  });

  it.each([
    [acted, '; the server may have executed the request'],
    [idle, '; the request was not executed'],
    [{ ...acted, ...reading }, ''],
    [{ ...idle, ...reading }, ''],
  ])('says what may have been done: %o', (more, note) => {
    const error = lost(new Error('gone'), more);
    expect(error.message).toBe(`pulls.create: the connection failed: gone${note} ${place}`);
    expect(error).toMatchObject({ mayHaveActed: more.mayHaveActed });
  });
});

describe('the cause that is kept', () => {
  const secrets = ['s3cret'];
  const failed = (fields: object) => Object.assign(new Error('gone'), fields);

  it('is the failure itself where it holds no secret', () => {
    const cause = failed({ code: 'ECONNRESET', hosts: ['', 'code.example.com'] });
    expect(lost(cause, { secrets }).cause).toBe(cause);
    expect(lost(cause, { secrets: [`'"`, 's3cret'] }).cause).toBe(cause);
  });

  it('is a copy without the rest of an answer', () => {
    const cause = Object.assign(new SyntaxError('Expected HTTP/'), {
      code: 'HPE_INVALID_CONSTANT',
      data: 'session=1',
    });
    const kept = lost(cause).cause;
    expect(kept).not.toBe(cause);
    expect(kept).toMatchObject({
      name: 'SyntaxError',
      message: 'Expected HTTP/',
      code: 'HPE_INVALID_CONSTANT',
    });
    expect(kept).not.toHaveProperty('data');
  });

  it('is a copy with its secrets masked', () => {
    const cause = Object.assign(new TypeError('sent s3cret'), { code: 'E_s3cret' });
    const error = lost(cause, { secrets });
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      message: 'sent ***',
      code: 'E_***',
    });
    expect(error.message).toBe(
      `pulls.create: the connection failed: E_*** sent ***; the server may have executed the request ${place}`,
    );
  });

  it.each([
    ['no code', {}],
    ['a number for a code', { code: 23 }],
  ])('has no code where the failure had %s', (_title, fields) => {
    const kept = lost(failed({ ...fields, token: 's3cret' }), { secrets }).cause;
    expect(kept).toMatchObject({ name: 'Error', message: 'gone' });
    expect(kept).not.toHaveProperty('code');
    expect(kept).not.toHaveProperty('token');
  });

  const tricky = 'a\'b"c`d';
  const hidden: readonly [string, fields: object, secret: string][] = [
    ['in a field', { token: 's3cret' }, 's3cret'],
    ['five levels down', { a: { b: { c: { d: { e: 's3cret' } } } } }, 's3cret'],
    ['after a hundred others', { list: [...Array(100).fill(0), 's3cret'] }, 's3cret'],
    ['at the end of a long text', { sent: `${'x'.repeat(10_001)}s3cret` }, 's3cret'],
    ['that is printed with escapes', { token: tricky }, tricky],
    ['percent-encoded', { path: '/?otp=sec%22ret' }, 'sec"ret'],
  ];
  it.each(hidden)('leaves out a secret %s', (_title, fields, secret) => {
    const kept = lost(failed(fields), { secrets: [secret] }).cause;
    expect(kept).toBeInstanceOf(Error);
    expect(kept).toHaveProperty('message', 'gone');
    for (const field of Object.keys(fields)) expect(kept).not.toHaveProperty(field);
  });
});

describe('a call that was stopped', () => {
  it.each([new Error('stop'), 'stop', undefined])(
    "rejects with the signal's reason: %s",
    (reason) => {
      expect(interruptionError({ kind: 'aborted', reason }, context())).toBe(reason);
    },
  );

  it.each([
    [acted, '; the server may have executed the request'],
    [idle, '; the request was not executed'],
    [{ ...acted, ...reading }, ''],
  ])('says how long it had: %o', (more, note) => {
    const error = interruptionError({ kind: 'total', limit: 250 }, context(more));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: 'timeout',
      kind: 'total',
      request,
      mayHaveActed: more.mayHaveActed,
      message: `pulls.create: not done within 250 ms${note} ${place}`,
    });
  });
});

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

/** The request that failed. */
const request = {
  operation: 'pulls.create',
  method: 'POST',
  url: 'https://code.example.com/api/v3/repos/o/r/pulls',
};

/**
 * Matches a message that starts with the operation, contains text that matches `says`, and ends
 * with the request.
 */
const matchMessage = (says: RegExp): unknown => {
  const end = `[POST ${request.url}]`.replace(/\W/g, '\\$&');
  return expect.stringMatching(new RegExp(`^pulls\\.create: (?:.*\\b)?${says.source} ${end}$`));
};

/** Creates the context of a failed call. */
const context = (more: Partial<FailureContext> = {}): FailureContext => ({
  request,
  timeouts: { total: 60_000, headers: 1000, body: 2000 },
  baseUrlOption: 'baseUrl',
  mayHaveActed: true,
  reads: false,
  secrets: [],
  ...more,
});

/** Creates a failed attempt. */
const failure = (kind: Failure['kind'], more: Partial<Failure> = {}): Failure => ({
  failed: true,
  kind,
  cause: new Error('the reason'),
  sent: true,
  status: undefined,
  ...more,
});

/** Returns the error for a broken connection. */
const lost = (cause: unknown, more: Partial<FailureContext> = {}) =>
  createFailureError(failure('connection', { cause }), context(more));

const acted = { mayHaveActed: true };
const idle = { mayHaveActed: false };
const reading = { reads: true };

const mayHave = /may have executed .*/;
const didNot = /did not execute the request\./;
const did = /server executed the request\./;
/** Matches a problem and the note that says whether the server executed the request. */
const both = (problem: RegExp, note: RegExp) => new RegExp(`${problem.source}\\. .*${note.source}`);

const shared = ({ mayHaveActed }: FailureContext) => ({ request, mayHaveActed });

describe('createFailureError()', () => {
  const unconnected = /was not established in time/;
  const through =
    /the connection through the proxy http:\/\/proxy\.test:3128 was not established in time/;
  const viaProxy = { ...idle, proxy: 'http://proxy.test:3128' };
  it.each<[Failure['kind'], Partial<FailureContext>, kind: string, says: RegExp]>([
    ['timeout_connect', idle, 'connect', both(unconnected, didNot)],
    ['timeout_connect', acted, 'connect', both(unconnected, mayHave)],
    ['timeout_connect', viaProxy, 'connect', both(through, didNot)],
    ['timeout_headers', acted, 'headers', both(/1000 ms/, mayHave)],
    ['timeout_headers', reading, 'headers', /1000 ms/],
    ['timeout_body', acted, 'body', both(/2000 ms/, mayHave)],
  ])('returns a TimeoutError for the kind %s with %o', (kind, more, limit, says) => {
    const facts = context(more);
    const cause = new Error('late');
    const error = createFailureError(failure(kind, { cause }), facts);
    expect(error).toBeInstanceOf(TimeoutError);
    const message = matchMessage(says);
    expect(error).toMatchObject({ ...shared(facts), code: 'timeout', reason: limit, message });
    expect(error.cause).toBe(cause);
  });

  const truncated = /truncated: the reason/;
  it.each<[Failure['kind'], number, Partial<FailureContext>, RegExp]>([
    ['truncated', 200, acted, both(truncated, did)],
    ['truncated', 300, acted, both(truncated, mayHave)],
    ['truncated', 404, idle, both(truncated, didNot)],
    ['truncated', 200, reading, truncated],
    ['too_large', 201, acted, both(/maxResponseBytes: the reason/, did)],
    ['undecodable', 202, acted, both(/decompressed: the reason/, did)],
  ])(
    'returns a ResponseBodyError for the kind %s after a %i with %o',
    (kind, status, more, says) => {
      const facts = context(more);
      const cause = new Error('the reason');
      const error = createFailureError(failure(kind, { status, cause }), facts);
      expect(error).toBeInstanceOf(ResponseBodyError);
      const expected = { code: 'response_body', reason: kind, status, message: matchMessage(says) };
      expect(error).toMatchObject({ ...shared(facts), ...expected });
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
});

describe('a ConnectionError', () => {
  const several = (...errors: unknown[]) => new AggregateError(errors);
  const table: readonly [string, cause: unknown, text: string][] = [
    [
      'a code and a message',
      Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      'UND_ERR_SOCKET other side closed',
    ],
    ['the first of several errors', several(new Error('::1'), new Error('127.0.0.1')), '::1'],
    ["a value that isn't an error", 'broken', 'unknown'],
  ];

  it.each(table)('takes its reason from %s', (_title, cause, text) => {
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
  ])('sets mayHaveActed and its message for %o', (more, says) => {
    const error = lost(new Error('gone'), more);
    expect(error).toMatchObject({ mayHaveActed: more.mayHaveActed, message: matchMessage(says) });
  });
});

describe('createInterruptionError()', () => {
  it.each([new Error('stop'), 'stop', undefined])("returns the signal's reason %s", (reason) => {
    expect(createInterruptionError({ kind: 'aborted', reason }, context())).toBe(reason);
  });

  it.each([
    [acted, /250 ms\. .*may have executed .*/],
    [{ ...acted, ...reading }, /250 ms/],
  ])('returns a TimeoutError after the total timeout with %o', (more, says) => {
    const error = createInterruptionError({ kind: 'total', limit: 250 }, context(more));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: 'timeout',
      reason: 'total',
      request,
      mayHaveActed: more.mayHaveActed,
      message: matchMessage(says),
    });
  });
});

describe("an error's cause", () => {
  const secrets = ['s3cret'];
  const failed = (fields: object) => Object.assign(new Error('gone'), fields);

  it('is the failure itself if the failure contains no secret', () => {
    const cause = failed({ code: 'ECONNRESET', hosts: ['', 'code.example.com'] });
    expect(lost(cause, { secrets }).cause).toBe(cause);
    expect(lost(cause, { secrets: [`'"`, 's3cret'] }).cause).toBe(cause);
  });

  it('omits the response data of the failure', () => {
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
  const hidden: readonly [string, fields: object, secret: string][] = [
    ['in a field', { token: 's3cret' }, 's3cret'],
    ['with a quote after other quotes', { sent: `x"\`\` it's1` }, "it's1"],
    ['that is percent-encoded', { path: '/?otp=sec%22ret' }, 'sec"ret'],
  ];
  it.each(hidden)('omits a secret %s', (_title, fields, secret) => {
    const kept = lost(failed(fields), { secrets: [secret] }).cause;
    expect(kept).toBeInstanceOf(Error);
    expect(kept).toHaveProperty('message', 'gone');
    for (const field of Object.keys(fields)) expect(kept).not.toHaveProperty(field);
  });
});

describe('a connection error', () => {
  const failed = (code: string) => Object.assign(new Error('refused'), { code });

  it.each<[string, Error, string, string]>([
    ['a server without TLS', failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'does not use TLS', 'tls:'],
    ['an unknown authority', failed('SELF_SIGNED_CERT_IN_CHAIN'), 'tls: { ca }', 'cert,'],
    [
      'a required client certificate',
      failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
      'tls: { cert, key }',
      'ca }',
    ],
    [
      'a proxy that responds with 407',
      new Error('Proxy Authentication Required (407)'),
      "proxy: 'http://",
      'tls:',
    ],
    ['a lost connection', failed('ECONNRESET'), 'ECONNRESET', 'tls:'],
  ])('shows only the advice for %s', (_what, cause, advice, omitted) => {
    const { message } = lost(cause);
    expect(message).toContain(advice);
    expect(message).not.toContain(omitted);
  });
});

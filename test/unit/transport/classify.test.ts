import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../../../src/errors.js';
import { AnswerInfo } from '../../../src/transport/answer-info.js';
import { classify, limitKind, otpWanted, scrubbed } from '../../../src/transport/classify.js';
import type { RawHeaders } from '../../../src/transport/raw-response.js';

const now = Date.UTC(2024, 0, 1);
const url = 'https://a.example/x';
const place = `[GET ${url}]`;

function errorOf(
  status: number,
  body: unknown,
  headers: RawHeaders = {},
  statusText = 'Reason',
  authNote?: string,
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const raw = { failed: false, status, statusText, headers, body: Buffer.from(text) } as const;
  const response = new AnswerInfo({
    status,
    statusText,
    headers,
    url,
    fromCache: false,
    attempts: 1,
    credentialNames: new Set(),
  });
  const request = { operation: 'op', method: 'GET', url };
  return classify(raw, { request, response, secrets: [], now, mayHaveActed: false, authNote });
}

describe('the message of an error', () => {
  it.each([
    ['where the server says nothing at all', '', '', 'op: 405'],
    ['where its body is blank', ' \r\n\t', 'Not Allowed', 'op: 405 Not Allowed'],
    [
      'where markup comes after a blank line',
      '\n  <p>no</p>',
      'Not Allowed',
      'op: 405 Not Allowed',
    ],
  ])('%s', (_name, body, statusText, expected) => {
    expect(errorOf(405, body, {}, statusText).message).toBe(`${expected} ${place}`);
  });

  it.each([
    [
      'a code with its explanation',
      { field: 'a', code: 'invalid', message: 'is odd' },
      'a invalid is odd',
    ],
    [
      'the explanation alone where the code is custom',
      { field: 'a', code: 'custom', message: 'is odd' },
      'a is odd',
    ],
    [
      'custom where nothing else is said',
      { resource: 'R', field: 'a', code: 'custom' },
      'R.a custom',
    ],
    ['a code without a place', { code: 'missing' }, 'missing'],
  ])('shows of a field %s', (_name, problem, shown) => {
    const error = errorOf(422, { message: 'Bad', errors: [problem] });
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error.message).toBe(`op: 422 Bad (${shown}) ${place}`);
    expect(error.errors).toEqual([problem]);
  });
});

describe('a rate limit', () => {
  const budget = { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': `${now / 1000 + 60}` };
  const inSeven = new Date(now + 7000);
  const inSixty = new Date(now + 60_000);

  it.each([
    [
      'primary, by its window',
      { ...budget, 'x-ratelimit-remaining': '0', 'retry-after': '7' },
      'primary',
      inSixty,
    ],
    [
      'primary, by Retry-After where no window is told',
      { 'x-ratelimit-remaining': '0', 'retry-after': '7' },
      'primary',
      inSeven,
    ],
    [
      'secondary, never by the window of the primary',
      { ...budget, 'x-ratelimit-remaining': '9', 'retry-after': '7' },
      'secondary',
      inSeven,
    ],
  ])('%s', (_name, headers, kind, resetAt) => {
    const error = errorOf(403, { message: 'slow' }, headers);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ kind, resetAt });
    expect(error.message).toBe(
      `op: 403 slow: ${kind} rate limit, until ${resetAt.toISOString()} ${place}`,
    );
  });

  it.each([
    ['primary', { 'x-ratelimit-remaining': '0' }],
    ['secondary', { ...budget, 'x-ratelimit-remaining': '9' }],
  ])('that is %s and names no time has none', (kind, headers) => {
    const error = errorOf(429, { message: 'slow' }, headers);
    expect(error).toMatchObject({ kind, resetAt: undefined });
    expect(error.message).toBe(`op: 429 slow: ${kind} rate limit ${place}`);
  });

  it('is not guessed from a body that was not read', () => {
    const answer = { failed: false, statusText: '', headers: {}, body: Readable.from([]) } as const;
    expect(limitKind({ ...answer, status: 403 })).toBeUndefined();
    expect(limitKind({ ...answer, status: 429 })).toBe('secondary');
  });
});

describe('the time to come back', () => {
  const retry = 'Mon, 15 Jan 2024 00:00:30 GMT';
  it.each([
    [
      "is measured by the server's own clock",
      { 'retry-after': retry, date: 'Mon, 15 Jan 2024 00:00:00 GMT' },
      new Date(now + 30_000),
    ],
    ['is measured by ours where the server shows none', { 'retry-after': retry }, new Date(retry)],
  ])('%s', (_name, headers, retryAt) => {
    const error = errorOf(503, { message: 'busy' }, headers);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ retryAt });
    expect(error.message).toBe(`op: 503 busy: come back at ${retryAt.toISOString()} ${place}`);
  });

  it('is not told where the server does not say', () => {
    const error = errorOf(503, { message: 'busy' });
    expect(error).toMatchObject({ retryAt: undefined });
    expect(error.message).toBe(`op: 503 busy ${place}`);
  });
});

describe('a 401', () => {
  it('that wants a one-time password says how to give it, and not what its authorizer says', () => {
    const headers = { 'x-acme-otp': 'required; app' };
    const error = errorOf(401, { message: 'Must' }, headers, '', 'log in again');
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ reason: 'otp_required' });
    expect(error.message).toBe(
      `op: 401 Must: a one-time password is required: give \`otp\` with Basic authentication ${place}`,
    );
  });

  it.each([
    ['after blanks', { 'x-acme-otp': '  required; sms' }, true],
    ['in a header that only ends like it', { 'my-x-acme-otp': 'required' }, false],
    ['in a header that only begins like it', { 'x-acme-otp-help': 'required' }, false],
    ['denied', { 'x-acme-otp': 'not required' }, false],
    ['in another word', { 'x-acme-otp': 'requiredness' }, false],
    ['without a value', { 'x-acme-otp': undefined }, false],
  ])('is judged by its challenge %s', (_name, headers, wanted) => {
    expect(otpWanted({ headers })).toBe(wanted);
  });
});

describe('a refusal for want of permission', () => {
  it.each([
    'Maximum number of login attempts exceeded',
    'Too many failed logins',
    'too many invalid attempts',
  ])('is a lockout: %s', (said) => {
    const error = errorOf(403, { message: said }, { 'x-oauth-scopes': 'gist' });
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ reason: 'login_lockout' });
    expect(error.message).toBe(
      `op: 403 ${said}: locked out after too many failed logins; valid credentials are refused too ${place}`,
    );
  });

  it.each([
    ['no scopes where the server sends none', {}, ''],
    [
      'the granted scopes alone',
      { 'x-oauth-scopes': 'gist, repo' },
      'granted scopes: gist, repo; accepted scopes: none',
    ],
    [
      'the accepted scopes alone',
      { 'x-accepted-oauth-scopes': 'repo' },
      'granted scopes: none; accepted scopes: repo',
    ],
  ])('shows %s', (_name, headers, note) => {
    const refused = errorOf(403, { message: 'No' }, headers);
    expect(refused).toBeInstanceOf(PermissionError);
    expect(refused).toMatchObject({ reason: 'forbidden' });
    expect(refused.message).toBe(`op: 403 No${note === '' ? '' : `: ${note}`} ${place}`);
    const missing = errorOf(404, { message: 'Not Found' }, headers);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toBe(
      `op: 404 Not Found: missing, or hidden from this credential${note === '' ? '' : `; ${note}`} ${place}`,
    );
  });
});

describe('a body with secrets', () => {
  const nested = (levels: number, inmost: unknown): unknown =>
    levels === 0 ? inmost : [nested(levels - 1, inmost)];

  it('is the very same where there are none to hide', () => {
    const body = nested(200, 'x');
    expect(scrubbed(body, [])).toBe(body);
  });

  it('is kept down to a hundred levels; what lies deeper becomes an ellipsis', () => {
    expect(scrubbed(nested(100, 'tok3n'), ['tok3n'])).toEqual(nested(100, '***'));
    expect(scrubbed(nested(101, 'tok3n'), ['tok3n'])).toEqual(nested(100, '…'));
  });
});

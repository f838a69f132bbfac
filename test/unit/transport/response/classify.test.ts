import { describe, expect, it } from 'vitest';
import {
  type ApiError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../../../../src/errors/index.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import type { BufferedResponse } from '../../../../src/transport/http/raw-response.js';
import {
  classify,
  classifyRateLimit,
  requiresOtp,
} from '../../../../src/transport/response/classify.js';
import { createDetails } from './create-details.js';

/** Arrival time of the responses. */
const now = Date.UTC(2024, 0, 1);

/** End of each error message. */
const place = '[GET https://a.example/x]';

/** Creates a response whose body is text, or a value as JSON. */
function createResponse(
  status: number,
  body: unknown,
  headers: RawHeaders = {},
  statusText = 'Reason',
): BufferedResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { failed: false, status, statusText, headers, body: [Buffer.from(text)] };
}

interface Context {
  readonly accept?: string;
  readonly untrustedOrigin?: string;
  readonly statusText?: string;
  readonly secrets?: readonly string[];
  readonly unauthorizedHint?: string;
  readonly maxWait?: number;
  readonly maxRetryAfter?: number;
}

/** Returns the error for a response to a GET. */
function createError(
  status: number,
  body: unknown,
  headers: RawHeaders = {},
  { statusText, secrets = [], accept = '', ...more }: Context = {},
): ApiError {
  const raw = createResponse(status, body, headers, statusText);
  const response = createDetails({ status, statusText: raw.statusText, headers });
  const request = { operation: 'op', method: 'GET', url: 'https://a.example/x' };
  return classify(raw, { request, response, secrets, accept, now, mayHaveActed: false, ...more });
}

/** Headers of an exhausted quota. */
const spent = { 'x-ratelimit-remaining': '0' };

const delay = { 'retry-after': '5' };

const said = (message: string) => ({ message });

describe('classify()', () => {
  it.each([
    [304, 'UnexpectedStatusError'],
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [405, 'UnexpectedStatusError'],
    [409, 'ConflictError'],
    [422, 'UnprocessableError'],
    [429, 'RateLimitError'],
    [500, 'ServerError'],
    [599, 'ServerError'],
  ])('maps the status %i to %s', (status, name) => {
    const error = createError(status, { message: 'm' });
    expect(error).toMatchObject({ name, status });
    expect(error.message).toContain(`op: ${status} m`);
    expect(error.message).toContain('[GET https://a.example/x]');
  });
});

describe('an API error', () => {
  it.each([
    ['the `message` field', { message: 'Bad things' }, 'Bad things'],
    ['the `error` field', { error: 'oops' }, 'oops'],
    ['the `statusMessage` field', { statusMessage: 'no such' }, 'no such'],
    ['plain text', 'plain words', 'plain words'],
    ['an object as `message`', { message: { name: ['is taken'] } }, '{"name":["is taken"]}'],
    ['truncated plain text', 'x'.repeat(5000), `${'x'.repeat(300)}…`],
  ])('takes its message from %s', (_name, body, said) => {
    const { message } = createError(405, body);
    expect(message).toBe(`op: 405 ${said} [GET https://a.example/x]`);
  });

  it.each([
    ['is markup', '<html>x</html>'],
    ['is empty', ''],
    ["has a message that isn't text", { message: 1 }],
  ])('uses the status text as the message if the body %s', (_name, body) => {
    const { message } = createError(405, body);
    expect(message).toBe('op: 405 Reason [GET https://a.example/x]');
  });

  it("omits the message's final period before an explanation", () => {
    const said = 'Must specify a code.';
    const { message } = createError(401, { message: said }, { 'x-service-otp': 'required; app' });
    expect(message).toContain('op: 401 Must specify a code: a one-time password is required');
    expect(createError(404, { message: 'Wait...' }).message).toContain('404 Wait...: the resource');
    const errors = ['too long'];
    const invalid = createError(422, { message: 'Bad title.', errors });
    expect(invalid.message).toBe(`op: 422 Bad title (too long) ${place}`);
    expect(createError(422, { message: said }).message).toBe(`op: 422 ${said} ${place}`);
  });

  it('lists the field errors in the message', () => {
    const errors = [
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      'a plain string',
      { code: 'custom', message: 'too many' },
      { message: 'odd' },
      null,
    ];
    const error = createError(422, { message: 'Validation Failed', errors });
    expect(error.errors).toEqual([
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      { code: 'custom', message: 'a plain string' },
      { code: 'custom', message: 'too many' },
      { code: 'custom', message: 'odd' },
      { code: 'custom', message: 'null' },
    ]);
    expect(error.message).toContain('(Issue.title missing_field; a plain string; too many; odd');
  });

  it.each<[errors: unknown, said: string, problems: object[]]>([
    ['Name is taken', 'Name is taken', [{ code: 'custom', message: 'Name is taken' }]],
    [
      { name: ['is taken', 'is short'], page: { x: 1 } },
      'name is taken; name is short; page {"x":1}',
      [
        { field: 'name', code: 'custom', message: 'is taken' },
        { field: 'name', code: 'custom', message: 'is short' },
        { field: 'page', code: 'custom', message: '{"x":1}' },
      ],
    ],
  ])('shows the text of the errors %j', (errors, said, problems) => {
    const error = createError(422, { message: 'Invalid', errors });
    expect(error.message).toBe(`op: 422 Invalid (${said}) ${place}`);
    expect(error.errors).toEqual(problems);
  });

  it.each([{ errors: 1 }, { errors: '' }, { errors: {} }, {}])(
    'leaves `errors` empty if the body is %j',
    (body) => {
      expect(createError(422, body).errors).toEqual([]);
    },
  );

  it('masks secrets that the response contains', () => {
    const echo = 'tok3n9';
    const body = { message: `bad ${echo}`, deep: [{ [echo]: echo }], errors: [{ message: echo }] };
    const error = createError(
      422,
      { ...body, documentation_url: `https://d/${echo}` },
      {},
      { secrets: [echo] },
    );
    const { documentationUrl, errors, message } = error;
    expect(JSON.stringify([error.body, documentationUrl, errors, message])).not.toContain(echo);
    expect(error.documentationUrl).toBe('https://d/***');
  });

  it('accepts an error body that is nested 100,000 levels deep', () => {
    const deep = `${'['.repeat(100_000)}"tok3n9"${']'.repeat(100_000)}`;
    const error = createError(422, deep, {}, { secrets: ['tok3n9'] });
    expect(error.name).toBe('UnprocessableError');
    expect(createError(403, deep).name).toBe('PermissionError');
    expect(createError(422, `{"message":${deep},"errors":{"a":${deep}}}`).errors).toHaveLength(1);
  });
});

describe('the message of an API error', () => {
  it.each([
    ['the code and the explanation', { code: 'invalid', message: 'is odd' }, 'a invalid is odd'],
    ["the code 'custom' without an explanation", { resource: 'R', code: 'custom' }, 'R.a custom'],
  ])('contains %s of a field error', (_name, more, shown) => {
    const problem = JSON.parse(JSON.stringify({ field: 'a', ...more }));
    const error = createError(422, { message: 'Bad', errors: [problem] });
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error.message).toBe(`op: 422 Bad (${shown}) ${place}`);
    expect(error.errors).toEqual([problem]);
  });
});

describe('an AuthenticationError', () => {
  it.each([
    [{}, 'bad_credentials'],
    [{ 'x-service-otp': 'required; app' }, 'otp_required'],
    [{ 'x-acme-otp': 'Required' }, 'otp_required'],
    [{ 'x-acme-otp': 'optional' }, 'bad_credentials'],
    [{ 'x-acme-otp': 'requiredness' }, 'bad_credentials'],
    [{ 'x-acme-otp-help': 'required' }, 'bad_credentials'],
  ])('maps a 401 with the headers %j to the reason %s', (headers, reason) => {
    expect(createError(401, { message: 'm' }, headers)).toMatchObject({ reason });
    expect(requiresOtp({ headers })).toBe(reason === 'otp_required');
  });
});

describe('PermissionError', () => {
  it.each([
    'Maximum number of login attempts exceeded',
    'too many invalid attempts',
    'Your account is locked: too many failed sign-ins',
    'You have exceeded the number of password attempts',
  ])('reports a lockout for the message "%s"', (said) => {
    const error = createError(403, { message: said }, { 'x-oauth-scopes': 'gist' });
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ reason: 'login_lockout' });
    expect(error.message.startsWith(`op: 403 ${said}: `), error.message).toBe(true);
    expect(error.message).toMatch(/: the login is locked/);
    expect(error.message).not.toContain('gist');
  });

  it('reports a lockout if the documentation link refers to the login limit', () => {
    const documentation_url = 'https://developer.example.com/v3/#failed-login-limit';
    const busy = { 'x-ratelimit-remaining': '0' };
    expect(createError(403, { message: 'Sorry.', documentation_url }, busy)).toMatchObject({
      reason: 'login_lockout',
    });
  });

  it.each([
    'Must have admin rights to Repository.',
    'Invalid credentials for this organization',
    'You have exceeded the rate limit of password attempts',
  ])(`doesn't report a lockout for the message "%s"`, (message) => {
    expect(createError(403, { message })).not.toHaveProperty('reason', 'login_lockout');
  });

  it.each([
    ['no scopes if the server sends none', undefined, undefined, ''],
    ['only granted scopes', 'gist, repo', undefined, 'granted scopes: gist, repo'],
    ['both', 'gist', 'repo, delete', 'granted scopes: gist; accepted scopes: repo, delete'],
    ['empty scopes', '', '', 'granted scopes: none; no scope is required'],
  ])('PermissionError and NotFoundError show %s', (_name, granted, accepted, note) => {
    const headers = { 'x-oauth-scopes': granted, 'x-accepted-oauth-scopes': accepted };
    const refused = createError(403, { message: 'No' }, headers);
    expect(refused).toBeInstanceOf(PermissionError);
    expect(refused).toMatchObject({ reason: 'forbidden' });
    expect(refused.message).toBe(`op: 403 No${note === '' ? '' : `: ${note}`} ${place}`);
    const missing = createError(404, { message: 'Not Found' }, headers);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toMatch(/^op: 404 Not Found: .*hidden/);
    const end = `${note === '' ? 'credentials' : `(${note})`} ${place}`;
    expect(missing.message.endsWith(end), missing.message).toBe(true);
  });
});

describe('classifyRateLimit()', () => {
  it.each([
    'API rate limit exceeded for x',
    'Forbidden',
    '',
    'Access denied: quota exceeded',
    'You cannot make more requests in this hour',
    'You need to be logged in to make more requests this hour',
  ])('detects a primary limit for "%s" if no requests remain', (message) => {
    expect(classifyRateLimit(createResponse(403, { message }, spent))).toBe('primary');
  });

  it.each([
    'Must have admin rights to change limits',
    'You need push access to this repository',
    'Resource not accessible by integration',
    'Maximum number of login attempts exceeded',
  ])('detects no limit for "%s" even if no requests remain', (message) => {
    expect(classifyRateLimit(createResponse(403, { message }, { ...spent, ...delay }))).toBe(
      undefined,
    );
  });
  it.each<[string, number, unknown, RawHeaders, string | undefined]>([
    ['a primary limit for a 403 if no requests remain', 403, {}, spent, 'primary'],
    ['a secondary limit for a 429 without a reported quota', 429, {}, {}, 'secondary'],
    ['a secondary limit if the response contains Retry-After', 403, {}, delay, 'secondary'],
    [
      'a secondary limit for "secondary rate"',
      403,
      said('a secondary rate limit'),
      {},
      'secondary',
    ],
    ['a secondary limit for "API rate"', 403, said('API rate limit exceeded'), {}, 'secondary'],
    ['a secondary limit for HTML text', 403, '<h1>Too many requests</h1>', {}, 'secondary'],
    ['no limit for blocked access', 403, said('Repository access blocked'), delay, undefined],
    ['no limit for a problem', 403, { errors: [said('Must have admin rights')] }, spent, undefined],
    ['no limit if requests remain', 403, {}, { 'x-ratelimit-remaining': '5' }, undefined],
    ['no limit if the limit is 0', 403, {}, { ...spent, 'x-ratelimit-limit': '0' }, undefined],
    ['no limit for a 500', 500, {}, spent, undefined],
  ])('detects %s', (_name, status, body, headers, kind) => {
    expect(classifyRateLimit(createResponse(status, body, headers))).toBe(kind);
  });
});

describe('a RateLimitError', () => {
  const budget = { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': `${now / 1000 + 60}` };
  const inSeven = new Date(now + 7000);
  const inSixty = new Date(now + 60_000);

  const after7 = { ...spent, 'retry-after': '7' };
  const june = Date.UTC(2012, 5, 1);
  const juneWindow = {
    'x-ratelimit-reset': `${june / 1000 + 60}`,
    date: new Date(june).toUTCString(),
  };
  const pending = { ...budget, 'x-ratelimit-remaining': '9', 'retry-after': '7' };
  it.each([
    ['a primary limit from its window', { ...budget, ...after7 }, 'primary', inSixty],
    ['a primary limit from Retry-After without a window', after7, 'primary', inSeven],
    ['a secondary limit from Retry-After, not from the window', pending, 'secondary', inSeven],
    ["a primary limit on the server's clock", { ...spent, ...juneWindow }, 'primary', inSixty],
  ])('reads the end of %s', (_name, headers, kind, resetAt) => {
    const error = createError(403, { message: 'API rate limit exceeded' }, headers);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ reason: kind, resetAt, retryAfter: resetAt.getTime() - now });
    const until = resetAt.toISOString();
    expect(error.message).toMatch(
      new RegExp(`^op: 403 API rate limit exceeded: the ${kind} .* ${until} `),
    );
  });

  it.each([
    ['primary', { 'x-ratelimit-remaining': '0' }],
    ['secondary', { ...budget, 'x-ratelimit-remaining': '9' }],
  ])('sets retryAfter of a %s limit to one minute by default', (kind, headers) => {
    const error = createError(429, { message: 'slow' }, headers);
    expect(error).toMatchObject({ reason: kind, retryAfter: 60_000, resetAt: inSixty });
    expect(error.message).toMatch(new RegExp(`^op: 429 slow: the ${kind} `));
  });

  it.each([
    ['primary', '0', 'rateLimit.maxWait (6999 ms)'],
    ['secondary', '5', 'retry.maxRetryAfter (6998 ms)'],
  ])('names the exceeded option for a %s limit', (_kind, remaining, option) => {
    const headers = { 'x-ratelimit-remaining': remaining, 'retry-after': '7' };
    const waits = { maxWait: 6999, maxRetryAfter: 6998 };
    expect(createError(429, { message: 'slow' }, headers, waits).message).toContain(
      `. The wait exceeds ${option}. [`,
    );
    const longer = { maxWait: 7000, maxRetryAfter: 7000 };
    expect(createError(429, { message: 'slow' }, headers, longer).message).not.toContain('exceeds');
  });
});

describe('ServerError.retryAt', () => {
  const retry = 'Mon, 15 Jan 2024 00:00:30 GMT';
  it.each([
    [
      "interprets Retry-After relative to the server's Date",
      { 'retry-after': retry, date: 'Mon, 15 Jan 2024 00:00:00 GMT' },
      new Date(now + 30_000),
    ],
    ['uses the local clock if the server sends no Date', { 'retry-after': retry }, new Date(retry)],
  ])('%s', (_name, headers, retryAt) => {
    const error = createError(503, { message: 'busy' }, headers);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ retryAt });
    expect(error.message).toMatch(new RegExp(`^op: 503 busy\\. .* ${retryAt.toISOString()}\\. `));
  });
});

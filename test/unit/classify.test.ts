import { describe, expect, it } from 'vitest';
import { AnswerInfo } from '../../src/transport/answer-info.js';
import { classify, limitKind, otpWanted } from '../../src/transport/classify.js';
import type { RawHeaders } from '../../src/transport/raw-response.js';

const now = Date.UTC(2024, 0, 1);

function answer(status: number, body: unknown, headers: RawHeaders = {}, statusText = 'Reason') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { failed: false, status, statusText, headers, body: Buffer.from(text ?? '') } as const;
}

function errorOf(
  raw: ReturnType<typeof answer>,
  secrets: readonly string[] = [],
  authNote?: string,
) {
  const { status, statusText, headers } = raw;
  const response = new AnswerInfo({
    status,
    statusText,
    headers,
    url: 'https://a.example/x',
    fromCache: false,
    attempts: 1,
    credentialNames: new Set(),
  });
  const request = { operation: 'op', method: 'GET', url: 'https://a.example/x' };
  return classify(raw, { request, response, secrets, now, mayHaveActed: false, authNote });
}

describe('a status becomes its class', () => {
  it.each([
    [304, 'OtherApiError'],
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [402, 'OtherApiError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [405, 'OtherApiError'],
    [409, 'ConflictError'],
    [410, 'OtherApiError'],
    [422, 'UnprocessableError'],
    [429, 'RateLimitError'],
    [451, 'OtherApiError'],
    [500, 'ServerError'],
    [599, 'ServerError'],
  ])('%i: %s', (status, name) => {
    const error = errorOf(answer(status, { message: 'm' }));
    expect(error).toMatchObject({ name, status });
    expect(error.message).toContain(`op: ${status} m`);
    expect(error.message).toContain('[GET https://a.example/x]');
  });
});

describe('what the server said', () => {
  it.each([
    ['a message', { message: 'Bad things' }, 'Bad things'],
    ['an error word', { error: 'oops' }, 'oops'],
    ['a status message', { statusMessage: 'no such' }, 'no such'],
    ['a text', 'plain words', 'plain words'],
    ['markup', '<html>x</html>', 'Reason'],
    ['nothing', '', 'Reason'],
    ['an array', [1], 'Reason'],
    ['a message that is no text', { message: { a: 1 } }, 'Reason'],
    ['null', 'null', 'Reason'],
    ['several lines', { message: 'a\n  b\r\nc' }, 'a b c'],
    ['very much', 'x'.repeat(5000), `${'x'.repeat(300)}…`],
  ])('as %s', (_name, body, said) => {
    const { message } = errorOf(answer(405, body));
    expect(message).toBe(`op: 405 ${said} [GET https://a.example/x]`);
  });

  it('about fields is kept, and told in the message', () => {
    const errors = [
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      'a plain string',
      { code: 'custom', message: 'too many' },
      { message: 'odd' },
      null,
    ];
    const error = errorOf(answer(422, { message: 'Validation Failed', errors }));
    expect(error.errors).toEqual([
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      { code: 'custom', message: 'a plain string' },
      { code: 'custom', message: 'too many' },
      { code: 'custom', message: 'odd' },
      { code: 'custom', message: 'null' },
    ]);
    expect(error.message).toContain('(Issue.title missing_field; a plain string; too many; odd');
  });

  it.each([{ errors: 'x' }, { errors: { a: 1 } }, {}])('about no fields: %j', (body) => {
    expect(errorOf(answer(422, body)).errors).toEqual([]);
  });

  it('with our secrets in it keeps none of them', () => {
    const echo = 'tok3n';
    const body = { message: `bad ${echo}`, deep: [{ [echo]: echo }], errors: [{ message: echo }] };
    const error = errorOf(answer(422, { ...body, documentation_url: `https://d/${echo}` }), [echo]);
    const { documentationUrl, errors, message } = error;
    expect(JSON.stringify([error.body, documentationUrl, errors, message])).not.toContain(echo);
    expect(error.documentationUrl).toBe('https://d/***');
  });

  it('is bounded, however deep it is', () => {
    const deep = `${'['.repeat(100_000)}"tok3n"${']'.repeat(100_000)}`;
    const error = errorOf(answer(422, deep), ['tok3n']);
    expect(error.name).toBe('UnprocessableError');
  });
});

describe('a 404', () => {
  it('says that it may be hidden, and shows the scopes', () => {
    const headers = { 'x-oauth-scopes': 'gist', 'x-accepted-oauth-scopes': 'repo, public_repo' };
    const error = errorOf(answer(404, { message: 'Not Found' }, headers));
    expect(error.message).toContain(
      'missing, or hidden from this credential; granted scopes: gist; accepted scopes: repo, public_repo',
    );
    const none = errorOf(answer(404, {}, { 'x-oauth-scopes': '' }));
    expect(none.message).toContain('granted scopes: none; accepted scopes: none');
  });
});

describe('a refusal of credentials', () => {
  it.each([
    [{}, 'bad_credentials'],
    [{ 'x-service-otp': 'required; app' }, 'otp_required'],
    [{ 'x-acme-otp': 'Required' }, 'otp_required'],
    [{ 'x-acme-otp': 'optional' }, 'bad_credentials'],
    [{ otp: 'required' }, 'bad_credentials'],
  ])('%j: %s', (headers, reason) => {
    expect(errorOf(answer(401, { message: 'm' }, headers))).toMatchObject({ reason });
    expect(otpWanted({ headers })).toBe(reason === 'otp_required');
  });

  it('carries the note of its authorizer', () => {
    expect(errorOf(answer(401, {}), [], 'log in again').message).toContain(': log in again [');
  });
});

describe('a limit', () => {
  const limits: readonly [string, number, unknown, RawHeaders, string | undefined][] = [
    ['primary by its headers', 403, {}, { 'x-ratelimit-remaining': '0' }, 'primary'],
    ['primary with 429', 429, {}, { 'x-ratelimit-remaining': '0' }, 'primary'],
    ['secondary by 429', 429, {}, {}, 'secondary'],
    ['secondary by Retry-After', 403, {}, { 'retry-after': '5' }, 'secondary'],
    [
      'secondary by its words',
      403,
      { message: 'exceeded a secondary rate limit.' },
      {},
      'secondary',
    ],
    ['abuse', 403, { message: 'You have triggered an abuse detection' }, {}, 'secondary'],
    [
      'words without headers',
      403,
      { message: 'API rate limit exceeded for 1.2.3.4' },
      {},
      'secondary',
    ],
    ['forbidden', 403, { message: 'Must have admin rights' }, {}, undefined],
    ['forbidden with budget', 403, {}, { 'x-ratelimit-remaining': '5' }, undefined],
    [
      'a lockout',
      403,
      { message: 'Maximum number of login attempts exceeded' },
      { 'x-ratelimit-remaining': '0', 'retry-after': '5' },
      undefined,
    ],
    ['another status', 500, {}, { 'x-ratelimit-remaining': '0' }, undefined],
  ];
  it.each(limits)('%s', (_name, status, body, headers, kind) => {
    expect(limitKind(answer(status, body, headers))).toBe(kind);
  });

  it('says when to come back', () => {
    const reset = { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': `${now / 1000 + 60}` };
    const primary = errorOf(answer(403, {}, { ...reset, 'x-ratelimit-remaining': '0' }));
    expect(primary).toMatchObject({ kind: 'primary', resetAt: new Date(now + 60_000) });
    const secondary = errorOf(answer(429, {}, { 'retry-after': '7' }));
    expect(secondary).toMatchObject({ kind: 'secondary', resetAt: new Date(now + 7000) });
    expect(secondary.message).toContain('secondary rate limit, until 2024-01-01T00:00:07.000Z');
    expect(errorOf(answer(429, {}))).toMatchObject({ resetAt: undefined });
  });
});

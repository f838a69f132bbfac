import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  UnprocessableError,
} from '../../../../src/errors/index.js';
import { requiresOtp } from '../../../../src/transport/response/classify.js';
import { createError, place } from './classified.js';

describe('classify()', () => {
  it.each([
    [304, 'UnexpectedStatusError'],
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [402, 'UnexpectedStatusError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [405, 'UnexpectedStatusError'],
    [409, 'ConflictError'],
    [410, 'UnexpectedStatusError'],
    [422, 'UnprocessableError'],
    [429, 'RateLimitError'],
    [451, 'UnexpectedStatusError'],
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
  it("doesn't repeat its message as a problem", () => {
    const message = 'Name is too long.';
    const { message: one } = createError(422, { message, errors: [message] });
    expect(one).toBe('op: 422 Name is too long. [GET https://a.example/x]');
    const { message: two } = createError(422, { message, errors: [message, { code: 'invalid' }] });
    expect(two).toBe('op: 422 Name is too long (invalid) [GET https://a.example/x]');
  });

  it.each([
    ['the `message` field', { message: 'Bad things' }, 'Bad things'],
    ['the `error` field', { error: 'oops' }, 'oops'],
    ['the `statusMessage` field', { statusMessage: 'no such' }, 'no such'],
    ['plain text', 'plain words', 'plain words'],
    ['an object as `message`', { message: { name: ['is taken'] } }, '{"name":["is taken"]}'],
    ['an array as `message`', { message: ['is taken'] }, '["is taken"]'],
    ['several joined lines', { message: 'a\n  b\r\nc' }, 'a b c'],
    ['truncated plain text', 'x'.repeat(5000), `${'x'.repeat(300)}…`],
  ])('takes its message from %s', (_name, body, said) => {
    const { message } = createError(405, body);
    expect(message).toBe(`op: 405 ${said} [GET https://a.example/x]`);
  });

  it.each([
    ['is markup', '<html>x</html>'],
    ['is empty', ''],
    ['is an array', [1]],
    ["has a message that isn't text", { message: 1 }],
    ['is null', 'null'],
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

  it('lists at most 100 field errors', () => {
    const errors = Array.from({ length: 101 }, (_each, index) => ({ field: `f${index}` }));
    expect(createError(422, { errors }).errors).toHaveLength(100);
  });

  it.each([
    ['keeps', 2000, true],
    ['drops', 2001, false],
  ])('%s a documentation URL of %i characters', (_what, length, does) => {
    const page = 'https://d.example/'.padEnd(length, 'x');
    const { documentationUrl } = createError(422, { message: 'no', documentation_url: page });
    expect(documentationUrl).toBe(does ? page : undefined);
  });

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
    ['is empty', '', '', 'op: 405'],
    ['is blank', ' \r\n\t', 'Not Allowed', 'op: 405 Not Allowed'],
    ['is markup after a blank line', '\n  <p>no</p>', 'Not Allowed', 'op: 405 Not Allowed'],
  ])(
    'contains only the status and its text if the body %s',
    (_name, body, statusText, expected) => {
      expect(createError(405, body, {}, { statusText }).message).toBe(`${expected} ${place}`);
    },
  );

  it.each([
    ['the code and the explanation', { code: 'invalid', message: 'is odd' }, 'a invalid is odd'],
    ["no code if it is 'custom'", { code: 'custom', message: 'is odd' }, 'a is odd'],
    ["the code 'custom' without an explanation", { resource: 'R', code: 'custom' }, 'R.a custom'],
    ['only the code without a field', { field: undefined, code: 'missing' }, 'missing'],
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
    [{ 'x-acme-otp': '  required; sms' }, 'otp_required'],
    [{ 'x-acme-otp': 'optional' }, 'bad_credentials'],
    [{ 'x-acme-otp': 'not required' }, 'bad_credentials'],
    [{ 'x-acme-otp': 'requiredness' }, 'bad_credentials'],
    [{ 'x-acme-otp': undefined }, 'bad_credentials'],
    [{ 'my-x-acme-otp': 'required' }, 'bad_credentials'],
    [{ 'x-acme-otp-help': 'required' }, 'bad_credentials'],
    [{ otp: 'required' }, 'bad_credentials'],
  ])('maps a 401 with the headers %j to the reason %s', (headers, reason) => {
    expect(createError(401, { message: 'm' }, headers)).toMatchObject({ reason });
    expect(requiresOtp({ headers })).toBe(reason === 'otp_required');
  });

  it("shows the authorizer's hint", () => {
    expect(createError(401, {}, {}, { unauthorizedHint: 'log in again' }).message).toContain(
      ': log in again [',
    );
  });

  it('explains the `otp` option if a one-time password is required', () => {
    const headers = { 'x-acme-otp': 'required; app' };
    const error = createError(401, { message: 'Must' }, headers, {
      unauthorizedHint: 'log in again',
    });
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ reason: 'otp_required' });
    expect(error.message).toMatch(/^op: 401 Must: .*`otp`/);
    expect(error.message).not.toContain('log in again');
  });
});

describe('a PermissionError', () => {
  it.each([
    'Maximum number of login attempts exceeded',
    'Too many failed logins',
    'too many invalid attempts',
    'Max number of login attempt exceeded',
    'Login attempts limit reached',
    'Your account is locked: too many failed sign-ins',
    'Blocked after 10 authentication failures',
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
    'Password authentication is not allowed',
    'Invalid credentials for this organization',
    'The limit of hooks is exceeded',
    'Login required',
    'You have exceeded the rate limit of password attempts',
  ])(`doesn't report a lockout for the message "%s"`, (message) => {
    expect(createError(403, { message })).not.toHaveProperty('reason', 'login_lockout');
  });

  it.each([
    ['no scopes if the server sends none', undefined, undefined, ''],
    ['only granted scopes', 'gist, repo', undefined, 'granted scopes: gist, repo'],
    ['only accepted scopes', undefined, 'repo', 'accepted scopes: repo'],
    ['both', 'gist', 'repo, delete', 'granted scopes: gist; accepted scopes: repo, delete'],
    ['empty scopes', '', '', 'granted scopes: none; no scope is required'],
  ])('and a NotFoundError show %s', (_name, granted, accepted, note) => {
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

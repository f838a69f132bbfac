import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
} from '../../../../src/errors/index.js';
import { requiresOtp } from '../../../../src/transport/response/classify.js';
import { createError, place } from './classified.js';

describe('AuthenticationError', () => {
  it.each([
    [{}, 'bad_credentials'],
    [{ 'x-service-otp': 'required; app' }, 'otp_required'],
    [{ 'x-acme-otp': 'Required' }, 'otp_required'],
    [{ 'x-acme-otp': 'optional' }, 'bad_credentials'],
    [{ otp: 'required' }, 'bad_credentials'],
  ])('maps a 401 with the headers %j to the reason %s', (headers, reason) => {
    expect(createError(401, { message: 'm' }, headers)).toMatchObject({ reason });
    expect(requiresOtp({ headers })).toBe(reason === 'otp_required');
  });

  it("an AuthenticationError shows the authorizer's hint", () => {
    expect(createError(401, {}, {}, { unauthorizedHint: 'log in again' }).message).toContain(
      ': log in again [',
    );
  });
  it('an AuthenticationError explains the `otp` option if a one-time password is required', () => {
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

describe('requiresOtp()', () => {
  it.each([
    ['returns true if spaces precede "required"', { 'x-acme-otp': '  required; sms' }, true],
    [
      'returns false if the header name merely ends with x-acme-otp',
      { 'my-x-acme-otp': 'required' },
      false,
    ],
    [
      'returns false if the header name merely starts with x-acme-otp',
      { 'x-acme-otp-help': 'required' },
      false,
    ],
    ['returns false if the value is "not required"', { 'x-acme-otp': 'not required' }, false],
    [
      'returns false if the value merely starts with "required"',
      { 'x-acme-otp': 'requiredness' },
      false,
    ],
    ['returns false if the header has no value', { 'x-acme-otp': undefined }, false],
  ])('requiresOtp() %s', (_name, headers, wanted) => {
    expect(requiresOtp({ headers })).toBe(wanted);
  });
});

describe('PermissionError', () => {
  it.each([
    'Maximum number of login attempts exceeded',
    'Too many failed logins',
    'too many invalid attempts',
    'Max number of login attempt exceeded',
    'Login attempts limit reached',
    'Your account is locked: too many failed sign-ins',
    'Blocked after 10 authentication failures',
    'You have exceeded the number of password attempts',
  ])('a PermissionError reports a lockout for the message "%s"', (said) => {
    const error = createError(403, { message: said }, { 'x-oauth-scopes': 'gist' });
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ reason: 'login_lockout' });
    expect(error.message.startsWith(`op: 403 ${said}: `), error.message).toBe(true);
    expect(error.message).toMatch(/: the login is locked/);
    expect(error.message).not.toContain('gist');
  });

  it('a PermissionError reports a lockout if the documentation link refers to the login limit', () => {
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
  ])(`a PermissionError doesn't report a lockout for the message "%s"`, (message) => {
    expect(createError(403, { message })).not.toHaveProperty('reason', 'login_lockout');
  });

  it.each([
    ['no scopes if the server sends none', {}, ''],
    [
      'the granted scopes if the server sends no accepted scopes',
      { 'x-oauth-scopes': 'gist, repo' },
      'granted scopes: gist, repo',
    ],
    [
      'the accepted scopes if the server sends no granted scopes',
      { 'x-accepted-oauth-scopes': 'repo' },
      'accepted scopes: repo',
    ],
  ])('a PermissionError and a NotFoundError show %s', (_name, headers, note) => {
    const refused = createError(403, { message: 'No' }, headers);
    expect(refused).toBeInstanceOf(PermissionError);
    expect(refused).toMatchObject({ reason: 'forbidden' });
    expect(refused.message).toBe(`op: 403 No${note === '' ? '' : `: ${note}`} ${place}`);
    const missing = createError(404, { message: 'Not Found' }, headers);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toMatch(/^op: 404 Not Found: .*hidden/);
    expect(missing.message.endsWith(`${note === '' ? 'credentials' : `(${note})`} ${place}`)).toBe(
      true,
    );
  });
});

describe('NotFoundError', () => {
  it('a NotFoundError reports that the resource may be hidden', () => {
    const headers = { 'x-oauth-scopes': 'gist', 'x-accepted-oauth-scopes': 'repo, public_repo' };
    const error = createError(404, { message: 'Not Found' }, headers);
    expect(error.message).toMatch(
      /hidden.* \(granted scopes: gist; accepted scopes: repo, public_repo\)/,
    );
    const none = createError(404, {}, { 'x-oauth-scopes': '', 'x-accepted-oauth-scopes': '' });
    expect(none.message).toContain('(granted scopes: none; no scope is required)');
  });
});

import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RateLimitError, ServerError } from '../../../../src/errors/index.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import { classifyRateLimit } from '../../../../src/transport/response/classify.js';
import { createError, createResponse, now, place } from './classified.js';

/** Headers of an exhausted quota. */
const spent = { 'x-ratelimit-remaining': '0' };
const delay = { 'retry-after': '5' };
const said = (message: string) => ({ message });

describe('classifyRateLimit()', () => {
  it.each([
    'API rate limit exceeded for x',
    'Quota used up',
    'Limit exceeded',
    'API limit reached',
    'Slow down',
    'Forbidden',
    '',
    'Access denied: quota exceeded',
    'You cannot make more requests in this hour',
    'Requests are blocked until the window ends: limit reached',
    'You must have exceeded your limit',
    'You are not allowed to make more than 60 requests per hour',
    'Not permitted to exceed 60 calls an hour',
    'Only members get more than 60 requests per hour',
    'Anonymous users have access to 60 requests; quota used up',
    'You need to be logged in to make more requests this hour',
  ])('detects a primary limit for "%s" if no requests remain', (message) => {
    expect(classifyRateLimit(createResponse(403, { message }, spent))).toBe('primary');
  });

  it.each([
    'Must have admin rights to change limits',
    'You need push access to this repository',
    'Resource not accessible by integration',
    'Permission denied',
    'Your IP is not on the allow list',
    'You must verify your email address',
    'You are not a team member',
    'Only organization owners may do this',
    'Sorry. Your account was suspended.',
    'This token lacks the scope admin:org',
    'Repository was archived so is read-only.',
    'You are not authorized',
    'Maximum number of login attempts exceeded',
  ])('detects no limit for "%s" even if no requests remain', (message) => {
    expect(classifyRateLimit(createResponse(403, { message }, { ...spent, ...delay }))).toBe(
      undefined,
    );
  });

  const loginLimit = 'https://d.example/#failed-login-limit';
  const lateText = `<p>Forbidden ${'x '.repeat(2100)}Too many requests`;
  it.each<[string, number, unknown, RawHeaders, string | undefined]>([
    ['a primary limit for a 403 if no requests remain', 403, {}, spent, 'primary'],
    ['a primary limit for a 429 if no requests remain', 429, {}, spent, 'primary'],
    ['a secondary limit for a 429 without a reported quota', 429, {}, {}, 'secondary'],
    ['a secondary limit if the response contains Retry-After', 403, {}, delay, 'secondary'],
    [
      'a secondary limit for "secondary rate"',
      403,
      said('a secondary rate limit'),
      {},
      'secondary',
    ],
    ['a secondary limit for "abuse detection"', 403, said('an abuse detection'), {}, 'secondary'],
    ['a secondary limit for "API rate"', 403, said('API rate limit exceeded'), {}, 'secondary'],
    ['a secondary limit for "Slow down"', 403, said('Slow down'), delay, 'secondary'],
    ['a secondary limit for an HTML page', 403, '<h1>Forbidden</h1>', delay, 'secondary'],
    ['a secondary limit for HTML text', 403, '<h1>Too many requests</h1>', {}, 'secondary'],
    ['no limit for HTML text after 4000 characters', 403, lateText, {}, undefined],
    ['no limit for a missing permission', 403, said('Must have admin rights'), {}, undefined],
    ['no limit for blocked access', 403, said('Repository access blocked'), delay, undefined],
    ['no limit for a problem', 403, { errors: [said('Must have admin rights')] }, spent, undefined],
    ['no limit if requests remain', 403, {}, { 'x-ratelimit-remaining': '5' }, undefined],
    ['no limit for a 500', 500, {}, spent, undefined],
  ])('detects %s', (_name, status, body, headers, kind) => {
    expect(classifyRateLimit(createResponse(status, body, headers))).toBe(kind);
  });

  it('detects no limit if the documentation link leads to the failed-login limit', () => {
    const body = { message: 'Too many requests', documentation_url: loginLimit };
    expect(classifyRateLimit(createResponse(403, body, delay))).toBeUndefined();
  });

  it('uses only the status of a streamed response', () => {
    const raw = { failed: false, statusText: '', headers: {}, body: Readable.from([]) } as const;
    expect(classifyRateLimit({ ...raw, status: 403 })).toBeUndefined();
    expect(classifyRateLimit({ ...raw, status: 429 })).toBe('secondary');
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
    [
      'a primary limit from its window without x-ratelimit-limit',
      { ...spent, 'x-ratelimit-reset': `${now / 1000 + 7}` },
      'primary',
      inSeven,
    ],
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

  it('is undefined without Retry-After', () => {
    const error = createError(503, { message: 'busy' });
    expect(error).toMatchObject({ retryAt: undefined });
    expect(error.message).toBe(`op: 503 busy ${place}`);
  });
});

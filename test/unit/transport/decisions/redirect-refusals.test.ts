import { describe, expect, it } from 'vitest';
import { RedirectError } from '../../../../src/errors/index.js';
import type { RedirectState } from '../../../../src/transport/decisions/resolve-redirect.js';
import { getDefaultRetry } from '../../../../src/transport/request/endpoint.js';
import { at, form, judge, posting, spec, stream } from './redirected.js';

function refusal(...input: Parameters<typeof judge>): RedirectError {
  try {
    judge(...input);
  } catch (error) {
    if (error instanceof RedirectError) return error;
    throw error;
  }
  throw new Error(`a redirect to ${input[1]} was followed`);
}

describe('redirects', () => {
  const refusals: readonly [
    string,
    number,
    string | undefined,
    Partial<RedirectState>,
    string,
    RegExp,
  ][] = [
    ['a missing Location', 302, undefined, {}, 'bad_location', /^the 302 redirect was .*Location/],
    [
      'an invalid URL',
      302,
      'https://',
      {},
      'bad_location',
      /^the 302 redirect to https:\/\/ .*Location/,
    ],
    [
      'credentials in the URL',
      302,
      'https://e.example/x',
      { hasCredentialsInUrl: true },
      'contains_secret',
      /has credentials in its URL/,
    ],
    [
      'an ftp URL',
      307,
      'ftp://a.example/x',
      {},
      'bad_location',
      /^the 307 redirect to ftp:\/\/a\.example\/x .*neither http nor https/,
    ],
    [
      'a downgrade to http',
      301,
      'http://a.example/x',
      {},
      'insecure',
      /^the 301 redirect to http:\/\/a\.example\/x .*http instead of https/,
    ],
    [
      'a body for an untrusted origin',
      308,
      'https://e.example/x',
      { ...posting, body: form },
      'cross_origin_body',
      /^the 308 redirect to https:\/\/e\.example\/x .*bodies only to trusted origins/,
    ],
    [
      'a body that can be read only once',
      307,
      '/x',
      { ...posting, body: stream(false) },
      'not_replayable',
      /^the 307 redirect to \/x .*stream.* only once/,
    ],
    ['a URL that was already visited', 302, '/a', {}, 'loop', /^the 302 redirect to \/a .*loop/],
    [
      'any target if maxRedirects is 0',
      302,
      '/x',
      { maxRedirects: 0 },
      'too_many',
      /^the 302 redirect to \/x .*limit of 0 redirects/,
    ],
    [
      'a second redirect if maxRedirects is 1',
      302,
      '/x',
      { maxRedirects: 1, visited: new Set(['GET https://a.example/1', 'GET https://a.example/2']) },
      'too_many',
      /^the 302 redirect to \/x .*limit of 1 redirect is exceeded/,
    ],
  ];
  it.each(refusals)(
    'resolveRedirect() rejects a redirect with %s',
    (_name, status, location, state, reason, says) => {
      const error = refusal(status, location, state);
      const method = state.spec?.method ?? 'GET';
      const [, said] =
        /^op: (.*) \[(?:GET|POST) https:\/\/a\.example\/a\]$/.exec(error.message) ?? [];
      expect(said).toMatch(says);
      expect(error.message).toContain(`[${method} `);
      expect(error).toMatchObject({ code: 'redirect', reason, location, mayHaveActed: false });
      expect(error.request).toEqual({
        operation: 'op',
        method,
        url: 'https://a.example/a',
      });
    },
  );

  it.each([
    ['contains_secret', 'https://e.example/x?k=s3cret%2B%2F%3D&a=1'],
    ['insecure', 'http://t.example/x'],
    ['loop', '//a.example/a'],
    ['loop', '/a#fragment'],
    ['bad_location', 'javascript:alert(1)'],
    ['bad_location', ['/x', '/y']],
  ])('resolveRedirect() reports the reason %s for a redirect to %s', (reason, location) => {
    expect(refusal(302, location).reason).toBe(reason);
  });

  it('a RedirectError masks secrets in its location', () => {
    const location = 'http://jo:p@ss@a.example/x?sig=abc&page=2&bare#f';
    expect(() => judge(302, location)).toThrow(
      expect.objectContaining({
        location: 'http://a.example/x?sig=***&page=2&***',
        message: expect.not.stringContaining('ss@'),
      }),
    );
  });
});

describe('a RedirectError', () => {
  it.each([
    [false, 'HEAD', 'HEAD', 303],
    [false, 'GET', 'GET', 303],
    [false, 'POST', 'POST', 302],
    [true, 'POST', 'POST', 303],
    [true, 'POST', 'GET', 302],
    [true, 'DELETE', 'DELETE', 303],
    [false, 'DELETE', 'DELETE', 307],
  ] as const)(
    'a RedirectError has mayHaveActed: %s if a %s, now sent as a %s, gets an invalid %i',
    (mayHaveActed, method, now, status) => {
      const state = { spec: { ...spec, method, retry: getDefaultRetry(method) }, method: now };
      expect(refusal(status, undefined, state)).toMatchObject({ code: 'redirect', mayHaveActed });
    },
  );
});

it('a RedirectError for a PUT keeps mayHaveActed: true from an earlier attempt', () => {
  const method = 'PUT';
  const state = { method, spec: { ...spec, method, retry: 'idempotent' } } as const;
  expect(refusal(307, 'http://x.example/', { ...state, mayHaveActed: true })).toMatchObject({
    mayHaveActed: true,
  });
  expect(refusal(302, undefined, { mayHaveActed: true })).toMatchObject({ mayHaveActed: false });
});

describe('maxRedirects', () => {
  const visited = (count: number) =>
    new Set(Array.from({ length: count }, (_, index) => `GET https://a.example/${index}`));

  it('resolveRedirect() rejects the third redirect if maxRedirects is 2', () => {
    const last = judge(302, '/x', { visited: visited(2), maxRedirects: 2 });
    expect(last).toEqual({
      target: at('/x'),
      method: 'GET',
      body: undefined,
      trusted: true,
      permanent: false,
    });
    const error = refusal(302, '/x', { visited: visited(3), maxRedirects: 2 });
    expect(error.reason).toBe('too_many');
    expect(error.message).toMatch(/^op: the 302 redirect to \/x .*limit of 2 redirects/);
  });
});

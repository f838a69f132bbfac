import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RedirectError } from '../../../../src/errors/index.js';
import {
  type RedirectState,
  resolveRedirect,
} from '../../../../src/transport/decisions/resolve-redirect.js';
import { getDefaultRetry } from '../../../../src/transport/request/endpoint.js';
import type { RequestSpec, Target } from '../../../../src/transport/request/request-spec.js';
import { spec as kept } from '../policies/cached-spec.js';

/** Creates a target, by default at the client's origin. */
const at = (path: string, origin = 'https://a.example'): Target => ({ origin, path });

/** The original request. Earlier redirects led from /first to /a. */
const spec: RequestSpec = { ...kept, operation: 'op', target: at('/first') };

/** Resolves a redirect from /a, for a client that trusts its own origin and t.example. */
function judge(
  status: number,
  location: string | string[] | undefined,
  state: Partial<RedirectState> = {},
): ReturnType<typeof resolveRedirect> {
  return resolveRedirect(
    { failed: false, status, statusText: '', headers: { location }, body: [] },
    {
      spec,
      target: at('/a'),
      method: 'GET',
      body: undefined,
      trusted: true,
      visited: new Set(['GET https://a.example/a']),
      maxRedirects: 10,
      trustedOrigins: new Set(['https://a.example', 'https://t.example']),
      credentialParameters: new Set(['access_token']),
      hasCredentialsInUrl: false,
      secrets: ['s3cret+/='],
      mayHaveActed: false,
      ...state,
    },
  );
}

const form = { kind: 'form', text: 'a=1' } as const;

/** Creates a stream body that can be read once, or any number of times if `replayable` is true. */
const stream = (replayable: boolean) => ({
  kind: 'stream' as const,
  replayable,
  open: async () => ({ stream: Readable.from([]), contentType: 'text/plain', length: 0 }),
});

/** A redirected POST. */
const posting = {
  spec: { ...spec, method: 'POST', retry: 'refused' },
  method: 'POST',
} as const;

function refusal(...input: Parameters<typeof judge>): RedirectError {
  try {
    judge(...input);
  } catch (error) {
    if (error instanceof RedirectError) return error;
    throw error;
  }
  throw new Error(`a redirect to ${input[1]} was followed`);
}

describe('resolveRedirect()', () => {
  it.each([
    ['/x?access_token=old&a=1', at('/x?a=1')],
    ['https://t.example/x?access_token=old', at('/x', 'https://t.example')],
    ['https://u:p@a.example/x', at('/x')],
    // A foreign access_token belongs to a signed URL, so it must be kept.
    ['https://e.example/x?access_token=theirs', at('/x?access_token=theirs', 'https://e.example')],
    [['/x', '/x'], at('/x')],
    // The server sent UTF-8 bytes in the next case and Latin-1 bytes in the last case.
    ['/caf\u00c3\u00a9', at('/caf%C3%A9')],
    ['/caf\u00e9', at('/caf%C3%A9')],
  ])('resolves the Location %s to %j', (location, target) => {
    expect(judge(302, location).target).toEqual(target);
  });

  it.each([
    [true, 301, '/x'],
    [true, 308, '/x'],
    [false, 307, '/x'],
    [false, 308, 'https://e.example/x'],
  ])('reports permanent: %s for a %i to %s', (permanent, status, location) => {
    expect(judge(status, location).permanent).toBe(permanent);
  });

  it('treats a 301 within an untrusted origin as permanent', () => {
    const target = at('/a', 'https://e.example');
    expect(judge(301, '/x', { target, trusted: false }).permanent).toBe(true);
  });

  const foreign = 'https://e.example/x';
  const formBody = { ...posting, body: form };
  const untrusted = { ...formBody, trustedOrigins: new Set<string>(), trusted: false };
  const readOnce = { ...posting, body: stream(false) };
  const replayable = { ...posting, body: stream(true) };
  const twice = new Set(['GET https://a.example/1', 'GET https://a.example/2']);
  const kept = { target: at('/x'), method: 'POST', body: form, trusted: true, permanent: false };
  const asGet = { ...kept, method: 'GET', body: undefined };
  it.each<[string, number, string, Partial<RedirectState>, object]>([
    [
      'a form after a 307 within an untrusted origin',
      307,
      '/x',
      untrusted,
      { ...kept, trusted: false },
    ],
    [
      'a replayable stream after a 308',
      308,
      '/x',
      replayable,
      { ...kept, body: replayable.body, permanent: true },
    ],
    [
      'no body after a 303 to an untrusted origin',
      303,
      foreign,
      readOnce,
      { ...asGet, target: at('/x', 'https://e.example'), trusted: false },
    ],
  ])('sends %s', (_name, status, location, state, expected) => {
    expect(judge(status, location, state)).toEqual(expected);
  });

  it('follows exactly maxRedirects redirects', () => {
    expect(judge(302, '/x', { visited: twice, maxRedirects: 2 })).toEqual(asGet);
    const error = refusal(302, '/x', { visited: twice, maxRedirects: 1 });
    expect(error).toMatchObject({
      reason: 'too_many',
      message: expect.stringMatching(/limit of 1 /),
    });
  });

  it('keeps the method HEAD after a 303', () => {
    const head = { spec: { ...spec, method: 'HEAD' }, method: 'HEAD' } as const;
    expect(judge(303, '/x', head)).toMatchObject({ method: 'HEAD', body: undefined });
  });

  const refusals: readonly [string, number, string | undefined, Partial<RedirectState>, string][] =
    [
      ['a missing Location', 302, undefined, {}, 'bad_location'],
      ['an invalid URL', 302, 'https://', {}, 'bad_location'],
      ['credentials in the URL', 302, foreign, { hasCredentialsInUrl: true }, 'contains_secret'],
      ['an ftp URL', 307, 'ftp://a.example/x', {}, 'bad_location'],
      ['a downgrade to http', 301, 'http://a.example/x', {}, 'insecure'],
      ['a body for an untrusted origin', 308, foreign, formBody, 'cross_origin_body'],
      ['a body that can be read only once', 307, '/x', readOnce, 'not_replayable'],
      ['a URL that was already visited', 302, '/a', {}, 'loop'],
      ['maxRedirects: 0', 302, '/x', { maxRedirects: 0 }, 'too_many'],
    ];
  it.each(refusals)('rejects a redirect with %s', (_name, status, location, state, reason) => {
    const error = refusal(status, location, state);
    const method = state.spec?.method ?? 'GET';
    const to = location === undefined ? '' : ` to ${location}`;
    expect(error.message.startsWith(`op: the ${status} redirect${to} `), error.message).toBe(true);
    expect(error.message.endsWith(` [${method} https://a.example/a]`), error.message).toBe(true);
    expect(error).toMatchObject({ code: 'redirect', reason, location, mayHaveActed: false });
    expect(error.request).toEqual({ operation: 'op', method, url: 'https://a.example/a' });
  });

  it.each([
    ['contains_secret', 'https://e.example/x?k=s3cret%2B%2F%3D&a=1'],
    ['loop', '//a.example/a'],
    ['bad_location', 'javascript:alert(1)'],
    ['bad_location', ['/x', '/y']],
  ])('reports the reason %s for a redirect to %s', (reason, location) => {
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
    [false, 'POST', 'POST', 302],
    [true, 'POST', 'POST', 303],
    [true, 'POST', 'GET', 302],
    [false, 'DELETE', 'DELETE', 307],
  ] as const)(
    'has mayHaveActed: %s if a %s call, whose last request is a %s, gets an invalid %i',
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

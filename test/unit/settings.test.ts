import { MockAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/client.js';
import {
  type ClientOptions,
  checkHeaders,
  resolveRetry,
  resolveTimeouts,
  resolveValidation,
} from '../../src/transport/options.js';
import { resolveSettings } from '../../src/transport/settings.js';

const family = { media: { vendor: 'service', version: 'v3' }, accept: '*/*' } as const;
const settle = (options: Partial<ClientOptions>) =>
  resolveSettings(
    { baseUrl: 'https://a.example', dispatcher: new MockAgent(), ...options },
    family,
  );

describe('an option that is wrong is named', () => {
  const wrong: readonly [string, Readonly<Record<string, unknown>>][] = [
    ['baseUrl', { baseUrl: 'a.example' }],
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: 'ftp://a.example' }],
    ['baseUrl', { baseUrl: 'https://jo:pw@a.example' }],
    ['baseUrl', { baseUrl: 'https://a.example/?x=1' }],
    ['baseUrl', { baseUrl: 'https://a.example/#x' }],
    ['userAgent', { userAgent: 'a\r\nx: 1' }],
    ['timeout.total', { timeout: 0 }],
    ['timeout.total', { timeout: Number.NaN }],
    ['timeout.total', { timeout: 2 ** 31 }],
    ['timeout.headers', { timeout: { headers: '5' } }],
    ['timeout', { timeout: '5s' }],
    ['timeout', { timeout: null }],
    ['retry', { retry: 5 }],
    ['retry', { retry: true }],
    ['dispatcher', { dispatcher: 'http://proxy.example:3128' }],
    ['dispatcher', { dispatcher: { fetch } }],
    ['dispatcher', { dispatcher: null }],
    ['timeout.body', { timeout: { body: -1 } }],
    ['retry.limit', { retry: { limit: -1 } }],
    ['retry.baseDelay', { retry: { baseDelay: -1 } }],
    ['retry.maxDelay', { retry: { maxDelay: 'x' } }],
    ['retry.maxRetryAfter', { retry: { maxRetryAfter: -1 } }],
    ['rateLimit.onLimit', { rateLimit: { onLimit: 'sleep' } }],
    ['rateLimit.maxWait', { rateLimit: { maxWait: -1 } }],
    ['maxRedirects', { maxRedirects: -1 }],
    ['maxResponseBytes', { maxResponseBytes: 0 }],
    ['maxConcurrency', { maxConcurrency: 0 }],
    ['validation', { validation: 'loose' }],
    ['trustedOrigins', { trustedOrigins: ['uploads.example.com'] }],
    ['trustedOrigins', { trustedOrigins: ['mailto:x'] }],
  ];
  for (const [option, options] of wrong) {
    it(`${option}: ${JSON.stringify(options)}`, () => {
      expect(() => settle(options)).toThrow(
        expect.objectContaining({ code: 'configuration', option }),
      );
    });
  }

  it('the options themselves, and those of the hosting client', () => {
    // `as`: what JavaScript callers may pass.
    expect(() => new HostingClient(undefined as unknown as HostingClientOptions)).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'options' }),
    );
    const beta = { baseUrl: 'https://a.example', apiVersion: 'v4' } as unknown;
    expect(() => new HostingClient(beta as HostingClientOptions)).toThrow(
      expect.objectContaining({ option: 'apiVersion' }),
    );
  });
});

describe('what is not given has its default', () => {
  it('for a client', () => {
    expect(settle({})).toMatchObject({
      base: { origin: 'https://a.example', prefix: '' },
      ownsDispatcher: false,
      userAgent: expect.stringMatching(/^triforge\/\d/),
      timeouts: { total: 60_000, headers: 30_000, body: 30_000 },
      retry: { limit: 3, baseDelay: 250, maxDelay: 10_000, maxRetryAfter: 60_000 },
      validation: 'strict',
      maxRedirects: 10,
      maxResponseBytes: 104_857_600,
      maxConcurrency: Number.POSITIVE_INFINITY,
      onLimit: 'throw',
      maxWait: 3_600_000,
      trustedOrigins: new Set(['https://a.example']),
    });
  });

  it.each([
    ['https://a.example/api/v3', '/api/v3'],
    ['https://a.example/api/v3/', '/api/v3'],
    ['https://a.example/api/v3///', '/api/v3'],
    ['https://a.example', ''],
  ])('baseUrl %s has the prefix %s', (baseUrl, prefix) => {
    expect(settle({ baseUrl }).base.prefix).toBe(prefix);
    expect(settle({ baseUrl: new URL(baseUrl) }).base.prefix).toBe(prefix);
  });

  it('for a call: the client’s', () => {
    const base = { total: 1, headers: 2, body: 3 };
    expect(resolveTimeouts(undefined, base)).toBe(base);
    expect(resolveTimeouts(9, base)).toEqual({ total: 9, headers: 2, body: 3 });
    expect(resolveTimeouts({ body: false, headers: 5 }, base)).toEqual({
      total: 1,
      headers: 5,
      body: 0,
    });
    const retry = { limit: 1, baseDelay: 2, maxDelay: 3, maxRetryAfter: 4 };
    expect(resolveRetry(undefined, retry)).toBe(retry);
    expect(resolveRetry(false, retry)).toEqual({ ...retry, limit: 0 });
    expect(resolveRetry({ limit: 2.9 }, retry)).toEqual({ ...retry, limit: 2 });
    expect(resolveValidation(undefined, 'warn')).toBe('warn');
    expect(resolveValidation('off', 'warn')).toBe('off');
  });

  it('and a userAgent stands before the own one', () => {
    expect(settle({ userAgent: 'me/1' }).userAgent).toMatch(/^me\/1 triforge\//);
    expect(settle({ userAgent: '' }).userAgent).toMatch(/^triforge\//);
  });

  it('and trusted origins are more than their text', () => {
    const { trustedOrigins } = settle({ trustedOrigins: ['https://UP.example:443/x'] });
    expect([...trustedOrigins]).toEqual(['https://a.example', 'https://up.example']);
  });
});

describe('header fields of the caller', () => {
  it('are kept in lower case, without those that are undefined', () => {
    expect(checkHeaders({ 'X-A': 'b', 'x-c': undefined, 'x-d': 'é' })).toEqual([
      ['x-a', 'b'],
      ['x-d', 'é'],
    ]);
    expect(checkHeaders(undefined)).toEqual([]);
  });

  it.each([
    ['Authorization', 'x'],
    ['Host', 'x'],
    ['Content-Length', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Cookie', 'x'],
    ['Expect', '100-continue'],
    ['x a', 'b'],
    ['x:a', 'b'],
    ['', 'b'],
    ['x-a', 'b\r\nx-evil: 1'],
    ['x-a', 'b\0'],
    ['x-a', '☃'],
    ['x-a', 1],
  ])('%s: %j is refused', (name, value) => {
    // `as`: what JavaScript callers may pass.
    const headers = { [name]: value } as Record<string, string>;
    expect(() => checkHeaders(headers)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: `headers.${name}` }),
    );
  });
});

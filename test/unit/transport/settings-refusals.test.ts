import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import { HostingClient, type HostingClientOptions } from '../../../src/hosting/index.js';
import { resolveSettings } from '../../../src/transport/settings.js';
import { about } from '../about.js';

const family = { media: { vendor: 'service', version: 'v3' }, accept: '*/*' } as const;
const baseUrl = 'https://a.example';

describe('resolveSettings()', () => {
  test.each<[unknown, string, RegExp]>([
    [undefined, 'options', /\bbaseUrl, .*\bvalidation\b/],
    [null, 'options', /\bbaseUrl, /],
    [baseUrl, 'options', /\bbaseUrl, /],
    [{}, 'baseUrl', /http or https.* undefined\)$/],
    [{ baseUrl: '' }, 'baseUrl', /http or https.* an empty string\)$/],
    [{ baseUrl: 'a.example' }, 'baseUrl', /http or https.* \(got a string\)$/],
    [{ baseUrl: 'ftp://a.example' }, 'baseUrl', /http or https.* \(got a string\)$/],
    [{ baseUrl: new URL('file:///a') }, 'baseUrl', /http or https.* \(got an object\)$/],
    [{ baseUrl: 'https://jo@a.example' }, 'baseUrl', /without a username, password/],
    [{ baseUrl: 'https://:pw@a.example' }, 'baseUrl', /without a username, password/],
    [{ baseUrl: 'https://jo:pw@a.example' }, 'baseUrl', /without a username, password/],
    [{ baseUrl: 'https://a.example/?x' }, 'baseUrl', /query/],
    [{ baseUrl: 'https://a.example/#x' }, 'baseUrl', /fragment/],
    [
      { baseUrl, rateLimit: { onLimit: 'sleep' } },
      'rateLimit.onLimit',
      /'throw' or 'wait' \(got "sleep"\)/,
    ],
    [{ baseUrl, rateLimit: { onLimit: '' } }, 'rateLimit.onLimit', /'throw' or 'wait'/],
    [{ baseUrl, dispatcher: null }, 'dispatcher', /undici.* null\)$/],
    [{ baseUrl, dispatcher: 'http://proxy' }, 'dispatcher', /undici.* a string\)$/],
    [{ baseUrl, dispatcher: { dispatch: true } }, 'dispatcher', /undici.* an object\)$/],
    [{ baseUrl, trustedOrigins: ['a.example'] }, 'trustedOrigins', /origins/],
    [{ baseUrl, trustedOrigins: ['https://*.example.com'] }, 'trustedOrigins', /without wildcards/],
    [{ baseUrl, trustedOrigins: [baseUrl, 'mailto:x'] }, 'trustedOrigins', /origins/],
    [{ baseUrl, userAgent: 'a\nb' }, 'userAgent', /ASCII/],
    [{ baseUrl, userAgent: 'a\x7f' }, 'userAgent', /ASCII/],
    [{ baseUrl, userAgent: '\x1fa' }, 'userAgent', /ASCII/],
    [{ baseUrl, userAgent: 5 }, 'userAgent', /ASCII/],
    [{ baseUrl, maxRedirects: 101 }, 'maxRedirects', /0 to 100\b.* 101\)$/],
    [{ baseUrl, maxConcurrency: 0.5 }, 'maxConcurrency', /at least 1\b.* 0\.5\)$/],
    [{ baseUrl, maxResponseBytes: 0 }, 'maxResponseBytes', /at least 1\b.* 0\)$/],
    [{ baseUrl, rateLimit: { maxWait: -1 } }, 'rateLimit.maxWait', /at least 0\b.* -1\)$/],
  ])(
    'resolveSettings() rejects the options %j with an error that names %s',
    (options, option, said) => {
      let error: unknown = 'nothing was thrown';
      try {
        // The call is unchecked, because JavaScript callers can pass anything.
        Reflect.apply(resolveSettings, undefined, [options, family]);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(ConfigurationError);
      const message = option === 'options' ? expect.stringMatching(said) : about(option, said);
      expect(error).toMatchObject({ option, message });
    },
  );
});

describe('a ConfigurationError', () => {
  test.each<[string, string, object]>([
    ['timeout.total', 'timeout: 0', { timeout: 0 }],
    ['timeout.headers', "timeout: { headers: '5' }", { timeout: { headers: '5' } }],
    ['timeout.body', 'timeout: { body: -1 }', { timeout: { body: -1 } }],
    ['timeout', 'timeout: null', { timeout: null }],
    ['retry', 'retry: true', { retry: true }],
    ['retry.limit', 'retry: { limit: -1 }', { retry: { limit: -1 } }],
    ['cache', "cache: 'yes'", { cache: 'yes' }],
    ['validation', "validation: 'loose'", { validation: 'loose' }],
    ['maxRedirects', 'maxRedirects: -1', { maxRedirects: -1 }],
    ['maxConcurrency', 'maxConcurrency: 0', { maxConcurrency: 0 }],
    ['concurrency', 'concurrency: 0', { concurrency: 0 }],
    ['concurrency', 'concurrency: 101', { concurrency: 101 }],
    ['concurrency', 'concurrency: Infinity', { concurrency: Number.POSITIVE_INFINITY }],
  ])('the error names the option %s for %s', (option, _what, wrong) => {
    expect(() => resolveSettings({ baseUrl, ...wrong }, family)).toThrow(
      expect.objectContaining({ code: 'configuration', option }),
    );
  });

  test('the error names `options` if HostingClient gets no options', () => {
    // `as`: JavaScript callers can pass anything.
    expect(() => new HostingClient(undefined as unknown as HostingClientOptions)).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'options' }),
    );
    const beta = { baseUrl: 'https://a.example', apiVersion: 'v4' } as unknown;
    expect(() => new HostingClient(beta as HostingClientOptions)).toThrow(
      expect.objectContaining({ option: 'apiVersion' }),
    );
  });
});

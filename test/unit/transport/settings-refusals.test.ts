import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import { HostingClient, type HostingClientOptions } from '../../../src/hosting/client.js';
import { clientNames } from '../../../src/transport/client-options.js';
import { resolveSettings } from '../../../src/transport/settings.js';

const family = { media: { vendor: 'service', version: 'v3' }, accept: '*/*' } as const;
const baseUrl = 'https://a.example';

describe('a wrong option is named, with what was expected', () => {
  const url =
    'baseUrl: expected an absolute http or https URL, such as https://code.example.com/api/v3/, got';
  const noPassword = 'baseUrl: expected no user name or password; use auth';
  const noQuery = 'baseUrl: expected no query and no fragment';
  const origins = "trustedOrigins: expected origins such as 'https://uploads.example.com'";
  const dispatcher =
    'dispatcher: expected a Dispatcher of undici, such as new Agent({ connections: 16 }), got';
  const onLimit = "rateLimit.onLimit: expected 'throw' or 'wait'";
  const agent = 'userAgent: expected printable ASCII';
  const wanted = `expected an object of options (${Object.keys(clientNames).join(', ')})`;

  test.each<[unknown, string, string]>([
    [undefined, 'options', wanted],
    [null, 'options', wanted],
    [baseUrl, 'options', wanted],
    [{}, 'baseUrl', `${url} a value of type undefined`],
    [{ baseUrl: '' }, 'baseUrl', `${url} an empty string`],
    [{ baseUrl: 'a.example' }, 'baseUrl', `${url} a string`],
    [{ baseUrl: 'ftp://a.example' }, 'baseUrl', `${url} a string`],
    [{ baseUrl: new URL('file:///a') }, 'baseUrl', `${url} an object`],
    [{ baseUrl: 'https://jo@a.example' }, 'baseUrl', noPassword],
    [{ baseUrl: 'https://:pw@a.example' }, 'baseUrl', noPassword],
    [{ baseUrl: 'https://jo:pw@a.example' }, 'baseUrl', noPassword],
    [{ baseUrl: 'https://a.example/?x' }, 'baseUrl', noQuery],
    [{ baseUrl: 'https://a.example/#x' }, 'baseUrl', noQuery],
    [{ baseUrl, rateLimit: { onLimit: 'sleep' } }, 'rateLimit.onLimit', onLimit],
    [{ baseUrl, rateLimit: { onLimit: '' } }, 'rateLimit.onLimit', onLimit],
    [{ baseUrl, dispatcher: null }, 'dispatcher', `${dispatcher} null`],
    [{ baseUrl, dispatcher: 'http://proxy' }, 'dispatcher', `${dispatcher} a string`],
    [{ baseUrl, dispatcher: { dispatch: true } }, 'dispatcher', `${dispatcher} an object`],
    [{ baseUrl, trustedOrigins: ['a.example'] }, 'trustedOrigins', origins],
    [{ baseUrl, trustedOrigins: [baseUrl, 'mailto:x'] }, 'trustedOrigins', origins],
    [{ baseUrl, userAgent: 'a\nb' }, 'userAgent', agent],
    [{ baseUrl, userAgent: 'a\x7f' }, 'userAgent', agent],
    [{ baseUrl, userAgent: '\x1fa' }, 'userAgent', agent],
    [{ baseUrl, userAgent: 5 }, 'userAgent', agent],
    [
      { baseUrl, maxRedirects: 101 },
      'maxRedirects',
      'maxRedirects: expected a number from 0 to 100, got 101',
    ],
    [
      { baseUrl, maxConcurrency: 0.5 },
      'maxConcurrency',
      'maxConcurrency: expected a number from 1 to Infinity, got 0.5',
    ],
    [
      { baseUrl, maxResponseBytes: 0 },
      'maxResponseBytes',
      `maxResponseBytes: expected a number from 1 to ${Number.MAX_SAFE_INTEGER}, got 0`,
    ],
    [
      { baseUrl, rateLimit: { maxWait: -1 } },
      'rateLimit.maxWait',
      `rateLimit.maxWait: expected a number from 0 to ${Number.MAX_SAFE_INTEGER}, got -1`,
    ],
  ])('%j', (options, option, message) => {
    let error: unknown = 'nothing was thrown';
    try {
      // Unchecked, as what JavaScript callers may pass.
      Reflect.apply(resolveSettings, undefined, [options, family]);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message });
  });
});

describe('a wrong option is named, whoever reads it', () => {
  test.each<[string, object]>([
    ['timeout.total', { timeout: 0 }],
    ['timeout.headers', { timeout: { headers: '5' } }],
    ['timeout.body', { timeout: { body: -1 } }],
    ['timeout', { timeout: null }],
    ['retry', { retry: true }],
    ['retry.limit', { retry: { limit: -1 } }],
    ['cache', { cache: 'yes' }],
    ['validation', { validation: 'loose' }],
    ['maxRedirects', { maxRedirects: -1 }],
    ['maxConcurrency', { maxConcurrency: 0 }],
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: 101 }],
    ['concurrency', { concurrency: Number.POSITIVE_INFINITY }],
  ])('%s: %j', (option, wrong) => {
    expect(() => resolveSettings({ baseUrl, ...wrong }, family)).toThrow(
      expect.objectContaining({ code: 'configuration', option }),
    );
  });

  test('also by a client of a family, and for an option of its own', () => {
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

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import { HostingClient, type HostingClientOptions } from '../../../src/hosting/index.js';
import { resolveSettings } from '../../../src/transport/settings.js';
import { version } from '../../../src/version.js';
import { certificate, privateKey } from '../../socket/console-certificate.js';
import { about } from '../about.js';

/** Connect options of each agent, which undici doesn't expose. */
const made = vi.hoisted((): unknown[] => []);

vi.mock('undici/lib/core/connect.js', () => ({
  default: (options: unknown) => {
    made.push(options);
    return () => undefined;
  },
}));

const family = { media: { vendor: 'service', version: 'v3' }, accept: 'text/x-own' } as const;
const baseUrl = 'https://a.example';

beforeEach(() => {
  made.length = 0;
});

/** Options of all connections. */
const common = { timeout: 10_000, allowH2: false };

describe('resolveSettings().dispatchers', () => {
  test('creates an Agent with a connect timeout of 10 s with the first request', async () => {
    const { dispatchers } = resolveSettings({ baseUrl }, family);
    expect(made).toEqual([]);
    const loading = dispatchers.select(baseUrl, true);
    expect(dispatchers.select('https://elsewhere.example', false)).toBe(loading);
    await loading;
    expect(made).toEqual([common]);
  });

  test('uses the client certificate only for trusted origins', async () => {
    const tls = { ca: [certificate], cert: certificate, key: privateKey, servername: 'a.test' };
    const trustedOrigins = ['https://b.example'];
    const { dispatchers } = resolveSettings({ baseUrl, tls, trustedOrigins }, family);
    for (const origin of [baseUrl, 'https://b.example']) await dispatchers.select(origin, true);
    for (const origin of ['https://c.example', 'https://d.example'])
      await dispatchers.select(origin, false);
    // Simulates requests to trusted origins after a redirect by an untrusted origin.
    for (const origin of [baseUrl, 'https://b.example']) await dispatchers.select(origin, false);
    const { servername: _name, ...identity } = tls;
    expect(made).toEqual([
      { ...tls, ...common },
      { ...identity, ...common },
      { ca: [certificate], ...common },
      { ca: [certificate], servername: 'a.test', ...common },
    ]);
  });
});

describe('resolveSettings()', () => {
  test('returns defaults for omitted options', () => {
    expect(resolveSettings({ baseUrl }, family)).toMatchObject({
      base: { origin: baseUrl, prefix: '' },
      trustedOrigins: new Set([baseUrl]),
      userAgent: `triforge/${version}`,
      media: family.media,
      accept: family.accept,
      timeouts: { total: 60_000, headers: 30_000, body: 30_000 },
      retry: { limit: 3, baseDelay: 250, maxDelay: 10_000, maxRetryAfter: 60_000 },
      validation: undefined,
      maxRedirects: 10,
      maxResponseBytes: 104_857_600,
      maxConcurrency: 64,
      concurrency: 1,
      onLimit: 'throw',
      cache: undefined,
      maxWait: 3_600_000,
      now: expect.any(Function),
      clock: expect.any(Function),
      random: Math.random,
    });
  });

  test('collects the secrets in headers and the proxy URL', () => {
    expect(resolveSettings({ baseUrl }, family)).toMatchObject({ headers: [], secrets: [] });
    const headers = { 'x-api-token': 'hush-one', 'x-trace': 'seen' };
    const options = { baseUrl, headers, proxy: 'http://jo:hush-two@proxy.example:3128' };
    const resolved = resolveSettings(options, { ...family, headers: [['x-own', 'a']] });
    expect(resolved.headers).toEqual([...Object.entries(headers), ['x-own', 'a']]);
    expect(resolved.secrets).toEqual(expect.arrayContaining(['hush-one', 'hush-two']));
    expect(resolved.secrets).not.toContain('seen');
  });

  test('accepts the minimum and the maximum of numeric options', () => {
    const least = {
      maxRedirects: 0,
      maxResponseBytes: 1,
      maxConcurrency: 1,
      rateLimit: { onLimit: 'wait', maxWait: 0 },
    } as const;
    expect(resolveSettings({ baseUrl, ...least }, family)).toMatchObject({
      maxRedirects: 0,
      maxResponseBytes: 1,
      maxConcurrency: 1,
      onLimit: 'wait',
      maxWait: 0,
    });
    const most = { maxRedirects: 100, maxConcurrency: Number.POSITIVE_INFINITY };
    expect(resolveSettings({ baseUrl, ...most }, family)).toMatchObject(most);
    expect(resolveSettings({ baseUrl, rateLimit: { onLimit: 'throw' } }, family).onLimit).toBe(
      'throw',
    );
  });

  test.each([
    ['/api/v3', 'https://a.example/api/v3'],
    ['/api/v3', 'https://a.example/api/v3///'],
    ['', 'https://a.example'],
  ])('returns the path prefix "%s" for the base URL %s', (prefix, baseUrl) => {
    expect(resolveSettings({ baseUrl }, family).base.prefix).toBe(prefix);
    expect(resolveSettings({ baseUrl: new URL(baseUrl) }, family).base.prefix).toBe(prefix);
  });

  test("appends triforge and its version to the caller's user agent", () => {
    const { userAgent } = resolveSettings({ baseUrl, userAgent: ' me/1~' }, family);
    expect(userAgent).toBe(` me/1~ triforge/${version}`);
    expect(resolveSettings({ baseUrl, userAgent: '' }, family).userAgent).toBe(
      `triforge/${version}`,
    );
  });

  test.each<[unknown, string, RegExp]>([
    [undefined, 'options', /\bbaseUrl, .*\bvalidation\b/],
    [null, 'options', /\bbaseUrl, /],
    [{}, 'baseUrl', /http or https.* undefined\)$/],
    [{ baseUrl: 'a.example' }, 'baseUrl', /http or https.* \(got a string\)$/],
    [{ baseUrl: 'ftp://a.example' }, 'baseUrl', /http or https.* \(got a string\)$/],
    [{ baseUrl: 'https://jo@a.example' }, 'baseUrl', /without a username, password/],
    [{ baseUrl: 'https://a.example/?x' }, 'baseUrl', /query/],
    [{ baseUrl: 'https://a.example/#x' }, 'baseUrl', /fragment/],
    [
      { baseUrl, rateLimit: { onLimit: 'sleep' } },
      'rateLimit.onLimit',
      /'throw' or 'wait' \(got "sleep"\)/,
    ],
    [{ baseUrl, dispatcher: { dispatch: true } }, 'dispatcher', /undici.* an object\)$/],
    [{ baseUrl, trustedOrigins: ['https://*.example.com'] }, 'trustedOrigins', /without wildcards/],
    [{ baseUrl, trustedOrigins: [baseUrl, 'mailto:x'] }, 'trustedOrigins', /origins/],
    [{ baseUrl, userAgent: 'a\nb' }, 'userAgent', /ASCII/],
    [{ baseUrl, maxRedirects: 101 }, 'maxRedirects', /0 to 100\b.* 101\)$/],
    [{ baseUrl, maxConcurrency: 0.5 }, 'maxConcurrency', /at least 1\b.* 0\.5\)$/],
    [{ baseUrl, maxResponseBytes: 0 }, 'maxResponseBytes', /at least 1\b.* 0\)$/],
    [{ baseUrl, rateLimit: { maxWait: -1 } }, 'rateLimit.maxWait', /at least 0\b.* -1\)$/],
  ])('rejects the options %j with an error that names %s', (options, option, said) => {
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
  });

  test.each<[option: string, options: object]>([
    ['timeout.total', { timeout: 0 }],
    ['cache', { cache: 'yes' }],
    ['validation', { validation: 'loose' }],
    ['concurrency', { concurrency: 0 }],
    ['rateLimit.shared', { rateLimit: { shared: {} } }],
  ])('names %s in the error for %j', (option, wrong) => {
    expect(() => resolveSettings({ baseUrl, ...wrong }, family)).toThrow(
      expect.objectContaining({ code: 'configuration', option }),
    );
  });
});

describe('HostingClient', () => {
  // `as`: JavaScript callers can pass anything.
  const create = (options: unknown) => () => new HostingClient(options as HostingClientOptions);

  test.each<[option: string, options: unknown]>([
    ['options', undefined],
    ['apiVersion', { baseUrl, apiVersion: 'v4' }],
    ['apiVersion', { baseUrl, apiVersion: 'v2022-11-28' }],
  ])('names %s in the error for %j', (option, options) => {
    const refused = expect.objectContaining({ code: 'configuration', option });
    expect(create(options)).toThrow(refused);
  });

  test.each<[string, string]>([
    ['baseURL', "Did you mean 'baseUrl'? Known options: "],
    ['maxconcurency', "Did you mean 'maxConcurrency'? Known options: "],
    ['token', "unknown option 'token'. Known options: "],
    ['a'.repeat(1e6), '. Known options: '],
  ])('suggests the nearest name only if it is similar: %#', (name, text) => {
    const message = expect.stringContaining(text);
    expect(create({ baseUrl, [name]: 1 })).toThrow(expect.objectContaining({ message }));
  });
});

import { type Dispatcher, MockAgent } from 'undici';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors.js';
import { resolveSettings } from '../../../src/transport/settings.js';
import { version } from '../../../src/version.js';

/** What each Agent was made with: undici keeps it where it can not be read. */
const made = vi.hoisted((): unknown[] => []);

vi.mock('undici/lib/dispatcher/agent.js', () => ({
  default: class {
    constructor(options: unknown) {
      made.push(options);
    }
  },
}));

const family = { media: { vendor: 'service', version: 'v3' }, accept: 'text/x-own' } as const;
const baseUrl = 'https://a.example';

beforeEach(() => {
  made.length = 0;
});

describe('the dispatcher', () => {
  test('is an Agent of the client’s own, which waits 10 s for a connection', () => {
    const settings = resolveSettings({ baseUrl }, family);
    expect(settings.ownsDispatcher).toBe(true);
    expect(made).toEqual([{ connect: { timeout: 10_000 } }]);
  });

  test('takes what the family says of connections', () => {
    resolveSettings({ baseUrl }, { ...family, connect: { rejectUnauthorized: false } });
    resolveSettings({ baseUrl }, { ...family, connect: { timeout: 5 } });
    expect(made).toEqual([
      { connect: { timeout: 10_000, rejectUnauthorized: false } },
      { connect: { timeout: 5 } },
    ]);
  });

  test('of the caller is used as it is, and stays the caller’s', () => {
    const dispatcher: Dispatcher = new MockAgent();
    const settings = resolveSettings({ baseUrl, dispatcher }, family);
    expect(settings.dispatcher).toBe(dispatcher);
    expect(settings.ownsDispatcher).toBe(false);
  });
});

describe('settings', () => {
  test('that are not given have their defaults', () => {
    expect(resolveSettings({ baseUrl }, family)).toMatchObject({
      base: { origin: baseUrl, prefix: '' },
      trustedOrigins: new Set([baseUrl]),
      userAgent: `triforge/${version}`,
      media: family.media,
      accept: family.accept,
      validation: 'strict',
      maxRedirects: 10,
      maxResponseBytes: 104_857_600,
      maxConcurrency: Number.POSITIVE_INFINITY,
      onLimit: 'throw',
      cache: undefined,
      maxWait: 3_600_000,
      now: Date.now,
      random: Math.random,
    });
  });

  test('may stand at their bounds', () => {
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

  test('put the caller’s user agent before the own one', () => {
    const { userAgent } = resolveSettings({ baseUrl, userAgent: ' me/1~' }, family);
    expect(userAgent).toBe(` me/1~ triforge/${version}`);
    expect(resolveSettings({ baseUrl, userAgent: '' }, family).userAgent).toBe(
      `triforge/${version}`,
    );
  });
});

describe('a wrong option is named, with what was expected', () => {
  const url =
    'baseUrl: expected an absolute http or https URL, such as https://code.example.com/api/v3/, got';
  const noPassword = 'baseUrl: expected no user name or password; use auth';
  const noQuery = 'baseUrl: expected no query and no fragment';
  const origins = "trustedOrigins: expected origins such as 'https://uploads.example.com'";
  const dispatcher =
    "dispatcher: expected a Dispatcher of undici, such as new ProxyAgent('http://proxy.example.com:3128'), got";
  const onLimit = "rateLimit.onLimit: expected 'throw' or 'wait'";
  const agent = 'userAgent: expected printable ASCII';

  test.each<[unknown, string, string]>([
    [undefined, 'options', 'expected an options object with a baseUrl'],
    [null, 'options', 'expected an options object with a baseUrl'],
    [baseUrl, 'options', 'expected an options object with a baseUrl'],
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

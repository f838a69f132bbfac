import { afterEach, describe, expect, test, vi } from 'vitest';
import { resolveProxies, resolveTls } from '../../../src/transport/connection-options.js';

describe('resolveTls()', () => {
  test.each([true, false])('resolveTls() accepts rejectUnauthorized: %s', (rejectUnauthorized) => {
    expect(resolveTls({ rejectUnauthorized })).toEqual({ rejectUnauthorized });
  });
});

describe('resolveProxies()', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('resolveProxies() accepts an https URL as the proxy', () => {
    const url = new URL('https://proxy.example.com:3129');
    expect(resolveProxies(url.href)).toEqual({ http: url, https: url, none: '' });
  });

  test.each(['https_proxy', 'HTTP_PROXY'])(
    'resolveProxies() names the environment variable %s in the error for its invalid proxy URL',
    (name) => {
      for (const each of ['http_proxy', 'https_proxy']) {
        vi.stubEnv(each, undefined);
        vi.stubEnv(each.toUpperCase(), undefined);
      }
      vi.stubEnv(name, 'socks5://proxy.example.com');
      const message = expect.stringContaining(name.toUpperCase());
      expect(() => resolveProxies('env')).toThrow(
        expect.objectContaining({ code: 'configuration', option: 'proxy', message }),
      );
    },
  );
});

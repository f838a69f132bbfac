import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import {
  proxySecrets,
  resolveProxies,
  resolveTls,
} from '../../../src/transport/connection-options.js';
import {
  authority,
  clientCertificate,
  clientKey,
  serverKey,
} from '../../socket/private-authority.js';

const refusalOf = (check: () => unknown): unknown => {
  try {
    return check();
  } catch (error) {
    return error;
  }
};

describe('tls', () => {
  test('is as it was given, without what is undefined', () => {
    expect(resolveTls(undefined)).toEqual({});
    const bytes = new Uint8Array(Buffer.from(authority));
    const given = { ca: [authority, bytes], cert: clientCertificate, key: clientKey };
    expect(resolveTls({ ...given, rejectUnauthorized: undefined, servername: 'a' })).toStrictEqual({
      ...given,
      servername: 'a',
    });
  });

  test.each<[string, unknown, string]>([
    ['tls', null, 'tls: expected an object of options'],
    ['tls', true, 'tls: expected an object of options'],
    ['tls.passphrase', { passphrase: 'x' }, "tls: unknown option 'passphrase'"],
    ['tls.ca', { ca: './ca.pem' }, 'tls.ca: expected PEM (-----BEGIN …-----): of a file, give its'],
    ['tls.ca', { ca: [authority, {}] }, 'tls.ca: expected PEM, got an object'],
    ['tls.ca', { ca: new Uint8Array([48, 130]) }, 'tls.ca: expected PEM'],
    ['tls.cert', { cert: {}, key: clientKey }, 'tls.cert: expected PEM, got an object'],
    ['tls.key', { cert: clientCertificate }, 'tls.key: cert and key belong together'],
    ['tls.cert', { key: clientKey }, 'tls.cert: cert and key belong together'],
    [
      'tls',
      { cert: clientCertificate, key: serverKey },
      'tls: expected certificates and a key that belong together: error:',
    ],
    ['tls.rejectUnauthorized', { rejectUnauthorized: 0 }, 'tls.rejectUnauthorized: expected true'],
    ['tls.servername', { servername: '' }, 'tls.servername: expected a host name'],
  ])('%s is refused by name: %j', (option, given, message) => {
    const error = refusalOf(() => Reflect.apply(resolveTls, undefined, [given]));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message: expect.stringContaining(message) });
    expect(inspect(error)).not.toContain(serverKey.split('\n')[1]);
  });
});

describe('proxy', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const stub = (variables: Readonly<Record<string, string>>) => {
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) {
      vi.stubEnv(name, variables[name]);
      vi.stubEnv(name.toUpperCase(), variables[name.toUpperCase()]);
    }
  };

  test('is one for all, or none', () => {
    expect(resolveProxies(undefined)).toBeUndefined();
    const url = new URL('http://ann:p%40ss@proxy.example.com:3128');
    expect(resolveProxies(url.href)).toEqual({ http: url, https: url, none: '' });
    expect(resolveProxies(url)).toEqual({ http: url, https: url, none: '' });
  });

  test('of the environment is read in either letter case, the lower one first', () => {
    stub({ http_proxy: '', HTTP_PROXY: 'http://a:1', https_proxy: 'b:2', HTTPS_PROXY: 'c:3' });
    expect(resolveProxies('env')).toEqual({
      http: new URL('http://a:1'),
      https: new URL('http://b:2'),
      none: '',
    });
    stub({ NO_PROXY: 'x.example' });
    expect(resolveProxies('env')).toEqual({ http: undefined, https: undefined, none: 'x.example' });
  });

  const expected = 'expected the URL of a proxy, such as http://proxy.example.com:3128';
  test.each<[unknown, string]>([
    [null, "proxy: expected a URL or 'env', got null"],
    ['hush99', `proxy: ${expected}`],
    ['', `proxy: ${expected}`],
    ['proxy.example.com:3128', `proxy: ${expected}`],
    ['socks5://hush99@a', `proxy: ${expected}`],
    ['http://a/hush99', 'proxy: expected no path, no query and no fragment'],
    ['http://a?hush99', 'proxy: expected no path, no query and no fragment'],
    ['http://hush99@a', 'proxy: expected a user name and a password, or neither'],
    ['http://:hush99@a', 'proxy: expected a user name and a password, or neither'],
    ['http://ann:hush99%@a', 'proxy: expected user name and password percent-encoded'],
  ])('%j is refused without being shown', (given, message) => {
    const error = refusalOf(() => Reflect.apply(resolveProxies, undefined, [given]));
    expect(error).toMatchObject({ code: 'configuration', option: 'proxy', message });
    expect(inspect(error)).not.toContain('hush99');
  });

  test('of the environment is refused by the name of its variable', () => {
    stub({ HTTPS_PROXY: 'http://ann:hush99@' });
    const error = refusalOf(() => resolveProxies('env'));
    expect(error).toMatchObject({ option: 'proxy', message: `HTTPS_PROXY: ${expected}` });
    expect(inspect(error)).not.toContain('hush99');
  });

  test('has its password masked, as it is written and as it is sent', () => {
    const url = new URL('http://ann:p%40ssword@a');
    const sent = Buffer.from('ann:p@ssword').toString('base64');
    expect(proxySecrets({ http: url, https: undefined, none: '' })).toEqual([
      'p@ssword',
      'p%40ssword',
      sent,
    ]);
    expect(proxySecrets(undefined)).toEqual([]);
    expect(proxySecrets({ http: new URL('http://a'), https: undefined, none: '' })).toEqual([]);
  });
});

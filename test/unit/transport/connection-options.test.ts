import { createPrivateKey } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import {
  collectProxySecrets,
  resolveProxies,
  resolveTls,
} from '../../../src/transport/connection-options.js';
import {
  authority,
  clientCertificate,
  clientKey,
  serverKey,
} from '../../socket/private-authority.js';
import { about } from '../about.js';

const encryptedKey = createPrivateKey(clientKey)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();

const catchRefusal = (check: () => unknown): unknown => {
  try {
    return check();
  } catch (error) {
    return error;
  }
};

describe('resolveTls()', () => {
  test('resolveTls() converts a certificate from bytes to text', () => {
    expect(resolveTls(undefined)).toEqual({});
    const bytes = new Uint8Array(Buffer.from(authority));
    const given = { ca: [authority, bytes], cert: clientCertificate, key: clientKey };
    expect(resolveTls({ ...given, rejectUnauthorized: undefined, servername: 'a' })).toStrictEqual({
      ...given,
      ca: [authority, authority],
      servername: 'a',
    });
  });

  test.each<[string, string, unknown, unknown]>([
    ['tls', 'null', null, about('tls', /options/)],
    ['tls', 'true', true, about('tls', /options/)],
    ['tls.passphrase', 'an unknown option', { passphrase: 'x' }, about('tls', /'passphrase'/)],
    [
      'tls',
      'an encrypted key',
      { cert: clientCertificate, key: encryptedKey },
      about('tls', /error:/),
    ],
    ['tls', 'a path as `ca`', { ca: './ca.pem' }, about('tls', /PEM file, not its path/)],
    ['tls', 'an object in the `ca` list', { ca: [authority, {}] }, about('tls', /./)],
    ['tls', 'a DER certificate', { ca: new Uint8Array([48, 130]) }, about('tls', /PEM/)],
    [
      'tls.key',
      '`cert` without `key`',
      { cert: clientCertificate },
      about('tls.key', /cert and key/),
    ],
    ['tls.cert', '`key` without `cert`', { key: clientKey }, about('tls.cert', /cert and key/)],
    [
      'tls',
      'the key of another certificate',
      { cert: clientCertificate, key: serverKey },
      about('tls', /error:/),
    ],
  ])('resolveTls() names %s in the error for %s', (option, _name, given, message) => {
    const error = catchRefusal(() => Reflect.apply(resolveTls, undefined, [given]));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message });
    expect(inspect(error)).not.toContain(serverKey.split('\n')[1]);
  });
});

describe('resolveProxies()', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const stub = (variables: Readonly<Record<string, string>>) => {
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) {
      vi.stubEnv(name, variables[name]);
      vi.stubEnv(name.toUpperCase(), variables[name.toUpperCase()]);
    }
  };

  test('resolveProxies() uses a proxy URL for both HTTP and HTTPS', () => {
    expect(resolveProxies(undefined)).toBeUndefined();
    const url = new URL('http://ann:p%40ss@proxy.example.com:3128');
    expect(resolveProxies(url.href)).toEqual({ http: url, https: url, none: '' });
    expect(resolveProxies(url)).toEqual({ http: url, https: url, none: '' });
  });

  test("resolveProxies() reads the proxies from the environment if the option is 'env'", () => {
    stub({ http_proxy: '', HTTP_PROXY: 'http://a:1', https_proxy: 'b:2', HTTPS_PROXY: 'c:3' });
    expect(resolveProxies('env')).toEqual({
      http: new URL('http://a:1'),
      https: new URL('http://b:2'),
      none: '',
    });
    stub({ NO_PROXY: 'x.example' });
    expect(resolveProxies('env')).toEqual({ http: undefined, https: undefined, none: 'x.example' });
  });

  test.each([
    ['a,*', '*'],
    [' * ', '*'],
    ['a *', '*'],
    ['*.a,b', '*.a,b'],
  ])('resolveProxies() reads NO_PROXY=%j as %j', (value, none) => {
    stub({ HTTP_PROXY: 'http://a:1', NO_PROXY: value });
    expect(resolveProxies('env')).toMatchObject({ none });
  });

  test.each<[unknown, RegExp]>([
    ['hush99', /an http or https URL/],
    ['', /an http or https URL/],
    ['proxy.example.com:3128', /an http or https URL/],
    ['socks5://hush99@a', /an http or https URL/],
    ['http://hush99@a', /username.* neither/],
    ['http://:hush99@a', /username.* neither/],
    ['http://ann:hush99%@a', /percent-encoded/],
  ])(
    'resolveProxies() rejects the proxy %j with an error that contains no secret',
    (given, says) => {
      const error = catchRefusal(() => Reflect.apply(resolveProxies, undefined, [given]));
      expect(error).toMatchObject({
        code: 'configuration',
        option: 'proxy',
        message: about('proxy', says),
      });
      expect(inspect(error)).not.toContain('hush99');
    },
  );

  test('resolveProxies() names an invalid environment variable in the error', () => {
    stub({ HTTPS_PROXY: 'http://ann:hush99@' });
    const error = catchRefusal(() => resolveProxies('env'));
    expect(error).toMatchObject({
      option: 'proxy',
      message: about('HTTPS_PROXY', /an http or https URL/),
    });
    expect(inspect(error)).not.toContain('hush99');
  });
});

describe('collectProxySecrets()', () => {
  test("collectProxySecrets() returns a proxy's password in three encodings", () => {
    const url = new URL('http://ann:p%40ssword@a');
    const sent = Buffer.from('ann:p@ssword').toString('base64');
    expect(collectProxySecrets({ http: url, https: undefined, none: '' })).toEqual([
      'p@ssword',
      'p%40ssword',
      sent,
    ]);
    expect(collectProxySecrets(undefined)).toEqual([]);
    expect(collectProxySecrets({ http: new URL('http://a'), https: undefined, none: '' })).toEqual(
      [],
    );
  });
});

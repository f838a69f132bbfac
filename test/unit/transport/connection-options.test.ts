import { createPrivateKey } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import {
  collectProxySecrets,
  resolveProxies,
  resolveTls,
} from '../../../src/transport/connection-options.js';
import { createDispatchers, downloadToFile } from '../../../src/transport/workers.js';
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
  test('converts a certificate from bytes to text', () => {
    expect(resolveTls(undefined)).toEqual({});
    const bytes = new Uint8Array(Buffer.from(authority));
    const given = { ca: [authority, bytes], cert: clientCertificate, key: clientKey };
    expect(resolveTls({ ...given, rejectUnauthorized: undefined, servername: 'a' })).toStrictEqual({
      ...given,
      ca: [authority, authority],
      servername: 'a',
    });
  });

  const otherKey = { cert: clientCertificate, key: serverKey };
  const encrypted = { cert: clientCertificate, key: encryptedKey };
  const pair = /cert and key/;
  test.each<[string, string, unknown, RegExp, field?: string]>([
    ['tls', 'null', null, /options/],
    ['tls.passphrase', 'an unknown option', { passphrase: 'x' }, /'passphrase'/, 'tls'],
    ['tls', 'an encrypted key', encrypted, /error:/],
    ['tls', 'a path as `ca`', { ca: './ca.pem' }, /PEM file, not its path/],
    ['tls', 'a DER certificate', { ca: new Uint8Array([48, 130]) }, /PEM/],
    ['tls.key', '`cert` without `key`', { cert: clientCertificate }, pair],
    ['tls', 'the key of another certificate', otherKey, /error:/],
  ])('names %s in the error for %s', (option, _name, given, says, field = option) => {
    const error = catchRefusal(() => Reflect.apply(resolveTls, undefined, [given]));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message: about(field, says) });
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

  test.each(['http://ann:p%40ss@proxy.example.com:3128', 'https://proxy.example.com:3129'])(
    'uses %s for both HTTP and HTTPS',
    (address) => {
      expect(resolveProxies(undefined)).toBeUndefined();
      const url = new URL(address);
      expect(resolveProxies(url.href)).toEqual({ http: url, https: url, none: [] });
      expect(resolveProxies(url)).toEqual({ http: url, https: url, none: [] });
    },
  );

  test("reads the proxies from the environment if the option is 'env'", () => {
    stub({ http_proxy: '', HTTP_PROXY: 'http://a:1', https_proxy: 'b:2', HTTPS_PROXY: 'c:3' });
    expect(resolveProxies('env')).toEqual({
      http: new URL('http://a:1'),
      https: new URL('http://b:2'),
      none: [],
    });
    stub({ NO_PROXY: 'x.example' });
    expect(resolveProxies('env')).toEqual({
      http: undefined,
      https: undefined,
      none: ['x.example'],
    });
  });

  test.each([
    ['a,*', ['a', '*']],
    ['*.a,::1 b:80', ['*.a', '[::1]', 'b:80']],
  ])('reads NO_PROXY=%j as %j', (value, none) => {
    stub({ HTTP_PROXY: 'http://a:1', NO_PROXY: value });
    expect(resolveProxies('env')).toMatchObject({ none });
  });

  test.each<[unknown, RegExp]>([
    ['hush99', /an http or https URL/],
    ['socks5://hush99@a', /an http or https URL/],
    ['http://hush99@a', /username.* neither/],
    ['http://ann:hush99%@a', /percent-encoded/],
  ])('rejects the proxy %j with an error that contains no secret', (given, says) => {
    const error = catchRefusal(() => Reflect.apply(resolveProxies, undefined, [given]));
    expect(error).toMatchObject({
      code: 'configuration',
      option: 'proxy',
      message: about('proxy', says),
    });
    expect(inspect(error)).not.toContain('hush99');
  });

  test.each([
    ['HTTPS_PROXY', 'http://ann:hush99@'],
    ['https_proxy', 'socks5://hush99.example.com'],
  ])('names the environment variable %s in the error for its value %s', (name, value) => {
    stub({ [name]: value });
    const error = catchRefusal(() => resolveProxies('env'));
    const message = about(name.toUpperCase(), /an http or https URL/);
    expect(error).toMatchObject({ code: 'configuration', option: 'proxy', message });
    expect(inspect(error)).not.toContain('hush99');
  });
});

describe('collectProxySecrets()', () => {
  test("returns a proxy's password in three encodings", () => {
    const url = new URL('http://ann:p%40ssword@a');
    const sent = Buffer.from('ann:p@ssword').toString('base64');
    expect(collectProxySecrets({ http: url, https: undefined, none: [] })).toEqual([
      'p@ssword',
      'p%40ssword',
      sent,
    ]);
    expect(collectProxySecrets(undefined)).toEqual([]);
    expect(collectProxySecrets({ http: new URL('http://a'), https: undefined, none: [] })).toEqual(
      [],
    );
  });
});

const baseOrigin = 'https://code.example.com';
const proxies = { http: new URL('http://proxy.example.com'), https: undefined, none: [] };

describe('createDispatchers() in the build for Cloudflare Workers', () => {
  it.each([
    ['tls', { tls: { rejectUnauthorized: false }, proxies: undefined }],
    ['proxy', { tls: {}, proxies }],
  ])('createDispatchers() rejects the option %s', (option, settings) => {
    const create = () => createDispatchers({ ...settings, baseOrigin });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(`${option}: is not supported in Cloudflare Workers`);
  });
});

it('the build for Cloudflare Workers rejects downloads to files', async () => {
  await expect(downloadToFile()).rejects.toMatchObject({
    code: 'invalid_request',
    message: "to: is not supported in Cloudflare Workers. Use as: 'web', 'stream' or 'bytes'.",
  });
});

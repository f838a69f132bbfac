import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diffSettings } from '../../../src/console/settings.js';
import { licenseMd5 } from '../../../src/console/small-file.js';
import { InvalidRequestError } from '../../../src/errors/index.js';

describe('licenseMd5()', () => {
  // These bytes exceed one chunk of a file stream and aren't valid UTF-8.
  const bytes = Buffer.alloc(2_500_000, Buffer.from([0, 255, 10, 13, 128]));
  const hash = createHash('md5').update(bytes).digest('hex');
  let folder = '';
  let file = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'triforge-license-'));
    file = join(folder, 'license.ghl');
    await writeFile(file, bytes);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['a path', () => file],
    ['a file: URL', () => pathToFileURL(file)],
    ['a Buffer', () => bytes],
    [
      'a Uint8Array view of a larger buffer',
      () => new Uint8Array(Buffer.concat([bytes, bytes])).subarray(bytes.length),
    ],
    ['a Blob', () => new Blob([bytes])],
    ['a Readable', () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])],
  ])('licenseMd5() hashes a license passed as %s', async (_what, license) => {
    expect(await licenseMd5(license())).toBe(hash);
  });

  it('licenseMd5() rejects an empty license', async () => {
    await expect(licenseMd5(Buffer.alloc(0))).rejects.toMatchObject({ field: 'license' });
  });

  it('licenseMd5() rejects a missing file or an invalid path', async () => {
    for (const wrong of [join(folder, 'missing'), folder, '', 'with\0zero']) {
      const result = licenseMd5(wrong);
      await expect(result, JSON.stringify(wrong)).rejects.toThrow(InvalidRequestError);
      await expect(result).rejects.toMatchObject({ field: 'license' });
    }
  });

  it('licenseMd5() rejects a license of an unsupported type', async () => {
    for (const wrong of [undefined, null, 42, { path: 'x' }]) {
      const result = Promise.resolve(wrong).then((it) =>
        Reflect.apply(licenseMd5, undefined, [it]),
      );
      await expect(result, String(wrong)).rejects.toThrow(InvalidRequestError);
    }
  });
});

describe('diffSettings()', () => {
  it('diffSettings() lists the path and both values of each changed setting', () => {
    const before = {
      enterprise: {
        private_mode: true,
        smtp: { port: 25, address: 'old', domain: null },
        ldap: { base: ['dc=a', 'dc=b'], user_groups: ['x'] },
        ntp: null,
      },
      run_list: ['recipe[a]'],
    };
    const after = {
      enterprise: {
        private_mode: false,
        smtp: { port: '25', address: 'old', domain: 'new', enabled: true },
        ldap: { base: ['dc=a', 'dc=c'], user_groups: ['x'] },
        ntp: { primary_server: 'ntp' },
      },
    };
    expect(diffSettings(before, after)).toEqual([
      { path: 'enterprise.private_mode', before: true, after: false },
      { path: 'enterprise.smtp.port', before: 25, after: '25' },
      { path: 'enterprise.smtp.domain', before: null, after: 'new' },
      { path: 'enterprise.smtp.enabled', before: undefined, after: true },
      { path: 'enterprise.ldap.base', before: ['dc=a', 'dc=b'], after: ['dc=a', 'dc=c'] },
      { path: 'enterprise.ntp', before: null, after: { primary_server: 'ntp' } },
      { path: 'run_list', before: ['recipe[a]'], after: undefined },
    ]);
  });

  it('diffSettings() returns an empty list for equal settings, regardless of their order', () => {
    const settings = { a: { x: 1, y: [{ p: 1, q: 2 }] }, b: null };
    expect(diffSettings(settings, { b: null, a: { y: [{ q: 2, p: 1 }], x: 1 } })).toEqual([]);
    expect(diffSettings(settings, settings)).toEqual([]);
    expect(diffSettings({ a: undefined }, {})).toEqual([]);
  });

  it.each([
    'password',
    'admin_password',
    'passwd',
    'passphrase',
    'client_secret',
    'secret_key_data',
    'support_key',
    'access_key',
    'key',
    'ssh_keys',
    'apikey',
    'api_key',
    'cert',
    'community',
    'access_token',
    'credentials',
  ])('diffSettings() masks the value of the setting %s', (name) => {
    expect(diffSettings({ g: { [name]: 'old' } }, { g: { [name]: 'new' } })).toEqual([
      { path: `g.${name}`, before: '***', after: '***' },
    ]);
    expect(diffSettings({ [name]: null }, { [name]: 'new' })).toEqual([
      { path: name, before: null, after: '***' },
    ]);
    expect(diffSettings({ [name]: 'old' }, {})).toEqual([
      { path: name, before: '***', after: undefined },
    ]);
  });

  it('diffSettings() masks secret settings in groups, lists, URLs and PEM text', () => {
    const secret = 'hunter2';
    const changes = [
      diffSettings({}, { smtp: { password: secret, port: 25 } }),
      diffSettings({ smtp: { password: secret } }, { smtp: null }),
      diffSettings({}, { servers: [{ password: secret, host: 'a' }] }),
      diffSettings({ secrets: { a: secret, b: 1 } }, { secrets: { a: 'x', b: 2 } }),
      diffSettings({}, { proxy: `http://me:${secret}@proxy:8080/` }),
      diffSettings({}, { pem: `-----BEGIN PRIVATE KEY-----${secret}` }),
    ];
    expect(JSON.stringify(changes)).not.toContain(secret);
    expect(changes[0]).toEqual([
      { path: 'smtp', before: undefined, after: { password: '***', port: 25 } },
    ]);
    expect(changes[2]).toEqual([
      { path: 'servers', before: undefined, after: [{ password: '***', host: 'a' }] },
    ]);
  });

  it.each(['private_mode', 'key_id', 'public_key_data', 'service_hostname', 'monkey'])(
    'diffSettings() shows the value of the setting %s',
    (name) => {
      expect(diffSettings({ [name]: 'a' }, { [name]: 'b' })).toEqual([
        { path: name, before: 'a', after: 'b' },
      ]);
    },
  );

  it('diffSettings() shows a URL that contains no password', () => {
    const uri = 'https://host:8443/a@b?c:d@e';
    expect(diffSettings({}, { uri })).toEqual([{ path: 'uri', before: undefined, after: uri }]);
  });

  it('diffSettings() treats names from Object.prototype as settings', () => {
    const before: unknown = JSON.parse('{"__proto__": {"a": 1}, "x": 1}');
    const after: unknown = JSON.parse('{"constructor": 1, "x": 1}');
    expect(diffSettings(before, after)).toEqual([
      { path: '__proto__', before: { a: 1 }, after: undefined },
      { path: 'constructor', before: undefined, after: 1 },
    ]);
  });
});

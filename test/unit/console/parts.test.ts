import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenseMd5 } from '../../../src/console/license-md5.js';
import { diffSettings } from '../../../src/console/settings-diff.js';
import { checkSshKey } from '../../../src/console/ssh-key.js';
import { InvalidRequestError } from '../../../src/errors/index.js';
import { about } from '../about.js';

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

  it('licenseMd5() hashes an empty license', async () => {
    expect(await licenseMd5(Buffer.alloc(0))).toBe('d41d8cd98f00b204e9800998ecf8427e');
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

/** Encodes a public key field as its length followed by its content (RFC 4253). */
function field(bytes: Uint8Array | string): Buffer {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}

/** Creates a public key with the specified type and field lengths. */
function createKey(type: string, lengths: readonly number[]): string {
  const parts = lengths.map((length) => field(Buffer.alloc(length, 7)));
  return `${type} ${Buffer.concat([field(type), ...parts]).toString('base64')}`;
}

const ed25519 = createKey('ssh-ed25519', [32]);

describe('checkSshKey()', () => {
  it.each([
    createKey('ssh-rsa', [3, 257]),
    createKey('ssh-dss', [129, 21, 128, 128]),
    ed25519,
    createKey('ecdsa-sha2-nistp256', [8, 65]),
    createKey('sk-ssh-ed25519@openssh.com', [32, 4]),
    createKey('sk-ssh-ed25519@openssh.com', [32, 0]),
    createKey('sk-ecdsa-sha2-nistp256@openssh.com', [8, 65, 4]),
    `ssh-rsa-cert-v01@openssh.com ${Buffer.concat([field('ssh-rsa-cert-v01@openssh.com'), Buffer.alloc(41, 255)]).toString('base64')}`,
  ])('checkSshKey() accepts the public key $0', (key) => {
    expect(checkSshKey(key)).toBe(key);
    expect(checkSshKey(`${key} me@host and more`)).toBe(`${key} me@host and more`);
    expect(checkSshKey(`\n  ${key}\r\n`)).toBe(key);
    expect(checkSshKey(`${key}\n${key}`)).toBe(`${key}\n${key}`);
    expect(checkSshKey(`command="ls" ${key}`)).toBe(`command="ls" ${key}`);
  });

  it('checkSshKey() accepts an Ed25519 key that Node.js generated', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const body = Buffer.concat([field('ssh-ed25519'), field(Buffer.from(x, 'base64url'))]);
    const key = `ssh-ed25519 ${body.toString('base64')}`;
    expect(checkSshKey(key)).toBe(key);
  });

  const { privateKey } = generateKeyPairSync('ed25519');
  const [, body = ''] = ed25519.split(' ');
  it.each([
    ['an empty string', ''],
    ['whitespace', ' \n\t '],
    ['a word', 'hello'],
    ['a key type without a body', 'ssh-ed25519'],
    ['invalid Base64', 'ssh-ed25519 hello!'],
    ['a body without a type', body],
    ['a type that differs from the body', `ssh-rsa ${body}`],
    ['a truncated type', `ssh-ed2551 ${body}`],
    ['a truncated body', `ssh-ed25519 ${body.slice(0, -8)}`],
    ['a body with a partial Base64 group', `ssh-ed25519 ${body.slice(0, -1)}`],
    ['a body of three bytes', 'ssh-ed25519 AAAA'],
    ['a type longer than the type in the body', `ssh-${'x'.repeat(300)} ${body}`],
    ['a body without a key', createKey('ssh-ed25519', [])],
    [
      'a body with trailing bytes',
      `ssh-ed25519 ${Buffer.concat([Buffer.from(body, 'base64'), Buffer.from([0, 0])]).toString('base64')}`,
    ],
    ['a key of zeros', `ssh-rsa ${'A'.repeat(372)}`],
    ['an invalid key after a valid key', `${ed25519}\nssh-ed25519 AAAA`],
    ['a comment without a key', '# no key'],
    ['an unknown key type', createKey('tls-other', [32])],
    ['Base64 with an invalid character', `ssh-ed25519 ${body.slice(0, 8)}!${body.slice(8)}`],
    ['options without a key', 'command="ls" ls'],
    ['a private key', String(privateKey.export({ type: 'pkcs8', format: 'pem' }))],
    [
      'an OpenSSH private key',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n',
    ],
    ['a private key on one line', '-----BEGIN RSA PRIVATE KEY----- MIIE'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----'],
  ])('checkSshKey() rejects %s as a public key and hides the input', (_what, text) => {
    let error: unknown;
    try {
      checkSshKey(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'authorized_key' });
    const line = text.trim().split('\n').at(1) ?? text.trim();
    if (line.length > 10) expect(String(error)).not.toContain(line);
  });

  it('checkSshKey() reports that the input is a private key', () => {
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(() => checkSshKey(pem)).toThrow(
      expect.objectContaining({
        field: 'authorized_key',
        message: about('authorized_key', /private key/),
      }),
    );
  });

  it('checkSshKey() accepts several spaces and tabs between the parts of a public key', () => {
    const [type, words] = ed25519.split(' ');
    expect(checkSshKey(`${type} \t ${words}`)).toBe(`${type} \t ${words}`);
  });

  it('checkSshKey() rejects a public key that is not a string', () => {
    for (const wrong of [undefined, null, 42, Buffer.from(ed25519)]) {
      expect(() => Reflect.apply(checkSshKey, undefined, [wrong])).toThrow(InvalidRequestError);
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

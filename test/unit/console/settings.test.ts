import { describe, expect, it } from 'vitest';
import {
  type ConsoleSettingsUpdate,
  diffSettings,
  settingsText,
} from '../../../src/console/settings.js';
import { InvalidRequestError } from '../../../src/errors/index.js';
import { about } from '../about.js';

const text = (settings: unknown) =>
  // `as`: JavaScript callers can pass anything.
  settingsText('settings.set', settings as ConsoleSettingsUpdate, 'acme');

describe('settingsText()', () => {
  it("replaces the prefix service_ of a setting with the vendor's prefix", () => {
    const enterprise = { service_hostname: 'code.example.com', smtp: undefined, ntp: {} };
    expect(JSON.parse(text({ enterprise, run_list: ['a'] }))).toEqual({
      enterprise: { acme_hostname: 'code.example.com', ntp: {} },
      run_list: ['a'],
    });
    expect(text({ enterprise: null })).toBe('{"enterprise":null}');
  });

  it('allows both names of a setting if one value is undefined', () => {
    const enterprise = { acme_hostname: 'a', service_hostname: undefined };
    expect(JSON.parse(text({ enterprise }))).toEqual({
      enterprise: { acme_hostname: 'a' },
    });
    expect(text({ enterprise: { service_hostname: undefined, acme_hostname: 'a' } })).toContain(
      'acme_hostname',
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['a string instead of settings', 'smtp', /enterprise.* a string\)$/],
    ['an array instead of settings', [1], / an array\)$/],
    ['settings whose values are all undefined', { enterprise: undefined }, /at least one/],
    ["settings that JSON can't represent", { enterprise: { ntp: 5n } }, /JSON/],
  ])('rejects %s', (_name, settings, says) => {
    const message = about('settings', says);
    expect(catchRefusal(settings)).toMatchObject({ field: 'settings', message });
  });

  it.each<[string, object, string, RegExp]>([
    [
      'an unknown group',
      { enterprise: { smptp: {} } },
      'enterprise.smptp',
      /Did you mean 'smtp'\?/,
    ],
    [
      'an unknown field',
      { enterprise: { acme_hostname: 'a', smtp: { adress: 'a' } } },
      'enterprise.smtp.adress',
      /Did you mean 'address'\?/,
    ],
    ['a field outside its group', { smtp: {} }, 'smtp', /Known names: enterprise, run_list\./],
  ])('rejects %s and names the known ones', (_name, settings, path, says) => {
    const field = `settings.${path}`;
    expect(catchRefusal(settings)).toMatchObject({ field, message: about(field, says) });
  });

  it('rejects a setting that appears under both of its names', () => {
    const field = 'settings.enterprise.service_ssl';
    expect(catchRefusal({ enterprise: { acme_ssl: {}, service_ssl: {} } })).toMatchObject({
      field,
      message: about(field, /with acme_ssl,/),
    });
  });
});

function catchRefusal(settings: unknown): InvalidRequestError {
  try {
    text(settings);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('expected settingsText to throw');
}

describe('diffSettings()', () => {
  it('lists the path and both values of each changed setting', () => {
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

  it('returns an empty list for equal settings, regardless of their order', () => {
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
    'bind_dn',
    'private',
    'access_token',
    'credentials',
  ])('masks the value of the setting %s', (name) => {
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

  it('masks secret settings in groups, lists, URLs and PEM text', () => {
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
    'shows the value of the setting %s',
    (name) => {
      expect(diffSettings({ [name]: 'a' }, { [name]: 'b' })).toEqual([
        { path: name, before: 'a', after: 'b' },
      ]);
    },
  );

  it('shows a URL that contains no password', () => {
    const uri = 'https://host:8443/a@b?c:d@e';
    expect(diffSettings({}, { uri })).toEqual([{ path: 'uri', before: undefined, after: uri }]);
  });

  it('treats names from Object.prototype as settings', () => {
    const before: unknown = JSON.parse('{"__proto__": {"a": 1}, "x": 1}');
    const after: unknown = JSON.parse('{"constructor": 1, "x": 1}');
    expect(diffSettings(before, after)).toEqual([
      { path: '__proto__', before: { a: 1 }, after: undefined },
      { path: 'constructor', before: undefined, after: 1 },
    ]);
  });
});

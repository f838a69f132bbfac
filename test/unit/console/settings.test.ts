import { describe, expect, it } from 'vitest';
import {
  type ConsoleSettingsUpdate,
  diffSettings,
  secretsIn,
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

  it.each<[string, unknown, RegExp]>([
    ['a string instead of settings', 'smtp', /enterprise.* a string\)$/],
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
    ['a field outside its group', { smtp: {} }, 'smtp', /Known names: enterprise, run_list\./],
  ])(
    'rejects %s with an error that lists or suggests known names',
    (_name, settings, path, says) => {
      const field = `settings.${path}`;
      expect(catchRefusal(settings)).toMatchObject({ field, message: about(field, says) });
    },
  );

  it('rejects a setting that is passed under both of its names', () => {
    const field = 'settings.enterprise.service_ssl';
    expect(catchRefusal({ enterprise: { acme_ssl: {}, service_ssl: {} } })).toMatchObject({
      field,
      message: about(field, /as acme_ssl and/),
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

describe('secretsIn()', () => {
  it.each([
    'password',
    'admin_password',
    'client_secret',
    'key',
    'apikey',
    'cert',
    'community',
    'bind_dn',
    'access_token',
  ])('returns the value of the setting %s', (name) => {
    expect(secretsIn({ g: { [name]: 'word' } })).toEqual(['word']);
    expect(secretsIn({ [name]: null })).toEqual([]);
  });

  it('returns secret settings in groups, lists, URLs and PEM text', () => {
    const secret = 'hunter2';
    expect(secretsIn({ smtp: { password: secret, port: 25 } })).toEqual([secret]);
    expect(secretsIn({ servers: [{ password: secret, host: 'a' }] })).toEqual([secret]);
    expect(secretsIn({ secrets: { a: secret, b: [1] } })).toEqual([secret, '1']);
    const proxy = `http://me:${secret}@proxy:8080/`;
    const pem = `-----BEGIN PRIVATE KEY-----${secret}`;
    expect(secretsIn({ proxy, pem })).toEqual([proxy, pem]);
  });

  it.each(['private_mode', 'key_id', 'public_key_data', 'service_hostname', 'monkey'])(
    "doesn't return the value of the setting %s",
    (name) => {
      expect(secretsIn({ [name]: 'a' })).toEqual([]);
    },
  );
});

describe('diffSettings()', () => {
  it('lists the path and both values of each changed setting', () => {
    const before = {
      enterprise: {
        private_mode: true,
        smtp: { port: 25, address: 'old', domain: null },
        ldap: { base: ['dc=a', 'dc=b'] },
        ntp: null,
      },
      run_list: ['recipe[a]'],
    };
    const after = {
      enterprise: {
        private_mode: false,
        smtp: { port: '25', address: 'old', domain: 'new', enabled: true },
        ldap: { base: ['dc=a', 'dc=c'] },
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
    expect(diffSettings({ a: undefined }, {})).toEqual([]);
  });

  it.each<[object, object, string]>([
    [{ smtp: { password: 's3cret' } }, { smtp: { password: 'n3w' } }, 'smtp.password'],
    [{ secrets: { a: 's3cret' } }, { secrets: { a: 'n3w' } }, 'secrets.a'],
    [{ proxy: 'http://me:s3cret@proxy/' }, { proxy: null }, 'proxy'],
  ])('shows neither secret of the change from %j to %j', (before, after, path) => {
    const changes = diffSettings(before, after);
    expect(changes.map((change) => change.path)).toEqual([path]);
    expect(JSON.stringify(changes)).not.toMatch(/s3cret|n3w/);
    expect(JSON.stringify(changes)).toContain('***');
  });
});

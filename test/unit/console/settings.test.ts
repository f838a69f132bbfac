import { describe, expect, it } from 'vitest';
import {
  type ConsoleSettingsUpdate,
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

  it("doesn't return a URL that contains no password", () => {
    expect(secretsIn({ uri: 'https://host:8443/a@b?c:d@e' })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import { consoleServer } from './console-server.js';

const auth = { licenseMd5: '0'.repeat(32) };

/** Returns the printed error for settings that an appliance rejects and echoes. */
async function getShown(settings: object, call: 'update' | 'start'): Promise<string> {
  await using server = await consoleServer(() => ({
    status: 400,
    body: { message: JSON.stringify(settings) },
  }));
  await using client = new ConsoleClient({ baseUrl: server.url, auth });
  const file = Buffer.from('a');
  const error = await rejectionOf(
    call === 'update'
      ? client.settings.update(settings)
      : client.start({
          license: file,
          package: file,
          settings: Buffer.from(JSON.stringify(settings)),
        }),
  );
  expect(error).toMatchObject({ code: 'bad_request' });
  return String(error) + JSON.stringify(error);
}

const unknownSettings = new Set([
  'masks all strings under a secret name, at any depth',
  'masks a secret in a list',
  'masks the password in a URL',
]);

describe('echoed settings in errors', () => {
  it.each<[string, object, string[], string[]]>([
    [
      'masks a password',
      { enterprise: { smtp: { password: 'hush-mail', address: 'mail.example', port: '25252' } } },
      ['hush-mail'],
      ['mail.example', '25252'],
    ],
    [
      'masks all strings under a secret name, at any depth',
      {
        enterprise: {
          credentials: { user: 'hush-user', old: null, pin: 1, all: ['hush-list'] },
          auth_mode: 'ldap+x',
        },
      },
      ['hush-user', 'hush-list'],
      ['ldap+x'],
    ],
    [
      'masks a secret in a list',
      {
        enterprise: {
          servers: [{ password: 'hush-item' }],
          ntp: { primary_server: 'ntp.one' },
        },
      },
      ['hush-item'],
      ['ntp.one'],
    ],
    [
      'masks the password in a URL',
      {
        enterprise: {
          proxy: 'http://me:hush-proxy@proxy.example',
          cas: { url: 'https://cas.one' },
        },
      },
      ['hush-proxy'],
      ['https://cas.one'],
    ],
    [
      'leaves settings without a secret unmasked',
      {
        enterprise: {
          ldap: { base: ['dc=one', 'dc=two'] },
          private_mode: true,
          configuration_id: 77777,
        },
      },
      [],
      ['dc=one', 'dc=two', 'true', '77777'],
    ],
  ])('an error that echoes settings %s', async (what, settings, hidden, shown) => {
    // `settings.update` rejects unknown settings. `start` accepts a file with any settings.
    const calls = unknownSettings.has(what) ? (['start'] as const) : (['update', 'start'] as const);
    for (const call of calls) {
      const text = await getShown(settings, call);
      for (const secret of hidden) expect(text, call).not.toContain(secret);
      for (const harmless of shown) expect(text, call).toContain(harmless);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { readOptions, usage } from '../../src/testing/cli-options.js';
import { createEmulator } from '../../src/testing/index.js';

describe('readOptions()', () => {
  it("readOptions() reads the emulator's options from flags", () => {
    const { emulator } = readOptions([
      ...['--vendor', 'octo', '--keep-requests', '3', '--scopes', 'recorded'],
      ...['--single-page-links', 'none', '--console-numbers', 'string'],
      ...['--console-groups', 'null', '--console-scheduled-time', 'scheduled'],
      ...['--support-token-lifetime', '60', '--support-default-count', '7'],
      ...['--support-max-count', '9', '--support-utc-offset=-90'],
      ...[
        '--origin',
        'https://code.test/',
        '--allow-host',
        'a.test',
        '--allow-origin',
        'https://b',
      ],
    ]);
    expect(emulator).toEqual({
      vendor: 'octo',
      keepRequests: 3,
      scopes: 'recorded',
      singlePageLinks: 'none',
      consoleNumbers: 'string',
      consoleGroups: 'null',
      consoleScheduledTime: 'scheduled',
      support: { tokenLifetime: 60, defaultCount: 7, maxCount: 9, utcOffset: -90 },
      origin: 'https://code.test',
      tls: undefined,
      allowHosts: ['a.test'],
      allowOrigins: ['https://b'],
    });
    expect(createEmulator(emulator).console.settings.enterprise).toHaveProperty('ldap', null);
  });

  it("readOptions() without flags returns the emulator's defaults, except 1000 for keepRequests", () => {
    expect(readOptions([]).emulator).toEqual({
      vendor: 'service',
      keepRequests: 1000,
      scopes: 'contract',
      singlePageLinks: 'contract',
      consoleNumbers: 'integer',
      consoleGroups: 'object',
      consoleScheduledTime: 'always',
      support: {},
    });
  });

  it.each([
    [['--scopes', 'x'], '--scopes: must be contract or recorded (got x)'],
    [['--single-page-links', ''], '--single-page-links: must be contract or none (got )'],
    [
      ['--console-numbers', 'Integer'],
      '--console-numbers: must be integer or string (got Integer)',
    ],
    [['--console-groups', '{}'], '--console-groups: must be object or null (got {})'],
    [['--console-scheduled-time', 'x'], '--console-scheduled-time: must be always or scheduled'],
    [
      ['--support-max-count', '0'],
      '--support-max-count: must be a whole number of at least 1 (got 0)',
    ],
    [['--support-default-count', '1.5'], '--support-default-count: must be a whole number'],
    [['--support-token-lifetime', '-1'], "'--support-token-lifetime' argument is ambiguous"],
    [['--support-utc-offset', 'UTC'], '--support-utc-offset: must be a whole number (got UTC)'],
    [['--keep-requests', '1e3'], '--keep-requests: must be a whole number of at least 0 (got 1e3)'],
    [['--origin', 'code.test'], '--origin: must be an http or https origin'],
    [['--tls-cert', 'cert.pem'], '--tls-key: is required with --tls-cert'],
    [['--tls-key', 'key.pem'], '--tls-cert: is required with --tls-key'],
    [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'no.pem'],
    [['--tls-cert', 'package.json', '--tls-key', 'package.json'], '--tls-cert, --tls-key: must be'],
    [['--clock', 'noon'], '--clock: must be an ISO 8601 time'],
    [['--port', 'x1'], '--port: must be a whole number from 0 to 65535 (got x1)'],
    [['--port', '1x'], '--port: '],
    [['--port', '65536'], '--port: '],
    [['--vendor', 'a b'], '--vendor: must contain only letters, digits and hyphens'],
    [['--seed', 'world.yaml', '--empty'], '--seed: '],
  ])('readOptions() names the invalid flag or file in the error for %j', (args, words) => {
    expect(() => readOptions(args)).toThrow(words);
  });
});

it('the --help output lists every option', () => {
  const { emulator, ...program } = readOptions([]);
  const { allowHosts, allowOrigins, support, ...rest } = emulator;
  const names = [...Object.keys({ ...rest, ...program }), 'allowHost', 'allowOrigin'].filter(
    (name) => !['command', 'tls', 'tlsCert'].includes(name),
  );
  expect([allowHosts, allowOrigins, support]).toEqual([undefined, undefined, {}]);
  for (const name of names) {
    expect(usage).toContain(`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`);
  }
});

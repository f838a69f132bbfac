import { describe, expect, it } from 'vitest';
import { readOptions, usage } from '../../src/testing/cli-options.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';

/** Returns options as an `object`, whose property names the compiler doesn't check. */
const loosely = (options: object) => options;

// `as`: JavaScript callers can pass anything.
const fail = (emulator: Emulator, ...parts: readonly unknown[]) =>
  emulator.fail(...(parts as Parameters<Emulator['fail']>));

it.each([
  [null, 'null'],
  ['code.example.com', 'a string'],
  [['seed'], 'an array'],
])('createEmulator() throws if its options are %j', (options, got) => {
  expect(() => Reflect.apply(createEmulator, undefined, [options])).toThrow(
    `createEmulator: expected an object (got ${got})`,
  );
});

it('createEmulator() throws for an unknown option and lists the known options', () => {
  expect(() => createEmulator(loosely({ sed: false }))).toThrow(
    "createEmulator: unknown option 'sed'. Known options: vendor, clock, seed,",
  );
  const support = loosely({ maxcount: 3 });
  expect(() => createEmulator({ support })).toThrow(/support: unknown option 'maxcount'.*maxCount/);
  expect(() => createEmulator({ clock: new Date(Number.NaN) })).toThrow(
    /^clock: must be an ISO 8601 time/,
  );
});

it.each([
  [{ vendor: '' }, "vendor: must contain only letters, digits and hyphens, such as 'github'"],
  [{ keepRequests: -1 }, 'keepRequests: must be 0 or greater (got -1)'],
])('createEmulator() throws for %O', (options, message) => {
  expect(() => createEmulator(options)).toThrow(message);
});

it.each<[readonly unknown[], string]>([
  [
    [{ paht: '/pulls' }, { kind: 'reset' }],
    "matcher: unknown option 'paht'. Known options: method, path, query",
  ],
  [[{}, { kind: 'rest' }], "unknown kind 'rest'. Known kinds: response, reset,"],
  [[[]], 'matcher: expected an object (got an array)'],
  [[{}, { kind: 'delay', seconds: 1 }], "unknown option 'seconds'. Known options: kind, ms"],
  [[{}, { kind: 'delay', ms: -1 }], 'ms: must be a whole number of at least 0 (got -1)'],
  [
    [{}, { kind: 'response', status: 42 }],
    'status: must be a whole number from 200 to 599 (got 42)',
  ],
  [[{}, { kind: 'response', status: 200, headers: { 'a b': '' } }], 'is an invalid header name'],
  [[{}, { kind: 'secondaryLimit', requests: 1, per: 1, pause: -1 }], 'pause: must be'],
  [
    [{}, { kind: 'reset' }, { time: 2 }],
    "options: unknown option 'time'. Known options: times, after",
  ],
  [[{}, { kind: 'reset' }, { times: 0 }], 'times: must be a whole number of at least 1 (got 0)'],
  [[{}, { kind: 'reset' }, { after: -1 }], 'after: must be a whole number of at least 0 (got -1)'],
])('emulator.fail() throws for %j', (parts, words) => {
  const emulator = createEmulator({ seed: false });
  expect(() => fail(emulator, ...parts)).toThrow(words);
  expect(emulator.status().faults).toEqual([]);
});

describe('readOptions()', () => {
  it("readOptions() reads the emulator's options from flags", () => {
    const { emulator } = readOptions([
      ...['--vendor', 'octo'],
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
      origin: 'https://code.test',
      tls: undefined,
      allowHosts: ['a.test'],
      allowOrigins: ['https://b'],
    });
    createEmulator(emulator);
  });

  it("readOptions() without flags returns the emulator's defaults", () => {
    expect(readOptions([]).emulator).toEqual({ vendor: 'service' });
  });

  it.each([
    [['--origin', 'code.test'], '--origin: must be an http or https origin'],
    [['--tls-cert', 'cert.pem'], '--tls-cert, --tls-key: must be set together'],
    [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'no.pem'],
    [['--port', 'x1'], '--port: must be a whole number from 0 to 65535 (got x1)'],
    [['--port', '1x'], '--port: '],
    [['--vendor', 'a b'], '--vendor: must contain only letters, digits and hyphens'],
    [['--seed', 'world.yaml', '--empty'], '--seed: '],
  ])('readOptions() names the invalid flag or file in the error for %j', (args, words) => {
    expect(() => readOptions(args)).toThrow(words);
  });
});

it('the --help output lists every option', () => {
  const { emulator, ...program } = readOptions([]);
  const { allowHosts, allowOrigins, ...rest } = emulator;
  const names = [...Object.keys({ ...rest, ...program }), 'allowHost', 'allowOrigin'].filter(
    (name) => !['command', 'tls', 'tlsCert'].includes(name),
  );
  expect([allowHosts, allowOrigins]).toEqual([undefined, undefined]);
  for (const name of names) {
    expect(usage).toContain(`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`);
  }
});

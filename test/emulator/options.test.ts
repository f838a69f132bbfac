import { beforeEach, describe, expect, it } from 'vitest';
import { readOptions, usage } from '../../src/testing/cli-options.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

/** Returns options as an `object`, whose property names the compiler doesn't check. */
const loosely = (options: object) => options;

// `as`: JavaScript callers can pass anything.
const fail = (emulator: Emulator, ...parts: readonly unknown[]) =>
  emulator.fail(...(parts as Parameters<Emulator['fail']>));

const tokenWith = (of: Emulator, ...scopes: string[]) =>
  `token ${of.hosting.addToken('mona', scopes).token}`;

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
  [{ vendor: 'a b' }, "vendor: must contain only letters, digits and hyphens, such as 'github'"],
  [{ vendor: '' }, "vendor: must contain only letters, digits and hyphens, such as 'github'"],
  [{ keepRequests: -1 }, 'keepRequests: must be 0 or greater (got -1)'],
  [{ keepRequests: Number.NaN }, 'keepRequests: must be 0 or greater (got NaN)'],
])('createEmulator() throws for %O', (options, message) => {
  expect(() => createEmulator(options)).toThrow(message);
});

it.each<[readonly unknown[], string]>([
  [
    [{ paht: '/pulls' }, { kind: 'reset' }],
    "matcher: unknown option 'paht'. Known options: method, path, query",
  ],
  [[{}, { kind: 'rest' }], "unknown kind 'rest'. Known kinds: response, reset,"],
  [[{}, {}], "unknown kind 'undefined'"],
  [[[]], 'matcher: expected an object (got an array)'],
  [[{}, { kind: 'toString' }], "unknown kind 'toString'"],
  [[{}, { kind: 'delay', seconds: 1 }], "unknown option 'seconds'. Known options: kind, ms"],
  [[{}, { kind: 'delay', ms: -1 }], 'ms: must be a whole number of at least 0 (got -1)'],
  [
    [{}, { kind: 'response', status: 42 }],
    'status: must be a whole number from 200 to 599 (got 42)',
  ],
  [[{}, { kind: 'response', status: 200, headers: { 'a b': '' } }], 'is an invalid header name'],
  [[{}, { kind: 'secondaryLimit', requests: 0, per: 1, pause: 1 }], 'requests: must be'],
  [[{}, { kind: 'secondaryLimit', requests: 1, per: 0.5, pause: 1 }], 'per: must be'],
  [[{}, { kind: 'secondaryLimit', requests: 1, per: 1, pause: -1 }], 'pause: must be'],
  [[{}, { kind: 'slow', ms: 1, bytes: -1 }], 'bytes: must be'],
  [[{}, { kind: 'refuse', ms: 0.5 }], 'ms: must be'],
  [[{}, { kind: 'response', status: 600 }], 'status: must be'],
  [[{}, { kind: 'truncate', bytes: 0.5 }], 'bytes: must be a whole number of at least 0'],
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

it.each([
  ['advance', Number.NaN],
  ['advance', Number.POSITIVE_INFINITY],
  ['advance', 1e15],
  ['set', new Date(Number.NaN)],
  ['set', new Date(8.64e15)],
] as const)('emulator.clock.%s() throws for %s', async (how, what) => {
  const { clock, respond } = createEmulator(noon);
  const before = clock.now;
  expect(() => (typeof what === 'number' ? clock.advance(what) : clock.set(what)), how).toThrow(
    /clock\.\w+: must be a time with a year from 0 to 9999/,
  );
  expect(clock.now).toEqual(before);
  const request = new Request('http://code.test/api/v3/rate_limit', {
    headers: { 'user-agent': 'test' },
  });
  expect((await respond(request)).status).toBe(200);
});

describe('token scopes', () => {
  let emulator: Emulator;

  beforeEach(() => {
    emulator = createEmulator(noon);
  });

  const listTeams = async (of: Emulator, ...scopes: string[]) =>
    (await sendRequest(of, 'GET /orgs/acme/teams', { auth: tokenWith(of, ...scopes) })).status;
  const makeTeam = async (of: Emulator, ...scopes: string[]) =>
    (
      await sendRequest(of, 'POST /orgs/acme/teams', {
        auth: tokenWith(of, ...scopes),
        body: { name: 'New' },
      })
    ).status;

  it('the emulator requires an org scope for teams', async () => {
    for (const scope of ['read:org', 'write:org', 'admin:org']) {
      expect([scope, await listTeams(emulator, scope)]).toEqual([scope, 200]);
    }
    expect(await listTeams(emulator, 'repo', 'user')).toBe(404);
    expect(await makeTeam(emulator, 'read:org', 'repo', 'user')).toBe(404);
    expect(await makeTeam(emulator, 'write:org')).toBe(201);
    expect(await makeTeam(createEmulator(noon), 'admin:org')).toBe(201);
  });

  it('the emulator requires a repo_hook scope for hooks', async () => {
    const may = async (of: Emulator, ...scopes: string[]) => {
      const auth = tokenWith(of, ...scopes);
      const { id } = of.hosting.addHook('acme/rocket', { url: 'http://127.0.0.1:9/' });
      const at = `/repos/acme/rocket/hooks/${id}`;
      const requests = [`GET ${at}`, `POST ${at}/pings`, `PATCH ${at}`, `DELETE ${at}`];
      const statuses: number[] = [];
      for (const what of requests) statuses.push((await sendRequest(of, what, { auth })).status);
      return statuses;
    };
    expect(await may(emulator, 'read:repo_hook')).toEqual([200, 204, 404, 404]);
    expect(await may(emulator, 'write:repo_hook')).toEqual([200, 204, 200, 404]);
    expect(await may(emulator, 'admin:repo_hook')).toEqual([200, 204, 200, 204]);
    expect(await may(emulator, 'repo', 'public_repo')).toEqual([404, 404, 404, 404]);
  });
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
    [['--tls-key', 'key.pem'], '--tls-cert, --tls-key: must be set together'],
    [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'no.pem'],
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
  const { allowHosts, allowOrigins, ...rest } = emulator;
  const names = [...Object.keys({ ...rest, ...program }), 'allowHost', 'allowOrigin'].filter(
    (name) => !['command', 'tls', 'tlsCert'].includes(name),
  );
  expect([allowHosts, allowOrigins]).toEqual([undefined, undefined]);
  for (const name of names) {
    expect(usage).toContain(`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`);
  }
});

import { expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

/** Returns options as an `object`, whose property names the compiler doesn't check. */
const loosely = (options: object) => options;

test('createEmulator() throws for an unknown option and lists the known options', () => {
  expect(() => createEmulator(loosely({ sed: false }))).toThrow(
    "createEmulator: unknown option 'sed'. Known options: vendor, clock, seed,",
  );
  const support = loosely({ maxcount: 3 });
  expect(() => createEmulator({ support })).toThrow(/support: unknown option 'maxcount'.*maxCount/);
  expect(() => createEmulator({ clock: new Date(Number.NaN) })).toThrow(
    /^clock: must be an ISO 8601 time/,
  );
});

test.each([
  [{ vendor: 'a b' }, "vendor: must contain only letters, digits and hyphens, such as 'github'"],
  [{ vendor: '' }, "vendor: must contain only letters, digits and hyphens, such as 'github'"],
  [{ keepRequests: -1 }, 'keepRequests: must be 0 or greater (got -1)'],
  [{ keepRequests: Number.NaN }, 'keepRequests: must be 0 or greater (got NaN)'],
  [{ support: { maxCount: 0 } }, 'support.maxCount: must be a whole number of at least 1 (got 0)'],
])('createEmulator() throws for %O', (options, message) => {
  expect(() => createEmulator(options)).toThrow(message);
});

// `as`: JavaScript callers can pass anything.
const fail = (emulator: Emulator, ...parts: readonly unknown[]) =>
  emulator.fail(...(parts as Parameters<Emulator['fail']>));

test.each<[readonly unknown[], string]>([
  [
    [{ paht: '/pulls' }, { kind: 'reset' }],
    "matcher: unknown option 'paht'. Known options: method, path, query",
  ],
  [[{}, { kind: 'rest' }], "unknown kind 'rest'. Known kinds: response, reset,"],
  [[{}, {}], "unknown kind 'undefined'"],
  [[[]], "unknown kind 'undefined'"],
  [[{}, { kind: 'toString' }], "unknown kind 'toString'"],
  [[{}, { kind: 'delay', seconds: 1 }], "unknown option 'seconds'. Known options: kind, ms"],
  [[{}, { kind: 'delay', ms: -1 }], 'ms: must be a whole number of at least 0 (got -1)'],
  [
    [{}, { kind: 'response', status: 42 }],
    'status: must be a whole number from 200 to 599 (got 42)',
  ],
  [
    [{}, { kind: 'response', status: 200, headers: { 'a b': '' } }],
    'headers: must be valid HTTP header',
  ],
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

test.each([
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

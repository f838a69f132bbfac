import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import { parseNumber } from '../../../src/option-names.js';
import {
  resolveCache,
  resolveRetry,
  resolveTimeouts,
  resolveValidation,
} from '../../../src/transport/options.js';
import { MemoryStore } from '../../../src/transport/stores/stores.js';
import { about } from '../about.js';

/**
 * Returns the error that a call throws. The arguments are unchecked, because JavaScript callers can
 * pass anything.
 */
function thrownBy(call: (...given: never[]) => unknown, ...given: readonly unknown[]): unknown {
  try {
    Reflect.apply(call, undefined, given);
  } catch (error) {
    return error;
  }
  return 'nothing was thrown';
}

function expectConfigurationError(error: unknown, option: string, said: RegExp): void {
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ option, message: about(option, said) });
}

const most = Number.MAX_SAFE_INTEGER;
const bounds = (from: number, to: number, got: unknown) =>
  new RegExp(`${to === most ? `at least ${from}` : `\\b${from} to ${to}`}\\b.* ${got}\\)$`);

describe('resolveCache()', () => {
  /** Returns whether a store accepts a value of `bytes` bytes. */
  const keeps = async (store: ReturnType<typeof resolveCache>, bytes: number) => {
    await store?.set('', 'x'.repeat(bytes), 1000);
    return (await store?.get('')) !== undefined;
  };
  const own = {
    get: () => Promise.resolve(undefined),
    set: () => Promise.resolve(),
  };

  test('returns undefined for false and undefined', () => {
    expect(resolveCache(undefined)).toBeUndefined();
    expect(resolveCache(false)).toBeUndefined();
  });

  test.each([['true', true]])('creates a 64 MiB memory store for %s', async (_what, given) => {
    const store = resolveCache(given);
    expect(store).toBeInstanceOf(MemoryStore);
    expect(await keeps(store, 67_108_864), 'a body of 64 MiB is kept').toBe(true);
    expect(await keeps(store, 67_108_865), 'a body of one byte more is kept').toBe(false);
  });

  test.each([[100, 100.9]])(
    'creates a memory store of %d bytes for maxBytes: %d',
    async (size, maxBytes) => {
      const store = resolveCache({ maxBytes });
      expect(store).toBeInstanceOf(MemoryStore);
      expect(await keeps(store, size), 'a body of that size is kept').toBe(true);
      expect(await keeps(store, size + 1), 'a body of one byte more is kept').toBe(false);
    },
  );

  test.each<[string, unknown, string, RegExp]>([
    ['null', null, 'cache', / null\)\. Known options: store, maxBytes/],
    ['a store without methods', { store: {} }, 'cache.store', /get and set.*redisStore/],
    ['a store without set', { store: { ...own, set: undefined } }, 'cache.store', /get and set/],
    ['a maxBytes of 0', { maxBytes: 0 }, 'cache.maxBytes', bounds(1, most, 0)],
  ])('rejects %s', (_what, given, option, said) => {
    expectConfigurationError(thrownBy(resolveCache, given), option, said);
  });
});

describe('parseNumber()', () => {
  test('accepts numbers from the minimum to the maximum', () => {
    expect(parseNumber('x', 2, 9, 2, 5)).toBe(2);
    expect(parseNumber('x', 5, 9, 2, 5)).toBe(5);
    expect(parseNumber('x', 3.5, 9, 2, 5)).toBe(3.5);
    expect(
      parseNumber('x', undefined, 9, 2, 5),
      'the default is not checked against the bounds',
    ).toBe(9);
    expect(parseNumber('x', Number.MAX_SAFE_INTEGER, 1, 0)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each<[unknown, string]>([
    [1.9, '1.9'],
    [5.1, '5.1'],
    ['3', '"3"'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('rejects $0 if the bounds are 2 and 5', (given, shown) => {
    expectConfigurationError(
      thrownBy(parseNumber, 'maxWait', given, 9, 2, 5),
      'maxWait',
      bounds(2, 5, shown),
    );
  });
});

describe('resolveTimeouts()', () => {
  const longest = 2 ** 31 - 1;

  test('returns the defaults for undefined, and 0 for false', () => {
    expect(resolveTimeouts(undefined)).toEqual({ total: 60_000, headers: 30_000, body: 30_000 });
    expect(resolveTimeouts({})).toMatchObject({ total: 60_000, headers: 30_000, body: 30_000 });
    expect(resolveTimeouts(false)).toEqual({ total: 0, headers: 0, body: 0 });
    expect(resolveTimeouts({ total: false, headers: false, body: false })).toMatchObject({
      total: 0,
      headers: 0,
      body: 0,
    });
  });

  test('overrides only the timeouts that the call sets', () => {
    const base = { total: 1, headers: 2, body: 3 };
    expect(resolveTimeouts(undefined, base)).toBe(base);
    expect(resolveTimeouts(9, base)).toMatchObject({ total: 9, headers: 2, body: 3 });
    const named = { total: 1, headers: 5, body: 0 };
    expect(resolveTimeouts({ body: false, headers: 5 }, base)).toMatchObject(named);
  });

  test('counts waits for rate limits toward a total timeout that the caller sets', () => {
    const own = resolveTimeouts({ total: 9 });
    expect(resolveTimeouts(undefined).totalIncludesLimits).toBeUndefined();
    expect(resolveTimeouts({ body: 1 }).totalIncludesLimits).toBe(false);
    expect([own, resolveTimeouts({ body: 1 }, own)]).toMatchObject([
      { totalIncludesLimits: true },
      { totalIncludesLimits: true },
    ]);
  });

  test.each<[unknown, string, RegExp]>([
    [null, 'timeout', / null\)\. Known options: total, headers, body/],
    ['5s', 'timeout', /number of milliseconds.* a string\)/],
    [0, 'timeout.total', bounds(1, longest, 0)],
    [{ total: longest + 1 }, 'timeout.total', bounds(1, longest, longest + 1)],
    [{ headers: '5' }, 'timeout.headers', bounds(1, longest, '"5"')],
  ])('rejects $0', (given, option, said) => {
    expectConfigurationError(thrownBy(resolveTimeouts, given), option, said);
  });
});

describe('resolveRetry()', () => {
  const defaults = { limit: 3, baseDelay: 250, maxDelay: 10_000, maxRetryAfter: 60_000 };

  test('returns the defaults for undefined, and a limit of 0 for false', () => {
    expect(resolveRetry(undefined)).toEqual(defaults);
    expect(resolveRetry({})).toEqual(defaults);
    expect(resolveRetry(false)).toEqual({ ...defaults, limit: 0 });
  });

  test('overrides only the settings that the call sets', () => {
    const base = { limit: 1, baseDelay: 2, maxDelay: 3, maxRetryAfter: 4 };
    expect(resolveRetry(undefined, base)).toBe(base);
    expect(resolveRetry(false, base)).toEqual({ ...base, limit: 0 });
    expect(resolveRetry({ limit: 2.9 }, base)).toEqual({ ...base, limit: 2 });
  });

  test.each<[unknown, string, RegExp]>([
    [null, 'retry', / null\)\. Known options: limit, baseDelay, maxDelay, maxRetryAfter/],
    [true, 'retry', / boolean\)/],
    [{ limit: -1 }, 'retry.limit', bounds(0, 100, -1)],
    [{ baseDelay: -1 }, 'retry.baseDelay', bounds(0, most, -1)],
    [{ maxRetryAfter: null }, 'retry.maxRetryAfter', bounds(0, most, null)],
  ])('rejects $0', (given, option, said) => {
    expectConfigurationError(thrownBy(resolveRetry, given), option, said);
  });
});

describe('resolveValidation()', () => {
  test("prefers the call's mode to the client's mode", () => {
    expect(resolveValidation(undefined)).toBeUndefined();
    expect(resolveValidation('strict', 'off')).toBe('strict');
    expect(resolveValidation(undefined, 'warn')).toBe('warn');
    expect(resolveValidation('off', 'warn')).toBe('off');
    expect(resolveValidation('warn')).toBe('warn');
    expect(resolveValidation('off')).toBe('off');
  });

  test.each<[unknown, string]>([
    ['loose', '"loose"'],
    [false, 'false'],
  ])('rejects $0', (given, shown) => {
    expectConfigurationError(
      thrownBy(resolveValidation, given),
      'validation',
      new RegExp(`'strict', 'warn' or 'off'.* ${shown}\\)$`),
    );
  });
});

import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  describeKind,
  describeLength,
  errorMessage,
  isError,
} from '../../../src/schema/unknown-values.js';

describe('isError', () => {
  it('accepts errors from other realms, such as Node.js errors in Jest', () => {
    const foreign: unknown = runInNewContext('new TypeError("from elsewhere")');
    expect(foreign instanceof Error).toBe(false);
    expect(isError(foreign)).toBe(true);
    expect(errorMessage(foreign)).toBe('from elsewhere');
  });

  it('accepts subclasses of Error and DOMException', () => {
    class Own extends Error {}
    expect([new Own(), new DOMException('x', 'AbortError')].map(isError)).toEqual([true, true]);
  });

  it('rejects values that only resemble errors', () => {
    const values = [undefined, null, 'Error: x', { name: 'Error', message: 'x' }];
    expect(values.map(isError)).toEqual([false, false, false, false]);
  });
});

describe('describeKind', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [[], 'an array'],
    [['secret'], 'an array'],
    ['', 'an empty string'],
    ['secret', 'a string'],
    [0, 'the number 0'],
    [-1.5, 'the number -1.5'],
    [Number.NaN, 'NaN or Infinity'],
    [Number.POSITIVE_INFINITY, 'NaN or Infinity'],
    [{}, 'an object'],
    [new Date(0), 'an object'],
    [undefined, 'undefined'],
    [true, 'a boolean'],
    [1n, 'a bigint'],
    [() => 'secret', 'a function'],
    [Symbol('secret'), 'a symbol'],
  ])('describes %s as %s', (value, kind) => {
    expect(describeKind(value)).toBe(kind);
  });
});

describe('describeLength', () => {
  it.each<[unknown, string]>([
    ['secret', '6 characters'],
    ['s', '1 character'],
    ['', 'an empty string'],
    [undefined, 'undefined'],
  ])('describes %j as %s', (value, length) => {
    expect(describeLength(value)).toBe(length);
  });
});

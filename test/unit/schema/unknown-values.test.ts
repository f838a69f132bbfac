import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  describeKind,
  describeLength,
  errorMessage,
  formatCount,
  formatGot,
  isError,
} from '../../../src/schema/unknown-values.js';

describe('isError()', () => {
  it('accepts errors from other realms', () => {
    const foreign: unknown = runInNewContext('new TypeError("from elsewhere")');
    expect(foreign instanceof Error).toBe(false);
    expect(isError(foreign)).toBe(true);
    expect(errorMessage(foreign)).toBe('from elsewhere');
  });

  it('accepts a DOMException and subclasses of Error', () => {
    class Own extends Error {}
    expect([new Own(), new DOMException('x', 'AbortError')].map(isError)).toEqual([true, true]);
  });

  it('rejects values that only resemble errors', () => {
    const values = [undefined, null, 'Error: x', { name: 'Error', message: 'x' }];
    expect(values.map(isError)).toEqual([false, false, false, false]);
  });
});

describe('describeKind()', () => {
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
    [new Date('x'), 'an invalid Date'],
    [undefined, 'undefined'],
    [true, 'a boolean'],
    [1n, 'a bigint'],
    [() => 'secret', 'a function'],
    [Symbol('secret'), 'a symbol'],
  ])('describes $0 as $1', (value, kind) => {
    expect(describeKind(value)).toBe(kind);
  });
});

describe('describeLength()', () => {
  it.each<[unknown, string]>([
    ['secret', '6 characters'],
    ['s', '1 character'],
    ['', 'an empty string'],
    [undefined, 'undefined'],
  ])('describes %j as %s', (value, length) => {
    expect(describeLength(value)).toBe(length);
  });

  it('returns "other characters" for a valid length', () => {
    expect(['secret', 'secre', ''].map((value) => describeLength(value, 6))).toEqual([
      'other characters',
      '5 characters',
      'an empty string',
    ]);
  });
});

describe('formatCount()', () => {
  it('uses the singular only for 1', () => {
    expect([0, 1, 2].map((count) => formatCount(count, 'byte'))).toEqual([
      '0 bytes',
      '1 byte',
      '2 bytes',
    ]);
  });
});

describe('formatGot()', () => {
  it.each<[unknown, string[], string]>([
    ['secret', ['string'], ''],
    ['', ['string'], ' (got an empty string)'],
    [5, ['string'], ' (got the number 5)'],
    [['secret'], ['array'], ''],
    [{}, ['object'], ''],
    [[], ['object'], ' (got an array)'],
    [[], ['object', 'array'], ''],
    [null, ['object'], ' (got null)'],
    [new Date('x'), ['object'], ' (got an invalid Date)'],
    ['secret', [], ' (got a string)'],
  ])('formats $0 with the valid types $1 as $2', (value, types, text) => {
    expect(formatGot(value, ...types)).toBe(text);
  });
});

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

  it('rejects values that only resemble errors', () => {
    const values = [undefined, null, 'Error: x', { name: 'Error', message: 'x' }];
    expect(values.map(isError)).toEqual([false, false, false, false]);
  });
});

describe('describeKind()', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [[], 'an array'],
    ['', 'an empty string'],
    ['secret', 'a string'],
    [0, 'the number 0'],
    [Number.NaN, 'NaN or Infinity'],
    [{}, 'an object'],
    [new Date('x'), 'an invalid Date'],
    [undefined, 'undefined'],
    [true, 'a boolean'],
    [() => 'secret', 'a function'],
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
    [[], ['object'], ' (got an array)'],
    [null, ['object'], ' (got null)'],
    ['secret', [], ' (got a string)'],
  ])('formats $0 with the valid types $1 as $2', (value, types, text) => {
    expect(formatGot(value, ...types)).toBe(text);
  });
});

import { describe, expect, test } from 'vitest';
import { checkPathValue, splitPathSegments } from '../../../src/transport/path-values.js';

const refusal = expect.objectContaining({ code: 'invalid_request', field: 'owner' });

describe('checkPathValue', () => {
  test.each([['mona'], ['a#b?.md'], ['50%'], ['%2e%2e'], ['...'], ['.git'], ['🚀'], ['a b']])(
    '%j is kept',
    (value) => {
      expect(checkPathValue('owner', value)).toBe(value);
    },
  );

  test('a whole number becomes its digits', () => {
    expect(checkPathValue('owner', 42)).toBe('42');
  });

  test.each([
    [''],
    ['.'],
    ['..'],
    ['a\nb'],
    ['a\0'],
    ['\u007f'],
    ['\u0085'],
    ['\ud800'],
    [1.5],
    [Number.NaN],
    [null],
    [undefined],
    [true],
    [{}],
    [['a']],
  ])('%j is refused', (value) => {
    expect(() => checkPathValue('owner', value)).toThrow(refusal);
  });
});

describe('splitPathSegments', () => {
  test.each([
    ['docs/a#b?.md', ['docs', 'a#b?.md']],
    ['a', ['a']],
    ['heads/feature/x', ['heads', 'feature', 'x']],
  ])('%s', (value, expected) => {
    expect(splitPathSegments('owner', value, { allowEmpty: false })).toEqual(expected);
  });

  test('the empty path is the root where that is allowed', () => {
    expect(splitPathSegments('owner', '', { allowEmpty: true })).toEqual([]);
    expect(() => splitPathSegments('owner', '', { allowEmpty: false })).toThrow(refusal);
  });

  test.each([['/a'], ['a/'], ['a//b'], ['a/../b'], ['./a'], ['a/\n'], [3], [undefined]])(
    '%j is refused',
    (value) => {
      expect(() => splitPathSegments('owner', value, { allowEmpty: true })).toThrow(refusal);
    },
  );
});

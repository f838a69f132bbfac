import { describe, expect, test } from 'vitest';
import { checkPathValue, splitPathSegments } from '../../../../src/transport/request/input.js';
import { about } from '../../about.js';

const segment = (value: unknown) => checkPathValue('repo', value);

const filled = (value: unknown) => splitPathSegments('repo', value, { allowEmpty: false });

const path = (value: unknown) => splitPathSegments('repo', value, { allowEmpty: true });

const table: readonly [string, unknown, (value: unknown) => unknown, RegExp][] = [
  ['segment', null, segment, /a string or a whole number.* null\)$/],
  ['segment', true, segment, /a string or a whole number.* boolean\)$/],
  ['segment', 1.5, segment, /a string or a whole number.* 1\.5\)$/],
  ['segment', '', segment, /non-empty/],
  ['segment', '.', segment, /'\.' or '\.\.'/],
  ['segment', '..', segment, /'\.' or '\.\.'/],
  ['segment', 'a\nb', segment, /control characters/],
  ['segment', '\ud800', segment, /surrogate/],
  ['path', 3, path, /a string\b.* 3\)$/],
  ['path', undefined, path, /a string\b.* undefined\)$/],
  ['path', '/a', path, /slash/],
  ['path', 'a/', path, /slash/],
  ['path', 'a//b', path, /slash/],
  ['path', '/', path, /slash/],
  ['path', 'a/../b', path, /'\.' or '\.\.'/],
  ['required path', '', filled, /non-empty/],
];

describe('checkPathValue()', () => {
  test('converts an integer to text', () => {
    expect(checkPathValue('owner', 42)).toBe('42');
  });
});

describe('splitPathSegments()', () => {
  test('returns no segments for an empty path if empty paths are allowed', () => {
    expect(splitPathSegments('owner', '', { allowEmpty: true })).toEqual([]);
  });
});

describe('path value errors', () => {
  test.each(table)(
    'the error names the field and the rule for the %s %j',
    (_kind, value, run, why) => {
      expect(() => run(value)).toThrow(
        expect.objectContaining({
          name: 'InvalidRequestError',
          field: 'repo',
          message: about('repo', why),
        }),
      );
    },
  );
});

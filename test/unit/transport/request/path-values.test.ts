import { describe, expect, test } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { checkPathValue, splitPathSegments } from '../../../../src/transport/request/input.js';

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

  test.each([['a\0'], ['\u007f'], ['\u0085'], [Number.NaN], [undefined], [{}], [['a']]])(
    '%j is refused',
    (value) => {
      expect(() => checkPathValue('owner', value)).toThrow(refusal);
    },
  );
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
  });

  test.each([['./a'], ['a/\n']])('%j is refused', (value) => {
    expect(() => splitPathSegments('owner', value, { allowEmpty: true })).toThrow(refusal);
  });
});

const segment = (value: unknown) => checkPathValue('repo', value);
const filled = (value: unknown) => splitPathSegments('repo', value, { allowEmpty: false });
const path = (value: unknown) => splitPathSegments('repo', value, { allowEmpty: true });

const table: readonly [string, unknown, (value: unknown) => unknown, string][] = [
  ['segment', null, segment, 'expected a string or a whole number, got null'],
  ['segment', true, segment, 'expected a string or a whole number, got a value of type boolean'],
  ['segment', 1.5, segment, 'expected a string or a whole number, got the number 1.5'],
  ['segment', '', segment, 'expected a string that is not empty'],
  ['segment', '.', segment, "'.' and '..' can not stand in a path"],
  ['segment', '..', segment, "'.' and '..' can not stand in a path"],
  ['segment', 'a\nb', segment, 'control characters can not stand in a path'],
  ['segment', '\ud800', segment, 'it holds half of a surrogate pair'],
  ['path', 3, path, 'expected a string, got the number 3'],
  ['path', undefined, path, 'expected a string, got a value of type undefined'],
  ['path', '/a', path, 'expected no leading, trailing or doubled slash'],
  ['path', 'a/', path, 'expected no leading, trailing or doubled slash'],
  ['path', 'a//b', path, 'expected no leading, trailing or doubled slash'],
  ['path', '/', path, 'expected no leading, trailing or doubled slash'],
  ['path', 'a/../b', path, "'.' and '..' can not stand in a path"],
  ['path that must not be empty', '', filled, 'expected a string that is not empty'],
];

describe('a refusal names the field and says what is wrong with', () => {
  test.each(table)('a %s: %j', (_kind, value, run, why) => {
    expect(() => run(value)).toThrow(new InvalidRequestError(`repo: ${why}`, 'repo'));
  });
});

import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { clientMethods } from '../../../../scripts/docs/client-methods.js';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import {
  checkInput,
  checkPathValue,
  filledText,
  flag,
  id,
  integer,
  type JsonSchema,
  name,
  nullable,
  oneOf,
  optional,
  paging,
  type Rule,
  record,
  splitPathSegments,
  text,
  texts,
} from '../../../../src/transport/request/input.js';
import { about } from '../../about.js';

const most = Number.MAX_SAFE_INTEGER;
const state = oneOf('open', 'closed', 'all');

const rules: Readonly<Record<string, Rule>> = {
  text,
  filledText,
  'integer(1, 100)': integer(1, 100),
  id,
  flag,
  oneOf: oneOf('open', 'closed'),
  texts,
  record,
  name,
  'nullable(text)': nullable(text),
  'nullable(integer(1))': nullable(integer(1)),
  'nullable(oneOf)': nullable(oneOf('open')),
};

const values: readonly unknown[] = [
  ...[null, true, '', 'a', 'a/b', 'open', 'closed', '1', -1, 0, 1, 1.5, 100, 101],
  ...[[], ['a'], [1], [null], {}, { a: 1 }],
];

function accepts(schema: JsonSchema | undefined, value: unknown): boolean {
  return z.fromJSONSchema(schema ?? {}).safeParse(value).success;
}

const segment = (value: unknown) => checkPathValue('repo', value);

const filled = (value: unknown) => splitPathSegments('repo', value, { allowEmpty: false });

const path = (value: unknown) => splitPathSegments('repo', value, { allowEmpty: true });

const table: readonly [string, unknown, (value: unknown) => unknown, RegExp][] = [
  ['segment', null, segment, /a string or a whole number.* null\)$/],
  ['segment', 1.5, segment, /a string or a whole number.* 1\.5\)$/],
  ['segment', '', segment, /non-empty/],
  ['segment', '..', segment, /'\.' or '\.\.'/],
  ['segment', 'a\nb', segment, /control characters/],
  ['segment', '\ud800', segment, /surrogate/],
  ['path', 3, path, /a string\b.* 3\)$/],
  ['path', '/a', path, /slash/],
  ['path', 'a//b', path, /slash/],
  ['path', 'a/../b', path, /'\.' or '\.\.'/],
  ['required path', '', filled, /non-empty/],
];

describe('Rule', () => {
  // Rules for whole numbers are created within the test, so the test also covers `integer()`.
  test.each<[string, Rule | (() => Rule), readonly unknown[], readonly unknown[]]>([
    ['a string', text, ['', 'a'], [1, null, true, ['a'], {}]],
    ['a non-empty string', filledText, ['a', ' '], ['', 1, null, ['a']]],
    [
      'a whole number of at least 2',
      () => integer(2),
      [2, 3, most],
      [1, -3, 2.5, '3', Number.NaN, most + 1],
    ],
    ['a whole number from 1 to 4', () => integer(1, 4), [1, 2, 4], [0, 5, 1.5, '2', [2], null]],
    ['a whole number of at least 0', id, [0, 1, most], [-1, 0.5, '1', Number.POSITIVE_INFINITY]],
    ['true or false', flag, [true, false], ['true', 0, 1, null, []]],
    [
      "'open', 'closed' or 'all'",
      state,
      ['open', 'closed', 'all'],
      ['Open', '', 'open ', 1, null, ['open']],
    ],
    ['an array of strings', texts, [[], ['a'], ['a', '']], ['a', [1], ['a', 1], [null], {}]],
    ["a name without '/'", name, ['a', 'a-b.c', '.'], ['', 'a/b', '/a', 'a/', 1, null, ['a']]],
    ['an object', record, [{}, { a: 1 }], [null, [], ['a'], 'a', 1, true, () => ({})]],
  ])('a rule accepts only %s', (expected, made, good, bad) => {
    const given = typeof made === 'function' ? made() : made;
    expect(given.expected).toBe(expected);
    expect(
      good.filter((value) => !given.test(value)),
      'valid values that it rejects',
    ).toEqual([]);
    expect(
      bad.filter((value) => given.test(value)),
      'invalid values that it accepts',
    ).toEqual([]);
  });
});

describe('checkInput()', () => {
  const rules = { owner: filledText, state: optional(state), ...paging };
  const refused = (
    input: Readonly<Record<string, unknown>>,
    given: Readonly<Record<string, Rule>>,
  ): unknown => {
    try {
      checkInput('pulls.list', input, given);
    } catch (error) {
      return error;
    }
    return 'it was accepted';
  };

  test.each<[Readonly<Record<string, unknown>>, Readonly<Record<string, Rule>>, string, RegExp]>([
    [{ owner: 'a', stat: 'all' }, rules, 'stat', /'stat'.*: owner, state, page, per_page\b/],
    [{ toString: 'x' }, {}, 'toString', /'toString'.* none\b/],
    [{}, rules, 'owner', /owner: is required and must be .*non-empty string$/],
    [{ owner: '' }, rules, 'owner', /owner: .*non-empty string \(got an empty string\)$/],
    [
      { owner: 'a', state: 'merged' },
      rules,
      'state',
      /state: .*'open', 'closed' or 'all'.* "merged"\)$/,
    ],
    [{ owner: 'secret/a' }, { owner: name }, 'owner', /must be a name without '\/'\. Pass owner/],
    [{ owner: ['secret', 1] }, { owner: texts }, 'owner', /must be an array of strings$/],
  ])('rejects %j because of the field $2', (input, given, field, why) => {
    const error = refused(input, given);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toHaveProperty('field', field);
    expect(String(error)).toContain(': pulls.list: ');
    expect(String(error)).toMatch(why);
  });
});

describe('invalid enumeration values', () => {
  const refusal = (given: unknown) => {
    try {
      checkInput('op', { state: given }, { state });
    } catch (error) {
      return String(error);
    }
    throw new Error('expected the input to be rejected');
  };

  test('the error shows an invalid value only if it is a short word', () => {
    expect(refusal('opened')).toContain('"opened"');
    expect(refusal(`${'x'.repeat(40)}hush`)).not.toContain('hush');
    expect(refusal({ key: 'hush' })).not.toContain('hush');
    expect(refusal(['hush'])).not.toContain('hush');
    expect(refusal('')).toContain('an empty string');
  });
});

describe("a rule's JSON Schema", () => {
  it.each(Object.entries(rules))(
    'the JSON Schema of the rule %s accepts exactly the values that the rule accepts',
    (_, rule) => {
      for (const value of values) {
        expect([value, accepts(rule.schema, value)]).toEqual([value, rule.test(value)]);
      }
    },
  );

  it('each field that a method sends has a JSON Schema', () => {
    const missing = clientMethods().flatMap(({ name: method, endpoint }) =>
      Object.entries<Rule>(endpoint?.fields ?? endpoint?.input ?? {}).flatMap(
        ([field, { schema }]) => (schema === undefined ? [`${method}: ${field}`] : []),
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe('checkPathValue()', () => {
  test.each(['mona', 'a#b?.md', '50%', '%2e%2e', '...', '.git', '🚀', 'a b'])(
    'returns %j unchanged',
    (value) => {
      expect(checkPathValue('owner', value)).toBe(value);
    },
  );
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

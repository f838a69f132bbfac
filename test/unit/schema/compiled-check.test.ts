import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { compileCheck } from '../../../src/schema/check.js';
import { numRuns } from '../../support/extent.js';

/** Creates new schemas for each test, because a schema is compiled only once. */
const schemas = (
  inner = z.object({ id: z.int(), login: z.optional(z.string()) }),
): Record<string, z.core.$ZodType> => ({
  string: z.string(),
  number: z.number(),
  int: z.int(),
  boolean: z.boolean(),
  'literal text': z.literal('a'),
  'literal with several values': z.literal(['a', 1, true, null]),
  "left to zod: literal that isn't JSON": z.literal([undefined, 'a']),
  nullable: z.nullable(z.string()),
  unknown: z.unknown(),
  array: z.array(z.int()),
  'left to zod: bounded array': z.array(z.int()).check(z.maxLength(1)),
  object: inner,
  nested: z.object({ a: inner, b: z.nullable(inner), c: z.optional(z.array(inner)) }),
  'left to zod: field that is null, or never present': z.object({
    a: z.null(),
    b: z.optional(z.undefined()),
  }),
  'object with additional fields': z.looseObject({ a: z.int() }),
  'odd names': z.object({ 'a"b': z.int(), 'c\\d\n': z.string(), constructor: z.optional(z.int()) }),
  union: z.union([z.string(), inner, z.null()]),
  'discriminated union': z.discriminatedUnion('a', [
    z.object({ a: z.literal('a'), b: z.int() }),
    z.object({ a: z.literal('b'), b: z.string() }),
  ]),
  record: z.record(z.string(), z.int()),
  'record of anything': z.object({ a: z.record(z.string(), z.unknown()) }),
  'left to zod: record with restricted keys': z.record(z.string().check(z.minLength(2)), z.int()),
  'left to zod: tuple': z.tuple([z.string(), z.int()]),
  'left to zod: object with typed additional fields': z.object({ a: z.int() }).catchall(z.int()),
  'left to zod: strict object': z.strictObject({ a: z.int() }),
  'left to zod: format': z.object({ a: z.iso.datetime() }),
  'left to zod: refined object': z.object({ a: z.int() }).check(z.refine(({ a }) => a > 1)),
});

const names = Object.keys(schemas());

function createSchema(name: string): z.core.$ZodType {
  return schemas()[name] ?? expect.unreachable(name);
}

/** Names of random fields. Many appear in the schemas, so many random values are partly valid. */
const key = fc.constantFrom('a', 'b', 'c', 'id', 'login', 'a"b', 'c\\d\n', 'constructor');
const leaf = fc.oneof(
  fc.constantFrom('a', 'b', '', null, true, 0, 1, -1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY),
  fc.constant('2014-01-01T00:00:00Z'),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    fc.record({ id: fc.constant(7), login: tie('any') }, { requiredKeys: ['id'] }),
    fc.record({ a: tie('any'), b: tie('any') }, { requiredKeys: ['a'] }),
  ),
})).any;

const runs = { numRuns };

/** Values that the schemas accept and similar values that the schemas reject. */
const values: readonly unknown[] = [
  ...[null, 'a', 'b', '', true, false, 0, 1, 1.5, 2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY],
  ...[[], [1], [1, 2], [1.5], ['a'], ['a', 1], [['a', null]], [[1]], [null], [{ id: 1 }], [{}]],
  ...[{}, { id: 1 }, { id: 1.5 }, { id: 1, login: 'a' }, { id: 1, login: 5 }, { login: 'a' }],
  ...[{ a: 1 }, { a: 2 }, { a: 1.5 }, { a: 'a' }, { a: 'ab' }, { a: null }, { a: true }],
  ...[{ a: [] }, { a: {} }, { a: { b: 1 } }, { a: { id: 1 } }, { a: { id: 'x' } }],
  ...[{ a: 1, b: 2 }, { a: 1, b: 'x' }, { a: null, b: 1 }, { ab: 1 }, { ab: 'x' }, { b: 1 }],
  ...[
    { a: 'a', b: 1 },
    { a: 'b', b: 'x' },
    { a: 'a', b: 'x' },
    { a: 'b', b: 1 },
  ],
  ...[
    { a: { id: 1 }, b: null },
    { a: { id: 1 }, b: { id: 2 }, c: [{ id: 3 }] },
  ],
  ...[{ a: { id: 1 }, b: {} }, { a: { id: 1 }, b: null, c: [{ id: 'x' }] }, { a: '2014-01-01' }],
  ...[{ 'a"b': 1, 'c\\d\n': 'x' }, { 'a"b': 1 }, { 'a"b': 1, 'c\\d\n': 'x', constructor: 'x' }],
  ...[{ a: '2014-01-01T00:00:00Z' }, { '2014-01-01': 1 }],
];

/** Returns a schema and all schemas nested in it. */
function within(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = schema._zod;
  const parts = [...Object.values(def), ...Object.values('shape' in def ? Object(def.shape) : {})];
  const nested = parts.flat().filter((each) => each instanceof z.core.$ZodType);
  return [schema, ...nested.flatMap(within)];
}

describe('compileCheck()', () => {
  test.each(names)('agrees with zod on random values for the schema "%s"', (name) => {
    const schema = createSchema(name);
    const check = compileCheck(schema);
    fc.assert(
      fc.property(value, (each) => {
        expect(check(each), `for the value ${JSON.stringify(each)}`).toBe(
          z.safeParse(schema, each).success,
        );
      }),
      runs,
    );
  });

  test.each(names)(
    'calls zod for the schema "%s" only if the schema cannot be compiled',
    (name) => {
      const schema = createSchema(name);
      const check = compileCheck(z.object({ f: schema }));
      const wrong = values.filter((f) => check({ f }) !== z.safeParse(schema, f).success);
      expect(wrong).toEqual([]);
      const spies = within(schema).map((each) => vi.spyOn(each._zod, 'run'));
      onTestFinished(() => void vi.restoreAllMocks());
      for (const f of values) check({ f });
      const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      expect(calls > 0, `${calls} calls of zod`).toBe(name.startsWith('left to zod'));
    },
  );

  test('rejects an object without its field of type `unknown`', () => {
    const check = compileCheck(z.object({ a: z.unknown() }));
    expect(check({ a: null })).toBe(true);
    expect(check({ b: null })).toBe(false);
  });

  test('falls back to zod if Node.js disallows code generation from strings', () => {
    const program = `
      import * as z from 'zod';
      import { compileCheck } from './src/schema/check.ts';
      const check = compileCheck(z.object({ a: z.array(z.int()) }));
      console.log(check({ a: [1] }), check({ a: ['1'] }));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module'],
      { input: program, encoding: 'utf8' },
    );
    expect(stdout.trim(), stderr).toBe('true false');
  });
});

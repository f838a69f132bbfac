import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import type { User } from '../../../src/hosting/index.js';
import {
  defineList,
  defineModel,
  findIssues,
  fits,
  type Model,
  model,
  ref,
} from '../../../src/schema/model.js';

/** Creates a model from a schema. */
const over = (schema: z.core.$ZodType): Model<unknown> =>
  defineModel<unknown>('Thing', () => schema);

const listPaths = (schema: z.core.$ZodType, value: unknown) =>
  findIssues(over(schema), value)?.map(({ path }) => path?.join('.'));

const either = z.union([z.object({ c: z.int() }), z.object({ a: z.object({ b: z.int() }) })]);
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('one'), x: z.int() }),
  z.object({ kind: z.literal('two'), x: z.string(), y: z.int(), z: z.optional(either) }),
  z.discriminatedUnion('kind', [z.object({ kind: z.literal('three'), x: z.int() })]),
]);

describe('findIssues()', () => {
  test.each<[string, z.core.$ZodType, unknown, readonly string[] | undefined]>([
    ['an invalid value', z.int(), 'x', ['']],
    ['an invalid field', z.object({ a: z.int(), b: z.string() }), { a: 'x', b: 'x' }, ['a']],
    ['an invalid optional field', z.object({ a: z.optional(z.int()) }), { a: 'x' }, ['a']],
    ['no issue for a missing optional field', z.object({ a: z.optional(z.int()) }), {}, undefined],
    ['an invalid nullable field', z.object({ a: z.nullable(z.int()) }), { a: 'x' }, ['a']],
    [
      'no issue for a missing optional union field',
      z.object({ a: z.optional(either), b: z.int() }),
      {},
      ['b'],
    ],
    ['invalid items', z.array(z.int()), [1, 'x', 2, 'y'], ['1', '3']],
    ['an array instead of an object', z.object({ a: z.int() }), [1], ['']],
    ['invalid record members', z.record(z.string(), z.int()), { a: 1, b: 'x', c: 'y' }, ['b', 'c']],
    [
      'a deeply nested invalid item',
      z.array(z.object({ a: z.array(z.int()) })),
      [{ a: [1, 'x'] }],
      ['0.a.1'],
    ],
    ['an invalid field within an item', z.array(either), [{ c: 1 }, { a: { b: 'x' } }], ['1.a.b']],
    ['an invalid field in the best-matching branch of a union', either, { a: { b: 'x' } }, ['a.b']],
    ['a missing field in the first of equally matching branches', either, {}, ['c']],
    ['a value that matches no branch of a union', either, 5, ['']],
    [
      'invalid fields in the branch with the matching discriminator',
      kinds,
      { kind: 'two', x: 1, y: 'x' },
      ['x', 'y'],
    ],
    ['an unknown discriminator', kinds, { kind: 'four' }, ['kind']],
    ['an unknown field', z.strictObject({ a: z.int() }), { a: 1, b: 2, c: 3 }, ['']],
    ['an invalid item of a tuple', z.tuple([z.string(), z.int()]), ['a', 'x'], ['1']],
    [
      'a value that violates a custom rule',
      z.object({ a: z.int() }).check(z.refine(({ a }) => a > 1, { path: ['a'] })),
      { a: 1 },
      ['a'],
    ],
  ])('reports %s', (_what, schema, value, paths) => {
    expect(listPaths(schema, value)).toEqual(paths);
  });

  const many = Array.from({ length: 30 }, () => 'x');
  const named = Object.fromEntries(many.map((each, index) => [`f${index}`, each]));
  const wide = z.tuple([z.int(), z.int(), z.int()]);

  test.each<[string, z.core.$ZodType, unknown]>([
    ['items', z.array(z.int()), many],
    ['record members', z.record(z.string(), z.int()), named],
    ['values that zod validates', z.array(wide), many.map(() => ['a', 'b', 'c'])],
  ])('reports at most 20 issues for %s', (_what, schema, value) => {
    expect(listPaths(schema, value)).toHaveLength(20);
  });

  test.each([
    [z.string(), 7, 'expected string, got the number 7'],
    [z.literal(['file', 'dir']), 'x', "expected 'file' or 'dir', got a string"],
    [z.strictObject({}), { more: 1 }, 'invalid (got an object)'],
  ])('explains why a value is invalid: case %#', (schema, value, message) => {
    expect(findIssues(over(schema), value)).toEqual([{ message, path: [] }]);
  });
});

describe('model definitions', () => {
  const Closed = () => model<{ a: number }>()('Closed', () => ({ a: z.number() }));
  const Open = () =>
    model<{ a: number; [more: string]: unknown }>('open')('Open', () => ({ a: z.number() }));

  it('model() keeps undeclared fields only if the model is open', () => {
    const value = { a: 1, b: 2 };
    expect(z.parse(ref(Open()), value)).toEqual(value);
    expect(z.parse(ref(Closed()), value)).toEqual({ a: 1 });
  });

  it('defineList() returns the same list model for the same item model', () => {
    const item = Closed();
    expect(defineList(item)).toBe(defineList(item));
    expect(defineList(item).name).toBe('Closed[]');
    expect(fits(defineList(item), [{ a: 1 }])).toBe(true);
    expect(findIssues(defineList(item), [{ a: 1 }, {}])).toMatchObject([{ path: [1, 'a'] }]);
  });

  it('ref() and fits() reject a model from another copy of the package', () => {
    const stranger: Model<User> = { ...Closed()['~standard'], name: 'X' } as never;
    for (const use of [ref, (each: Model<User>) => fits(each, {})]) {
      expect(() => use(stranger)).toThrow('X: must be a triforge model');
    }
  });
});

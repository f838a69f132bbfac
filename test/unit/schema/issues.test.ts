import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import type { User } from '../../../src/hosting/index.js';
import {
  defineList,
  defineModel,
  findIssues,
  fits,
  isModel,
  type Model,
  model,
  ref,
  unionModel,
} from '../../../src/schema/model.js';

/** A model over a schema that was just made. */
const over = (schema: z.core.$ZodType): Model<unknown> =>
  defineModel<unknown>('Thing', () => schema);

const pathsOf = (schema: z.core.$ZodType, value: unknown) =>
  findIssues(over(schema), value)?.map(({ path }) => path?.join('.'));

const either = z.union([z.object({ c: z.int() }), z.object({ a: z.object({ b: z.int() }) })]);
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('one'), x: z.int() }),
  z.object({ kind: z.literal('two'), x: z.string(), y: z.int(), z: z.optional(either) }),
  z.discriminatedUnion('kind', [z.object({ kind: z.literal('three'), x: z.int() })]),
]);
const two = { kind: 'two', x: 'x', y: 1 };

describe('an issue is named by its path', () => {
  test.each<[string, z.core.$ZodType, unknown, readonly string[] | undefined]>([
    ['a value', z.int(), 'x', ['']],
    ['a field', z.object({ a: z.int(), b: z.string() }), { a: 'x', b: 'x' }, ['a']],
    ['several fields', z.object({ a: z.int(), b: z.string() }), {}, ['a', 'b']],
    ['a field that may be absent', z.object({ a: z.optional(z.int()) }), { a: 'x' }, ['a']],
    ['no field that is absent', z.object({ a: z.optional(z.int()) }), {}, undefined],
    ['a field that may be null', z.object({ a: z.nullable(z.int()) }), { a: 'x' }, ['a']],
    ['no field that is null', z.object({ a: z.nullable(either), b: z.int() }), { a: null }, ['b']],
    ['none that is absent', z.object({ a: z.optional(either), b: z.int() }), {}, ['b']],
    ['items', z.array(z.int()), [1, 'x', 2, 'y'], ['1', '3']],
    ['no array', z.array(z.int()), { length: 1 }, ['']],
    ['no object', z.object({ a: z.int() }), [1], ['']],
    ['null for an object', z.object({ a: z.object({ b: z.int() }) }), { a: null }, ['a']],
    ['null for a record', z.object({ a: z.record(z.string(), z.int()) }), { a: null }, ['a']],
    ['no record', z.record(z.string(), z.int()), 5, ['']],
    ['members', z.record(z.string(), z.int()), { a: 1, b: 'x', c: 'y' }, ['b', 'c']],
    ['what is deep', z.array(z.object({ a: z.array(z.int()) })), [{ a: [1, 'x'] }], ['0.a.1']],
    [
      'what may be absent, within',
      z.object({ a: z.optional(either) }),
      { a: { a: { b: 'x' } } },
      ['a.a.b'],
    ],
    [
      'what may be null, within',
      z.object({ a: z.nullable(either) }),
      { a: { a: { b: 'x' } } },
      ['a.a.b'],
    ],
    ['within an item', z.array(either), [{ c: 1 }, { a: { b: 'x' } }], ['1.a.b']],
    ['within a member', z.record(z.string(), either), { k: { a: { b: 'x' } } }, ['k.a.b']],
    ['the branch that is nearest', either, { a: { b: 'x' } }, ['a.b']],
    ['of branches as near the first', either, {}, ['c']],
    ['no branch', either, 5, ['']],
    ['the branch that is meant', kinds, { kind: 'two', x: 1, y: 'x' }, ['x', 'y']],
    ['within the branch that is meant', kinds, { ...two, z: { a: { b: 'x' } } }, ['z.a.b']],
    ['the branch of a branch', kinds, { kind: 'three', x: 'x' }, ['x']],
    ['no branch that is known', kinds, { kind: 'four' }, ['kind']],
    ['none that could be meant', kinds, [], ['']],
    ['a field that is not known', z.strictObject({ a: z.int() }), { a: 1, b: 2, c: 3 }, ['b']],
    ['one beside a wrong one', z.strictObject({ a: z.int() }), { a: 'x', b: 2 }, ['a', 'b']],
    ['a tuple', z.tuple([z.string(), z.int()]), ['a', 'x'], ['1']],
    ['an array that is too long', z.array(z.int()).check(z.maxLength(1)), [1, 2], ['']],
    [
      'a rule of its own',
      z.object({ a: z.int() }).check(z.refine(({ a }) => a > 1, { path: ['a'] })),
      { a: 1 },
      ['a'],
    ],
  ])('%s', (_what, schema, value, paths) => {
    expect(pathsOf(schema, value)).toEqual(paths);
  });

  const many = Array.from({ length: 30 }, () => 'x');
  const named = Object.fromEntries(many.map((each, index) => [`f${index}`, each]));
  const wanted = z.object(Object.fromEntries(Object.keys(named).map((name) => [name, z.int()])));
  const wide = z.tuple([z.int(), z.int(), z.int()]);

  test.each<[string, z.core.$ZodType, unknown]>([
    ['items', z.array(z.int()), many],
    ['members', z.record(z.string(), z.int()), named],
    ['fields', wanted, named],
    [
      'fields of items',
      z.array(z.object({ a: z.int(), b: z.int(), c: z.int() })),
      many.map(() => ({})),
    ],
    ['items of branches', z.array(z.union([z.array(z.int()), z.null()])), [['x'], many, many]],
    ['values that zod judges', z.array(wide), many.map(() => ['a', 'b', 'c'])],
    ['items of members', z.record(z.string(), z.array(z.int())), { a: many, b: many }],
  ])('names the first twenty issues of %s', (_what, schema, value) => {
    expect(pathsOf(schema, value)).toHaveLength(20);
  });

  test('reports an unknown field in English with any locale of zod', () => {
    const issues = findIssues(over(z.strictObject({})), { more: 1 });
    expect(issues).toEqual([
      { message: expect.stringMatching(/unrecognized key/i), path: ['more'] },
    ]);
  });
});

describe('a model', () => {
  const Closed = () => model<{ a: number }>()('Closed', () => ({ a: z.number() }));
  const Open = () =>
    model<{ a: number; [more: string]: unknown }>('open')('Open', () => ({ a: z.number() }));

  it('keeps undeclared fields if it is open, and drops them otherwise', () => {
    const value = { a: 1, b: 2 };
    expect(z.parse(ref(Open()), value)).toEqual(value);
    expect(z.parse(ref(Closed()), value)).toEqual({ a: 1 });
  });

  it('is a Standard Schema that returns the unchanged value or issues', async () => {
    const { vendor, version, validate } = Closed()['~standard'];
    expect({ vendor, version }).toEqual({ vendor: 'triforge', version: 1 });
    const value = { a: 1, b: 2 };
    expect(await validate(value)).toEqual({ value });
    expect(await validate({ a: 'x' })).toEqual({
      issues: [{ message: expect.any(String), path: ['a'] }],
    });
  });

  it('has one list model, named after it', () => {
    const item = Closed();
    expect(defineList(item)).toBe(defineList(item));
    expect(defineList(item).name).toBe('Closed[]');
    expect(fits(defineList(item), [{ a: 1 }])).toBe(true);
    expect(findIssues(defineList(item), [{ a: 1 }, {}])).toMatchObject([{ path: [1, 'a'] }]);
  });

  it('can be a union, with or without a discriminator', () => {
    const one = model<{ kind: 'one' }>()('One', () => ({ kind: z.literal('one') }));
    const two = model<{ kind: 'two' }>()('Two', () => ({ kind: z.literal('two') }));
    for (const key of [undefined, 'kind']) {
      const any = unionModel<{ kind: 'one' } | { kind: 'two' }>('Any', [one, two], key);
      expect(
        [{ kind: 'one' }, { kind: 'two' }, { kind: 'three' }].map((each) => fits(any, each)),
      ).toEqual([true, true, false]);
    }
  });

  it('is distinguished from other values', () => {
    expect(isModel(Closed())).toBe(true);
    for (const each of [undefined, null, 5, 'User', () => 1, {}, z.string()]) {
      expect(isModel(each), String(each)).toBe(false);
    }
  });

  it('of another copy of the package is rejected', () => {
    const stranger: Model<User> = { ...Closed()['~standard'], name: 'X' } as never;
    for (const use of [ref, (each: Model<User>) => fits(each, {})]) {
      expect(() => use(stranger)).toThrow('X is not a model of this package');
    }
  });
});

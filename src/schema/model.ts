import * as z from 'zod/mini';
import { type Check, compileCheck, issuesIn, type ZodSchema } from './check.js';
import { createSchema, type StandardIssue, type StandardSchema } from './standard-schema.js';

/**
 * Model of a response: an interface and a zod schema that the compiler checks against the
 * interface. Implements Standard Schema, so you can pass a model as the `schema` of
 * `client.request`. The zod schema is built on first use, to keep imports fast.
 */
export interface Model<T> extends StandardSchema<T> {
  /** Model name in error messages. */
  readonly name: string;
}

/**
 * A zod schema whose input and output types are the same. It has no transform, default or coercion.
 */
export type FieldSchema<T> = z.core.$ZodType<T, T>;

type Same<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** True for a type with an index signature, which allows undeclared attributes. */
export type Open<T> = string extends keyof T ? true : false;

/**
 * Fields in which the interface and the schema differ. An empty object type if all fields match.
 */
type Drift<T, S extends Readonly<Record<string, ZodSchema>>> = {
  [K in keyof S | KnownKeys<T> as Same<InSchema<S, K>, InInterface<T, K>> extends true
    ? never
    : K]: { inSchema: InSchema<S, K>; inInterface: InInterface<T, K> };
};

type InSchema<S extends Readonly<Record<string, ZodSchema>>, K> = K extends keyof S
  ? { type: z.core.output<S[K]>; isOptional: S[K] extends z.core.$ZodOptional ? true : false }
  : 'missing';

type InInterface<T, K> =
  K extends KnownKeys<T> ? { type: T[K]; isOptional: IsOptional<T, K> } : 'missing';

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false;

/** The declared keys of T, without an index signature. */
type KnownKeys<T> = keyof {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};

const builders = new WeakMap<Model<unknown>, () => ZodSchema>();
const schemas = new WeakMap<Model<unknown>, ZodSchema>();
const lists = new WeakMap<Model<unknown>, Model<unknown>>();

/**
 * Compiled checks by model. A check doesn't copy the value. {@link fits} adds a model's check on
 * first use.
 */
export const compiledChecks = new WeakMap<object, Check>();

function define<T>(name: string, build: () => ZodSchema): Model<T> {
  const self: Model<T> = {
    name,
    ...createSchema((value) => {
      const issues = findIssues(self, value);
      return issues ? { issues } : { value: value as T }; // `as`: without issues, the value is a T
    }),
  };
  builders.set(self, build);
  return self;
}

/**
 * Declares a model of the interface `T`:
 * `export const User = model<User>()('User', () => ({ … }))`. The shape must contain every declared
 * field of `T` with a schema of exactly the field's type. The compiler reports fields that differ.
 * Unknown attributes are valid and kept. Pass `'open'` so that the zod schema also keeps unknown
 * attributes. `'open'` is required if the interface has an index signature.
 */
export function model<T extends object>(...open: Open<T> extends true ? ['open'] : ['open'?]) {
  return <const S extends Readonly<Record<string, ZodSchema>>>(
    name: string,
    shape: () => keyof Drift<T, S> extends never ? S : S & Drift<T, S>,
  ): Model<T> => define(name, () => (open.length > 0 ? z.looseObject(shape()) : z.object(shape())));
}

/**
 * Declares a model for data that matches any of several models. If `key` is set, the
 * literal field with this name distinguishes the models.
 */
export function unionModel<T>(name: string, members: readonly Model<T>[], key?: string): Model<T> {
  return define(name, () => {
    const schemas = members.map((member) => ref(member));
    // `as`: zod requires a non-empty tuple of objects with a discriminator, and checks these
    // conditions at run time.
    return key === undefined
      ? z.union(schemas as [ZodSchema, ...ZodSchema[]])
      : z.discriminatedUnion(key, schemas as unknown as [z.core.$ZodTypeDiscriminable]);
  });
}

/**
 * Declares a model for any schema, such as a map, a scalar or a mixed array. `T` must be the
 * schema's type.
 */
export function defineModel<T>(name: string, build: () => FieldSchema<T>): Model<T> {
  return define(name, build);
}

/** Returns the model for an array of `item`. Always returns the same object for the same item. */
export function defineList<T>(item: Model<T>): Model<T[]> {
  const known = lists.get(item);
  if (known) return known as Model<T[]>; // `as`: each list is stored below, under its own item
  const list = define<T[]>(`${item.name}[]`, () => z.array(ref(item)));
  lists.set(item, list);
  return list;
}

/** Returns a model's zod schema, for use in another model: `user: ref(User)`. */
export function ref<T>(model: Model<T>): FieldSchema<T> {
  const known = schemas.get(model);
  if (known) return known as FieldSchema<T>; // `as`: model() and similar functions tie the schema to T
  const build = builders.get(model);
  if (!build) throw new TypeError(`${model.name}: must be a triforge model`);
  const schema = build();
  schemas.set(model, schema);
  return schema as FieldSchema<T>; // `as`: model() and similar functions tie the schema to T
}

/** Known words of the schemas that {@link openEnum} returned, for the OpenAPI documents. */
export const knownWords = new WeakMap<object, readonly string[]>();

/**
 * Declares a string that is usually one of `Known`. Other strings are also valid, but editors
 * suggest only `Known`.
 */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): FieldSchema<Known | (string & {})> {
  const schema = z.string();
  knownWords.set(schema, known);
  return schema;
}

/** Returns a field factory whose fields also accept null and undefined. */
export function nullish<Kind extends ZodSchema>(make: () => Kind) {
  return () => z.nullish(make());
}

/** Returns a field factory whose fields also accept null. */
export function nullable<Kind extends ZodSchema>(make: () => Kind) {
  return () => z.nullable(make());
}

/**
 * Returns whether a schema is one of this package's models. These models return valid values
 * unchanged.
 */
export function isModel<T>(schema: unknown): schema is Model<T> {
  return builders.has(schema as Model<unknown>); // `as`: a value that isn't a model isn't a key of the map.
}

export function fits<M extends Model<unknown>>(
  model: M,
  value: unknown,
): value is M extends Model<infer T> ? T : never {
  let check = compiledChecks.get(model);
  if (!check) {
    check = compileCheck(ref(model));
    compiledChecks.set(model, check);
  }
  return check(value);
}

/** Returns a value's first issues, or undefined if the value is valid. Slow for invalid values. */
export function findIssues(model: Model<unknown>, value: unknown): StandardIssue[] | undefined {
  return fits(model, value) ? undefined : issuesIn(ref(model), value);
}

/** Union of the space-separated words in a string type. */
export type Words<Text extends string> = Text extends `${infer Word} ${infer More}`
  ? Word | Words<More>
  : Text;

/**
 * Declares several fields of the same type in a model's shape, each with its own schema:
 * `...fields(z.int, 'id size')`.
 */
export function fields<const Names extends string, Field extends ZodSchema>(
  make: () => Field,
  names: Names,
): Readonly<Record<Words<Names>, Field>> {
  const made = names.split(' ').map((name) => [name, make()] as const);
  // `as`: the keys are the words in `names`.
  return Object.fromEntries(made) as Record<Words<Names>, Field>;
}

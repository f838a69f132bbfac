import * as z from 'zod/mini';
import { type Check, checkOf } from './compiled-check.js';
import { issuesIn } from './issues.js';
import type { StandardIssue, StandardSchema } from './standard-schema.js';

/**
 * The shape of an answer: an exported interface for the reader, and behind it a zod schema that the
 * compiler holds equal to the interface. Implements Standard Schema, so it can be handed to
 * `client.request({ schema })`. Its zod schema is built on first use, so that importing costs nothing.
 */
export interface Model<T> extends StandardSchema<T> {
  /** The model's name, as error messages show it. */
  readonly name: string;
}

/** A zod schema whose input and output are the same type: no transform, default or coercion. */
export type Field<T> = z.core.$ZodType<T, T>;

type Same<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

type AnyField = z.core.$ZodType;

/** True for a type that may have attributes beyond its declared ones, by an index signature. */
export type Open<T> = string extends keyof T ? true : false;

/** Names the fields where interface and schema disagree; an empty object type where they agree. */
type Drift<T, S extends Readonly<Record<string, AnyField>>> = {
  [K in keyof S | KnownKeys<T> as K extends keyof S
    ? K extends KnownKeys<T>
      ? Same<z.core.output<S[K]>, T[K]> extends true
        ? Same<IsOptional<T, K>, S[K] extends z.core.$ZodOptional ? true : false> extends true
          ? never
          : K
        : K
      : K
    : K]: K extends keyof S
    ? K extends keyof T
      ? {
          'the schema differs from the interface': [
            inSchema: z.core.output<S[K]>,
            inInterface: T[K],
            optionalInInterface: IsOptional<T, K>,
          ];
        }
      : 'the interface has no such field'
    : 'the schema has no such field';
};

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false;

/** The declared keys of T, leaving out an index signature. */
type KnownKeys<T> = keyof {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};

interface Entry {
  readonly schema: AnyField;
  check: Check | undefined;
}

const builders = new WeakMap<Model<unknown>, () => AnyField>();
const entries = new WeakMap<Model<unknown>, Entry>();
const lists = new WeakMap<Model<unknown>, Model<unknown>>();

function entryOf(model: Model<unknown>): Entry | undefined {
  const known = entries.get(model);
  if (known) return known;
  const build = builders.get(model);
  if (!build) return undefined;
  const entry: Entry = { schema: build(), check: undefined };
  entries.set(model, entry);
  return entry;
}

function define<T>(name: string, build: () => AnyField): Model<T> {
  const self: Model<T> = {
    name,
    '~standard': {
      version: 1,
      vendor: 'triforge',
      validate: (value) => {
        const issues = issuesOf(self, value);
        return issues ? { issues } : { value: value as T }; // `as`: no issue means that it is a T
      },
    },
  };
  builders.set(self, build);
  return self;
}

/**
 * Declares a model of the interface `T`: `export const User = model<User>()('User', () => ({ … }))`.
 * The shape must name every declared field of `T` with a schema of exactly that field's type; the
 * compiler names the field that differs. Unknown attributes are kept and never fail; an interface with
 * an index signature says `'open'`, so that its zod schema keeps them too.
 */
export function model<T extends object>(...open: Open<T> extends true ? ['open'] : []) {
  return <const S extends Readonly<Record<string, AnyField>>>(
    name: string,
    shape: () => keyof Drift<T, S> extends never ? S : S & Drift<T, S>,
  ): Model<T> => define(name, () => (open.length > 0 ? z.looseObject(shape()) : z.object(shape())));
}

/** A model by one of several others, told apart by the literal field `key` where they have one. */
export function unionModel<T>(name: string, members: readonly Model<T>[], key?: string): Model<T> {
  return define(name, () => {
    const schemas = members.map((member) => ref(member));
    // `as`: zod wants a non-empty tuple of discriminable objects, and checks both when it is built.
    return key === undefined
      ? z.union(schemas as [AnyField, ...AnyField[]])
      : z.discriminatedUnion(key, schemas as unknown as [z.core.$ZodTypeDiscriminable]);
  });
}

/** A model over any schema: maps, bare values, mixed arrays. `T` must be the schema's own type. */
export function modelOf<T>(name: string, build: () => Field<T>): Model<T> {
  return define(name, build);
}

/** The model of an array of `item`; the same object every time it is asked for. */
export function listOf<T>(item: Model<T>): Model<T[]> {
  const known = lists.get(item);
  if (known) return known as Model<T[]>; // `as`: only ever stored below, under its own item
  const list = define<T[]>(`${item.name}[]`, () => z.array(ref(item)));
  lists.set(item, list);
  return list;
}

/** The zod schema of a model, to nest it in another: `user: ref(User)`. */
export function ref<T>(model: Model<T>): Field<T> {
  const entry = entryOf(model);
  if (!entry) throw new TypeError(`${model.name} is not a model of this package`);
  return entry.schema as Field<T>; // `as`: model() and its kin tie the schema to T
}

/** A string that is one of `Known` today and may be another tomorrow; completion still offers them. */
export function openEnum<const Known extends string>(
  ..._known: readonly Known[]
): Field<Known | (string & {})> {
  return z.string();
}

/** A kind of field that may also be null or missing. */
export function nullish<Kind extends AnyField>(make: () => Kind) {
  return () => z.nullish(make());
}

/** A kind of field that may also be null. */
export function nullable<Kind extends AnyField>(make: () => Kind) {
  return () => z.nullable(make());
}

/** True for a model made here, whose valid values are returned as they came. */
export function isModel(schema: unknown): schema is Model<unknown> {
  return builders.has(schema as Model<unknown>); // `as`: what is none is no key of it
}

/** The hot path: does the value fit? Compiled on the model's first use, and without a copy. */
export function fits<M extends Model<unknown>>(
  model: M,
  value: unknown,
): value is M extends Model<infer T> ? T : never {
  const entry = entryOf(model);
  if (!entry) throw new TypeError(`${model.name} is not a model of this package`);
  entry.check ??= checkOf(entry.schema);
  return entry.check(value);
}

/** Why a value does not fit, the first issues of it; undefined when it does. The slow path, for an invalid answer only. */
export function issuesOf(model: Model<unknown>, value: unknown): StandardIssue[] | undefined {
  return fits(model, value) ? undefined : issuesIn(ref(model), value);
}

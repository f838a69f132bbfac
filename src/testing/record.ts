import * as z from 'zod/mini';
import { list } from './checks.js';

/** Data about a new record that the record's defaults depend on. */
export interface Origin<Parent = unknown> {
  /** The next ID. */
  readonly id: number;
  /** Time of creation, in the API's format. */
  readonly now: string;
  /** Record that contains the new record. */
  readonly parent: Parent;
}

/** Values of a record by name, including the defaults of previous fields. */
type Values = Readonly<Record<string, unknown>>;

/** zod schema. The type is opaque so that users' compilers don't load all of zod's types. */
type Schema = object;

/** Whether world files contain a field. */
type Presence = 'required' | 'optional' | 'never';

/** Field of a record kind. Has a value in the emulator and data in world files. */
export interface Field<Value, Data, Parent, InFiles extends Presence = Presence> {
  /** Schema of the data. Undefined if world files don't contain the field. */
  readonly check: Schema | undefined;
  /** Whether world files contain the field. */
  readonly inFiles: InFiles;
  /** Creates the default value. Omitted if the default is undefined. */
  readonly initial?: ((origin: Origin<Parent>, values: Values) => Value) | undefined;
  /** Kind of the records that the field contains. */
  readonly of?: Kind | undefined;
  /** Converts data to the value. */
  decode(data: Data): Value;
  /** Converts the value to data. */
  encode(value: Value): Data;
}

/** Fields of records that a `Parent` can contain. */
export type KindFields<Parent = never> = Readonly<Record<string, Field<unknown, unknown, Parent>>>;

/**
 * Record kind, described by its fields. `Parent` is the type of the containing record. `Parent`
 * must have every property that the fields' defaults read.
 */
export interface Kind<F extends KindFields = KindFields, Parent = never> {
  /** The fields by name, in export order. */
  readonly fields: F;
  /** Names of the fields that identify a record of this kind. */
  readonly unique: readonly string[];
  /** Types of the kind's records and data, for the compiler only. */
  readonly types?: { readonly record: ValuesIn<F>; readonly data: DataIn<F> } | undefined;
  /** Type of the records that contain the kind's records, for the compiler only. */
  readonly acceptsParent?: ((parent: Parent) => void) | undefined;
}

type ValuesIn<F> = {
  -readonly [N in keyof F]: F[N] extends Field<infer Value, infer _Data, never> ? Value : never;
};
type PartOfData<F, P extends Presence> = {
  readonly [N in keyof F as F[N] extends { inFiles: P } ? N : never]: F[N] extends Field<
    infer _Value,
    infer Data,
    never
  >
    ? Data
    : never;
};
type DataIn<F> = PartOfData<F, 'required'> & Loose<PartOfData<F, 'optional'>>;

/** Type of a kind's records. */
export type RecordOf<K> = K extends Kind<infer F> ? ValuesIn<F> : never;

/** Type of a kind's records in a world file. */
export type DataOf<K> = K extends Kind<infer F> ? DataIn<F> : never;

/** Type of the records that contain a kind's records. */
export type ParentOf<K> = K extends Kind<infer _F, infer Parent> ? Parent : never;

/** `T` with optional, read-only properties. */
export type Loose<T> = { readonly [N in keyof T]?: T[N] | undefined };

const unchanged = { decode: <T>(data: T) => data, encode: <T>(value: T) => value };

/** Declares a field that world files must contain. */
export function required<V>(check: z.core.$ZodType<V>): Field<V, V, unknown, 'required'> {
  return { check, inFiles: 'required', ...unchanged };
}

/** Declares a field that is undefined by default. */
export function optional<V>(
  check: z.core.$ZodType<V>,
): Field<V | undefined, V | undefined, unknown, 'optional'> {
  return { check, inFiles: 'optional', ...unchanged };
}

/** Declares a field with a default: a value, or a function that creates the value. */
export function field<V, Parent = unknown>(
  check: z.core.$ZodType<V>,
  initial: NoInfer<V> | ((origin: Origin<Parent>, values: Values) => NoInfer<V>),
): Field<V, V, NoInfer<Parent>, 'optional'> {
  // `as`: values are never functions, so a function creates the default.
  const create = initial as (origin: Origin<Parent>, values: Values) => V;
  const make = typeof initial === 'function' ? create : () => initial;
  return { check, inFiles: 'optional', initial: make, ...unchanged };
}

/** Declares a field that world files represent differently. */
export function converted<V, D>(
  check: z.core.$ZodType<D>,
  initial: (origin: Origin, values: Values) => V,
  convert: { decode(data: D): V; encode(value: V): D },
): Field<V, D, unknown, 'optional'> {
  return { check, inFiles: 'optional', initial, ...convert };
}

/** Declares a field that world files don't contain. */
export function internal<V>(initial: () => V): Field<V, never, unknown, 'never'> {
  const encode = () => {
    throw new Error('the field is internal');
  };
  return { check: undefined, inFiles: 'never', initial, decode: (data) => data, encode };
}

/** Kind with named types for its records and data. Editors show these names in tooltips. */
type Named<R, D> = Kind & {
  readonly types?: { readonly record: R; readonly data: D } | undefined;
};

/** Declares a field that contains a list of records. */
export function children<R, D>(of: Named<R, D>): Field<R[], readonly D[], unknown, 'optional'> {
  const empty = () => [];
  // `as`: R is the type of the kind's records, and D is the type of their data.
  const encode = (records: R[]) =>
    records.map((each) => exportRecord(of, each as RecordOf<Kind>) as D);
  const check = list(createCheck(of));
  return { check, inFiles: 'optional', initial: empty, of, decode: empty, encode };
}

/** Declares a field that may contain a record. */
export function child<R, D>(
  of: Named<R, D>,
): Field<R | undefined, D | undefined, unknown, 'optional'> {
  const none = () => undefined;
  // `as`: R is the type of the kind's records, and D is the type of their data.
  const encode = (each: R | undefined) => each && (exportRecord(of, each as RecordOf<Kind>) as D);
  return { check: createCheck(of), inFiles: 'optional', initial: none, of, decode: none, encode };
}

/** Declares a kind of record. @param identity fields that identify a record, in addition to `id`. */
export function record<F extends KindFields, Parent>(
  fields: F & KindFields<Parent>,
  identity: readonly string[] = [],
): Kind<F, Parent> {
  return { fields, unique: ['id', ...identity].filter((name) => name in fields) };
}

/** Creates the schema of a kind's records in world files. */
export function createCheck({ fields }: Kind): z.ZodMiniObject {
  const shape = Object.entries(fields).flatMap(([name, { check, inFiles }]) => {
    if (!check) return [];
    const schema = asSchema(check);
    return [[name, inFiles === 'required' ? schema : z.optional(schema)] as const];
  });
  return z.strictObject(Object.fromEntries(shape));
}

/** Converts an opaque schema to its zod type. */
function asSchema(check: Schema): z.core.$ZodType {
  // `as`: the functions that create fields accept only zod schemas.
  return check as z.core.$ZodType;
}

/** Creates a record. Omitted fields get their defaults. */
export function createRecord<K extends Kind>(
  kind: K,
  origin: Origin<ParentOf<K>>,
  passed: Loose<RecordOf<K>>,
): RecordOf<K> {
  const values: Record<string, unknown> = { ...passed };
  const entries = Object.entries(kind.fields).map(([name, { initial, of }]) => {
    const value = of ? undefined : copyData(values[name]);
    // `as`: `ParentOf` ensures that all fields of the kind accept this origin.
    values[name] = value === undefined ? initial?.(origin as Origin<never>, values) : value;
    return [name, values[name]] as const;
  });
  // `as`: the kind's fields determine both the entries and the type.
  return Object.fromEntries(entries) as RecordOf<K>;
}

/** Copies arrays and plain objects, because the caller may change them. */
function copyData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return plain ? structuredClone(value) : value;
}

/** Converts a record to the data of a world file. */
export function exportRecord<K extends Kind>(kind: K, record: RecordOf<K>): DataOf<K> {
  const values = new Map(Object.entries(record));
  const entries = Object.entries(kind.fields).flatMap(([name, { check, encode }]) =>
    check ? [[name, encode(values.get(name))] as const] : [],
  );
  // `as`: the kind's fields determine both the entries and the type.
  return Object.fromEntries(entries) as DataOf<K>;
}

/** State of an import from a world file. */
export interface Import {
  /** Creates the {@link Origin} of a record. */
  origin<Parent>(kind: Kind, parent: Parent, createdAt: string | undefined): Origin<Parent>;
  /**
   * Identifying values of the imported records, by kind. Use a new map for records that must be
   * unique only within their parent.
   */
  readonly seen: Map<Kind, Set<string>>;
}

/** Converts a record's data to values for {@link createRecord}. Omits contained records. */
export function decodeRecord<K extends Kind>(kind: K, data: DataOf<K>): Loose<RecordOf<K>> {
  const entries = Object.entries(data).flatMap(([name, value]) => {
    const found = kind.fields[name];
    return found?.check && !found.of && value !== undefined
      ? [[name, found.decode(value)] as const]
      : [];
  });
  // `as`: the kind's fields determine both the entries and the type.
  return Object.fromEntries(entries) as Loose<RecordOf<K>>;
}

/**
 * Imports a record and its contained records.
 * @param where path of the data, for error messages.
 * @throws {Error} if a record's identifying value isn't unique.
 */
export function importRecord<K extends Kind>(
  kind: K,
  data: DataOf<K>,
  parent: ParentOf<K>,
  where: string,
  how: Import,
): RecordOf<K> {
  const { createdAt }: { readonly createdAt?: string } = data;
  const origin = how.origin(kind, parent, createdAt);
  const made = createRecord(kind, origin, decodeRecord(kind, data));
  checkIdentity(kind, made, where, how);
  // A record without an ID is only a part of its parent, so its children belong to that parent.
  importChildren(kind, made, data, where, how, 'id' in kind.fields ? made : parent);
  return made;
}

/**
 * Imports the records that a record contains.
 * @param parent record that the defaults of the contained records depend on.
 * @throws {Error} if a record's identifying value isn't unique.
 */
export function importChildren<K extends Kind>(
  kind: K,
  record: RecordOf<K>,
  data: DataOf<K>,
  where: string,
  how: Import,
  parent: object = record,
): void {
  const lists = new Map<string, unknown>(Object.entries(record));
  const all = new Map<string, unknown>(Object.entries(data));
  for (const [name, { of }] of Object.entries(kind.fields)) {
    const [list, found] = [lists.get(name), all.get(name)];
    if (!of || typeof found !== 'object' || found === null) continue;
    // `as`: the kind's check accepted the data.
    const load = (each: unknown, place: string) =>
      importRecord(of, each as DataOf<Kind>, parent as never, place, how);
    if (!Array.isArray(list)) {
      Object.assign(record, { [name]: load(found, `${where}.${name}`) });
      continue;
    }
    for (const [index, each] of Object.values(found).entries()) {
      list.push(load(each, `${where}.${name}[${index}]`));
    }
  }
}

/**
 * Checks that a record's identifying values are unique.
 * @throws {Error} if a value isn't unique.
 */
export function checkIdentity(kind: Kind, record: object, where: string, { seen }: Import): void {
  const taken = seen.get(kind) ?? new Set();
  seen.set(kind, taken);
  for (const [name, value] of Object.entries(record)) {
    if (!kind.unique.includes(name)) continue;
    if (taken.has(`${name} ${value}`))
      throw new Error(`${where}.${name}: must be unique (got ${value} twice)`);
    taken.add(`${name} ${value}`);
  }
}

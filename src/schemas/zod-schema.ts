import * as z from 'zod';
import { definition } from '../schema/check.js';
import { type Model, type Open, ref } from '../schema/model.js';

/** Schemas of the declared attributes of `T`. Attributes that may be absent are optional. */
export type ShapeOf<T> = {
  readonly [K in keyof T as string extends K
    ? never
    : number extends K
      ? never
      : K]-?: object extends Pick<T, K>
    ? z.ZodOptional<z.ZodType<Exclude<T[K], undefined>, Exclude<T[K], undefined>>>
    : z.ZodType<T[K], T[K]>;
};

/**
 * Zod schema of an object. Like every `z.object`, it removes undeclared attributes when parsing. To
 * keep them, use `.loose()`. Schemas of models that allow unknown attributes are already loose.
 */
export type ObjectSchema<T> = z.ZodObject<
  ShapeOf<T>,
  Open<T> extends true ? z.core.$loose : z.core.$strip
>;

const made = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Adds zod's schema methods, because models use `zod/mini` schemas, which don't have these methods.
 */
function withMethods(schema: z.core.$ZodType): z.ZodType {
  const known = made.get(schema);
  if (known) return known;
  const result = convert(schema);
  made.set(schema, result);
  return result;
}

function convert(schema: z.core.$ZodType): z.ZodType {
  const def = definition(schema);
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, withMethods(field)]);
      const catchall = def.catchall && withMethods(def.catchall);
      return new z.ZodObject({ ...def, shape: Object.fromEntries(fields), catchall });
    }
    case 'array':
      return new z.ZodArray({ ...def, element: withMethods(def.element) });
    case 'record':
      return new z.ZodRecord({ ...def, valueType: withMethods(def.valueType) });
    case 'tuple':
      return new z.ZodTuple({ ...def, items: def.items.map(withMethods) });
    case 'union': {
      const options = def.options.map(withMethods);
      return 'discriminator' in def
        ? new z.ZodDiscriminatedUnion({
            ...def,
            options,
            discriminator: String(def.discriminator),
          })
        : new z.ZodUnion({ ...def, options });
    }
    case 'optional':
      return new z.ZodOptional({ ...def, innerType: withMethods(def.innerType) });
    case 'nullable':
      return new z.ZodNullable({ ...def, innerType: withMethods(def.innerType) });
    case 'number':
      return 'format' in def ? z.int() : new z.ZodNumber(def);
    case 'string':
      return new z.ZodString(def);
    case 'boolean':
      return new z.ZodBoolean(def);
    case 'literal':
      return new z.ZodLiteral(def);
    case 'null':
      return new z.ZodNull(def);
    case 'unknown':
      return new z.ZodUnknown(def);
    default:
      throw new TypeError(`schemas of type ${def.type} are not supported`);
  }
}

/** Returns an object model's zod schema. */
export function toObjectSchema<T extends object>(model: Model<T>): ObjectSchema<T> {
  // `as`: the compiler checks that an object model declares all fields of T, including optional
  // fields.
  return withMethods(ref(model)) as unknown as ObjectSchema<T>;
}

/** Returns the zod schema of a model whose type is a union or isn't an object. */
export function toZodSchema<T>(model: Model<T>): z.ZodType<T, T> {
  // `as`: the result of `withMethods` accepts the same values.
  return withMethods(ref(model)) as z.ZodType<T, T>;
}

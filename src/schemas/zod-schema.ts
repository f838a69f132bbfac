import * as z from 'zod';
import * as engine from '../schema/engine.js';
import { type Model, type Open, ref } from '../schema/model.js';
import { use } from '../schema/zod.js';

/** The declared attributes of `T`, each with a schema of its type: optional where it may be absent. */
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
 * The zod schema of an object. Like every `z.object` it drops attributes that are not declared from
 * what it parses; `.loose()` keeps them, as those schemas do whose attributes are not all known.
 */
export type ObjectSchema<T> = z.ZodObject<
  ShapeOf<T>,
  Open<T> extends true ? z.core.$loose : z.core.$strip
>;

function built<T>(model: Model<T>) {
  use(engine);
  return ref(model);
}

/** The zod schema behind the model of an object. */
export function objectOf<T extends object>(model: Model<T>): ObjectSchema<T> {
  const schema = built(model);
  if (!(schema instanceof z.ZodObject))
    throw new TypeError(`${model.name} is no model of an object`);
  // `as`: the compiler holds the fields of every such model equal to those of T, optional ones too.
  return schema as z.ZodObject as unknown as ObjectSchema<T>;
}

/** The zod schema behind any other model: one of several shapes, or a bare value. */
export function schemaOf<T>(model: Model<T>): z.ZodType<T, T> {
  // `as`: models are made of zod's own classes; the smaller type is what keeps zod out of our types.
  return built(model) as z.ZodType<T, T>;
}

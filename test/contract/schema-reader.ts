import * as z from 'zod';
import { type Model, ref } from '../../src/schema/model.js';

/** A schema without its optional and nullable wrappers. */
export interface Unwrapped {
  readonly schema: z.core.$ZodType;
  readonly optional: boolean;
  readonly nullable: boolean;
}

/** Removes a schema's optional and nullable wrappers. */
export function unwrap(schema: z.core.$ZodType): Unwrapped {
  if (schema instanceof z.core.$ZodOptional) {
    return { ...unwrap(schema._zod.def.innerType), optional: true };
  }
  if (schema instanceof z.core.$ZodNullable) {
    return { ...unwrap(schema._zod.def.innerType), nullable: true };
  }
  return { schema, optional: false, nullable: false };
}

/** Returns a schema's object schemas: the schema itself, or the members of a union. */
export function objectsOf(schema: z.core.$ZodType): z.core.$ZodObject[] {
  const inner = unwrap(schema).schema;
  if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.flatMap(objectsOf);
  return inner instanceof z.core.$ZodObject ? [inner] : [];
}

/** Returns all schemas within a model, including the model itself, with their paths. */
export function everySchema(model: Model<unknown>): { path: string; schema: z.core.$ZodType }[] {
  return walk(ref(model), model.name);
}

function walk(schema: z.core.$ZodType, path: string): { path: string; schema: z.core.$ZodType }[] {
  return [
    { path, schema },
    ...inside(schema).flatMap(([name, inner]) => walk(inner, `${path}.${name}`)),
  ];
}

function inside(schema: z.core.$ZodType): [name: string, schema: z.core.$ZodType][] {
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable) {
    return [['?', schema._zod.def.innerType]];
  }
  if (schema instanceof z.core.$ZodObject) return Object.entries(schema._zod.def.shape);
  if (schema instanceof z.core.$ZodArray) return [['[]', schema._zod.def.element]];
  if (schema instanceof z.core.$ZodRecord) return [['[]', schema._zod.def.valueType]];
  if (schema instanceof z.core.$ZodTuple) {
    return schema._zod.def.items.map((item, index) => [String(index), item]);
  }
  if (schema instanceof z.core.$ZodUnion) {
    return schema._zod.def.options.map((option, index) => [`|${index}`, option]);
  }
  return [];
}

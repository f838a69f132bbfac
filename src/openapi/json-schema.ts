import { isModel } from '../schema/model.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { getMember } from '../schema/unknown-values.js';
import type { ResponseSpec } from '../transport/request/endpoint.js';
import type { JsonSchema } from '../transport/request/input.js';

/** Returns a reference to a schema of the document. */
export function refer(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Describes a response whose data is `bare`, in all forms: without an envelope, in each envelope,
 * and as a failure.
 */
export function describeForms(
  bare: JsonSchema,
  { envelope = [], failure }: ResponseSpec<unknown>,
): JsonSchema {
  const wrapped = envelope.map((name) => {
    const allOf = failure && [refer('Outcome')];
    return { allOf, properties: { [name]: bare }, required: [name] };
  });
  // The support API reports failures with status 200.
  const forms = [...wrapped, bare, ...(failure ? [refer('Failure')] : [])];
  return forms.length > 1 ? { anyOf: forms } : bare;
}

/**
 * Adds a schema to `schemas` under a name, and returns a reference to it. If the schema doesn't
 * implement Standard JSON Schema or can't be converted, returns a schema that allows any JSON.
 */
export function addSchema(
  schemas: Record<string, unknown>,
  name: string,
  schema: StandardSchema | undefined,
): JsonSchema {
  if (isModel(schema)) return schema.name in schemas ? refer(schema.name) : {};
  const converters = getMember(schema?.['~standard'], 'jsonSchema');
  const convert = getMember(converters, 'input');
  if (typeof convert !== 'function') return {};
  // Makes zod allow any value for a part without a JSON Schema, such as `z.date()`.
  const libraryOptions = { unrepresentable: 'any' };
  try {
    const options = { target: 'draft-2020-12', libraryOptions };
    const { $schema: _dialect, ...json } = Reflect.apply(convert, converters, [options]);
    const text = JSON.stringify(json);
    // References such as `#/$defs/Node` start at the schema, which is not the document's root.
    schemas[name] = JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"${refer(name).$ref}`));
    return refer(name);
  } catch {
    return {};
  }
}

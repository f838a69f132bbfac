import ts from 'typescript';
import * as z from 'zod';
import { isModel, type Model, ref } from '../../src/schema/model.js';
import type { ResponseSpec } from '../../src/transport/request/endpoint.js';
import type { JsonSchema } from '../../src/transport/request/input.js';
import { readDocs } from '../docs/source-docs.js';

const place = '#/components/schemas/';

/** Descriptions of the interfaces in the sources: of each one under its name, and of its fields. */
export function interfaceDocs(program: ts.Program): ReadonlyMap<string, string> {
  const checker = program.getTypeChecker();
  const found = new Map<string, string>();
  for (const file of program.getSourceFiles()) {
    if (!/\/src\/(?:\w+\/(?:models|oauth)|webhooks)\//.test(file.fileName)) continue;
    for (const node of file.statements.filter(ts.isInterfaceDeclaration)) {
      const type = checker.getTypeAtLocation(node);
      const name = node.name.text;
      if (type.symbol) found.set(name, readDocs(checker, type.symbol).text);
      for (const field of type.getProperties()) {
        found.set(`${name}.${field.name}`, readDocs(checker, field).text);
      }
    }
  }
  return found;
}

/** JSON Schemas of models, each under its name. */
export class Schemas {
  readonly #registry = z.registry<{ id: string }>();
  readonly #names = new Set<string>();

  /** @param models All models that may be nested in others. */
  constructor(models: Iterable<unknown>) {
    for (const each of models) if (isModel(each)) this.#add(each);
  }

  /** Returns the schema of a response's JSON, which refers to the models. */
  describe({ schema, envelope = [], unwrap }: ResponseSpec<unknown>): JsonSchema {
    if (!isModel(schema)) return {};
    const [, listed] = /^a page of (\w+)$/.exec(schema.name) ?? [];
    const outcome = { success: { type: 'boolean' }, statusMessage: { type: 'string' } };
    if (listed !== undefined) {
      const items = { type: 'array', items: this.#reference(listed) };
      const total = { type: 'integer', description: 'Number of records on all pages.' };
      return { type: 'object', properties: { ...outcome, total, items } };
    }
    const bare = schema.name.endsWith('[]')
      ? { type: 'array', items: this.#reference(schema.name.slice(0, -2)) }
      : this.#add(schema);
    if (envelope.length === 0 || unwrap === undefined) return bare;
    const wrapped = envelope.map((name) => ({
      type: 'object',
      properties: { ...outcome, [name]: bare },
      required: [name],
    }));
    return { anyOf: [...wrapped, bare] };
  }

  /** Returns the components that a document refers to, with descriptions from the docstrings. */
  components(document: unknown, docs: ReadonlyMap<string, string>): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      uri: (id) => place + id,
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        delete jsonSchema.$schema;
        delete jsonSchema.$id;
        // Linters require `items` of each array.
        if (jsonSchema.prefixItems) jsonSchema.items = {};
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    });
    const all: Readonly<Record<string, JsonSchema>> = schemas;
    const used: Record<string, JsonSchema> = {};
    const visit = (value: unknown) => {
      for (const [, name = ''] of JSON.stringify(value).matchAll(
        /#\/components\/schemas\/(\w+)/g,
      )) {
        const schema = all[name];
        if (schema === undefined || Object.hasOwn(used, name)) continue;
        used[name] = withDocs(name, schema, docs);
        visit(used[name]);
      }
    };
    visit(document);
    return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(model: Model<unknown>): JsonSchema {
    const name = model.name.replaceAll(/\W+/g, '');
    // `as`: the classes of zod and zod/mini share their core.
    const schema = ref(model) as z.ZodType;
    if (!model.name.endsWith('[]') && !this.#names.has(name)) {
      this.#names.add(name);
      this.#registry.add(schema, { id: name });
    }
    return this.#reference(name);
  }

  #reference(name: string): JsonSchema {
    return { $ref: place + name };
  }
}

function withDocs(name: string, schema: JsonSchema, docs: ReadonlyMap<string, string>): JsonSchema {
  const { $schema, $id, id, properties, ...others } = schema;
  const described = Object.entries(Object(properties)).map(([field, value]) => {
    const description = docs.get(`${name}.${field}`);
    return [field, description ? { ...Object(value), description } : value];
  });
  const description = docs.get(name);
  return {
    ...(description && { description }),
    ...others,
    ...(described.length > 0 && { properties: Object.fromEntries(described) }),
  };
}

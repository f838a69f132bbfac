import ts from 'typescript';
import * as z from 'zod';
import { describeForms, refer } from '../../src/openapi/json-schema.js';
import { isModel, type Model, ref } from '../../src/schema/model.js';
import type { ResponseSpec } from '../../src/transport/request/endpoint.js';
import type { JsonSchema } from '../../src/transport/request/input.js';
import { readDocs } from '../docs/source-docs.js';

/** Returns the docstrings of interfaces and their fields, by name. */
export function interfaceDocs(program: ts.Program): ReadonlyMap<string, string | undefined> {
  const checker = program.getTypeChecker();
  const found = new Map<string, string | undefined>();
  for (const file of program.getSourceFiles()) {
    if (!/\/src\/(?:\w+\/(?:models|oauth)|webhooks)\//.test(file.fileName)) continue;
    for (const node of file.statements.filter(ts.isInterfaceDeclaration)) {
      const type = checker.getTypeAtLocation(node);
      for (const symbol of [type.symbol, ...type.getProperties()]) {
        const field = symbol === type.symbol ? '' : `.${symbol.name}`;
        const { text } = readDocs(checker, symbol);
        found.set(`${node.name.text}${field}`, text || undefined);
      }
    }
  }
  return found;
}

/** Collects the JSON Schemas of the models. */
export class Schemas {
  readonly #registry = z.registry<{ id: string }>();

  /** @param models Models that other models can contain. */
  constructor(models: Iterable<unknown>) {
    for (const each of models) if (isModel(each)) this.#refer(each);
  }

  /** Returns the schema for a response's JSON, with references to the models. */
  describe(response: ResponseSpec<unknown>): JsonSchema {
    const { schema } = response;
    if (!isModel(schema)) return {};
    return describeForms(this.#refer(schema), response);
  }

  /** Returns the schemas of the models, with descriptions from the docstrings. */
  list(docs: ReadonlyMap<string, string | undefined>): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      uri: (id) => refer(id).$ref,
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // Linters require `items` for each array.
        if (jsonSchema.prefixItems) jsonSchema.items = {};
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    });
    const described = Object.entries(schemas).map(([name, { $schema, $id, id, ...schema }]) => {
      for (const [field, value] of Object.entries(schema.properties ?? {})) {
        Object.assign(value, { description: docs.get(`${name}.${field}`) });
      }
      return [name, { description: docs.get(name), ...schema }] as const;
    });
    return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(model: Model<unknown>): JsonSchema {
    const id = model.name.replaceAll(/^a page of |\W+/g, '');
    // The name of a list's model contains the name of the items' model.
    if (/^a page of |\[\]$/.test(model.name)) return { type: 'array', items: refer(id) };
    // `as`: the classes in zod and zod/mini have a common core.
    const schema = ref(model) as z.ZodType;
    if (!this.#registry.has(schema)) this.#registry.add(schema, { id });
    return refer(id);
  }
}

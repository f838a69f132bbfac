import { createRequire } from 'node:module';
import type { ConsoleClient } from '../console/client.js';
import { ConfigurationError } from '../errors/index.js';
import type { HostingClient } from '../hosting/client.js';
import { isModel } from '../schema/model.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { describeKind, getMember } from '../schema/unknown-values.js';
import type { SupportClient } from '../support/client.js';
import { readParts } from '../transport/base-client.js';
import { addOperation, type Paths, refer } from './operation.js';

/** The parts of `openapi/<api>.json` that `describe` reads. */
interface BaseDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Paths;
  readonly components: Readonly<Record<'headers' | 'schemas', Record<string, unknown>>>;
}

/**
 * Returns an OpenAPI 3.1 document for a client: its base URL, its built-in endpoints, and the
 * endpoints that `extend` added. An added endpoint replaces a built-in one with the same method and
 * path. Schemas that can't be converted to JSON Schema allow any JSON.
 * @throws {ConfigurationError} if the value isn't a client.
 * @example const document = describe(hosting.extend({ issues }));
 */
export function describe(
  client: HostingClient | SupportClient | ConsoleClient,
): Record<string, unknown> {
  const parts = readParts(client);
  if (!parts) {
    throw new ConfigurationError(
      `describe: client: must be a HostingClient, SupportClient or ConsoleClient (got ${describeKind(client)}). Load triforge and triforge/openapi in the same way: both with import, or both with require.`,
      { option: 'client' },
    );
  }
  const { added, family, api } = parts;
  const { settings } = api.transport;
  const load = createRequire(import.meta.url);
  const text = JSON.stringify(load(`triforge/openapi/${family.name}.json`));
  const document: BaseDocument = JSON.parse(
    text.replaceAll(/\b(vnd\.|X-)service\b/gi, `$1${settings.media.vendor}`),
  );
  const { schemas } = document.components;
  const headers = Object.keys(document.components.headers);
  // The path items start empty, so added endpoints replace built-in ones instead of being merged
  // with them.
  const paths: Paths = Object.fromEntries(Object.keys(document.paths).map((path) => [path, {}]));
  for (const { group, endpoint, paginate, schema } of added) {
    // Endpoints with the same schema share a component, which is named after the first of these
    // endpoints.
    const first = added.find((each) => each.schema === schema)?.endpoint ?? endpoint;
    const item = addSchema(schemas, first.operation, schema);
    const describeData = () => (paginate ? { type: 'array', items: item } : item);
    const method = { tag: group, endpoint, statuses: ['2XX', 404], headers, describeData } as const;
    addOperation(paths, { ...settings, api: family.name, ...method });
  }
  for (const [path, item] of Object.entries(paths)) {
    paths[path] = { ...document.paths[path], ...item };
  }
  const names = [...document.tags.map(({ name }) => name), ...added.map(({ group }) => group)];
  const tags = [...new Set(names)].map((name) => ({ name }));
  const servers = [{ url: settings.base.origin + settings.base.prefix }];
  // A JSON round trip removes undefined properties.
  return JSON.parse(JSON.stringify({ ...document, servers, tags, paths }));
}

/**
 * Adds a schema to `schemas` under a name and returns a reference to it. If the schema doesn't
 * implement Standard JSON Schema or can't be converted, returns a schema that allows any JSON.
 */
function addSchema(schemas: Record<string, unknown>, name: string, schema?: StandardSchema) {
  if (isModel(schema)) return schema.name in schemas ? refer(schema.name) : {};
  const converters = getMember(schema?.['~standard'], 'jsonSchema');
  const convert = getMember(converters, 'input');
  if (typeof convert !== 'function') return {};
  // `unrepresentable` makes zod allow any value for a part without a JSON Schema, such as `z.date()`.
  const options = { target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } };
  try {
    const { $schema: _dialect, ...json } = Reflect.apply(convert, converters, [options]);
    const text = JSON.stringify(json);
    // References such as `#/$defs/Node` start at the schema, which is not the document's root.
    schemas[name] = JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"${refer(name).$ref}`));
    return refer(name);
  } catch {
    return {};
  }
}

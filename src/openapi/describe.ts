import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ConsoleClient } from '../console/client.js';
import { ConfigurationError } from '../errors/index.js';
import type { HostingClient } from '../hosting/client.js';
import { describeKind } from '../schema/unknown-values.js';
import type { SupportClient } from '../support/client.js';
import { readParts } from '../transport/base-client.js';
import type { ResponseSpec } from '../transport/request/endpoint.js';
import { addSchema, describeForms } from './json-schema.js';
import { addOperation, type Paths } from './operation.js';

/** The parts of `openapi/<api>.json` that `describe` reads. */
interface BaseDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Paths;
  readonly components: Readonly<Record<'headers' | 'schemas', Record<string, unknown>>>;
}

/**
 * Returns an OpenAPI 3.1 document of a client: its base URL, its built-in endpoints, and the
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
  const { resolve } = createRequire(import.meta.url);
  const file = readFileSync(resolve(`triforge/openapi/${family.name}.json`), 'utf8');
  const document: BaseDocument = JSON.parse(
    file.replaceAll(/\b(vnd\.|X-)service\b/gi, `$1${settings.media.vendor}`),
  );
  const { schemas } = document.components;
  const headers = Object.keys(document.components.headers);
  // The path items start empty, so added endpoints replace built-in ones instead of being merged
  // with them.
  const paths: Paths = Object.fromEntries(Object.keys(document.paths).map((path) => [path, {}]));
  for (const { endpoint, paginate, schema } of added) {
    const { operation } = endpoint;
    // Endpoints with the same schema refer to the same description.
    const first = added.find((each) => each.schema === schema)?.endpoint ?? endpoint;
    const item = addSchema(schemas, first.operation, schema);
    const bare = paginate ? { type: 'array', items: item } : item;
    const describeJson = (spec: ResponseSpec<unknown>) => describeForms(bare, spec);
    const returns = paginate === 'link' ? 'Paginated' : 'Call';
    const docs = { text: '', tags: [], inputs: [], returns };
    const statuses = ['2XX', 404] as const;
    const method = { name: `${family.name}.${operation}`, endpoint, docs, statuses };
    addOperation(paths, method, { ...settings, headers, describeJson });
  }
  for (const [path, item] of Object.entries(paths)) {
    paths[path] = { ...document.paths[path], ...item };
  }
  const names = [...document.tags.map(({ name }) => name), ...added.map(({ group }) => group)];
  const tags = [...new Set(names)].map((name) => ({ name }));
  const servers = [{ url: settings.base.origin + settings.base.prefix }];
  const described = { ...document, servers, tags, paths };
  // A JSON round trip removes undefined properties.
  return JSON.parse(JSON.stringify(described));
}

import * as consoleModels from '../../src/console/models/index.js';
import * as hostingModels from '../../src/hosting/models/index.js';
import { addOperation, type Paths, tagName } from '../../src/openapi/operation.js';
import * as supportModels from '../../src/support/models/index.js';
import { buildMediaType } from '../../src/transport/http/media-type.js';
import type { ResponseSpec } from '../../src/transport/request/endpoint.js';
import type { JsonSchema } from '../../src/transport/request/input.js';
import { version } from '../../src/version.js';
import { hookEvents } from '../../src/webhooks/index.js';
import { payloadModel } from '../../src/webhooks/payloads.js';
import type { AnyEndpoint } from '../docs/client-methods.js';
import { listMethods } from '../docs/methods.js';
import { sourceProgram } from '../docs/source-docs.js';
import base from './base.json' with { type: 'json' };
import { interfaceDocs, Schemas } from './schemas.js';

const media = { vendor: 'service', version: 'v3' } as const;
const families = {
  hosting: { names: /^(?:hosting|oauth)\./, models: hostingModels },
  support: { names: /^support\./, models: supportModels },
  console: { names: /^appliance\./, models: consoleModels },
};

/** Returns the file contents of the three APIs' OpenAPI documents, by file name. */
export async function openApiDocuments(root: string): Promise<Record<string, string>> {
  const program = sourceProgram(root);
  const methods = await listMethods(root, program);
  const texts = interfaceDocs(program);
  const documents: Record<string, string> = {};
  for (const api of ['hosting', 'support', 'console'] as const) {
    const { names, models } = families[api];
    const { info, components, ...shared } = base[api];
    const own = methods.filter(({ name }) => names.test(name));
    const schemas = new Schemas(Object.values(models));
    const describeJson = (response: ResponseSpec<unknown>) => schemas.describe(response);
    const paths: Paths = {};
    const shown = new Set<string>();
    for (const { example, ...method } of own) {
      const isWeb = method.name.startsWith('oauth.');
      const headers = isWeb ? ['Location'] : Object.keys(components.headers);
      const accept = method.name.startsWith('hosting.')
        ? buildMediaType(media)
        : 'application/json';
      const described = { ...method, example: showOnce(example, shown) };
      for (const endpoint of listVariants(method.endpoint)) {
        if (isWeb) paths[endpoint.path] ??= base.web;
        addOperation(paths, { ...described, endpoint }, { media, accept, headers, describeJson });
      }
    }
    const document = {
      openapi: '3.1.0',
      info: { ...info, ...base.info, version },
      ...shared,
      tags: [...new Set(own.map(tagName))].map((name) => ({ name })),
      paths,
      ...(api === 'hosting' && { webhooks: describeWebhooks(schemas, texts) }),
      components: { ...components, schemas: { ...components.schemas, ...schemas.list(texts) } },
    };
    // Each operation and schema is on its own line.
    const text = JSON.stringify(document, undefined, 1).replaceAll(/\n {4,}|\n {3}(?=[}\]])/g, '');
    documents[api] = `${text.replaceAll(/(?<!\\)": /g, '":')}\n`;
  }
  return documents;
}

/** Returns an example. Returns undefined if it was already shown, alone or as a list item. */
function showOnce(example: unknown, shown: Set<string>): unknown {
  const text = JSON.stringify(Array.isArray(example) ? example[0] : example) ?? '';
  const isNew = !shown.has(text);
  shown.add(text);
  return isNew ? example : undefined;
}

/** Returns an endpoint. If its last path variable is optional, also returns a variant without the variable. */
function listVariants(endpoint: AnyEndpoint): AnyEndpoint[] {
  const { input, operation, path } = endpoint;
  const [variable = '', last = ''] = /\{\/(\w+)\*\}$/.exec(path) ?? [];
  if (new Map(Object.entries(input)).get(last)?.required !== false) return [endpoint];
  const root = path.slice(0, -variable.length);
  return [endpoint, { ...endpoint, operation: `${operation}Root`, path: root, unsent: [last] }];
}

function describeWebhooks(
  schemas: Schemas,
  texts: ReadonlyMap<string, string | undefined>,
): JsonSchema {
  const events = hookEvents.filter((event) => event !== '*');
  const describeEvent = (event: string) => {
    const schema = schemas.describe({ kind: 'json', schema: payloadModel(event) });
    return {
      operationId: `webhooks.${event}`,
      summary: texts.get(`EventPayloads.${event}`),
      ...base.delivery,
      requestBody: { content: { 'application/json': { schema } } },
    };
  };
  return Object.fromEntries(events.map((event) => [event, { post: describeEvent(event) }]));
}

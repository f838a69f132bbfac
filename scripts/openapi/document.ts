import * as consoleModels from '../../src/console/models/index.js';
import * as hostingModels from '../../src/hosting/models/index.js';
import * as supportModels from '../../src/support/models/index.js';
import type { JsonSchema } from '../../src/transport/request/input.js';
import { version } from '../../src/version.js';
import { hookEvents } from '../../src/webhooks/index.js';
import { payloadModel } from '../../src/webhooks/payloads.js';
import { clientMethods } from '../docs/client-methods.js';
import { triedStatuses } from '../docs/endpoint-list.js';
import { methodDocs, sourceProgram } from '../docs/source-docs.js';
import base from './base.json' with { type: 'json' };
import { builtByCode, statuses as otherStatuses, wireResponses } from './endpoints.js';
import { exampleReader } from './examples.js';
import { type Described, describeOperation, tagName } from './operation.js';
import { interfaceDocs, Schemas } from './schemas.js';

const clients = { hosting: /^(?:hosting|oauth)\./, support: /^support\./, console: /^appliance\./ };

/** Returns the OpenAPI documents of the three APIs: the text of each file, by name. */
export async function openApiDocuments(root: string): Promise<Record<string, string>> {
  const program = sourceProgram(root);
  const docs = methodDocs(program);
  const tried = await triedStatuses(root);
  const descriptions = interfaceDocs(program);
  const readExample = exampleReader();
  const documents: Record<string, string> = {};
  for (const api of ['hosting', 'support', 'console'] as const) {
    const methods: Described[] = [];
    for (const { name, className, method, endpoint = builtByCode[name] } of clientMethods()) {
      const own = docs.get(`${className}.${method}`);
      if (own?.http === undefined || !endpoint || !clients[api].test(name)) continue;
      const kind = wireResponses(name, endpoint)[0]?.[1].kind;
      const known = new Set(
        otherStatuses[name] ?? tried.get(name.replace('hosting.', '')) ?? [200],
      );
      const statuses = [...known]
        .filter((status) => status < 400 || kind === 'membership')
        .sort((a, b) => a - b);
      const example = await readExample(api, endpoint);
      methods.push({ name, endpoint, docs: own, statuses, example });
    }
    documents[api] = `${format(describeApi(api, methods, descriptions))}\n`;
  }
  return documents;
}

function describeApi(
  api: keyof typeof base,
  methods: readonly Described[],
  descriptions: ReadonlyMap<string, string>,
): JsonSchema {
  const models = [hostingModels, supportModels, consoleModels].flatMap(Object.values);
  const shared = { schemas: new Schemas(models), parameters: {} };
  const paths: Record<string, Record<string, unknown>> = {};
  const templates = new Map<string, string>();
  const origin = { url: 'https://{host}', variables: base.hosting.servers[0]?.variables };
  for (const method of methods) {
    const { endpoint, name } = method;
    const verb = endpoint.method.toLowerCase();
    const [own = '', root] = listPaths(endpoint.path, endpoint.input);
    const template = sharedTemplate(own, templates);
    const rename = new Map(
      listVariables(own).map((each, i) => [each, listVariables(template)[i] ?? each]),
    );
    const path = paths[template] ?? (name.startsWith('oauth.') ? { servers: [origin] } : {});
    const operation = describeOperation(method, rename, shared);
    paths[template] = { ...path, [verb]: verb in path ? merge(path[verb], operation) : operation };
    if (root === undefined || paths[root]?.[verb]) continue;
    const withoutPath = describeOperation(
      { ...method, endpoint: { ...endpoint, path: root } },
      rename,
      shared,
    );
    paths[root] = {
      ...paths[root],
      [verb]: { ...withoutPath, operationId: `${endpoint.operation}Root` },
    };
  }
  const webhooks = api === 'hosting' && describeWebhooks(shared.schemas, descriptions);
  const { info, servers, security, components } = base[api];
  const description = `Generated from the endpoint declarations of triforge ${version}.`;
  const license = { name: 'MIT', identifier: 'MIT' };
  return {
    openapi: '3.1.0',
    info: { ...info, version, description, license },
    servers,
    security,
    tags: [...new Set(methods.map(({ name }) => tagName(name)))].map((name) => ({ name })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      ...components,
      parameters: {
        ...shared.parameters,
        ...('parameters' in components && components.parameters),
      },
      schemas: shared.schemas.components({ paths, webhooks }, descriptions),
    },
  };
}

/** Returns the path of an endpoint, and the path without a variable that may be absent. */
function listPaths(path: string, input: Readonly<Record<string, { required: boolean }>>): string[] {
  const last = /\{\/(\w+)\*\}$/.exec(path);
  const isOptional = last?.[1] !== undefined && input[last[1]]?.required === false;
  const template = path.replaceAll(/\{\/(\w+)\*\}/g, '/{$1}');
  return isOptional ? [template, path.slice(0, last.index)] : [template];
}

function listVariables(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Returns the first template that differs only in the names of its variables. */
function sharedTemplate(template: string, templates: Map<string, string>): string {
  const key = template.replaceAll(/\{\w+\}/g, '{}');
  const first = templates.get(key) ?? template;
  templates.set(key, first);
  return first;
}

/** Joins two operations that share method and path, such as two forms of one response. */
function merge(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || Array.isArray(one) || one === null) return one ?? other;
  const others = new Map(Object.entries(Object(other)));
  const joined = Object.entries(one).map(([key, value]) => [key, merge(value, others.get(key))]);
  return { ...Object(other), ...Object.fromEntries(joined) };
}

function describeWebhooks(schemas: Schemas, descriptions: ReadonlyMap<string, string>): JsonSchema {
  const parameters = Object.keys(base.hosting.components.parameters).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  const describeEvent = (event: string) => {
    const schema = schemas.describe({ kind: 'json', schema: payloadModel(event) });
    return {
      operationId: `webhooks.${event}`,
      summary: descriptions.get(`EventPayloads.${event}`),
      parameters,
      requestBody: { content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'The delivery was received.' } },
    };
  };
  const events = hookEvents.filter((event) => event !== '*');
  return Object.fromEntries(events.map((event) => [event, { post: describeEvent(event) }]));
}

/** Formats a document with one line for each operation and schema. */
function format(value: unknown, depth = 3): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${format(member, depth - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import * as consoleModels from '../../src/console/models/index.js';
import * as hostingModels from '../../src/hosting/models/index.js';
import { isModel, knownWords, ref } from '../../src/schema/model.js';
import * as supportModels from '../../src/support/models/index.js';
import type { Rule } from '../../src/transport/request/input.js';
import { version } from '../../src/version.js';
import { payloadModel } from '../../src/webhooks/delivery.js';
import type { DocumentedMethod } from '../docs/methods.js';
import type { Types } from '../docs/source-docs.js';
import { addOperation, type Paths, refer, referModel } from './operation.js';

const media = { vendor: 'service', version: 'v3' } as const;
const Part = z.record(z.string(), z.unknown());
const Api = z.looseObject({
  clients: z.array(z.string()),
  accept: z.string(),
  info: Part,
  paths: z.optional(z.record(z.string(), Part)),
  components: z.record(z.string(), Part),
});
const Base = z.object({ hosting: Api, support: Api, console: Api, info: Part, delivery: Part });
const base = Base.parse(parse(readFileSync(new URL('base.yaml', import.meta.url), 'utf8')));

const models = { hosting: hostingModels, support: supportModels, console: consoleModels };

/** Returns the texts of the three APIs' OpenAPI documents, by path. */
export function openApiDocuments(methods: readonly DocumentedMethod[], docs: Types) {
  const documents = new Map<string, string>();
  for (const api of ['hosting', 'support', 'console'] as const) {
    const { info, clients, accept, paths: webPaths, components, ...shared } = base[api];
    const used = new Set<unknown>(Object.values(models[api]));
    const describeData = (schema: unknown) => {
      used.add(schema);
      return referModel(schema);
    };
    const all = methods.filter(({ name }) => clients.includes(name.replace(/\..*/, '')));
    const own = all.map(addTexts);
    const paths: Paths = { ...webPaths };
    for (const method of own) {
      const headers = method.tag === 'oauth' ? ['Location'] : Object.keys(components.headers ?? {});
      addOperation(paths, { api, media, accept, headers, describeData, ...method });
    }
    const payloads = api === 'hosting' ? docs.get('EventPayloads')?.fields : undefined;
    const webhooks = payloads?.map(({ name, text: summary }) => {
      const operationId = `webhooks.${name}`;
      const schema = describeData(payloadModel(name));
      const requestBody = { content: { 'application/json': { schema } } };
      return [name, { post: { operationId, summary, ...base.delivery, requestBody } }];
    });
    const schemas = { ...components.schemas, ...describeModels(used, docs) };
    const document = {
      openapi: '3.1.0',
      info: { ...info, ...base.info, version },
      ...shared,
      tags: [...new Set(own.map(({ tag }) => tag))].map((name) => ({ name })),
      paths,
      webhooks: webhooks && Object.fromEntries(webhooks),
      components: { ...components, schemas },
    };
    // Puts each operation and schema on its own line.
    const text = JSON.stringify(document, undefined, 1).replaceAll(/\n {4,}|\n {3}(?=[}\]])/g, '');
    documents.set(`openapi/${api}.json`, `${text.replaceAll(/(?<!\\)": /g, '":')}\n`);
  }
  return documents;
}

/** Adds the method's docstring to the operation and its fields. */
function addTexts({ name, docs, endpoint, statuses, example }: DocumentedMethod) {
  const [summary = ''] = docs.text.split(/(?<=\.) /, 1);
  const remarks = docs.tags.filter((tag) => tag.name === 'remarks').map(({ text }) => text);
  const description = [docs.text.slice(summary.length), ...remarks].join(' ').trim() || undefined;
  const deprecated = docs.tags.some((tag) => tag.name === 'deprecated') || undefined;
  const fields = Object.entries<Rule>(endpoint.fields ?? endpoint.input).map(([field, rule]) => {
    const { text } = docs.inputs.find((each) => each.name === field) ?? {};
    return [field, { ...rule, schema: { ...rule.schema, description: text || undefined } }];
  });
  return {
    // For example, the tag is `pulls` for `hosting.pulls.list`, and `support` for `support.me`.
    tag: name.split('.').at(-2) ?? name,
    statuses,
    example,
    endpoint: { ...endpoint, fields: Object.fromEntries(fields) },
    texts: { summary, description, deprecated },
  };
}

/** Returns the JSON Schemas of the models, with descriptions from the docstrings. */
function describeModels(models: Iterable<unknown>, docs: Types) {
  const registry = z.registry<{ id: string; description: string | undefined }>();
  for (const model of models) {
    if (!isModel(model) || !('$ref' in referModel(model))) continue;
    const description = docs.get(model.name)?.text || undefined;
    // `as`: the classes in zod and zod/mini have a common core.
    registry.add(ref(model) as z.ZodType, { id: model.name, description });
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => refer(id).$ref,
    io: 'input',
    unrepresentable: 'any',
    metadata: registry,
    override: ({ jsonSchema, zodSchema }) => {
      const words = knownWords.get(zodSchema);
      if (words) {
        delete jsonSchema.type;
        jsonSchema.anyOf = [{ type: 'string', enum: [...words] }, { type: 'string' }];
      }
      // Linters require `items` for each array.
      if (jsonSchema.prefixItems) jsonSchema.items = {};
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const described = Object.entries(schemas).map(([name, { $schema, $id, id, ...schema }]) => {
    for (const { name: field, text } of docs.get(name)?.fields ?? []) {
      if (text !== '') Object.assign(schema.properties?.[field] ?? {}, { description: text });
    }
    return [name, schema] as const;
  });
  return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { isModel } from '../../src/schema/model.js';
import { isRecord } from '../../src/schema/unknown-values.js';
import type { MediaContext } from '../../src/transport/http/media-type.js';
import { mediaTypes } from '../../src/transport/request/body.js';
import { type Endpoint, getDefaultRetry } from '../../src/transport/request/endpoint.js';
import type { JsonSchema, Rule } from '../../src/transport/request/input.js';

/** Method to describe, with the data that its description requires. */
export interface DescribedMethod {
  readonly media: MediaContext;
  /** Media type of responses whose endpoint doesn't set one. */
  readonly accept: string;
  readonly api: 'hosting' | 'support' | 'console';
  readonly tag: string;
  /** The method's endpoint. The schemas of its `fields` may contain descriptions. */
  readonly endpoint: Endpoint<never, unknown>;
  /** Statuses of the responses that aren't errors. */
  readonly statuses: readonly number[];
  /** Names of the response headers in the document. */
  readonly headers: readonly string[];
  readonly describeData: (schema: unknown) => JsonSchema;
  readonly example?: unknown;
  /** Texts for the operation, such as `description`. */
  readonly texts?: JsonSchema;
}

/** Operations by path and method. */
export type Paths = Record<string, JsonSchema>;

type Field = readonly [name: string, rule: Rule];

const bytes = { type: 'string', format: 'binary' };

export const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Returns a JSON Schema that refers to a model. A model of a list or page becomes an array that
 * refers to the items' model. Other schemas become a schema that allows any JSON.
 */
export function referModel(schema: unknown): JsonSchema {
  if (!isModel(schema)) return {};
  const item = schema.name.replaceAll(/^a page of |\[\]$/g, '');
  return item === schema.name ? refer(item) : { type: 'array', items: refer(item) };
}

export function addOperation(paths: Paths, method: DescribedMethod): void {
  const { endpoint } = method;
  const [root = '', last = ''] = endpoint.path.split(/\{\/(\w+)\*\}$/);
  if (endpoint.input[last]?.required === false) {
    const operation = `${endpoint.operation}Root`;
    const short = { ...endpoint, operation, path: root, unsent: [last] };
    addOperation(paths, { ...method, endpoint: short });
  }
  const template = endpoint.path.replaceAll(/\{\/([^}*]+)\*?\}/g, '/{$1}');
  // Paths that differ only in variable names are the same path.
  const shape = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}');
  const path = Object.keys(paths).find((each) => shape(each) === shape(template)) ?? template;
  const verb = endpoint.method.toLowerCase();
  const own = listVariables(template);
  const names = new Map(listVariables(path).map((name, index) => [own[index] ?? '', name]));
  const operation = describeOperation(method, names);
  paths[path] = { ...paths[path], [verb]: merge(paths[path]?.[verb], operation) };
}

function listVariables(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

/** Merges descriptions of the same operation. Different schemas become alternatives. */
function merge(one: unknown, other: unknown, name = ''): unknown {
  if (!isRecord(one) || !isRecord(other) || name === 'example') return one ?? other;
  if (name === 'schema') {
    const all = [one, other].flatMap((each) => (Array.isArray(each.anyOf) ? each.anyOf : [each]));
    const distinct = new Map(all.map((each) => [JSON.stringify(each), each]));
    return distinct.size > 1 ? { anyOf: [...distinct.values()] } : one;
  }
  const joined = Object.entries(one).map(([key, value]) => [key, merge(value, other[key], key)]);
  return { ...other, ...Object.fromEntries(joined) };
}

/**
 * Describes the request and the responses of a method. `JSON.stringify` removes undefined
 * properties from the result.
 * @param names the document's name for each of the endpoint's path variables.
 */
function describeOperation(method: DescribedMethod, names: ReadonlyMap<string, string>) {
  const { api, tag, endpoint, texts } = method;
  const { operation, auth, encoding, path, unsent = [] } = endpoint;
  const sent: Field[] = Object.entries(endpoint.fields ?? endpoint.input);
  const fields = sent.filter(([name]) => !unsent.includes(name));
  const isQuery = ['GET', 'HEAD'].includes(endpoint.method) || encoding === 'bytes';
  const inUrl = fields.filter(([name]) => isQuery || names.has(name));
  const inBody = fields.filter((field) => !inUrl.includes(field));
  const parameters = inUrl.map(([name, rule]) => {
    const renamed = names.get(name);
    const note = path.includes(`{/${name}*}`) ? 'It may contain slashes.' : undefined;
    const { description = note, ...schema } = rule.schema ?? {};
    const required = rule.required || undefined;
    return { name: renamed ?? name, in: renamed ? 'path' : 'query', required, description, schema };
  });
  // Form requests of the support API that don't specify `auth` send the session token as a field.
  const isForm = api === 'support' && encoding === 'form' && !auth;
  return {
    operationId: operation,
    tags: [tag],
    summary: operation,
    ...texts,
    security: isForm ? [{ session: [] }, {}] : auth === 'none' ? [] : auth && [{ [auth]: [] }],
    parameters,
    requestBody: describeBody(endpoint, inBody),
    responses: describeResponses(method),
    'x-retry': endpoint.retry ?? getDefaultRetry(endpoint.method),
  };
}

function describeBody(endpoint: DescribedMethod['endpoint'], fields: readonly Field[]) {
  const { encoding = 'json', serialize } = endpoint;
  const type = mediaTypes[encoding];
  if (encoding === 'bytes') return { required: true, content: { [type]: { schema: bytes } } };
  if (fields.length === 0) return undefined;
  // The support API sends dynamic attributes as separate fields.
  const named = fields.filter(([name]) => name !== 'attributes' || !serialize);
  const isOpen = named.length < fields.length;
  const required = named.filter(([, rule]) => rule.required).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, rule]) => [name, rule.schema ?? {}])),
    required,
    additionalProperties: isOpen || undefined,
  };
  // By default, OpenAPI repeats an array's field, but Prism requires an explicit `explode`.
  const lists = named.filter(([, rule]) => encoding === 'form' && rule.schema?.type === 'array');
  const repeated = lists.map(([name]) => [name, { style: 'form', explode: true }]);
  const styles = repeated.length > 0 ? Object.fromEntries(repeated) : undefined;
  const content = { [type]: { schema, encoding: styles } };
  return { required: required.length > 0, content };
}

function describeResponses(method: DescribedMethod): JsonSchema {
  const content = describeContent(method);
  const { method: verb, response, input } = method.endpoint;
  const canBeFalse = 'kind' in response && response.kind === 'exists';
  const responses = method.statuses.flatMap((code) => {
    if (code >= 400 && !canBeFalse) return [];
    const isSent: Record<string, boolean> = {
      ETag: verb === 'GET',
      Link: 'page' in input,
      Location: [201, 202, 302].includes(code),
    };
    const sent = method.headers.filter((name) => isSent[name] ?? true);
    const headers = sent.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    const description = code < 300 ? 'Success.' : code === 404 ? 'False.' : 'Redirect.';
    const body = code < 204 ? content : undefined;
    return [[code, { description, headers: Object.fromEntries(headers), content: body }]];
  });
  const error = { $ref: '#/components/responses/Error' };
  const isConditional = verb === 'GET' && method.headers.includes('ETag');
  return {
    ...Object.fromEntries(responses),
    304: isConditional ? { description: 'Not modified.' } : undefined,
    401: method.api === 'support' ? { description: 'Unauthorized, without a body.' } : undefined,
    // Several generators write range keys such as `4XX` as invalid TypeScript.
    default: error,
  };
}

/** Describes the body in each media type. Some media types and schemas depend on an input value. */
function describeContent({ endpoint, media, ...method }: DescribedMethod): unknown {
  const { response, accept, input } = endpoint;
  const choices = Object.entries(input).flatMap(([field, { schema = {}, required }]) => {
    const words: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    return [...(required ? [] : [undefined]), ...words].map((word) => ({ [field]: word }));
  });
  const contents = (choices.length > 0 ? choices : [{}]).map((choice): unknown => {
    // `as`: `response` and `accept` read only this value from the input.
    const chosen = choice as never;
    const spec = typeof response === 'function' ? response(chosen) : response;
    if (spec.kind === 'none' || spec.kind === 'exists') return undefined;
    const isJson = spec.kind === 'json';
    const { envelope = [], failure } = spec;
    const type = accept?.(media, chosen) ?? (isJson ? method.accept : '*/*');
    const data = isJson || spec.schema ? method.describeData(spec.schema) : bytes;
    const outcome = failure && [refer('Outcome')];
    const wrapped = envelope.map((name) => {
      return { allOf: outcome, properties: { [name]: data }, required: [name] };
    });
    // The support API reports failures with status 200.
    const forms = [...wrapped, data, ...(failure ? [refer('Failure')] : [])];
    const isAny = Object.keys(data).length === 0;
    const schema = isAny || forms.length === 1 ? data : { anyOf: forms };
    return {
      [isJson ? mediaTypes.json : type]: { schema, example: isJson ? method.example : undefined },
      ...(isJson && type !== mediaTypes.json && { [type]: { schema } }),
      // The server sends a file with the file's own media type.
      ...(type === mediaTypes.bytes && { '*/*': { schema: {} } }),
    };
  });
  return contents.reduce((one, other) => merge(one, other));
}

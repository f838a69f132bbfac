import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../schema/unknown-values.js';
import {
  type Endpoint,
  getDefaultRetry,
  type ResponseSpec,
} from '../transport/request/endpoint.js';
import type { JsonSchema, Rule } from '../transport/request/input.js';
import { compileTemplate } from '../transport/request/uri-template.js';
import type { TransportSettings } from '../transport/settings.js';

export interface DescribedMethod {
  /** Full name, including the API, such as `hosting.pulls.list`. */
  readonly name: string;
  readonly endpoint: Endpoint<never, unknown>;
  readonly docs: {
    readonly text: string;
    readonly tags: readonly { readonly name: string; readonly text: string }[];
    readonly inputs: readonly { readonly name: string; readonly text: string }[];
    readonly returns: string;
  };
  /** Statuses of the responses that aren't errors. */
  readonly statuses: readonly (number | '2XX')[];
  readonly example?: unknown;
}

/** Parts of a document that its operations depend on. */
export interface DocumentParts extends Pick<TransportSettings, 'media' | 'accept'> {
  /** Names of the response headers. */
  readonly headers: readonly string[];
  /** Returns the schema for a response's JSON. */
  readonly describeJson: (response: ResponseSpec<unknown>) => JsonSchema;
}

/** Operations by path and method. */
export type Paths = Record<string, JsonSchema>;

interface DescribedField {
  readonly name: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: JsonSchema;
}

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};
const bytes = { type: 'string', format: 'binary' };
const variable = /\{([^}]+)\}/g;

/** Describes a method, and adds it to the paths of a document. */
export function addOperation(paths: Paths, method: DescribedMethod, parts: DocumentParts): void {
  const template = method.endpoint.path.replaceAll(/\{\/([^}*]+)\*?\}/g, '/{$1}');
  // Paths that differ only in their variables' names are the same path.
  const shape = (path: string) => path.replaceAll(variable, '{}');
  const path = Object.keys(paths).find((each) => shape(each) === shape(template)) ?? template;
  const names = [...path.matchAll(variable)].map(([, name = '']) => name);
  const verb = method.endpoint.method.toLowerCase();
  const operation = merge(paths[path]?.[verb], describeOperation(method, names, parts));
  paths[path] = { ...paths[path], [verb]: operation };
}

/** Merges two operations with the same method and path, whose responses may have different schemas. */
function merge(one: unknown, other: unknown, name = ''): unknown {
  if (!isRecord(one) || !isRecord(other) || name === 'example') return one ?? other;
  if (name === 'schema' && '$ref' in { ...one, ...other }) {
    return isDeepStrictEqual(one, other) ? one : { anyOf: [one, other] };
  }
  const joined = Object.entries(one).map(([key, value]) => [key, merge(value, other[key], key)]);
  return { ...other, ...Object.fromEntries(joined) };
}

/**
 * Returns the tag of a method, such as `pulls` for `hosting.pulls.list`, or `support` for
 * `support.me`.
 */
export function tagName({ name }: Pick<DescribedMethod, 'name'>): string {
  return name.split('.').at(-2) ?? name;
}

/**
 * Describes the request and the responses of a method. `JSON.stringify` removes undefined
 * properties from the result.
 * @param names Names of the path variables in the document.
 */
function describeOperation(
  method: DescribedMethod,
  names: readonly string[],
  parts: DocumentParts,
): JsonSchema {
  const { name, endpoint, docs } = method;
  const { auth, unsent = [], path } = endpoint;
  const variables = compileTemplate(path).variables.map((each) => each.name);
  const sent = Object.entries<Rule>(endpoint.fields ?? endpoint.input)
    .filter(([field]) => !unsent.includes(field))
    .map(([field, { required, schema = {} }]): DescribedField => {
      const { text = '' } = docs.inputs.find((each) => each.name === field) ?? {};
      const needsNote = path.includes(`{/${field}*}`) && !text.includes('slashes');
      const note = needsNote ? ' It may contain slashes.' : '';
      return { name: field, required, description: `${text}${note}`.trim() || undefined, schema };
    });
  const inPath = sent.filter((field) => variables.includes(field.name));
  const others = sent.filter((field) => !variables.includes(field.name));
  const isUpload = name === 'hosting.releases.uploadAsset';
  const isQuery = ['GET', 'HEAD'].includes(endpoint.method) || isUpload;
  const parameters = [...inPath, ...(isQuery ? others : [])].map((field) => {
    const renamed = names[variables.indexOf(field.name)];
    const required = field.required || undefined;
    return { ...field, required, in: renamed ? 'path' : 'query', name: renamed ?? field.name };
  });
  const upload = { required: true, content: { 'application/octet-stream': { schema: bytes } } };
  const remarks = docs.tags.filter((tag) => tag.name === 'remarks');
  // Form requests of the support API that don't specify `auth` send the session token as a field.
  const isForm = name.startsWith('support.') && endpoint.encoding === 'form' && !auth;
  const [summary = ''] = docs.text.split(/(?<=\.) /, 1);
  const rest = docs.text.slice(summary.length);
  const details = [rest, ...remarks.map(({ text }) => text)].join(' ').trim();
  return {
    operationId: endpoint.operation,
    tags: [tagName(method)],
    summary: summary || endpoint.operation,
    description: details || undefined,
    deprecated: docs.tags.some((tag) => tag.name === 'deprecated') || undefined,
    security: isForm ? [{ session: [] }, {}] : auth === 'none' ? [] : auth && [{ [auth]: [] }],
    parameters,
    requestBody: isUpload ? upload : isQuery ? undefined : describeBody(endpoint, others),
    responses: describeResponses(method, parts),
    'x-retry': endpoint.retry ?? getDefaultRetry(endpoint.method),
  };
}

function describeBody(
  { encoding = 'json', serialize }: DescribedMethod['endpoint'],
  fields: readonly DescribedField[],
): JsonSchema | undefined {
  // The support API sends dynamic attributes as separate fields.
  const named = fields.filter(({ name }) => name !== 'attributes' || !serialize);
  const isOpen = named.length < fields.length;
  const required = named.filter((field) => field.required).map(({ name }) => name);
  const properties = named.map(({ name, schema, description }) => {
    return [name, { ...schema, description }];
  });
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: isOpen ? { type: ['string', 'number', 'boolean'] } : undefined,
  };
  // OpenAPI repeats the field by default, but Prism requires an explicit `explode`.
  const lists = named.filter((field) => encoding === 'form' && field.schema.type === 'array');
  const repeated = lists.map(({ name }) => [name, { style: 'form', explode: true }]);
  const styles = repeated.length > 0 ? Object.fromEntries(repeated) : undefined;
  const content = { [mediaTypes[encoding]]: { schema, encoding: styles } };
  return fields.length > 0 ? { required: required.length > 0, content } : undefined;
}

function describeResponses(method: DescribedMethod, parts: DocumentParts): JsonSchema {
  const content = describeContent(method, parts);
  const { method: verb, response } = method.endpoint;
  const canBeFalse = 'kind' in response && response.kind === 'exists';
  const responses = method.statuses.flatMap((status) => {
    const code = status === '2XX' ? 200 : status;
    if (code >= 400 && !canBeFalse) return [];
    const unused = [
      verb === 'GET' ? '' : 'ETag',
      method.docs.returns.startsWith('Paginated') ? '' : 'Link',
      [201, 202, 302].includes(code) ? '' : 'Location',
    ];
    const used = parts.headers.filter((header) => !unused.includes(header));
    const refs = used.map((header) => [header, { $ref: `#/components/headers/${header}` }]);
    const description = code < 300 ? 'Success.' : code === 404 ? 'False.' : 'Redirect.';
    const headers = Object.fromEntries(refs);
    return [[status, { description, headers, content: code < 204 ? content : undefined }]];
  });
  const error = { $ref: '#/components/responses/Error' };
  const isConditional = verb === 'GET' && parts.headers.includes('ETag');
  const unchanged = isConditional && { 304: { description: 'Not modified.' } };
  const isSupport = method.name.startsWith('support.');
  const unauthorized = isSupport && { 401: { description: 'Unauthorized, with an empty body.' } };
  const errors = { ...unauthorized, '4XX': error, '5XX': error };
  return { ...Object.fromEntries(responses), ...unchanged, ...errors };
}

/** Describes the body in each media type. Some media types and schemas depend on an input value. */
function describeContent({ endpoint, example }: DescribedMethod, parts: DocumentParts) {
  const { response, accept, input } = endpoint;
  const choices = Object.entries<Rule>(input).flatMap(([field, { schema = {}, required }]) => {
    const words: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    return [...(required ? [] : [undefined]), ...words].map((word) => ({ [field]: word }));
  });
  const found: Record<string, JsonSchema[]> = {};
  for (const choice of choices.length > 0 ? choices : [{}]) {
    // `as`: functions that take the input read only this value.
    const chosen = choice as never;
    const spec = typeof response === 'function' ? response(chosen) : response;
    if (spec.kind === 'none' || spec.kind === 'exists') continue;
    const isJson = spec.kind === 'json';
    const type = accept?.(parts.media, chosen) ?? (isJson ? parts.accept : '*/*');
    const schema = isJson || spec.schema ? parts.describeJson(spec) : bytes;
    for (const each of isJson ? [mediaTypes.json, type] : [type]) {
      found[each] = [...(found[each] ?? []), schema];
    }
    // The server sends a file with the file's own media type.
    if (type === 'application/octet-stream') found['*/*'] = [{}];
  }
  const content = Object.entries(found).map(([type, all]) => {
    const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
    const schema = distinct.length > 1 ? { anyOf: distinct } : distinct[0];
    return [type, { schema, example: type === mediaTypes.json ? example : undefined }];
  });
  return content.length > 0 ? Object.fromEntries(content) : undefined;
}

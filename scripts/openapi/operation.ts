import { defaultRetry, membership } from '../../src/transport/request/endpoint.js';
import type { JsonSchema, Rule } from '../../src/transport/request/input.js';
import { compileTemplate } from '../../src/transport/request/uri-template.js';
import type { AnyEndpoint } from '../docs/client-methods.js';
import type { DocumentedMethod } from '../docs/methods.js';
import { plain } from '../docs/source-docs.js';
import type { Schemas } from './schemas.js';

/** A value that the client sends. */
interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: JsonSchema | undefined;
}

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};
const bytes = { type: 'string', format: 'binary' };

/**
 * Describes the request and the responses of a method. Undefined properties are not part of its JSON.
 * @param names names of the path variables in the document.
 * @param headers names of the response headers to document.
 */
export function describeOperation(
  method: DocumentedMethod,
  names: readonly string[],
  headers: readonly string[],
  schemas: Schemas,
): JsonSchema {
  const { name, endpoint, docs } = method;
  const { auth, unsent = [], path } = endpoint;
  const variables = compileTemplate(path).variables.map((variable) => variable.name);
  const sent = Object.entries<Rule>(endpoint.fields ?? endpoint.input)
    .filter(([field]) => !unsent.includes(field))
    .map(([field, { required, schema }]): Field => {
      const { text = '' } = docs.inputs.find((each) => each.name === field) ?? {};
      const note = path.includes(`{/${field}*}`) ? ' It may contain slashes.' : '';
      return { name: field, required, description: `${text}${note}` || undefined, schema };
    });
  const inPath = sent.filter((field) => variables.includes(field.name));
  const others = sent.filter((field) => !variables.includes(field.name));
  const isUpload = name === 'hosting.releases.uploadAsset';
  const isQuery = endpoint.method === 'GET' || isUpload;
  const parameters = [...inPath, ...(isQuery ? others : [])].map((field) => {
    const variable = names[variables.indexOf(field.name)];
    return { ...field, in: variable ? 'path' : 'query', name: variable ?? field.name };
  });
  const upload = { required: true, content: { 'application/octet-stream': { schema: bytes } } };
  const remarks = docs.tags.filter((tag) => tag.name === 'remarks');
  // The token may be a field of the form.
  const isForm = name.startsWith('support.') && endpoint.method === 'POST' && auth === undefined;
  return {
    operationId: endpoint.operation,
    tags: [tagName(method)],
    summary: docs.text.split(/(?<=\.) /, 1)[0],
    description: [docs.text, ...remarks.map(({ text }) => plain(text))].join(' '),
    deprecated: docs.tags.some((tag) => tag.name === 'deprecated') || undefined,
    security: isForm ? [{ session: [] }, {}] : auth === 'none' ? [] : auth && [{ [auth]: [] }],
    parameters,
    requestBody: isUpload ? upload : isQuery ? undefined : describeBody(endpoint, others),
    responses: describeResponses(method, headers, describeContent(method, schemas)),
    'x-retry': endpoint.retry ?? defaultRetry(endpoint.method),
  };
}

/** Returns the tag of a method: `pulls` for `hosting.pulls.list`, and `support` for `support.me`. */
export function tagName({ name }: DocumentedMethod): string {
  return name.split('.').at(-2) ?? name;
}

function describeBody(
  { encoding = 'json' }: AnyEndpoint,
  fields: readonly Field[],
): JsonSchema | undefined {
  // Dynamic attributes of the support API are separate fields.
  const named = fields.filter(({ name }) => name !== 'attributes');
  const isOpen = named.length < fields.length;
  const required = named.filter((field) => field.required).map(({ name }) => name);
  const properties = named.map((field) => {
    return [field.name, { ...field.schema, description: field.description }];
  });
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: isOpen ? { type: ['string', 'number', 'boolean'] } : undefined,
  };
  // Repeating the field is OpenAPI's default, but Prism requires it to be explicit.
  const lists = named.filter((field) => encoding === 'form' && field.schema?.type === 'array');
  const repeated = lists.map(({ name }) => [name, { style: 'form', explode: true }]);
  const content = { [mediaTypes[encoding]]: { schema, encoding: Object.fromEntries(repeated) } };
  return fields.length > 0 ? { required: required.length > 0, content } : undefined;
}

function describeResponses(
  { endpoint, docs, statuses }: DocumentedMethod,
  headers: readonly string[],
  content: JsonSchema | undefined,
): JsonSchema {
  const expected = statuses.filter((status) => status < 400 || endpoint.answer === membership);
  const responses = expected.map((status) => {
    const unused = [
      endpoint.method === 'GET' ? '' : 'ETag',
      docs.returns.startsWith('Paginated') ? '' : 'Link',
      [201, 202, 302].includes(status) ? '' : 'Location',
    ];
    const used = headers.filter((header) => !unused.includes(header));
    const refs = used.map((header) => [header, { $ref: `#/components/headers/${header}` }]);
    const description = status < 300 ? 'Success.' : status === 404 ? 'False.' : 'Redirect.';
    const body = status < 204 ? content : undefined;
    return [status, { description, headers: Object.fromEntries(refs), content: body }];
  });
  const error = { $ref: '#/components/responses/Error' };
  return { ...Object.fromEntries(responses), '4XX': error, '5XX': error };
}

/** Describes the body in each media type. Some media types and schemas depend on an input value. */
function describeContent({ name, endpoint, example }: DocumentedMethod, schemas: Schemas) {
  const { answer, accept, input } = endpoint;
  const vendor = name.startsWith('hosting.') ? 'application/vnd.service.v3+json' : mediaTypes.json;
  const choices = Object.entries<Rule>(input).flatMap(([field, { schema = {}, required }]) => {
    const words: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    return [...(required ? [] : [undefined]), ...words].map((word) => ({ [field]: word }));
  });
  const found: Record<string, JsonSchema[]> = {};
  for (const choice of choices.length > 0 ? choices : [{}]) {
    // `as`: functions of the input read only this value.
    const chosen = choice as never;
    const spec = typeof answer === 'function' ? answer(chosen) : answer;
    if (spec.kind === 'none' || spec.kind === 'membership') continue;
    const isJson = spec.kind === 'json';
    const type =
      accept?.({ vendor: 'service', version: 'v3' }, chosen) ?? (isJson ? vendor : '*/*');
    const schema = isJson || spec.schema ? schemas.describe(spec) : bytes;
    for (const each of isJson ? [mediaTypes.json, type] : [type]) {
      found[each] = [...(found[each] ?? []), schema];
    }
  }
  const content = Object.entries(found).map(([type, all]) => {
    const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
    const schema = distinct.length > 1 ? { anyOf: distinct } : distinct[0];
    return [type, { schema, example: type === mediaTypes.json ? example : undefined }];
  });
  return content.length > 0 ? Object.fromEntries(content) : undefined;
}

import { defaultRetry } from '../../src/transport/request/endpoint.js';
import type { JsonSchema, Rule } from '../../src/transport/request/input.js';
import { compileTemplate } from '../../src/transport/request/uri-template.js';
import type { AnyEndpoint } from '../docs/client-methods.js';
import { type MethodDocs, plain } from '../docs/source-docs.js';
import { sentFields, wireResponses } from './endpoints.js';
import type { Schemas } from './schemas.js';

/** A method with the endpoint that it sends to. */
export interface Described {
  /** As in `hosting.pulls.list`. */
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly docs: MethodDocs;
  /** Success statuses, and 404 if it means false. */
  readonly statuses: readonly number[];
  /** JSON of a response. */
  readonly example: unknown;
}

/** The parts of a document that its operations share. */
export interface Shared {
  readonly schemas: Schemas;
  readonly parameters: Record<string, unknown>;
}

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};
const bytes = { type: 'string', format: 'binary' };
const errorResponse = { $ref: '#/components/responses/Error' };
const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** @param rename names of path variables in the document, by the endpoint's own names. */
export function describeOperation(
  described: Described,
  rename: ReadonlyMap<string, string>,
  shared: Shared,
): JsonSchema {
  const { name, endpoint, docs } = described;
  const { method, auth, operation } = endpoint;
  const [summary = ''] = docs.text.split(/(?<=\.) /, 1);
  const remarks = docs.tags.filter((tag) => tag.name === 'remarks');
  const inputs: Readonly<Record<string, Rule>> = endpoint.input;
  const { variables } = compileTemplate(endpoint.path);
  const isElsewhere = (input: string) =>
    variables.some((variable) => variable.name === input) || endpoint.unsent?.includes(input);
  const sent = Object.entries(sentFields[name] ?? inputs).filter(([input]) => !isElsewhere(input));
  const isUpload = operation === 'releases.uploadAsset';
  const inQuery = method === 'GET' || isUpload ? sent : [];
  const about = (input: string) => docs.inputs.find((each) => each.name === input)?.text ?? '';
  const parameters = [
    ...variables.map((variable) => ({
      name: rename.get(variable.name) ?? variable.name,
      in: 'path',
      required: true,
      description: `${about(variable.name)}${variable.exploded ? ' It may contain slashes.' : ''}`,
      schema: inputs[variable.name]?.schema,
    })),
    ...inQuery.map(([input, { required, schema }]) => {
      return { name: input, in: 'query', required, description: about(input), schema };
    }),
  ];
  const upload = { required: true, content: { 'application/octet-stream': { schema: bytes } } };
  const isForm = name.startsWith('support.') && method === 'POST' && auth === undefined;
  const body =
    inQuery.length > 0 || method === 'GET' ? undefined : describeBody(endpoint, sent, about);
  return {
    operationId: operation,
    tags: [tagName(name)],
    summary,
    description: [docs.text, ...remarks.map(({ text }) => plain(text))].join(' '),
    ...(docs.tags.some((tag) => tag.name === 'deprecated') && { deprecated: true }),
    ...(auth && { security: auth === 'none' ? [] : [{ [auth]: [] }] }),
    // The token may be a field of the form.
    ...(isForm && { security: [{ session: [] }, {}] }),
    ...(parameters.length > 0 && { parameters: parameters.map((each) => share(each, shared)) }),
    ...((isUpload || body) && { requestBody: isUpload ? upload : body }),
    responses: describeResponses(described, shared.schemas),
    'x-retry': endpoint.retry ?? defaultRetry(method),
  };
}

/** Returns a reference to a parameter if the document already has the same one. */
function share<P extends { readonly name: string }>(parameter: P, { parameters }: Shared): unknown {
  const { name } = parameter;
  parameters[name] ??= parameter;
  const isSame = JSON.stringify(parameters[name]) === JSON.stringify(parameter);
  return isSame ? { $ref: `#/components/parameters/${name}` } : parameter;
}

function describeBody(
  { encoding = 'json' }: AnyEndpoint,
  sent: readonly (readonly [string, Rule])[],
  about: (input: string) => string,
): JsonSchema | undefined {
  // Dynamic attributes of the support API are separate fields.
  const named = sent.filter(([name]) => name !== 'attributes');
  if (sent.length === 0) return undefined;
  const required = named.flatMap(([name, rule]) => (rule.required ? [name] : []));
  const properties = named.map(([name, { schema }]) => {
    return [name, { ...schema, ...(about(name) && { description: about(name) }) }];
  });
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(named.length < sent.length && {
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    }),
  };
  return { required: required.length > 0, content: { [mediaTypes[encoding]]: { schema } } };
}

function describeResponses(
  { name, endpoint, docs, statuses, example }: Described,
  schemas: Schemas,
): JsonSchema {
  const forms = wireResponses(name, endpoint);
  const kind = forms[0]?.[1].kind;
  const isHosting = name.startsWith('hosting.');
  const content: Record<string, unknown> = {};
  if (kind === 'json') {
    const all = forms.map(([, spec]) => schemas.describe(spec));
    const [first, ...others] = new Map(all.map((each) => [JSON.stringify(each), each])).values();
    const schema = others.length > 0 ? { anyOf: [first, ...others] } : first;
    content['application/json'] = { schema, ...(example !== undefined && { example }) };
    for (const [index, [type]] of isHosting ? forms.entries() : []) {
      content[type ?? 'application/vnd.service.v3+json'] = { schema: type ? all[index] : schema };
    }
  } else if (kind === 'bytes' || kind === 'stream') {
    for (const [type] of forms) content[type ?? '*/*'] = { schema: bytes };
  }
  const usual = [
    ...(isHosting ? limitHeaders : []),
    ...(isHosting && kind === 'json' && endpoint.method === 'GET' ? ['ETag'] : []),
    ...(isHosting && docs.returns.startsWith('Paginated') ? ['Link'] : []),
  ];
  const responses = statuses.map((status) => {
    const names = [201, 202, 302].includes(status) ? [...usual, 'Location'] : usual;
    const headers = names.map((each) => [each, { $ref: `#/components/headers/${each}` }]);
    const isFull = Object.keys(content).length > 0 && status < 204;
    const response = {
      description: status < 300 ? 'Success.' : status === 404 ? 'False.' : 'Redirect.',
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(isFull && { content }),
    };
    return [status, response];
  });
  return { ...Object.fromEntries(responses), '4XX': errorResponse, '5XX': errorResponse };
}

/** `pulls` of `hosting.pulls.list`, `support` of `support.me`. */
export function tagName(name: string): string {
  const [client = '', resource = '', method] = name.split('.');
  return method === undefined ? client : resource;
}

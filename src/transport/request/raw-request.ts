import { InvalidRequestError } from '../../errors/index.js';
import { checkOptions, forOneCall, optionNames } from '../../option-names.js';
import { isModel, type Model } from '../../schema/model.js';
import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from '../../schema/standard-schema.js';
import { elementsOf, memberOf } from '../../schema/unknown-values.js';
import { jsonBody, type RequestBody } from './body.js';
import { type Answer, defaultRetry, json, list, type Method, noArray } from './endpoint.js';
import { secretsIn } from './extra-inputs.js';
import { type Fields, fieldsOf } from './fields.js';
import {
  checkParameter,
  checkPathValue,
  climbs,
  encodeParameters,
  invalidInput,
  kindOf,
  type Parameter,
} from './input.js';
import { type BuildContext, type RequestSpec, targetOf } from './request-spec.js';
import { compileTemplate, type TemplateValue } from './uri-template.js';

/** A request that no method covers. */
export interface RawRequest<T = unknown> {
  /**
   * `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`. `HEAD` resolves to `undefined`, whatever `responseType`
   * and `schema` say: `.withResponse()` returns the headers. Default: `GET`.
   */
  readonly method?: Method | undefined;
  /** A URI template (RFC 6570) below the base URL (`/repos/{owner}/{repo}/labels{?page}`), or an absolute URL. */
  readonly path: string;
  /** Values for the template. Values of simple path variables must not be empty, `.` or `..`. */
  readonly variables?: Readonly<Record<string, TemplateValue | undefined>> | undefined;
  /** Query parameters: an object, `URLSearchParams`, a `Map` or pairs; arrays repeat their name. */
  readonly query?: Fields<Parameter> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as `application/x-www-form-urlencoded`; given like `query`. */
  readonly form?: Fields<Parameter> | undefined;
  /** Sent as it is. */
  readonly body?: { readonly data: string | Uint8Array; readonly contentType: string } | undefined;
  /** Media type to ask for; default the client's own. */
  readonly accept?: string | undefined;
  /** Any Standard Schema (zod, valibot, a model of this package…); its output is the result. Default: unchecked, `unknown`; undefined for a 204 or 205. */
  readonly schema?: StandardSchema<T> | undefined;
  /** `json` (default), `bytes`, `stream` (an unbuffered Readable), or `none` for an answer without a body. */
  readonly responseType?: 'json' | 'bytes' | 'stream' | 'none' | undefined;
  /** Executed twice, it has the effect of once: it is repeated like a GET. Default false, but for GET and HEAD. */
  readonly idempotent?: boolean | undefined;
}

/** @param input the name of the input, for the error. @throws {InvalidRequestError} if this is no Standard Schema */
export function checkSchema(schema: unknown, input = 'schema'): void {
  // Those of some libraries are functions.
  const standard: unknown =
    typeof schema === 'function' ? Reflect.get(schema, '~standard') : memberOf(schema, '~standard');
  if (typeof memberOf(standard, 'validate') === 'function') return;
  throw invalidInput(
    input,
    `expected a Standard Schema, such as z.object({ … }) of zod, got ${kindOf(schema)}`,
  );
}

/** What is sent has nothing to do with the schema of what comes back. */
type UncheckedRequest = Omit<RawRequest, 'schema'> & { readonly schema?: unknown };

export const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Builds a request from the caller's own words. @throws {InvalidRequestError} */
export function buildRawRequest(request: UncheckedRequest, context: BuildContext): RequestSpec {
  if (typeof request !== 'object' || request === null) {
    throw new InvalidRequestError(
      `expected an object such as { method: 'GET', path: '/repos/{owner}/{repo}', variables }, got ${kindOf(request)}`,
      { field: 'request' },
    );
  }
  forOneCall(() => checkOptions(request, names));
  const method = request.method ?? 'GET';
  if (!methods.includes(method)) throw invalidInput('method', `expected ${methods.join(', ')}`);
  if (typeof request.path !== 'string' || request.path === '') {
    throw invalidInput('path', 'expected a URI template below the base URL');
  }
  const verb = /^([A-Z]+) /.exec(request.path)?.[1];
  if (verb !== undefined && methods.includes(verb)) {
    throw invalidInput('path', `expected no method before it: give method: '${verb}' by itself`);
  }
  if (request.schema !== undefined) checkSchema(request.schema);
  if (context.extra !== undefined) {
    throw invalidInput('extra', 'a request says all by itself: give query, json or form');
  }
  checkField('accept', request.accept);
  checkField('body.contentType', request.body?.contentType);
  const expanded = expandPath(request.path, request.variables ?? {});
  const target = targetFor(expanded, context);
  const query = encodeParameters(parametersOf('query', request.query));
  const form = request.form === undefined ? undefined : parametersOf('form', request.form);
  const mark = target.path.includes('?') ? '&' : '?';
  const path = query === '' ? target.path : `${target.path}${mark}${query}`;
  return {
    operation: 'request',
    method,
    target: { origin: target.origin, path },
    accept: request.accept ?? context.accept,
    headers: context.headers,
    body: bodyOf(request, method, form),
    secrets: [
      ...context.secrets,
      ...secretsIn(new URLSearchParams(path.replace(/^[^?]*/, ''))),
      ...secretsIn(form ?? []),
      ...secretsIn(Object.entries(request.variables ?? {})),
      ...(typeof request.json === 'object' ? secretsIn(Object.entries(request.json ?? {})) : []),
    ],
    auth: undefined,
    retry: request.idempotent === true ? 'idempotent' : defaultRetry(method),
    exemptFromLimits: false,
  };
}

/** Plain parameters. @throws {InvalidRequestError} a value that is none. */
function parametersOf(what: 'query' | 'form', given: Fields<Parameter> = {}) {
  const fields = fieldsOf(what, given);
  for (const [name, value] of fields) {
    if (value !== undefined && value !== null) checkParameter(`${what}.${name}`, value);
  }
  return fields;
}

const names = optionNames<RawRequest>()(
  'method path variables query json form body accept schema responseType idempotent',
);

/** A value of a header field. @throws {InvalidRequestError} more than printable ASCII, or less. */
function checkField(name: string, value: string | undefined): void {
  if (value === undefined || (typeof value === 'string' && /^[\t -~]+$/.test(value))) return;
  throw invalidInput(name, 'expected a media type in printable ASCII');
}

/** The answer a raw request asks for. */
export function rawAnswer<T>(request: RawRequest<T>): Answer<T> {
  const kind = request.method === 'HEAD' ? 'none' : (request.responseType ?? 'json');
  return { kind, schema: kind === 'json' ? request.schema : undefined };
}

function expandPath(template: string, variables: Readonly<Record<string, unknown>>): string {
  const compiled = compileTemplate(template);
  for (const { name, operator } of compiled.variables) {
    if (operator !== '' && operator !== '/') continue;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && operator === '/') continue;
    if (value === undefined) {
      throw new InvalidRequestError(
        `variables.${name}: the path has {${name}}: give it a value in variables`,
        { field: name },
      );
    }
    for (const each of elementsOf(value)) checkPathValue(name, each);
  }
  return compiled.expand(variables);
}

function targetFor(expanded: string, context: BuildContext): RequestSpec['target'] {
  const { base } = context;
  const absolute = /^https?:\/\//i.test(expanded);
  const text = absolute ? expanded : `${base.origin}${base.prefix}/${expanded.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) {
    throw invalidInput('path', 'expected a path below the base URL, or an http(s) URL');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw invalidInput('path', 'expected no user name or password in it');
  }
  if (climbs(text)) {
    throw invalidInput('path', "'.' and '..' can not stand in it");
  }
  return targetOf(url);
}

function bodyOf(
  request: UncheckedRequest,
  method: Method,
  form: readonly (readonly [string, Parameter | undefined])[] | undefined,
): RequestBody | undefined {
  const given = [request.json, request.form, request.body].filter((each) => each !== undefined);
  if (given.length > 1) throw invalidInput('body', 'only one of json, form and body can be given');
  if (given.length === 1 && (method === 'GET' || method === 'HEAD')) {
    throw invalidInput('body', `${method} has no body; use query`);
  }
  if (request.json !== undefined) return jsonBody(request.json, 'json', 'json');
  if (form !== undefined) return { kind: 'form', text: encodeParameters(form) };
  const { body } = request;
  if (body === undefined) return undefined;
  return typeof body.data === 'string'
    ? { kind: 'text', text: body.data, contentType: body.contentType }
    : { kind: 'bytes', bytes: body.data, contentType: body.contentType };
}

/** The answer of one page of a list whose items fit the request's schema. */
export function rawListAnswer<T>(request: RawRequest<T>): Answer<T[]> {
  const { schema } = request;
  if (isModelOf(schema)) return list(schema);
  return { ...json(itemsSchema(schema)), mismatch: noArray };
}

/** The schema of an array whose items fit `schema`. */
export function itemsSchema<T>(schema: StandardSchema<T> | undefined): StandardSchema<T[]> {
  return {
    '~standard': {
      version: 1,
      vendor: 'triforge',
      validate: (value) => validateItems(schema, value),
    },
  };
}

/** More issues than these are not looked for: an item may be wrong a million times. */
const mostIssues = 20;

async function validateItems<T>(
  schema: StandardSchema<T> | undefined,
  value: unknown,
): Promise<StandardResult<T[]>> {
  if (!Array.isArray(value)) return { issues: [{ message: 'expected an array', path: [] }] };
  // `as`: without a schema, T is unknown.
  if (!schema) return { value: value as T[] };
  const items: T[] = [];
  const issues: StandardIssue[] = [];
  for (const [index, item] of value.entries()) {
    if (issues.length >= mostIssues) break;
    const result = await schema['~standard'].validate(item);
    if (!result.issues) items.push(result.value);
    else
      for (const issue of result.issues)
        issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
  }
  return issues.length > 0 ? { issues } : { value: items };
}

function isModelOf<T>(schema: StandardSchema<T> | undefined): schema is Model<T> {
  return isModel(schema);
}

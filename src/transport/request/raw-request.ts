import { types } from 'node:util';
import { InvalidRequestError } from '../../errors/index.js';
import { checkOptions, forOneCall, optionNames } from '../../option-names.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import {
  describeKind,
  formatGot,
  getMember,
  showValue,
  toElements,
} from '../../schema/unknown-values.js';
import { createJsonBody, type RequestBody } from './body.js';
import type { Method, RetryRule } from './endpoint.js';
import {
  type ApiFamily,
  type AuthScheme,
  checkEndpointProperties,
  parseLeadingMethod,
  type ResponseType,
  resolveRetryRule,
} from './endpoint-properties.js';
import { findNamedSecrets } from './extra-inputs.js';
import { type Fields, parseFields } from './fields.js';
import {
  checkParameter,
  checkPathValue,
  createInputError,
  encodeParameters,
  type Parameter,
} from './input.js';
import { collectLeaves } from './leaves.js';
import { hasDotSegment } from './path-segments.js';
import { type BuildContext, parseTarget, type RequestSpec } from './request-spec.js';
import { compileTemplate, type TemplateValue } from './uri-template.js';

/** A request that no method covers. */
export interface RawRequest<T = unknown> {
  /**
   * HTTP method: `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`. `HEAD` always resolves to
   * `undefined`. Use `.withResponse()` for the headers. Default: `GET`.
   */
  readonly method?: Method | undefined;
  /**
   * URI template (RFC 6570) relative to the base URL, such as
   * `/repos/{owner}/{repo}/labels{?page}`, or an absolute URL.
   */
  readonly path: string;
  /** Values for the template's variables. A simple path variable must not be empty, `.` or `..`. */
  readonly variables?: Readonly<Record<string, TemplateValue | undefined>> | undefined;
  /**
   * Query parameters, as an object, `URLSearchParams`, a `Map` or pairs. Arrays repeat the
   * parameter.
   */
  readonly query?: Fields<Parameter> | undefined;
  /** Body to send as JSON. */
  readonly json?: unknown;
  /** Fields to send as `application/x-www-form-urlencoded`, in the same formats as `query`. */
  readonly form?: Fields<Parameter> | undefined;
  /** Body to send unchanged, with its content type. */
  readonly body?: { readonly data: string | Uint8Array; readonly contentType: string } | undefined;
  /** Media type to request. Default: the client's media type. */
  readonly accept?: string | undefined;
  /**
   * Schema for the response. Accepts any Standard Schema (zod, valibot, arktype…) or a triforge
   * model. The result is the schema's output. Default: the response is not validated, its type is
   * `unknown`, and a 204 or 205 resolves to undefined.
   */
  readonly schema?: StandardSchema<T> | undefined;
  /** Type of the call's result. Default: `json`. */
  readonly responseType?: ResponseType | undefined;
  /**
   * The only authentication scheme that the request accepts: `basic` or `application` on the
   * hosting API, or `none` (no credentials) on the Management Console. Default: the client's
   * credentials.
   */
  readonly auth?: AuthScheme | undefined;
  /**
   * When the request may be retried. Default: `safe` for GET and HEAD. For other methods, `unsent`
   * on the Management Console and `refused` on the other APIs.
   */
  readonly retry?: RetryRule | undefined;
  /**
   * Names of variables, parameters and properties to mask in errors, events and logs, in addition
   * to names that contain a word such as `token` or `password`. Default: none.
   */
  readonly secret?: readonly string[] | undefined;
}

/** A {@link RawRequest} whose schema isn't checked yet. */
type UncheckedRequest = Omit<RawRequest, 'schema'> & { readonly schema?: unknown };

/** Builds a request that no method covers. @throws {InvalidRequestError} if an input is invalid. */
export function buildRawRequest(
  request: UncheckedRequest,
  family: ApiFamily,
  context: BuildContext,
): RequestSpec {
  if (typeof request !== 'object' || request === null) {
    throw createInputError(
      'request',
      `must be an object such as { method: 'GET', path: '/repos/{owner}/{repo}', variables } (got ${describeKind(request)})`,
    );
  }
  forOneCall(() => {
    checkOptions(request, names);
    checkEndpointProperties(request, family);
  });
  const { method = 'GET', secret = [] } = request;
  if (typeof request.path !== 'string' || request.path === '') {
    throw createInputError(
      'path',
      `must be a URI template relative to the base URL, such as /repos/{owner}/{repo} (got ${describeKind(request.path)})`,
    );
  }
  const verb = parseLeadingMethod(request.path);
  if (verb !== undefined) {
    throw createInputError(
      'path',
      `must not start with a method. Pass method: '${verb}' separately.`,
    );
  }
  if (!Array.isArray(secret) || secret.some((name) => typeof name !== 'string')) {
    throw createInputError('secret', `must be an array of strings${formatGot(secret, 'array')}`);
  }
  if (context.extra !== undefined) {
    throw createInputError('extra', 'must not be set for request(). Use query, json or form.');
  }
  checkHeaderValue('accept', request.accept);
  checkBody(request.body);
  const expanded = expandRawPath(request.path, request.variables ?? {});
  const target = resolveTarget(expanded, context);
  const query = encodeParameters(parseParameters('query', request.query));
  const form = request.form === undefined ? undefined : parseParameters('form', request.form);
  const mark = target.path.includes('?') ? '&' : '?';
  const path = query === '' ? target.path : `${target.path}${mark}${query}`;
  return {
    operation: 'request',
    method,
    target: { origin: target.origin, path },
    accept: request.accept ?? context.accept,
    headers: context.headers,
    body: buildRawBody(request, method, form),
    secrets: [...context.secrets, ...collectRawSecrets(request, path, form ?? [])],
    auth: request.auth,
    retry: resolveRetryRule(request, family),
    exemptFromLimits: false,
  };
}

/** Collects secret values by the names of variables, parameters and properties. */
function collectRawSecrets(
  { variables = {}, json, secret = [] }: UncheckedRequest,
  path: string,
  form: Iterable<readonly [string, unknown]>,
): string[] {
  const query = new URLSearchParams(path.replace(/^[^?]*/, ''));
  const properties = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const sources = [query, form, Object.entries(variables), properties];
  const named = sources.flatMap((each) => [...each]).filter(([name]) => secret.includes(name));
  return [
    ...sources.flatMap(findNamedSecrets),
    ...named.flatMap(([, value]) => collectLeaves(value)),
  ];
}

/** Checks query or form parameters. @throws {InvalidRequestError} if a value can't be sent. */
function parseParameters(what: 'query' | 'form', given: Fields<Parameter> = {}) {
  const fields = parseFields(what, given);
  for (const [name, value] of fields) {
    if (value !== undefined && value !== null) checkParameter(`${what}.${name}`, value);
  }
  return fields;
}

const names = optionNames<RawRequest>()(
  'method path variables query json form body accept schema responseType auth retry secret',
);

/**
 * Checks a header value.
 * @throws {InvalidRequestError} if the value is empty or not printable ASCII.
 */
function checkHeaderValue(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && /^[\t -~]+$/.test(value))) return;
  throw createInputError(name, `must be a media type in printable ASCII (got ${showValue(value)})`);
}

/**
 * Checks the shape of `body`. Text, bytes or an object in place of `{ data, contentType }` would
 * send an empty body.
 * @throws {InvalidRequestError} if the shape is wrong.
 */
function checkBody(body: unknown): void {
  if (body === undefined) return;
  const data = getMember(body, 'data');
  if (typeof data !== 'string' && !types.isUint8Array(data)) {
    throw createInputError(
      'body',
      `must be { data, contentType }, with text or bytes as data (got ${describeKind(body)}). To send an object as JSON, use json.`,
    );
  }
  const contentType = getMember(body, 'contentType');
  if (contentType === undefined) throw createInputError('body.contentType', 'is required');
  checkHeaderValue('body.contentType', contentType);
}

function expandRawPath(template: string, variables: Readonly<Record<string, unknown>>): string {
  const compiled = compileTemplate(template, 'path');
  for (const { name, operator } of compiled.variables) {
    if (operator !== '' && operator !== '/') continue;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && operator === '/') continue;
    if (value === undefined) {
      throw new InvalidRequestError(
        `variables.${name}: is required, because the path contains {${name}}`,
        {
          field: name,
        },
      );
    }
    for (const each of toElements(value)) checkPathValue(name, each);
  }
  return compiled.expand(variables);
}

function resolveTarget(expanded: string, context: BuildContext): RequestSpec['target'] {
  const { base } = context;
  const absolute = /^https?:\/\//i.test(expanded);
  const text = absolute ? expanded : `${base.origin}${base.prefix}/${expanded.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) {
    throw createInputError(
      'path',
      'must be a path relative to the base URL, or an absolute http or https URL',
    );
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw createInputError('path', 'must not contain a username or password');
  }
  if (hasDotSegment(text)) {
    throw createInputError('path', "must not contain '.' or '..' segments");
  }
  // The server would never see the text after `#`, so a DELETE could address another resource.
  if (!absolute && text.includes('#')) {
    throw createInputError(
      'path',
      "must not contain '#'. Write %23, or pass the value in variables.",
    );
  }
  return parseTarget(url);
}

function buildRawBody(
  request: UncheckedRequest,
  method: Method,
  form: readonly (readonly [string, Parameter | undefined])[] | undefined,
): RequestBody | undefined {
  const given = [request.json, request.form, request.body].filter((each) => each !== undefined);
  if (given.length > 1) {
    throw createInputError(
      request.body === undefined ? 'form' : 'body',
      'must not be combined with another body. Pass only one of json, form and body.',
    );
  }
  if (given.length === 1 && (method === 'GET' || method === 'HEAD')) {
    throw createInputError('body', `must not be set for a ${method} request. Use query.`);
  }
  if (request.json !== undefined) return createJsonBody(request.json, 'json', 'json');
  if (form !== undefined) return { kind: 'form', text: encodeParameters(form) };
  const { body } = request;
  if (body === undefined) return undefined;
  return typeof body.data === 'string'
    ? { kind: 'text', text: body.data, contentType: body.contentType }
    : { kind: 'bytes', bytes: body.data, contentType: body.contentType };
}

import type { Readable } from 'node:stream';
import { stripParameters } from '../masks/secrets.js';
import { checkChoice, forOneCall, invalidOption } from '../option-names.js';
import { isModel } from '../schema/model.js';
import { isStandardSchema, itemsSchema, type StandardSchema } from '../schema/standard-schema.js';
import { describeKind, formatGot, isRecord, showValue } from '../schema/unknown-values.js';
import type { ApiClient, Call } from './api-client.js';
import { type AuthOptions, callNames, listNames } from './options.js';
import type { ListOptions, Paginated } from './pagination/paginated.js';
import {
  describeNonArray,
  exists,
  getDefaultRetry,
  json,
  list,
  type Method,
  type ResponseSpec,
  type RetryRule,
} from './request/endpoint.js';
import { collectLeaves, findNamedSecrets } from './request/fields.js';
import {
  checkPathValue,
  collectParameters,
  createInputError,
  encodeParameters,
} from './request/input.js';
import {
  type BuildContext,
  buildBody,
  httpsRule,
  isDowngrade,
  parseTarget,
  type RequestSpec,
} from './request/request-spec.js';
import { compileTemplate, type TemplateValue } from './request/uri-template.js';

/** Parts of a {@link BaseClient} that differ between the APIs. */
export interface ClientParts<Auth> {
  readonly api: ApiClient<Auth>;
  readonly family: ApiFamily;
  /** Creates a copy of the client with another API client and other credentials. */
  readonly derive: (api: ApiClient<Auth>, auth: Auth) => object;
}

/** Arguments after the route. `inputs` can be omitted if the route has no required variables. */
export type RouteArguments<R extends string, Options> = [RequiredVariable<R>] extends [never]
  ? [inputs?: RouteInputs<R>, options?: Options]
  : [inputs: RouteInputs<R>, options?: Options];

/** Options for a request that no method covers. */
export type RequestRouteOptions<Auth, T, Type extends ResponseType> = AuthOptions<Auth> &
  RouteResultOptions<T, Type>;

/** Options for a list that no method covers. */
export type PaginateRouteOptions<Auth, T> = AuthOptions<Auth> &
  ListOptions &
  Omit<RouteOptions<T>, 'encoding' | 'idempotent'>;

const requestNames: Readonly<Record<string, true>> = {
  ...callNames,
  schema: true,
  responseType: true,
  encoding: true,
  idempotent: true,
  secret: true,
};

export const paginateNames: Readonly<Record<string, true>> = {
  ...listNames,
  schema: true,
  secret: true,
};

/** Methods that the clients of all three APIs share. */
export abstract class BaseClient<Auth> {
  readonly #parts: ClientParts<Auth>;

  constructor(parts: ClientParts<Auth>) {
    this.#parts = parts;
  }

  /**
   * Sends a request that no method covers. `route` is an HTTP method and a path. `inputs` contains
   * the values of the path's variables. Other inputs are sent in the query of a GET or HEAD, and in
   * the body otherwise. The response is processed as in a built-in method. For example, on the
   * support API, `success: false` throws an `OperationFailedError`.
   * @throws {InvalidRequestError} if an input or an option is invalid.
   * @example const repository = await client.request(
   *   'GET /repos/{owner}/{repo}',
   *   { owner: 'acme', repo: 'rocket' },
   *   { schema: z.object({ full_name: z.string() }) },
   * );
   */
  request<const R extends Route, T = unknown, Type extends ResponseType = 'json'>(
    route: R,
    ...given: RouteArguments<R, RequestRouteOptions<Auth, T, Type>>
  ): Call<RouteResult<R, T, Type>> {
    const [input = {}, options = {}] = given;
    const { api, family } = this.#parts;
    return api.call(
      {
        operation: 'request',
        build: (inputs, context) => buildRouteRequest(route, inputs, options, family, context),
        response: () =>
          // `as`: the response has the type that the route and the options determine.
          createResponseSpec(route, options, family) as ResponseSpec<RouteResult<R, T, Type>>,
      },
      input,
      options,
      requestNames,
    );
  }

  /**
   * Returns a list that no method covers. `inputs` contains the values of the path's variables.
   * Other inputs are sent in the query. The `schema` option validates each item. Support API lists
   * are paged by `index`, and all other lists by `Link` headers.
   * @throws {InvalidRequestError} (when iterated) if an input or an option is invalid.
   * @example for await (const label of client.paginate(
   *   'GET /repos/{owner}/{repo}/labels',
   *   { owner: 'acme', repo: 'rocket', per_page: 100 },
   *   { schema: z.object({ name: z.string() }) },
   * )) console.log(label.name);
   */
  paginate<const R extends `GET ${string}`, T = unknown>(
    route: R,
    ...given: RouteArguments<R, PaginateRouteOptions<Auth, T>>
  ): Paginated<T> {
    const [input = {}, options = {}] = given;
    const { api, family } = this.#parts;
    return api.list(
      {
        operation: 'request',
        build: (inputs, context) => buildRouteRequest(route, inputs, options, family, context),
        response: () => createListSpec(options.schema),
      },
      input,
      options,
      paginateNames,
    );
  }

  /**
   * Returns a copy of this client with other credentials. Both clients share sockets and
   * `maxConcurrency`. Each credential has its own rate limit.
   */
  withAuth(auth: Auth): this {
    const { api, derive } = this.#parts;
    // `as`: `derive` creates a client of the same class.
    return derive(api.withAuth(auth), auth) as this;
  }

  /**
   * Closes the client and its connections. Calls in flight and new calls fail with a
   * `ConnectionError`, and open streams with a `ResponseBodyError`, so await your calls first. A
   * dispatcher that you passed stays open. Clients created by `withAuth` close too.
   */
  async close(): Promise<void> {
    await this.#parts.api.transport.close();
  }

  /** Closes the client, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * A method, a space, and a URI template (RFC 6570) relative to the base URL, such as
 * `GET /repos/{owner}/{repo}/issues`. An absolute URL is also valid.
 */
export type Route = `${Method} ${string}`;

type Expression<Template extends string> = Template extends `${string}{${infer Inner}}${infer Rest}`
  ? Inner | Expression<Rest>
  : never;

/** Names in an expression such as `page,per_page`, without the modifiers `*` and `:3`. */
type Name<List extends string> = List extends `${infer First},${infer Rest}`
  ? Name<First> | Name<Rest>
  : List extends `${infer Bare}*` | `${infer Bare}:${number}`
    ? Bare
    : List;

type RequiredName<Inner extends string> = Inner extends `${OptionalOperator}${string}`
  ? never
  : Name<Inner extends `+${infer List}` ? List : Inner>;

/** Names of a route's required variables. */
export type RequiredVariable<R extends string> = RequiredName<Expression<R>>;

type OptionalName<Inner extends string> = Inner extends `${OptionalOperator}${infer List}`
  ? Name<List>
  : never;

/** Operators of expressions that disappear if their variables have no value. */
type OptionalOperator = '/' | '?' | '&' | '.' | ';' | '#';

/**
 * A request's inputs: the route's variables and any other inputs. `{name}` and `{+path}` are
 * required. `{?page}`, `{&page}`, `{/path*}` and the like are optional.
 */
export type RouteInputs<R extends string> = {
  readonly [Each in RequiredVariable<R>]: string | number;
} & { readonly [Each in OptionalName<Expression<R>>]?: TemplateValue } & Readonly<
    Record<string, unknown>
  >;

interface Results {
  readonly text: string;
  readonly bytes: Buffer;
  readonly stream: Readable;
  readonly exists: boolean;
}

/**
 * Type of a request's result:
 * - `json` (default): the JSON body, validated by `schema`
 * - `text`: the body as a string
 * - `bytes`: the body as a `Buffer`
 * - `stream`: the body as a `Readable`
 * - `exists`: true for success, false for a 404
 */
export type ResponseType = 'json' | keyof Results;

/** Result of a request. A HEAD request always resolves to `undefined`. */
export type RouteResult<R extends string, T, Type> = R extends `HEAD ${string}`
  ? undefined
  : Type extends keyof Results
    ? Results[Type]
    : T;

/** Options that describe a request that no method covers. */
export interface RouteOptions<T = unknown> {
  /**
   * Schema for the response, or for each item of a list. Accepts any Standard Schema (zod, valibot,
   * arktype…) or a triforge model. The result is the schema's output. Default: the response is not
   * validated, its type is `unknown`, and a 204 or 205 resolves to `undefined`.
   */
  readonly schema?: StandardSchema<T> | undefined;
  /**
   * Format of the body. Default: `json` for the hosting API, and `form` for the support API and the
   * Management Console.
   */
  readonly encoding?: 'json' | 'form' | undefined;
  /**
   * Whether repeating the request has no further effect. If so, the request is retried after any
   * temporary failure. Default: true for GET and HEAD, false for other methods.
   */
  readonly idempotent?: boolean | undefined;
  /**
   * Names of inputs to mask in errors, events and logs, in addition to names that contain a word
   * such as `token` or `password`. Default: none.
   */
  readonly secret?: readonly string[] | undefined;
}

/** {@link RouteOptions}, plus the type of the result. */
export interface RouteResultOptions<T = unknown, Type extends ResponseType = ResponseType>
  extends RouteOptions<T> {
  /** Type of the call's result. Default: `json`. */
  readonly responseType?: Type | undefined;
}

/** Differences between the APIs that affect requests that no method covers. */
export interface ApiFamily {
  readonly encoding: 'json' | 'form';
  /** Retry rule for requests that aren't idempotent. */
  readonly writes: RetryRule;
  /** Adds the checks that apply to every response from this API. */
  readonly validated?: ((spec: ResponseSpec<unknown>) => ResponseSpec<unknown>) | undefined;
}

type Inputs = Readonly<Record<string, unknown>>;

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Splits a route into its method and its URI template.
 * @throws {InvalidRequestError} if the route doesn't start with a method.
 */
function parseRoute(route: unknown): { method: Method; template: string } {
  const [, verb, template] = (typeof route === 'string' && /^([A-Z]+) (\S.*)$/s.exec(route)) || [];
  const method = methods.find((each) => each === verb);
  if (method !== undefined && template !== undefined) return { method, template };
  throw createInputError(
    'route',
    `must be a method and a path, such as 'GET /repos/{owner}/{repo}' (got ${showValue(route)})`,
  );
}

/**
 * Builds a request that no method covers.
 * @throws {InvalidRequestError} if an input or an option is invalid.
 */
export function buildRouteRequest(
  route: string,
  inputs: Inputs,
  options: RouteOptions,
  family: ApiFamily,
  context: BuildContext,
): RequestSpec {
  if (typeof inputs !== 'object' || inputs === null) {
    throw createInputError('inputs', `must be an object (got ${describeKind(inputs)})`);
  }
  const { method, template } = parseRoute(route);
  const { secret = [], idempotent = getDefaultRetry(method) === 'safe' } = options;
  forOneCall(() => checkRouteOptions(options));
  const compiled = compileTemplate(template, 'route');
  for (const { name, operator } of compiled.variables) {
    checkVariable(name, operator, Object.hasOwn(inputs, name) ? inputs[name] : undefined);
  }
  const target = resolveTarget(compiled.expand(inputs), context);
  const inPath = new Set(compiled.variables.map(({ name }) => name));
  const names = Object.keys(inputs).filter((name) => !inPath.has(name));
  const reads = method === 'GET' || method === 'HEAD';
  let { path } = target;
  if (reads) {
    const query = encodeParameters(collectParameters('request', inputs, names));
    if (query !== '') path += `${path.includes('?') ? '&' : '?'}${query}`;
  }
  const query = [...new URLSearchParams(path.replace(/^[^?]*/, ''))];
  const marked = [...query, ...Object.entries(inputs)].filter(([name]) => secret.includes(name));
  return {
    operation: 'request',
    method,
    target: { origin: target.origin, path },
    accept: context.accept,
    headers: context.headers,
    body:
      reads || names.length === 0
        ? undefined
        : buildBody('request', options.encoding ?? family.encoding, inputs, names),
    secrets: [
      ...context.secrets,
      ...findNamedSecrets(query),
      ...findNamedSecrets(Object.entries(inputs)),
      ...marked.flatMap(([, value]) => collectLeaves(value)),
    ],
    auth: undefined,
    retry: idempotent ? (reads ? 'safe' : 'idempotent') : family.writes,
    exemptFromLimits: false,
  };
}

/** @throws {ConfigurationError} if an option is invalid. The message names the option. */
function checkRouteOptions({ schema, encoding, idempotent, secret }: RouteOptions): void {
  if (encoding !== undefined) checkChoice('encoding', encoding, ['json', 'form']);
  if (idempotent !== undefined && typeof idempotent !== 'boolean') {
    throw invalidOption('idempotent', `must be true or false (got ${showValue(idempotent)})`);
  }
  if (schema !== undefined && !isStandardSchema(schema)) {
    const rule = "must be a Standard Schema, such as zod's z.object({ … })";
    throw invalidOption('schema', `${rule} (got ${describeKind(schema)})`);
  }
  if (secret === undefined) return;
  if (Array.isArray(secret) && secret.every((name) => typeof name === 'string')) return;
  throw invalidOption('secret', `must be an array of strings${formatGot(secret, 'array')}`);
}

/** @throws {InvalidRequestError} if the value is missing or can't be part of a path. */
function checkVariable(name: string, operator: string, value: unknown): void {
  const isMissing = value === undefined || value === null;
  if (isMissing && (operator === '' || operator === '+')) {
    throw createInputError(name, `is required, because the route contains {${operator}${name}}`);
  }
  if (isMissing || (operator !== '' && operator !== '/')) return;
  for (const each of [value].flat()) checkPathValue(name, each);
}

function resolveTarget(
  expanded: string,
  { base, credentialParameters }: BuildContext,
): RequestSpec['target'] {
  const absolute = /^https?:\/\//i.test(expanded);
  const text = absolute ? expanded : `${base.origin}${base.prefix}/${expanded.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) {
    const rule = 'must contain a path relative to the base URL, or an absolute http or https URL';
    throw createInputError('route', rule);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw createInputError('route', 'must not contain a username or password');
  }
  // A request with a dot segment, encoded or not, would reach a different endpoint.
  if (/^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(text)) {
    throw createInputError('route', "must not contain '.' or '..' segments");
  }
  // The server would never see the text after `#`, so a DELETE could address another resource.
  if (!absolute && text.includes('#')) {
    throw createInputError('route', "must not contain '#'. Write %23, or use a variable.");
  }
  if (isDowngrade(url.origin, base.origin)) throw createInputError('route', httpsRule);
  const { origin, path } = parseTarget(url);
  // The URL may be from a response that echoes credentials.
  return { origin, path: absolute ? stripParameters(path, credentialParameters) : path };
}

const text: ResponseSpec<string> = {
  kind: 'bytes',
  schema: undefined,
  // `as`: the kind `bytes` passes a buffer.
  map: (body) => new TextDecoder().decode(body as Buffer),
};

/** Creates the rules for reading the response to a request. */
export function createResponseSpec(
  route: string,
  { schema, responseType = 'json' }: RouteResultOptions,
  { validated }: ApiFamily,
): ResponseSpec<unknown> {
  forOneCall(() =>
    checkChoice('responseType', responseType, ['json', 'text', 'bytes', 'stream', 'exists']),
  );
  if (parseRoute(route).method === 'HEAD') return { kind: 'none', schema: undefined };
  const specs: Record<ResponseType, ResponseSpec<unknown>> = {
    json: { kind: 'json', schema },
    text,
    bytes: { kind: 'bytes', schema: undefined },
    stream: { kind: 'stream', schema: undefined },
    exists,
  };
  const spec = specs[responseType];
  return validated ? validated(spec) : spec;
}

/** Describes one page of a list whose items match `schema`. */
export function createListSpec<T>(schema: StandardSchema<T> | undefined): ResponseSpec<T[]> {
  const spec = isModel<T>(schema)
    ? list(schema)
    : { ...json(itemsSchema(schema)), mismatch: describeNonArray };
  return { ...spec, unwrap: extractList };
}

/** Returns the array in an envelope with a `total_count`, such as search results. */
function extractList(value: unknown): unknown {
  if (!isRecord(value) || !('total_count' in value)) return value;
  const [only, ...others] = Object.values(value).filter((each) => Array.isArray(each));
  return only && others.length === 0 ? only : value;
}

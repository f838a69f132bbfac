import { showUrl, stripParameters } from '../../masks/secrets.js';
import type { RequestInfo } from '../../response-info.js';
import { describeKind } from '../../schema/unknown-values.js';
import type { MediaContext } from '../http/media-type.js';
import { type RequestBody, serializeJson } from './body.js';
import {
  type Endpoint,
  getDefaultRetry,
  type Method,
  type RedirectRule,
  type RetryRule,
} from './endpoint.js';
import { collectLeaves } from './fields.js';
import {
  checkInput,
  checkPathValue,
  collectParameters,
  createInputError,
  encodeParameters,
  splitPathSegments,
} from './input.js';

import {
  type CompiledTemplate,
  compileTemplate,
  encodeUnreserved,
  unreserved,
} from './uri-template.js';

/** Base URL of an API, split into origin and path prefix. */
export interface BaseUrl {
  /** Origin, such as `https://code.example.com`. */
  readonly origin: string;
  /** Path without a trailing slash, such as `/api/v3`. Empty if the base URL has no path. */
  readonly prefix: string;
}

/** URL of a request, without credentials. */
export interface Target {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** A request as data, before it is sent. */
export interface RequestSpec {
  readonly operation: string;
  readonly method: Method;
  readonly target: Target;
  /** Requested media type. */
  readonly accept: string;
  /** Headers from the client's options and the call's options. */
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: RequestBody | undefined;
  /** Reads the body's files, which may take a long time. Default: the body is in memory. */
  readonly read?: (() => Promise<Pick<RequestSpec, 'body' | 'secrets'>>) | undefined;
  /** Input values that must never be shown. */
  readonly secrets: readonly string[];
  /** Authentication scheme that the endpoint requires. */
  readonly auth: string | undefined;
  readonly retry: RetryRule;
  /** Whether the request bypasses the quota and the concurrency limit. */
  readonly exemptFromLimits: boolean;
  /** See {@link Endpoint.isHidden}. */
  readonly isHidden?: boolean | undefined;
  /** Which redirects to follow. Default: all. */
  readonly redirects?: RedirectRule | undefined;
}

export interface BuildContext {
  readonly base: BaseUrl;
  readonly media: MediaContext;
  /** Media type for endpoints that don't set one. */
  readonly accept: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** Secrets in the client's options and the call's headers. They must never be shown. */
  readonly secrets: readonly string[];
  /** Names of the call's options. */
  readonly optionNames?: Readonly<Record<string, true>> | undefined;
  /** Parameters that contain credentials and therefore can't be inputs. */
  readonly credentialParameters: ReadonlySet<string>;
}

/** Endpoint data for building requests, prepared once per endpoint. */
interface Plan {
  readonly path: CompiledTemplate;
  /** Inputs that are sent in the query or body. */
  readonly rest: readonly string[];
  /** Inputs that are sent in neither the query nor the body. */
  readonly elsewhere: ReadonlySet<string>;
  readonly retry: RetryRule;
}

const plans = new WeakMap<object, Plan>();

function createPlan(endpoint: Endpoint<never, unknown>): Plan {
  const path = compileTemplate(endpoint.path);
  const inPath = path.variables.map(({ name }) => name);
  const elsewhere = new Set([...inPath, ...(endpoint.unsent ?? [])]);
  const rest = Object.keys(endpoint.input).filter((name) => !elsewhere.has(name));
  const retry = endpoint.retry ?? getDefaultRetry(endpoint.method);
  const plan = { path, rest, elsewhere, retry };
  plans.set(endpoint, plan);
  return plan;
}

/**
 * Builds a request's path. Each value is checked, so the path can't contain `.` or `..` segments.
 * @throws {InvalidRequestError} if a value can't be part of a path. The message names the input.
 */
function expandPath(
  { parts }: CompiledTemplate,
  values: Readonly<Record<string, unknown>>,
  allowEmpty: boolean,
): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      path += part;
      continue;
    }
    const { first, separator } = part.style;
    let lead = first;
    for (const { name, exploded } of part.variables) {
      if (exploded) {
        const segments = splitPathSegments(name, values[name] ?? '', { allowEmpty });
        if (segments.length > 0) path += lead + segments.map(encodeUnreserved).join(separator);
      } else {
        const text = checkPathValue(name, values[name]);
        path += lead + (unreserved.test(text) ? text : encodeUnreserved(text));
      }
      lead = separator;
    }
  }
  return path;
}

/**
 * Builds a request without any I/O.
 * @throws {InvalidRequestError} if an input is missing, unknown or invalid. The message names the
 * input.
 */
export function buildRequest<Input extends object, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  context: BuildContext,
): RequestSpec {
  const { operation, method } = endpoint;
  if (typeof input !== 'object' || input === null) {
    const known = Object.keys(endpoint.input).join(', ') || 'none';
    const why = `must be an object (got ${describeKind(input)}). Known inputs: ${known}.`;
    throw createInputError('input', why, operation);
  }
  // `as`: the rules and the template use the inputs' wire names.
  const values = input as Readonly<Record<string, unknown>>;
  checkInput(operation, values, endpoint.input, context.optionNames);
  endpoint.check?.(input);
  const plan = plans.get(endpoint) ?? createPlan(endpoint);
  const reads = method === 'GET' || method === 'HEAD';
  let path = context.base.prefix + expandPath(plan.path, values, endpoint.emptyPath === true);
  const sent = endpoint.serialize ? endpoint.serialize(input, context.media) : values;
  const names = endpoint.serialize
    ? Object.keys(sent).filter((name) => !plan.elsewhere.has(name))
    : plan.rest;
  if (reads && names.length > 0) {
    const query = encodeParameters(collectParameters(operation, sent, names));
    if (query !== '') path += `?${query}`;
  }
  return {
    operation,
    method,
    target: { origin: context.base.origin, path },
    accept: endpoint.accept?.(context.media, input) ?? context.accept,
    headers: context.headers,
    body: reads ? undefined : buildBody(operation, endpoint.encoding, sent, names),
    secrets: endpoint.secret
      ? [...context.secrets, ...collectInputSecrets(endpoint, input, values)]
      : context.secrets,
    auth: endpoint.auth,
    retry: plan.retry,
    exemptFromLimits: endpoint.exemptFromLimits === true,
    isHidden: endpoint.isHidden,
    redirects: endpoint.redirects,
  };
}

export function buildBody(
  operation: string,
  encoding: Endpoint<never, unknown>['encoding'],
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): RequestBody | undefined {
  if (encoding === 'multipart') return undefined;
  if (encoding === 'form') {
    return { kind: 'form', text: encodeParameters(collectParameters(operation, values, names)) };
  }
  if (names.length === 0) return undefined;
  const members = names.map((name) => [name, values[name]]);
  const text = serializeJson(Object.fromEntries(members), `${operation}: input`, 'input');
  return { kind: 'json', text };
}

function collectInputSecrets<Input>(
  { secret }: Endpoint<Input, unknown>,
  input: Input,
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (typeof secret === 'function') return secret(input);
  return (secret ?? []).flatMap((name) => collectLeaves(values[name]));
}

export function formatUrl(target: Target): string {
  return target.origin + target.path;
}

/** Converts an absolute URL to a target. Drops user info and the fragment. */
export function parseTarget(url: URL): Target {
  return { origin: url.origin, path: url.pathname + url.search };
}

/** Returns the request description that errors and events contain. */
export function describeRequest(
  spec: RequestSpec,
  secrets: readonly string[] = [],
  target: Target = spec.target,
): RequestInfo {
  const { operation, method } = spec;
  return { operation, method, url: showUrl(formatUrl(target), [...spec.secrets, ...secrets]) };
}

/**
 * Returns whether a request is read-only. If so, it doesn't matter whether the server executed the
 * request.
 */
export function isReadOnly({ retry }: RequestSpec): boolean {
  return retry === 'safe';
}

/** Trusted origins, and parameters that contain credentials. */
export interface OriginTrust {
  /** The origin of `baseUrl` and the origins in `trustedOrigins`. */
  readonly trustedOrigins: ReadonlySet<string>;
  /** Query parameters that contain credentials. */
  readonly credentialParameters: ReadonlySet<string>;
}

/** The origin that a URL came from. */
export interface UrlSource {
  readonly origin: string;
  /** False once a request has gone through an untrusted origin. Later URLs get no credentials. */
  readonly trusted: boolean;
}

/** Target of a URL from a server. */
interface NamedTarget {
  /** The URL, without the client's credentials. */
  readonly target: Target;
  /** Whether credentials and the caller's headers may be sent. */
  readonly trusted: boolean;
}

/** Reason why a URL from a server isn't requested. */
type UrlProblem = 'no_http' | 'insecure';

/** Descriptions of the problems. Error messages put this text after `the URL`. */
export const urlProblems: Readonly<Record<UrlProblem, string>> = {
  no_http: 'uses neither http nor https',
  insecure: 'uses http instead of https',
};

/** Rule for a URL input. Error messages put this text after the input's name. */
export const httpsRule = 'must be an https URL, because baseUrl is an https URL (got an http URL)';

/**
 * Checks a URL that a server sent in `Location`, `Link`, or a response field such as `upload_url`.
 * The URL must be http or https, and https if the server's origin uses https. Credentials are sent
 * if both the server's origin and the URL's origin are trusted.
 */
export function resolveNamedUrl(
  url: URL,
  by: UrlSource,
  { trustedOrigins, credentialParameters }: OriginTrust,
): NamedTarget | UrlProblem {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'no_http';
  if (isDowngrade(url.origin, by.origin)) return 'insecure';
  const target = parseTarget(url);
  if (!trustedOrigins.has(url.origin)) return { target, trusted: false };
  const path = stripParameters(target.path, credentialParameters);
  return { target: { origin: target.origin, path }, trusted: by.trusted };
}

/**
 * Returns whether a link or redirect leads from https to plain http, where anyone on the network
 * path can read the request.
 */
export function isDowngrade(to: string, from: string): boolean {
  return to.startsWith('http:') && from.startsWith('https:');
}

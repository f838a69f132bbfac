import { InvalidRequestError } from '../errors.js';
import type { RequestInfo } from '../response-info.js';
import { encodeParameters, jsonBody, type Parameter, type RequestBody } from './body.js';
import type { Endpoint, Method } from './endpoint.js';
import { checkInput, kindOf } from './input.js';
import type { MediaContext } from './media-type.js';
import { checkPathValue, splitPathSegments } from './path-values.js';
import { showUrl } from './redact.js';
import { type CompiledTemplate, compileTemplate } from './uri-template.js';

/** Where requests go: an origin, and the path below which the API stands. */
export interface BaseUrl {
  /** As `https://code.example.com`. */
  readonly origin: string;
  /** Without a trailing slash: `/api/v3`, or an empty string. */
  readonly prefix: string;
}

/** A place to send a request to; holds no credentials. */
export interface Target {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** A request as data: nothing about it needs the network. */
export interface RequestSpec {
  readonly operation: string;
  readonly method: Method;
  readonly target: Target;
  /** Media type asked for. */
  readonly accept: string;
  /** The caller's own header fields. */
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: RequestBody | undefined;
  /** Input values that must never be shown. */
  readonly secrets: readonly string[];
  /** The scheme of credentials that the endpoint insists on. */
  readonly auth: string | undefined;
  /** May be sent again although the server may have acted on it. */
  readonly replayable: boolean;
  /** Not counted by the server: passes the rate-limit gate. */
  readonly uncounted: boolean;
}

/** What building a request needs besides endpoint and input. */
export interface BuildContext {
  readonly base: BaseUrl;
  readonly media: MediaContext;
  /** Media type where the endpoint names none. */
  readonly accept: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
}

interface Plan {
  readonly template: CompiledTemplate;
  /** Path variables in the order of the template, true for those with slashes. */
  readonly path: readonly (readonly [name: string, exploded: boolean])[];
  /** Inputs that go into the query or the body. */
  readonly rest: readonly string[];
}

const plans = new WeakMap<object, Plan>();

function planOf(endpoint: Endpoint<never, unknown>): Plan {
  const known = plans.get(endpoint);
  if (known) return known;
  const template = compileTemplate(endpoint.path);
  const path = template.variables.map(({ name, exploded }) => [name, exploded] as const);
  const elsewhere = new Set([...path.map(([name]) => name), ...(endpoint.unsent ?? [])]);
  const rest = Object.keys(endpoint.input).filter((name) => !elsewhere.has(name));
  const plan = { template, path, rest };
  plans.set(endpoint, plan);
  return plan;
}

/**
 * Builds a request without any I/O.
 * @throws {InvalidRequestError} an input that is missing, unknown or wrong, by its name.
 */
export function buildRequest<Input extends object, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  context: BuildContext,
): RequestSpec {
  const { operation, method } = endpoint;
  if (typeof input !== 'object' || input === null) {
    throw new InvalidRequestError(
      `${operation}: expected an input object, got ${kindOf(input)}`,
      'input',
    );
  }
  // `as`: rules and template speak of inputs by their wire names.
  const values = input as Readonly<Record<string, unknown>>;
  checkInput(operation, values, endpoint.input);
  endpoint.check?.(input);
  const plan = planOf(endpoint);
  const variables: Record<string, unknown> = {};
  for (const [name, exploded] of plan.path) {
    variables[name] = exploded
      ? splitPathSegments(name, values[name] ?? '', { allowEmpty: endpoint.emptyPath === true })
      : checkPathValue(name, values[name]);
  }
  let path = context.base.prefix + plan.template.expand(variables);
  const sent = endpoint.wire ? endpoint.wire(input) : values;
  const names = endpoint.wire ? Object.keys(sent) : plan.rest;
  const reads = method === 'GET' || method === 'HEAD';
  if (reads) {
    const query = encodeParameters(parametersOf(operation, sent, names));
    if (query !== '') path += `?${query}`;
  }
  return {
    operation,
    method,
    target: { origin: context.base.origin, path },
    accept: endpoint.accept?.(context.media, input) ?? context.accept,
    headers: context.headers,
    body: reads ? undefined : bodyOf(endpoint, input, sent, names),
    secrets:
      typeof endpoint.secret === 'function'
        ? endpoint.secret(input)
        : secretsOf(values, endpoint.secret),
    auth: endpoint.auth,
    replayable: endpoint.replayable === true,
    uncounted: endpoint.uncounted === true,
  };
}

function bodyOf<Input>(
  endpoint: Endpoint<Input, unknown>,
  input: Input,
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): RequestBody | undefined {
  if (endpoint.rawBody) return endpoint.rawBody(input);
  if (endpoint.encoding === 'form') {
    return {
      kind: 'form',
      text: encodeParameters(parametersOf(endpoint.operation, values, names)),
    };
  }
  if (names.length === 0) return undefined;
  const members = Object.fromEntries(names.map((name) => [name, values[name]]));
  return jsonBody(members, `${endpoint.operation}: body`, 'body');
}

function parametersOf(
  operation: string,
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): [string, Parameter][] {
  const parameters: [string, Parameter][] = [];
  for (const name of names) {
    const value = values[name];
    if (value === undefined) continue;
    if (!isParameter(value)) {
      throw new InvalidRequestError(
        `${operation}: ${name}: expected a string, number, boolean or an array of them, got ${kindOf(value)}`,
        name,
      );
    }
    if (!wellFormed(value)) {
      throw new InvalidRequestError(`${operation}: ${name}: holds half of a surrogate pair`, name);
    }
    parameters.push([name, value]);
  }
  return parameters;
}

function wellFormed(value: Parameter): boolean {
  return (Array.isArray(value) ? value : [value]).every((each) => String(each).isWellFormed());
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isParameter(value: unknown): value is Parameter {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function secretsOf(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[] | undefined,
): readonly string[] {
  if (!names) return [];
  return names.flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** The whole URL of a target. */
export function urlOf(target: Target): string {
  return target.origin + target.path;
}

/** Splits an absolute URL; userinfo and fragment are dropped. */
export function targetOf(url: URL): Target {
  return { origin: url.origin, path: url.pathname + url.search };
}

/** A request as errors and events show it. */
export function describe(
  spec: RequestSpec,
  secrets: readonly string[] = [],
  target: Target = spec.target,
): RequestInfo {
  const { operation, method } = spec;
  return { operation, method, url: showUrl(urlOf(target), [...spec.secrets, ...secrets]) };
}

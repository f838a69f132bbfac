import type { Outcome, RequestInfo, ResponseInfo } from '../../response-info.js';
import { defineList, type Model } from '../../schema/model.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import { describeKind } from '../../schema/unknown-values.js';
import type { MediaContext } from '../http/media-type.js';
import type { Rule } from './input.js';

/** HTTP methods that this package sends. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * When a request may be retried:
 * - `safe` (the request is read-only) and `idempotent` (repeating the request has no further
 *   effect, RFC 9110 section 9.2): after any temporary failure
 * - `refused`: only if the server can't have executed the request, because a rate limit rejected it
 *   or there was no connection
 * - `unsent`: only if there was no connection
 */
export type RetryRule = 'safe' | 'idempotent' | 'refused' | 'unsent';

/** Which redirects a request may follow. */
export type RedirectRule = 'none' | 'trusted';

/**
 * Returns the default retry rule. GET and HEAD are read-only, but other methods may not be safe to
 * repeat.
 */
export function getDefaultRetry(method: Method): RetryRule {
  return method === 'GET' || method === 'HEAD' ? 'safe' : 'refused';
}

/** Describes an endpoint's response and its conversion to the result. */
export interface ResponseSpec<Output> {
  /** `exists`: a 2xx means true, and a 404 means false. `stream`: the body is not buffered. */
  readonly kind: 'json' | 'none' | 'exists' | 'bytes' | 'stream';
  /**
   * Schema for the unwrapped value if `kind` is `json`. For other kinds, the schema is only a
   * description, because `map` parses the body.
   */
  readonly schema: StandardSchema | undefined;
  /** Extracts the value from its envelope before validation. Must be a pure function. */
  readonly unwrap?: ((value: unknown) => unknown) | undefined;
  /** Names that the value may have in an envelope, for OpenAPI documents. */
  readonly envelope?: readonly string[] | undefined;
  /** Detects a failure in a 2xx response and returns the server's reason. */
  readonly failure?:
    | ((value: unknown) => { readonly statusMessage: string | undefined } | undefined)
    | undefined;
  /** Extracts the outcome that a response reports in addition to its data. */
  readonly outcome?: ((value: unknown) => Outcome | undefined) | undefined;
  /** JSON only: whether a 404 results in null instead of an error. */
  readonly nullOn404?: boolean | undefined;
  /**
   * JSON only: whether the API's documentation leaves this response unspecified. If so, a mismatch
   * is reported as drift and doesn't fail the call, because the server may have executed the
   * request.
   */
  readonly unspecified?: boolean | undefined;
  /** JSON only: whether a mismatch fails the call, regardless of the validation mode. */
  readonly isStrict?: boolean | undefined;
  /** JSON only: returns why a value has the wrong type, regardless of the validation mode. */
  readonly mismatch?: ((value: unknown) => string | undefined) | undefined;
  /**
   * For bodies other than JSON: returns why a response with this media type is not the requested
   * response.
   */
  readonly typeMismatch?:
    | ((mediaType: string, response: ResponseInfo, accept: string) => string | undefined)
    | undefined;
  /** Maps the validated value to the result. Default: the value itself. */
  readonly map?:
    | ((value: unknown, response: ResponseInfo, call: CallDetails) => Output | Promise<Output>)
    | undefined;
}

/** The call that a response belongs to, for errors that an endpoint creates from the response. */
export interface CallDetails {
  /** Describes the request, with its secrets masked. */
  describe(): RequestInfo;
  /** Values to mask. The server may echo them. */
  readonly secrets: readonly string[];
  /** Media types that the request accepts. */
  readonly accept: string;
}

/** Describes a JSON response that matches `schema` and is returned unchanged. */
export function json<T>(schema: StandardSchema<T>): ResponseSpec<T> {
  return { kind: 'json', schema };
}

/** Describes a JSON response that a pure function maps to the result. */
export function jsonMapped<Wire, T>(
  schema: StandardSchema<Wire>,
  map: (wire: Wire, response: ResponseInfo, call: CallDetails) => T,
): ResponseSpec<T> {
  // `as`: the schema validates the value before it is mapped.
  return { kind: 'json', schema, map: map as ResponseSpec<T>['map'] };
}

/** Describes a JSON array whose items match `item`. */
export function list<T>(item: Model<T>): ResponseSpec<T[]> {
  return { ...json(defineList(item)), mismatch: describeNonArray };
}

/**
 * Marks a response that the API's documentation doesn't specify, so a mismatch doesn't fail the
 * call.
 */
export function unspecified<T>(spec: ResponseSpec<T>): ResponseSpec<T> {
  return { ...spec, unspecified: true };
}

/**
 * Returns why a value isn't a list. Checked in every validation mode, because the value will be
 * iterated.
 */
export function describeNonArray(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : `expected an array, got ${describeKind(value)}`;
}

/** Makes a call return null for a 404. */
export function nullOn404<T>(spec: ResponseSpec<T>): ResponseSpec<T | null> {
  return {
    ...spec,
    nullOn404: true,
    map: (value, response, call) =>
      // `as`: without a mapping, the validated value is the result.
      response.status === 404 ? null : spec.map ? spec.map(value, response, call) : (value as T),
  };
}

/** A response whose body is ignored. */
export const noContent: ResponseSpec<void> = {
  kind: 'none',
  schema: undefined,
  map: () => undefined,
};

/** A response whose status is the result: true for a 2xx, false for a 404. */
export const exists: ResponseSpec<boolean> = {
  kind: 'exists',
  schema: undefined,
  map: (value) => value === true,
};

/** An endpoint as data. The endpoint pages and OpenAPI documents are generated from this data. */
export interface Endpoint<Input, Output> {
  /** Name of the method that users call, such as `pulls.list`. */
  readonly operation: string;
  readonly method: Method;
  /** URI template (RFC 6570) relative to the base URL. `{/path*}` accepts a value with slashes. */
  readonly path: string;
  /** Input rules by wire name. Inputs that are not in the path are sent in the query or body. */
  readonly input: Readonly<Record<string, Rule>>;
  readonly response: ResponseSpec<Output> | ((input: Input) => ResponseSpec<Output>);
  /**
   * Checks conditions that rules can't express, such as fields that exclude or require each other.
   */
  readonly check?: ((input: Input) => void) | undefined;
  /** Whether an exploded path variable may be empty. An empty variable adds nothing to the path. */
  readonly emptyPath?: boolean | undefined;
  /**
   * Encoding of the body. For `multipart` and `bytes` (a single file), the resource builds the body
   * from files. The other inputs are sent in the body, or in the query for `bytes`. Default:
   * `json`.
   */
  readonly encoding?: 'json' | 'form' | 'multipart' | 'bytes' | undefined;
  /** Converts the input to the fields of the query or body. Omits fields that are in the path. */
  readonly serialize?:
    | ((input: Input, media: MediaContext) => Readonly<Record<string, unknown>>)
    | undefined;
  /** Rules for the fields that `serialize` returns, for OpenAPI documents. Default: `input`. */
  readonly fields?: Readonly<Record<string, Rule>> | undefined;
  /** Inputs that are not sent. */
  readonly unsent?: readonly string[] | undefined;
  /** Names of secret inputs, or a function that finds secret values in the input. */
  readonly secret?: readonly string[] | ((input: Input) => readonly string[]) | undefined;
  /** Media type to request. Default: the client's media type. */
  readonly accept?: ((media: MediaContext, input: Input) => string) | undefined;
  /** The only authentication scheme that the endpoint accepts. Default: any. */
  readonly auth?: string | undefined;
  /** When a request may be retried. Default: {@link getDefaultRetry}. */
  readonly retry?: RetryRule | undefined;
  /** Whether requests bypass the quota and the concurrency limit. */
  readonly exemptFromLimits?: boolean | undefined;
  /** Whether to hide the request from hooks, because it opens a session. Default: false. */
  readonly isHidden?: boolean | undefined;
  /**
   * Which redirects to follow. Restrict them if the response contains new credentials.
   * `none`: no redirects. `trusted`: only redirects to trusted origins. Default: all redirects.
   */
  readonly redirects?: RedirectRule | undefined;
}

type Rules<Input> = { readonly [K in keyof Required<Input> & string]: Rule };

/**
 * Declares an endpoint, as in
 * `defineEndpoint<ListPulls>('GET /repos/{owner}/{repo}/pulls')({ … })`. The compiler requires
 * exactly one rule for each input.
 */
export function defineEndpoint<Input>(request: `${Method} /${string}`) {
  const space = request.indexOf(' ');
  // `as`: the text before the space is a method.
  const method = request.slice(0, space) as Method;
  const path = request.slice(space + 1);
  return <Output>(
    definition: Omit<Endpoint<Input, Output>, 'method' | 'path' | 'input'> & {
      readonly input: Rules<Input>;
    },
  ): Endpoint<Input, Output> => ({ method, path, ...definition });
}

export function resolveResponseSpec<Input, Output>(
  { response }: Pick<Endpoint<Input, Output>, 'response'>,
  input: Input,
): ResponseSpec<Output> {
  return typeof response === 'function' ? response(input) : response;
}

import type { Outcome, RequestInfo, ResponseInfo } from '../../response-info.js';
import { listOf, type Model } from '../../schema/model.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import type { MediaContext } from '../http/media-type.js';
import { kindOf, type Rule } from './input.js';

/** Methods this package sends. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * When a request may be sent again:
 * - `safe` (it only reads) and `idempotent` (executed twice, it has the effect of once; RFC 9110 section
 *   9.2): after any failure that may pass;
 * - `refused`: only where it was certainly not executed, as a rate limit refused it, or no connection
 *   was made;
 * - `unsent`: only where no connection was made.
 */
export type RetryRule = 'safe' | 'idempotent' | 'refused' | 'unsent';

/** Which redirects a request may follow. */
export type RedirectRule = 'none' | 'trusted';

/** The rule of an endpoint that names none: methods that read are safe, and nothing is known of the others. */
export function defaultRetry(method: Method): RetryRule {
  return method === 'GET' || method === 'HEAD' ? 'safe' : 'refused';
}

/** What an endpoint answers, and how it becomes the result. */
export interface Answer<Output> {
  /** `membership`: 204 is true and 404 false. `stream`: the body is not buffered. */
  readonly kind: 'json' | 'none' | 'membership' | 'bytes' | 'stream';
  readonly schema: StandardSchema | undefined;
  /** Takes the value out of an envelope before it is validated; pure. */
  readonly unwrap?: ((value: unknown) => unknown) | undefined;
  /** Tells a failure inside a 2xx answer, with the server's reason for it. */
  readonly failure?:
    | ((value: unknown) => { readonly statusMessage: string | undefined } | undefined)
    | undefined;
  /** What the answer says of itself, beside its data. */
  readonly outcome?: ((value: unknown) => Outcome | undefined) | undefined;
  /** JSON only: 404 is null, and no error. */
  readonly absent?: boolean | undefined;
  /**
   * JSON only: the interface doesn't specify this response. A mismatch is reported as drift instead of
   * failing the call, which may have acted.
   */
  readonly unspecified?: boolean | undefined;
  /** JSON only: a mismatch fails the call, whatever the validation mode. */
  readonly isStrict?: boolean | undefined;
  /** JSON only: why this value is of another kind than was asked for, whatever the validation mode. */
  readonly mismatch?: ((value: unknown) => string | undefined) | undefined;
  /** For bodies that are not JSON: why an answer of this media type is not what was asked for. */
  readonly refuses?:
    | ((mediaType: string, response: ResponseInfo) => string | undefined)
    | undefined;
  /** From the validated value to the public shape. Default: the value itself. */
  readonly map?:
    | ((value: unknown, response: ResponseInfo, call: AnsweredCall) => Output | Promise<Output>)
    | undefined;
}

/** The call that an answer belongs to, for errors that an endpoint makes of its answer. */
export interface AnsweredCall {
  readonly request: () => RequestInfo;
  /** Values that must not show, though the server may echo them. */
  readonly secrets: readonly string[];
}

/** A JSON answer that fits `schema`, returned as it came. */
export function json<T>(schema: StandardSchema<T>): Answer<T> {
  return { kind: 'json', schema };
}

/** A JSON answer whose public shape differs from the wire by one pure mapping. */
export function jsonMapped<Wire, T>(
  schema: StandardSchema<Wire>,
  map: (wire: Wire, response: ResponseInfo, call: AnsweredCall) => T,
): Answer<T> {
  // `as`: the schema has judged the value before it is mapped.
  return { kind: 'json', schema, map: map as Answer<T>['map'] };
}

/** A JSON array of `item`. */
export function list<T>(item: Model<T>): Answer<T[]> {
  return { ...json(listOf(item)), mismatch: noArray };
}

/** The same answer for a response that the interface doesn't specify: any JSON is accepted. */
export function unspecified<T>(answer: Answer<T>): Answer<T> {
  return { ...answer, unspecified: true };
}

/** Why a value is no list at all, which no validation mode lets pass: it would be iterated for ever. */
export function noArray(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : `expected an array, got ${kindOf(value)}`;
}

/** The same answer where a 404 says that there is none: null. */
export function orNull<T>(answer: Answer<T>): Answer<T | null> {
  return {
    ...answer,
    absent: true,
    map: (value, response, call) =>
      // `as`: without a mapping, what the schema has judged is the result.
      response.status === 404
        ? null
        : answer.map
          ? answer.map(value, response, call)
          : (value as T),
  };
}

/** Success without a result, whatever the body. */
export const nothing: Answer<void> = { kind: 'none', schema: undefined, map: () => undefined };

/** 204 is true, 404 is false. */
export const membership: Answer<boolean> = {
  kind: 'membership',
  schema: undefined,
  map: (value) => value === true,
};

/** One endpoint as data; docs/endpoints.md is made from all of them. */
export interface Endpoint<Input, Output> {
  /** The method users call: `pulls.list`. */
  readonly operation: string;
  readonly method: Method;
  /** URI template (RFC 6570) below the base URL. An exploded variable (`{/path*}`) takes a value with slashes. */
  readonly path: string;
  /** A rule for each input, by its wire name. What is not in the path goes to the query or the body. */
  readonly input: Readonly<Record<string, Rule>>;
  readonly answer: Answer<Output> | ((input: Input) => Answer<Output>);
  /** What the rules can't say: fields that exclude or demand each other. */
  readonly check?: ((input: Input) => void) | undefined;
  /** The value of an exploded path variable may be empty: the root. */
  readonly emptyPath?: boolean | undefined;
  /** How the body goes out. Default `json`; `multipart` is built by the resource, from files. */
  readonly encoding?: 'json' | 'form' | 'multipart' | undefined;
  /** What goes into the query or the body, by wire name, where it is not simply the inputs. What stands in the path is left out. */
  readonly serialize?:
    | ((input: Input, media: MediaContext) => Readonly<Record<string, unknown>>)
    | undefined;
  /** Inputs that are not sent as such. */
  readonly unsent?: readonly string[] | undefined;
  /** Inputs that must never be shown, by name; or what finds such values inside of an input. */
  readonly secret?: readonly string[] | ((input: Input) => readonly string[]) | undefined;
  /** The media type to ask for, where it is not the client's default. */
  readonly accept?: ((media: MediaContext, input: Input) => string) | undefined;
  /** The one scheme of credentials that the endpoint accepts, in the family's words. */
  readonly auth?: string | undefined;
  /** When it may be sent again. Default {@link defaultRetry}. */
  readonly retry?: RetryRule | undefined;
  /** Held up neither by the budget nor by the calls in flight, and takes nothing of either. */
  readonly exemptFromLimits?: boolean | undefined;
  /**
   * Whether its requests are part of other calls, so that they are still sent while a closing client
   * lets those finish.
   */
  readonly isPart?: boolean | undefined;
  /**
   * Which redirects a response may come from, if its origin matters, as for new credentials: `none`
   * rejects every redirect, `trusted` those to origins that are not trusted. Default: redirects are
   * followed.
   */
  readonly redirects?: RedirectRule | undefined;
}

type Rules<Input> = { readonly [K in keyof Required<Input> & string]: Rule };

/**
 * Declares an endpoint: `endpoint<ListPulls>('GET /repos/{owner}/{repo}/pulls')({ … })`. The compiler asks
 * for a rule for each input, and for no other.
 */
export function endpoint<Input>(request: `${Method} /${string}`) {
  const space = request.indexOf(' ');
  // `as`: what stands before the space is a method.
  const method = request.slice(0, space) as Method;
  const path = request.slice(space + 1);
  return <Output>(
    definition: Omit<Endpoint<Input, Output>, 'method' | 'path' | 'input'> & {
      readonly input: Rules<Input>;
    },
  ): Endpoint<Input, Output> => ({ method, path, ...definition });
}

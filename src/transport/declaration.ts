import type { Readable } from 'node:stream';
import type { StandardSchema } from '../schema/standard-schema.js';
import type { Call, JsonCall } from './call.js';
import type { AuthOptions } from './call-settings.js';
import type { MediaContext } from './http/media-type.js';
import type { ListOptions, Paginated } from './pagination/paginated.js';
import type { Method, RetryRule } from './request/endpoint.js';
import type { AuthScheme, ResponseType } from './request/endpoint-properties.js';
import type { Rule } from './request/input.js';

/** Rules for inputs. Each key is the name that is sent to the server. */
export type InputRules = Readonly<Record<string, Rule>>;

type ValueOf<R> = R extends Rule<infer T> ? T : never;

type RequiredNames<Rules> = {
  [K in keyof Rules]: Rules[K] extends Rule<unknown, true> ? K : never;
}[keyof Rules];

// Map over the rules so that each input keeps its rule's doc comment.
type Required<Rules, K extends keyof Rules> = { readonly [P in K]: ValueOf<Rules[P]> };
type Optional<Rules, K extends keyof Rules> = {
  readonly [P in K]?: ValueOf<Rules[P]> | undefined;
};
type Flat<T> = { [K in keyof T]: T[K] } & {};

/** A method's input type, inferred from its rules. */
export type InputOf<Rules> = Flat<
  Required<Rules, RequiredNames<Rules>> &
    Optional<Rules, Exclude<keyof Rules, RequiredNames<Rules>>>
>;

type Unexploded<Variable extends string> = Variable extends `${infer Name}*` ? Name : Variable;

/** The variables of a URI template, such as `owner` and `path` in `/repos/{owner}{/path*}`. */
export type PathVariable<Path extends string> =
  Path extends `${string}{${infer Variable}}${infer Rest}`
    ? Unexploded<Variable extends `/${infer Name}` ? Name : Variable> | PathVariable<Rest>
    : never;

/** A required rule for each path variable. */
export type PathRules<Path extends string> = {
  readonly [Name in PathVariable<Path>]: Rule<string | number, true>;
};

interface ResultTypes {
  readonly none: undefined;
  readonly exists: boolean;
  readonly bytes: Buffer;
  readonly stream: Readable;
}

/**
 * Pagination style. `link` follows `Link` headers. `offset` sends a 0-based `index` in the query.
 */
export type Paging = 'link' | 'offset';

/** Declaration of a custom endpoint. */
export interface Declaration<
  Path extends string = string,
  Rules extends InputRules = InputRules,
  Output = unknown,
  Type extends ResponseType = ResponseType,
  Pages extends Paging | undefined = Paging | undefined,
  Auth extends AuthScheme | undefined = AuthScheme | undefined,
> {
  /** HTTP method. Default: `GET`. */
  readonly method?: Method | undefined;
  /**
   * URI template (RFC 6570) relative to the base URL, such as `/repos/{owner}/{repo}/issues`.
   * `{/path*}` accepts a value with slashes. Each variable needs a rule in `input`.
   */
  readonly path: Path;
  /**
   * Rules for the inputs. Inputs that are not in the path are sent in the query of a GET or HEAD,
   * and in the body otherwise. Default: no inputs.
   */
  readonly input?: (Rules & PathRules<Path>) | undefined;
  /**
   * Schema for the JSON response, or for each item of a list. Accepts any Standard Schema (zod,
   * valibot, arktype…) or a triforge model. Default: the response is not validated, and its type is
   * `unknown`.
   */
  readonly schema?: StandardSchema<Output> | undefined;
  /** Type of the call's result. Default: `json`. */
  readonly responseType?: Type | undefined;
  /** Pagination style, if the endpoint returns a list. Default: the endpoint is not paged. */
  readonly paginate?: Pages | undefined;
  /** Encoding of the body. Default: `json`. */
  readonly encoding?: 'json' | 'form' | undefined;
  /**
   * Media type to request, or a function that builds it from the client's vendor and API version.
   * Default: the client's media type.
   */
  readonly accept?: string | ((media: MediaContext) => string) | undefined;
  /**
   * The only authentication scheme that the endpoint accepts: `basic` or `application` on the
   * hosting API, or `none` (no credentials) on the Management Console. Default: the client's
   * credentials.
   */
  readonly auth?: Auth | undefined;
  /**
   * When a request may be retried. Default: `safe` for GET and HEAD. For other methods, `unsent` on
   * the Management Console and `refused` on the other APIs.
   */
  readonly retry?: RetryRule | undefined;
  /**
   * Names of inputs to mask in errors, events and logs. Masks strings and numbers, including those
   * in arrays and objects. Default: none.
   */
  readonly secret?: readonly (keyof Rules & string)[] | undefined;
  /**
   * Converts the input to the fields of the query or body. Default: the inputs are sent unchanged.
   */
  readonly serialize?: ((input: InputOf<Rules>) => Readonly<Record<string, unknown>>) | undefined;
}

declare const types: unique symbol;

/** A declared endpoint, as returned by `endpoint`. */
export interface OwnEndpoint<
  Input = object,
  Result = unknown,
  Kind extends 'list' | 'json' | 'other' = 'list' | 'json' | 'other',
  Auth extends AuthScheme | undefined = AuthScheme | undefined,
> {
  /** Type information for the compiler. Doesn't exist at run time. */
  readonly [types]: {
    readonly input: Input;
    readonly result: Result;
    readonly kind: Kind;
    readonly auth: Auth;
  };
}

/**
 * Declares a custom endpoint for `client.extend`. The rules determine the type of the input, and
 * the schema determines the type of the result.
 * @example
 * const getIssue = endpoint({
 *   path: '/repos/{owner}/{repo}/issues/{number}',
 *   input: { owner: filledText, repo: filledText, number: integer(1) },
 *   schema: z.object({ title: z.string() }),
 * });
 */
export function endpoint<
  const Path extends string,
  // biome-ignore lint/complexity/noBannedTypes: {} means no inputs.
  Rules extends InputRules = {},
  Output = unknown,
  const Type extends ResponseType = 'json',
  const Pages extends Paging | undefined = undefined,
  const Auth extends AuthScheme | undefined = undefined,
>(
  declaration: Declaration<Path, Rules, Output, Type, Pages, Auth> & Needed<Path>,
): OwnEndpoint<
  InputOf<Rules>,
  Type extends keyof ResultTypes ? ResultTypes[Type] : Output,
  Pages extends Paging ? 'list' : Type extends 'json' ? 'json' : 'other',
  Auth
> {
  // `as`: the types exist only for the compiler. `client.extend` checks the data.
  return declaration as object as ReturnType<
    typeof endpoint<Path, Rules, Output, Type, Pages, Auth>
  >;
}

/** Requires `input` if the path has variables. */
type Needed<Path extends string> = [PathVariable<Path>] extends [never]
  ? unknown
  : { readonly input: PathRules<Path> };

/**
 * Groups of declared endpoints. For example, `{ issues: { list, create } }` adds
 * `client.issues.list(…)`.
 */
export type OwnEndpoints<Auth extends AuthScheme = AuthScheme> = Readonly<
  Record<
    string,
    Readonly<
      Record<string, OwnEndpoint<object, unknown, 'list' | 'json' | 'other', Auth | undefined>>
    >
  >
>;

type Arguments<Input, Options> = object extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

/** Type of the method that a declared endpoint adds. */
export type MethodOf<Declared, Auth> =
  Declared extends OwnEndpoint<infer Input, infer Result, infer Kind>
    ? Kind extends 'list'
      ? (...given: Arguments<Input, AuthOptions<Auth> & ListOptions>) => Paginated<Result>
      : Kind extends 'json'
        ? (...given: Arguments<Input, AuthOptions<Auth>>) => JsonCall<Result>
        : (...given: Arguments<Input, AuthOptions<Auth>>) => Call<Result>
    : never;

/**
 * Methods that `client.extend` adds, one for each declared endpoint. Each method keeps its
 * declaration's doc comment.
 */
export type Extension<Declared, Auth> = {
  readonly [Group in keyof Declared]: {
    readonly [Name in keyof Declared[Group]]: MethodOf<Declared[Group][Name], Auth>;
  };
};

import type { Readable } from 'node:stream';
import type { StandardSchema } from '../schema/standard-schema.js';
import type { Call, JsonCall } from './call.js';
import type { AuthOptions } from './call-settings.js';
import type { MediaContext } from './http/media-type.js';
import type { ListOptions, Paginated } from './pagination/paginated.js';
import type { Method, RetryRule } from './request/endpoint.js';
import type { Rule } from './request/input.js';

/** A rule for each input, by its name on the wire. */
export type InputRules = Readonly<Record<string, Rule>>;

type ValueOf<R> = R extends Rule<infer T> ? T : never;

type RequiredNames<Rules> = {
  [K in keyof Rules]: Rules[K] extends Rule<unknown, true> ? K : never;
}[keyof Rules];

// Mapped over the rules themselves, so that an input keeps the comment of its rule.
type Required<Rules, K extends keyof Rules> = { readonly [P in K]: ValueOf<Rules[P]> };
type Optional<Rules, K extends keyof Rules> = {
  readonly [P in K]?: ValueOf<Rules[P]> | undefined;
};
type Flat<T> = { [K in keyof T]: T[K] } & {};

/** What a method takes, by the rules of its inputs. */
export type InputOf<Rules> = Flat<
  Required<Rules, RequiredNames<Rules>> &
    Optional<Rules, Exclude<keyof Rules, RequiredNames<Rules>>>
>;

type Unexploded<Variable extends string> = Variable extends `${infer Name}*` ? Name : Variable;

/** The variables of a URI template: `owner` and `path` of `/repos/{owner}{/path*}`. */
export type PathVariable<Path extends string> =
  Path extends `${string}{${infer Variable}}${infer Rest}`
    ? Unexploded<Variable extends `/${infer Name}` ? Name : Variable> | PathVariable<Rest>
    : never;

/** What a path asks of the rules: one for each of its variables, which must be given. */
export type PathRules<Path extends string> = {
  readonly [Name in PathVariable<Path>]: Rule<string | number, true>;
};

/**
 * What is read of an answer:
 * - `json` (default): its JSON, judged by `schema`;
 * - `none`: nothing, success is all there is to know;
 * - `exists`: true for success, false for 404;
 * - `bytes`: its body as a Buffer; `stream`: as a Readable, unbuffered.
 */
export type ResponseType = 'json' | 'none' | 'exists' | 'bytes' | 'stream';

interface ResultTypes {
  readonly none: undefined;
  readonly exists: boolean;
  readonly bytes: Buffer;
  readonly stream: Readable;
}

/** How a list goes on: by the `Link` header of each page, or by an `index` (0-based) in the query. */
export type Paging = 'link' | 'offset';

/** The schemes of credentials that an endpoint may insist on. */
export type AuthScheme = 'basic' | 'application' | 'none';

/** An endpoint of your own, as data. */
export interface Declaration<
  Path extends string = string,
  Rules extends InputRules = InputRules,
  Output = unknown,
  Type extends ResponseType = ResponseType,
  Pages extends Paging | undefined = Paging | undefined,
  Auth extends AuthScheme | undefined = AuthScheme | undefined,
> {
  /** Default `GET`. */
  readonly method?: Method | undefined;
  /**
   * A URI template (RFC 6570) below the base URL: `/repos/{owner}/{repo}/issues`. `{/path*}` takes a
   * value with slashes. Each variable needs a rule in `input`.
   */
  readonly path: Path;
  /** A rule for each input. What is not in the path goes into the query of a GET, and else into the body. */
  readonly input?: (Rules & PathRules<Path>) | undefined;
  /**
   * Judges the JSON of an answer, or of each item of a list: any Standard Schema (zod, valibot,
   * arktype…), or a model of this package. Default: unchecked, `unknown`.
   */
  readonly schema?: StandardSchema<Output> | undefined;
  /** What is read of the answer. Default `json`. */
  readonly responseType?: Type | undefined;
  /** The answer is one page of a list, which goes on like this. Default: it is all there is. */
  readonly paginate?: Pages | undefined;
  /** How the body goes out. Default `json`. */
  readonly encoding?: 'json' | 'form' | undefined;
  /** The media type to ask for, or what makes it of the client's vendor word and version. Default the client's. */
  readonly accept?: string | ((media: MediaContext) => string) | undefined;
  /**
   * The one scheme of credentials that the endpoint accepts: `basic` or `application` of the hosting
   * API; `none` of the Management Console, for requests without. Default: what the client has.
   */
  readonly auth?: Auth | undefined;
  /**
   * When it may be sent again. Default `safe` for GET and HEAD, `refused` for the others; on the
   * Management Console `unsent` for the others.
   */
  readonly retry?: RetryRule | undefined;
  /** Names of inputs that are masked in errors, events and logs: their texts and numbers, also within lists and records. Default none. */
  readonly secret?: readonly (keyof Rules & string)[] | undefined;
  /** What goes into the query or the body, by name, where it is not simply the inputs. */
  readonly serialize?: ((input: InputOf<Rules>) => Readonly<Record<string, unknown>>) | undefined;
}

declare const types: unique symbol;

/** A declared endpoint, as `endpoint` types it. */
export interface OwnEndpoint<
  Input = object,
  Result = unknown,
  Kind extends 'list' | 'json' | 'other' = 'list' | 'json' | 'other',
  Auth extends AuthScheme | undefined = AuthScheme | undefined,
> {
  /** For the compiler alone. */
  readonly [types]: {
    readonly input: Input;
    readonly result: Result;
    readonly kind: Kind;
    readonly auth: Auth;
  };
}

/**
 * Declares an endpoint of your own, for `client.extend`. The types of its input follow from the rules,
 * and that of its result from the schema.
 * @example
 * const getIssue = endpoint({
 *   path: '/repos/{owner}/{repo}/issues/{number}',
 *   input: { owner: filledText, repo: filledText, number: integer(1) },
 *   schema: z.object({ title: z.string() }),
 * });
 */
export function endpoint<
  const Path extends string,
  // biome-ignore lint/complexity/noBannedTypes: no inputs at all.
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
  // `as`: the types are for the compiler alone; `client.extend` checks the data.
  return declaration as object as ReturnType<
    typeof endpoint<Path, Rules, Output, Type, Pages, Auth>
  >;
}

/** A path with variables has inputs. */
type Needed<Path extends string> = [PathVariable<Path>] extends [never]
  ? unknown
  : { readonly input: PathRules<Path> };

/** Groups of declared endpoints: `{ issues: { list, create } }` gives `client.issues.list(…)`. */
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

/** The method of a declared endpoint. */
export type MethodOf<Declared, Auth> =
  Declared extends OwnEndpoint<infer Input, infer Result, infer Kind>
    ? Kind extends 'list'
      ? (...given: Arguments<Input, AuthOptions<Auth> & ListOptions>) => Paginated<Result>
      : Kind extends 'json'
        ? (...given: Arguments<Input, AuthOptions<Auth>>) => JsonCall<Result>
        : (...given: Arguments<Input, AuthOptions<Auth>>) => Call<Result>
    : never;

/** What `client.extend` adds: a method for each declared endpoint, with the comment of its declaration. */
export type Extension<Declared, Auth> = {
  readonly [Group in keyof Declared]: {
    readonly [Name in keyof Declared[Group]]: MethodOf<Declared[Group][Name], Auth>;
  };
};

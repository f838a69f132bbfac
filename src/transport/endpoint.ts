import { listOf, type Model } from '../model.js';
import type { ResponseInfo } from '../response-info.js';
import type { StandardSchema } from '../standard-schema.js';
import type { RequestBody } from './body.js';
import type { Rule } from './input.js';
import type { MediaContext } from './media-type.js';

/** Methods this package sends. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
  /** JSON only: 404 is null, and no error. */
  readonly absent?: boolean | undefined;
  /** JSON only: why this value is of another kind than was asked for, whatever the validation mode. */
  readonly mismatch?: ((value: unknown) => string | undefined) | undefined;
  /** For bodies that are not JSON: why an answer of this media type is not what was asked for. */
  readonly refuses?: ((mediaType: string) => string | undefined) | undefined;
  /** From the validated value to the public shape; pure. */
  readonly map: (value: unknown, response: ResponseInfo) => Output;
}

/** A JSON answer that fits `schema`, returned as it came. */
export function json<T>(schema: StandardSchema<T>): Answer<T> {
  // `as`: the schema has judged the value before it is mapped.
  return { kind: 'json', schema, map: (value) => value as T };
}

/** A JSON answer whose public shape differs from the wire by one pure mapping. */
export function jsonMapped<Wire, T>(
  schema: StandardSchema<Wire>,
  map: (wire: Wire, response: ResponseInfo) => T,
): Answer<T> {
  // `as`: the schema has judged the value before it is mapped.
  return { kind: 'json', schema, map: (value, response) => map(value as Wire, response) };
}

/** A JSON array of `item`. */
export function list<T>(item: Model<T>): Answer<T[]> {
  return json(listOf(item));
}

/** The same answer where a 404 says that there is none: null. */
export function orNull<T>(answer: Answer<T>): Answer<T | null> {
  return {
    ...answer,
    absent: true,
    map: (value, response) => (response.status === 404 ? null : answer.map(value, response)),
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

/** One endpoint of the contract, as data. */
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
  /** How the body goes out. Default `json`. */
  readonly encoding?: 'json' | 'form' | undefined;
  /** What goes into the query or the body, by wire name, where it is not simply the inputs. */
  readonly wire?: ((input: Input) => Readonly<Record<string, unknown>>) | undefined;
  /** A body that is no JSON or form at all. */
  readonly rawBody?: ((input: Input) => RequestBody) | undefined;
  /** Inputs that are not sent as such. */
  readonly unsent?: readonly string[] | undefined;
  /** Inputs that must never be shown, by name; or what finds such values inside of an input. */
  readonly secret?: readonly string[] | ((input: Input) => readonly string[]) | undefined;
  /** The media type to ask for, where it is not the client's default. */
  readonly accept?: ((media: MediaContext, input: Input) => string) | undefined;
  /** The one scheme of credentials that the endpoint accepts, in the family's words. */
  readonly auth?: string | undefined;
  /** PUT and DELETE that may be sent twice without harm. */
  readonly replayable?: boolean | undefined;
  /** Not counted by the server: passes the rate-limit gate. */
  readonly uncounted?: boolean | undefined;
}

type Rules<Input> = { readonly [K in keyof Required<Input> & string]: Rule };

/** Declares an endpoint: `endpoint<ListPullsInput>()({ … })`. The compiler asks for a rule for each input, and for no other. */
export function endpoint<Input>() {
  return <Output>(
    definition: Omit<Endpoint<Input, Output>, 'input'> & { readonly input: Rules<Input> },
  ): Endpoint<Input, Output> => definition;
}

import { invalidOption } from '../../option-names.js';
import { itemsSchema } from '../../schema/items-schema.js';
import { isModel } from '../../schema/model.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import { describeKind, getMember, joinAlternatives } from '../../schema/unknown-values.js';
import {
  describeNonArray,
  exists,
  getDefaultRetry,
  json,
  list,
  type Method,
  type ResponseSpec,
  type RetryRule,
} from './endpoint.js';

/**
 * Type of a call's result:
 * - `json` (default): the JSON body, validated by `schema`
 * - `none`: undefined
 * - `exists`: true for success, false for a 404
 * - `bytes`: the body as a `Buffer`
 * - `stream`: the body as an unbuffered `Readable`
 */
export type ResponseType = 'json' | 'none' | 'exists' | 'bytes' | 'stream';

/** Authentication schemes that an endpoint can require. */
export type AuthScheme = 'basic' | 'application' | 'none';

/** Properties that custom endpoints and single requests have in common. */
export interface EndpointProperties {
  readonly method?: Method | undefined;
  readonly schema?: unknown;
  readonly responseType?: ResponseType | undefined;
  readonly auth?: AuthScheme | undefined;
  readonly retry?: RetryRule | undefined;
}

/** Differences between the APIs that affect custom endpoints and single requests. */
export interface ApiFamily {
  readonly name: 'hosting' | 'support' | 'console';
  /** Authentication schemes that a request can require. */
  readonly schemes: readonly AuthScheme[];
  /** Retry rule for writes that don't set `retry`. */
  readonly writes: RetryRule;
  /** Adds the checks that apply to every response from this API. */
  readonly validated?: ((spec: ResponseSpec<unknown>) => ResponseSpec<unknown>) | undefined;
}

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const retryRules: readonly RetryRule[] = ['safe', 'idempotent', 'refused', 'unsent'];
const responseTypes: readonly ResponseType[] = ['json', 'none', 'exists', 'bytes', 'stream'];

/** Returns the HTTP method at the start of a string, as in `GET /user`. */
export function parseLeadingMethod(text: string): Method | undefined {
  return methods.find((method) => text.startsWith(`${method} `));
}

/**
 * Checks the properties that endpoints and requests share.
 * @param within text before each name in messages, such as `issues.list.`. Empty for a request.
 * @throws {ConfigurationError} if a property is invalid. The message names the property.
 */
export function checkEndpointProperties(
  words: EndpointProperties,
  { schemes }: ApiFamily,
  within = '',
): void {
  const { method, responseType, auth, retry, schema } = words;
  checkWord(`${within}method`, method, methods);
  checkWord(`${within}responseType`, responseType, responseTypes);
  checkWord(`${within}auth`, auth, schemes);
  checkWord(`${within}retry`, retry, retryRules);
  if (schema === undefined || isStandardSchema(schema)) return;
  const option = `${within}schema`;
  throw invalidOption(
    option,
    `must be a Standard Schema, such as zod's z.object({ … }) (got ${describeKind(schema)})`,
  );
}

/** Returns whether a value is a Standard Schema. Some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const standard: unknown =
    typeof value === 'function' ? Reflect.get(value, '~standard') : getMember(value, '~standard');
  return typeof getMember(standard, 'validate') === 'function';
}

/** @throws {ConfigurationError} if a value is neither undefined nor one of the words. */
export function checkWord<Word>(where: string, given: Word, words: readonly Word[]): void {
  if (given === undefined || words.includes(given)) return;
  const expected = words.length === 0 ? 'omitted for this client' : joinAlternatives(words);
  const got = typeof given === 'string' ? `'${given}'` : describeKind(given);
  throw invalidOption(where, `must be ${expected} (got ${got})`);
}

export function resolveRetryRule(
  { method = 'GET', retry }: EndpointProperties,
  { writes }: ApiFamily,
): RetryRule {
  if (retry !== undefined) return retry;
  const usual = getDefaultRetry(method);
  return usual === 'safe' ? usual : writes;
}

/** Creates the rules for reading a response. */
export function createResponseSpec<T>(
  {
    method,
    schema,
    responseType = 'json',
  }: EndpointProperties & { readonly schema?: StandardSchema<T> | undefined },
  { validated }: Pick<ApiFamily, 'validated'> = {},
): ResponseSpec<T> {
  if (method === 'HEAD') return { kind: 'none', schema: undefined };
  const spec: ResponseSpec<unknown> =
    responseType === 'exists'
      ? exists
      : { kind: responseType, schema: responseType === 'json' ? schema : undefined };
  // `as`: the result is the output of the schema. An API's checks don't change the type.
  return (validated ? validated(spec) : spec) as ResponseSpec<T>;
}

/** Describes one page of a list whose items match `schema`. */
export function createListSpec<T>(schema: StandardSchema<T> | undefined): ResponseSpec<T[]> {
  if (isModel<T>(schema)) return list(schema);
  return { ...json(itemsSchema(schema)), mismatch: describeNonArray };
}

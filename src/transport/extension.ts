import { ConfigurationError, isTriforgeError } from '../errors/index.js';
import { checkOptions, invalidOption, optionNames } from '../option-names.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { describeKind, formatGot, isRecord } from '../schema/unknown-values.js';
import type { ApiClient } from './api-client.js';
import type { AuthOptions } from './call-settings.js';
import type { Declaration, InputRules, Paging } from './declaration.js';
import { createSliceSpec, type OffsetSlice } from './pagination/offset-pages.js';
import type { ListOptions } from './pagination/paginated.js';
import type { Endpoint, ResponseSpec } from './request/endpoint.js';
import {
  type ApiFamily,
  checkEndpointProperties,
  checkWord,
  createListSpec,
  createResponseSpec,
  resolveRetryRule,
} from './request/endpoint-properties.js';
import { integer, optional } from './request/input.js';
import { compileTemplate } from './request/uri-template.js';

type UncheckedInputs = Readonly<Record<string, unknown>>;

/** A validated method that an extension adds. */
export interface ExtensionMethod {
  readonly group: string;
  readonly name: string;
  readonly endpoint: Endpoint<UncheckedInputs, unknown>;
  readonly paginate: Paging | undefined;
  /** Schema for the response, or for each item of a list. */
  readonly schema: StandardSchema | undefined;
}

const names = optionNames<Declaration>()(
  'method path input schema responseType paginate encoding accept auth retry secret serialize',
);

/**
 * Checks the declarations passed to `client.extend` and creates endpoints from them.
 * @throws {ConfigurationError} if a declaration is invalid. The message names the invalid property,
 * such as `issues.list.retry`.
 */
export function createExtensionMethods(declared: unknown, family: ApiFamily): ExtensionMethod[] {
  return readMembers('endpoints', declared).flatMap(([group, members]) =>
    readMembers(group, members).map(([name, each]) => {
      const operation = `${group}.${name}`;
      checkOptions(each, names, operation);
      // `as`: the property names are checked above, and `createMethod` checks each value.
      return createMethod(group, name, each as Declaration, family);
    }),
  );
}

function readMembers(where: string, given: unknown): [string, unknown][] {
  const isEndpoint = isRecord(given) && typeof given.path === 'string';
  if (isRecord(given) && !isEndpoint) return Object.entries(given);
  const got = isEndpoint ? 'an endpoint' : describeKind(given);
  throw invalidOption(
    where,
    `must be an object such as { issues: { list: endpoint({ … }) } } (got ${got})`,
  );
}

function createMethod(
  group: string,
  name: string,
  declaration: Declaration,
  family: ApiFamily,
): ExtensionMethod {
  const operation = `${group}.${name}`;
  const at = (part: string) => `${operation}.${part}`;
  const { method = 'GET', path, schema, encoding, accept, auth, secret } = declaration;
  const { input = {}, serialize, paginate, responseType = 'json' } = declaration;
  const check = (part: keyof Declaration, holds: boolean, expected: string, validType?: string) =>
    assertOption(at(part), expected, holds, declaration[part], validType);
  checkEndpointProperties(declaration, family, at(''));
  const isPath = typeof path === 'string' && /^\/(?!\/)[^?#]*$/.test(path);
  check(
    'path',
    isPath,
    "a URI template relative to the base URL, such as '/…', without a query",
    'string',
  );
  check('input', isRecord(input), 'an object with rules');
  checkDeclaredInput(operation, path, input);
  checkWord(at('paginate'), paginate, ['link', 'offset']);
  checkWord(at('encoding'), encoding, ['json', 'form']);
  check('accept', isAccept(accept), 'a media type, or a function that returns one', 'string');
  check('serialize', serialize === undefined || typeof serialize === 'function', 'a function');
  const areInputs =
    secret === undefined ||
    (Array.isArray(secret) && secret.every((each) => Object.hasOwn(input, each)));
  check('secret', areInputs, 'an array of input names', 'array');
  const readsJson = responseType === 'json' && method !== 'HEAD';
  check('schema', readsJson || !schema, 'omitted, because the response is not read as JSON');
  check('paginate', readsJson || !paginate, 'omitted, because only JSON lists have pages');
  const endpoint: Endpoint<UncheckedInputs, unknown> = {
    operation,
    method,
    path,
    input: paginate === 'offset' ? { index: optional(integer(0)), ...input } : input,
    response: createDeclaredSpec(declaration, family),
    encoding,
    serialize,
    secret,
    accept: typeof accept === 'string' ? () => accept : accept,
    auth,
    retry: resolveRetryRule(declaration, family),
  };
  return { group, name, endpoint, paginate, schema };
}

/** Checks the input rules. Each path variable needs a required rule. */
function checkDeclaredInput(operation: string, path: string, input: InputRules): void {
  const where = `${operation}.path`;
  for (const [name, rule] of Object.entries(input)) {
    const isRule = isRecord(rule) && typeof rule.test === 'function';
    assertOption(
      `${operation}.input.${name}`,
      'a rule, such as text from triforge/extend',
      isRule,
      rule,
      'object',
    );
  }
  for (const { name, operator, prefix } of parseVariables(where, path)) {
    if ((operator !== '' && operator !== '/') || prefix !== undefined) {
      throw invalidOption(
        where,
        `must contain ${name} as {${name}} or {/${name}*}. To send the input in the query, remove the variable.`,
      );
    }
    const rule = Object.hasOwn(input, name) ? input[name] : undefined;
    if (rule?.required === true) continue;
    const got = rule ? 'an optional rule' : 'no rule';
    throw invalidOption(where, `must have a required rule for {${name}} (got ${got})`);
  }
}

function parseVariables(where: string, path: string) {
  try {
    return compileTemplate(path).variables;
  } catch (error) {
    if (!isTriforgeError(error)) throw error;
    throw new ConfigurationError(`${where}: ${error.message}`, { option: where, cause: error });
  }
}

function createDeclaredSpec(declaration: Declaration, family: ApiFamily): ResponseSpec<unknown> {
  const { schema, paginate } = declaration;
  if (paginate === undefined) return createResponseSpec(declaration, family);
  const page = paginate === 'offset' ? createSliceSpec(schema) : createListSpec(schema);
  return family.validated ? family.validated(page) : page;
}

function isAccept(accept: unknown): boolean {
  if (typeof accept === 'string') return /^[\t -~]+$/.test(accept);
  return accept === undefined || typeof accept === 'function';
}

/**
 * @param validType type of all valid values. If the invalid value has this type, the message omits
 * it.
 */
function assertOption(
  where: string,
  expected: string,
  holds: boolean,
  given: unknown,
  validType?: string,
): void {
  if (holds) return;
  throw invalidOption(where, `must be ${expected}${formatGot(given, validType)}`);
}

/** @throws {ConfigurationError} if a name is taken. */
export function addMethods<Auth>(
  client: object,
  api: ApiClient<Auth>,
  added: readonly ExtensionMethod[],
): void {
  for (const { group, name, endpoint, paginate } of added) {
    const method = (input: UncheckedInputs = {}, options?: AuthOptions<Auth> & ListOptions) => {
      if (paginate === undefined) return api.call(endpoint, input, options);
      // `as`: `paginate` determines the type of the endpoint's pages.
      return paginate === 'link'
        ? api.list(endpoint as Endpoint<UncheckedInputs, unknown[]>, input, options)
        : api.listByOffset(
            endpoint as Endpoint<UncheckedInputs, OffsetSlice<unknown>>,
            input,
            options,
          );
    };
    const own: unknown = Object.hasOwn(client, group) ? Reflect.get(client, group) : {};
    const isFree = Object.hasOwn(client, group) || !(group in client);
    if (!isFree || typeof own !== 'object' || own === null || implicitMethods.has(group)) {
      throw createNameTakenError(group);
    }
    if (name in own || implicitMethods.has(name)) throw createNameTakenError(`${group}.${name}`);
    Reflect.set(own, name, method);
    Reflect.set(client, group, own);
  }
}

/** Methods that JavaScript calls implicitly, in `await` and `JSON.stringify`. */
const implicitMethods = new Set(['then', 'toJSON']);

function createNameTakenError(name: string): ConfigurationError {
  return invalidOption(
    name,
    'must not be the name of an existing client member. Use another name.',
  );
}

import { ConfigurationError, InvalidRequestError } from '../../errors/index.js';
import { invalidOption } from '../../option-names.js';
import { describeKind } from '../../schema/unknown-values.js';
import { createInputError } from './input.js';

/**
 * Names and values, as an object, or an iterable of pairs such as `Headers`, `URLSearchParams` or
 * `Map`.
 */
export type Fields<Value> =
  | Readonly<Record<string, Value | undefined>>
  | Iterable<readonly [string, Value | undefined]>;

/**
 * Converts names and values to pairs.
 * @throws {InvalidRequestError} if `given` is neither an object nor pairs.
 */
function parseFields<Value>(
  what: string,
  given: Fields<Value>,
): (readonly [string, Value | undefined])[] {
  const rule = 'must be an object, or an iterable of name-value pairs';
  if (typeof given !== 'object' || given === null) {
    throw createInputError(what, `${rule} (got ${describeKind(given)})`);
  }
  if (!isIterable(given)) return Object.entries(given);
  const pairs = [...given];
  const whole = pairs.every(
    (pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string',
  );
  if (whole) return pairs;
  throw createInputError(what, rule);
}

function isIterable<Value>(
  given: Fields<Value>,
): given is Iterable<readonly [string, Value | undefined]> {
  return Symbol.iterator in given;
}

const refusedHeaders = new Set(
  'authorization host connection content-length transfer-encoding keep-alive upgrade expect te trailer cookie proxy-authorization'.split(
    ' ',
  ),
);

/**
 * Checks the caller's headers and converts their names to lower case.
 * @throws {InvalidRequestError} if a name or value is invalid, or the caller must not set the
 * header.
 */
export function checkHeaders(given: Fields<string>): ReadonlyArray<readonly [string, string]> {
  const fields: [string, string][] = [];
  for (const [name, value] of parseFields('headers', given)) {
    if (value === undefined) continue;
    const field = `headers.${name}`;
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower)) {
      throw createInputError(field, 'must be a valid header name');
    }
    if (refusedHeaders.has(lower)) {
      const remedy = lower === 'authorization' ? '. Pass credentials in auth.' : '';
      throw createInputError(field, `must not be set, because the client sets the header${remedy}`);
    }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw createInputError(
        field,
        `must be Latin-1 text without control characters (got ${describeKind(value)})`,
      );
    }
    fields.push([lower, value]);
  }
  return fields;
}

/** Headers that methods set or that have a separate option, so they can't be set for all calls. */
const ofOneCall =
  /^(?:accept|accept-encoding|content-type|user-agent|range|if-(?:none-)?match|if-(?:un)?modified-since|if-range)$/;

/**
 * Checks a client's headers, and adds the headers that the client sets itself.
 * @throws {ConfigurationError} if a header is invalid or can't be sent with every request.
 */
export function checkSharedHeaders(given: Fields<string> = {}, own: HeaderPairs = []): HeaderPairs {
  let fields: HeaderPairs;
  try {
    fields = checkHeaders(given);
  } catch (cause) {
    if (!(cause instanceof InvalidRequestError)) throw cause;
    throw new ConfigurationError(cause.message, { option: cause.field, cause });
  }
  for (const [name] of fields) {
    if (!ofOneCall.test(name)) continue;
    const field = `headers.${name}`;
    const instead =
      name === 'user-agent' ? 'Use userAgent.' : 'Pass the header to individual calls.';
    throw invalidOption(field, `must not be set for all calls. ${instead}`);
  }
  return mergeHeaders(fields, own);
}

/**
 * Calls a function with each name and value in a value's JSON.
 * @param visit returns whether to visit the members of an object or array.
 */
function visitJson(value: unknown, visit: (name: string, value: unknown) => boolean): void {
  try {
    JSON.stringify(value, (name, each: unknown) => {
      const plain = each instanceof String || each instanceof Number ? each.valueOf() : each;
      const mayDescend = visit(name, plain) && typeof plain === 'object';
      // The text isn't needed, so omit everything without members.
      return mayDescend ? plain : undefined;
    });
  } catch {
    // Creating the request's body fails too and reports the error.
  }
}

/**
 * Returns all strings, numbers and bytes in a value, at any depth, as they are sent. Any of these
 * values may be a secret.
 */
export function collectLeaves(value: unknown): string[] {
  const leaves: string[] = [];
  visitJson(value, (_name, each) => {
    const isText = typeof each === 'string' || typeof each === 'number' || typeof each === 'bigint';
    if (isText && each !== '') leaves.push(String(each));
    if (!(each instanceof Uint8Array)) return true;
    leaves.push(Buffer.from(each).toString());
    return false;
  });
  return leaves;
}

/** Matches names of parameters and properties that contain a secret in any API. */
const secretName =
  /token|secret|pass(?:w|phrase|code)|api[-_]?key|private|credential|md5|[-_](?:key|otp)$|^otp[-_]/i;
/** Matches secret names in camel case, such as `accessKey`. */
const secretCamel = /[a-z\d]Key$/;
/**
 * Matches secret names of top-level parameters. Within objects, properties with these names are
 * often harmless.
 */
const secretParameter = /^(?:code|otp)$/i;
/** Matches names of secret headers, such as `X-GatewayKey` or `X-Authorization`. */
const secretHeader = /(?:key|auth(?:orization)?)$|jwt|bearer|cookie/i;

export function secretsInHeaders(headers: Iterable<readonly [string, string]>): string[] {
  return [...headers].flatMap(([name, value]) =>
    (secretHeader.test(name) ? collectLeaves(value) : findNamedSecrets([[name, value]])).flatMap(
      splitHeaderSecrets,
    ),
  );
}

/**
 * Returns a header's value and the secrets in it, because a server may repeat each part separately.
 * The secrets are the credentials after a scheme (`Bearer …`), a Basic password, and values of
 * parameters and cookies (`a=…; b=…`).
 */
function splitHeaderSecrets(value: string): string[] {
  const [, scheme = '', rest = ''] = /^([a-z][\w-]*) +(.*)$/i.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  const values = [...value.matchAll(/(?:^|[;,\s])[\w.-]+=("?)([^;,\s"]+)\1/g)].map(
    ([, , each = '']) => each,
  );
  return [value, rest, pair.slice(pair.indexOf(':') + 1), ...values].filter((each) => each !== '');
}

/** Finds secrets in inputs by their names, at any depth. */
export function findNamedSecrets(entries: Iterable<readonly [string, unknown]>): string[] {
  const secrets: string[] = [];
  for (const [input, value] of entries) {
    if (secretParameter.test(input)) secrets.push(...collectLeaves(value));
    visitJson({ [input]: value }, (name, each) => {
      const isSecret = secretName.test(name) || secretCamel.test(name);
      if (isSecret) secrets.push(...collectLeaves(each));
      return !isSecret;
    });
  }
  return secrets;
}

type HeaderPairs = ReadonlyArray<readonly [string, string]>;

/** Merges headers. The headers in `own` take precedence. */
export function mergeHeaders(shared: HeaderPairs, own: HeaderPairs) {
  const given = new Set(own.map(([name]) => name));
  return [...shared.filter(([name]) => !given.has(name)), ...own];
}

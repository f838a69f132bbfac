import { checkOptions, forOneCall, optionNames } from '../../option-names.js';
import { describeKind, isRecord } from '../../schema/unknown-values.js';
import { collectParameters, createInputError, type Parameter } from './input.js';
import { collectLeaves, toPlainJson } from './leaves.js';

/** Parameters that only a newer server knows. */
export interface ExtraInputs {
  /** Parameters to add to the URL's query. */
  readonly query?: Readonly<Record<string, Parameter | undefined>> | undefined;
  /**
   * Values to add to the body, as properties of a JSON body or fields of a form. Only for requests
   * that have a body.
   */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

const parts = optionNames<ExtraInputs>()('query body');

/** Endpoint data that extra inputs are checked against. */
export interface NamedInputs {
  readonly operation: string;
  /** Whether the request has a body with properties or fields. */
  readonly hasBody: boolean;
  /** Names of the endpoint's inputs. */
  readonly names: ReadonlySet<string>;
  readonly credentialParameters: ReadonlySet<string>;
}

/**
 * Checks extra inputs against the endpoint that they are passed to.
 * @throws {InvalidRequestError} if `extra` isn't an object, a name is one of the endpoint's inputs,
 * or `extra.body` is set for a request without a body.
 */
export function checkExtra(extra: ExtraInputs | undefined, named: NamedInputs): ExtraInputs {
  if (extra === undefined) return {};
  const { operation } = named;
  forOneCall(() => checkOptions(extra, parts, 'extra'));
  for (const part of ['query', 'body'] as const) {
    const values = extra[part];
    if (values === undefined) continue;
    const field = `extra.${part}`;
    if (!isRecord(values)) {
      throw createInputError(field, `must be an object (got ${describeKind(values)})`, operation);
    }
    for (const name of Object.keys(values)) checkExtraName(name, `${field}.${name}`, named);
  }
  if (!named.hasBody && Object.values(extra.body ?? {}).some((value) => value !== undefined)) {
    throw createInputError(
      'extra.body',
      'must not be set, because this request has no body. Use extra.query.',
      operation,
    );
  }
  return extra;
}

function checkExtraName(name: string, field: string, named: NamedInputs): void {
  const { operation, names, credentialParameters } = named;
  if (names.has(name)) {
    throw createInputError(
      field,
      "must not be one of the method's own inputs. Pass the value in the method's input.",
      operation,
    );
  }
  if (name === '' || name === '__proto__') {
    throw createInputError(field, "must have a name other than '' and '__proto__'", operation);
  }
  if (credentialParameters.has(name)) {
    throw createInputError(
      field,
      'must not be a parameter for credentials. Pass credentials in auth.',
      operation,
    );
  }
}

/**
 * Converts extra inputs to query or form parameters.
 * @throws {InvalidRequestError} if a value can't be sent.
 */
export function extraParameters(
  operation: string,
  part: 'query' | 'body',
  { [part]: values = {} }: ExtraInputs,
): [string, Parameter][] {
  return collectParameters(operation, values, Object.keys(values), `extra.${part}.`);
}

export function extraSecrets({ query = {}, body = {} }: ExtraInputs): string[] {
  return [...findNamedSecrets(Object.entries(query)), ...findNamedSecrets(Object.entries(body))];
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

/** Finds secrets in a raw request by their property names, at any depth. */
export function findNamedSecrets(entries: Iterable<readonly [string, unknown]>): string[] {
  const secrets: string[] = [];
  const seen = new Set<object>();
  const left: (readonly [string, unknown])[] = [];
  for (const [name, value] of entries) {
    left.push([name, value]);
    if (secretParameter.test(name)) secrets.push(...collectLeaves(value));
  }
  for (const [name, value] of left) {
    if (secretName.test(name) || secretCamel.test(name)) secrets.push(...collectLeaves(value));
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      // The loop also visits these entries. Push them one by one, because a function call can't
      // take a hundred thousand arguments.
      for (const entry of Object.entries(toPlainJson(value) ?? {})) left.push(entry);
    }
  }
  return secrets;
}

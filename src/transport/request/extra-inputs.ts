import { checkOptions, forOneCall, optionNames } from '../../option-names.js';
import { isRecord } from '../../schema/unknown-values.js';
import { invalidInput, kindOf, type Parameter, parametersOf } from './input.js';
import { jsonOf, leavesOf } from './leaves.js';

/** Inputs that a newer server knows and this package does not. */
export interface ExtraInputs {
  /** Added to the URL's query. */
  readonly query?: Readonly<Record<string, Parameter | undefined>> | undefined;
  /**
   * Added to the body in its own encoding: as members of a JSON body, or as fields of a form. For
   * requests that have a body.
   */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

const parts = optionNames<ExtraInputs>()('query body');

/** What extra inputs must not collide with. */
export interface NamedInputs {
  readonly operation: string;
  /** The body has members or fields. */
  readonly hasBody: boolean;
  /** Names of the endpoint's own inputs. */
  readonly names: ReadonlySet<string>;
  /** Parameters that carry credentials. */
  readonly credentialParameters: ReadonlySet<string>;
}

/**
 * Holds extra inputs against the endpoint they are given to.
 * @throws {InvalidRequestError} no object, a name that the endpoint has itself, or a body where none is sent.
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
      throw invalidInput(field, `expected an object, got ${kindOf(values)}`, operation);
    }
    for (const name of Object.keys(values)) checkName(name, `${field}.${name}`, named);
  }
  if (!named.hasBody && Object.values(extra.body ?? {}).some((value) => value !== undefined)) {
    throw invalidInput(
      'extra.body',
      'this request has no body to add to; use extra.query',
      operation,
    );
  }
  return extra;
}

function checkName(name: string, field: string, named: NamedInputs): void {
  const { operation, names, credentialParameters } = named;
  if (names.has(name)) {
    throw invalidInput(field, 'this is an input of its own: give it in the input', operation);
  }
  if (credentialParameters.has(name) || name === '__proto__' || name === '') {
    throw invalidInput(field, "this name can't be given; credentials belong into auth", operation);
  }
}

/** Extra inputs as parameters of a query or a form. @throws {InvalidRequestError} a value that is none. */
export function extraParameters(
  operation: string,
  part: 'query' | 'body',
  { [part]: values = {} }: ExtraInputs,
): [string, Parameter][] {
  return parametersOf(operation, values, Object.keys(values), `extra.${part}.`);
}

/** What must not show of extra inputs. */
export function extraSecrets({ query = {}, body = {} }: ExtraInputs): string[] {
  return [...secretsIn(Object.entries(query)), ...secretsIn(Object.entries(body))];
}

/** Names of parameters and members that hold a secret, whatever the API. */
const secretName =
  /token|secret|pass(?:w|phrase|code)|api[-_]?key|private|credential|md5|[-_](?:key|otp)$|^otp[-_]/i;
/** The same in camel case: `accessKey`. */
const secretCamel = /[a-z\d]Key$/;
/** Such names of whole parameters; within objects they are those of plain words. */
const secretParameter = /^(?:code|otp)$/i;
/** A header with such a name contains a secret: `X-GatewayKey`, `X-Authorization`. */
const secretHeader = /(?:key|auth(?:orization)?)$|jwt|bearer|cookie/i;

/** Secrets in headers, which must never be shown. */
export function secretsInHeaders(headers: Iterable<readonly [string, string]>): string[] {
  return [...headers].flatMap(([name, value]) =>
    (secretHeader.test(name) ? leavesOf(value) : secretsIn([[name, value]])).flatMap(partsOf),
  );
}

/**
 * A header's value, and the secrets in it, which a server may repeat by themselves: the credentials after
 * a scheme (`Bearer …`), the password of Basic, and the values of parameters and cookies (`a=…; b=…`).
 */
function partsOf(value: string): string[] {
  const [, scheme = '', rest = ''] = /^([a-z][\w-]*) +(.*)$/i.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  const values = [...value.matchAll(/(?:^|[;,\s])[\w.-]+=("?)([^;,\s"]+)\1/g)].map(
    ([, , each = '']) => each,
  );
  return [value, rest, pair.slice(pair.indexOf(':') + 1), ...values].filter((each) => each !== '');
}

/** What must not show of a request that is in the caller's own words: credentials by their name, however deep. */
export function secretsIn(entries: Iterable<readonly [string, unknown]>): string[] {
  const secrets: string[] = [];
  const seen = new Set<object>();
  const left: (readonly [string, unknown])[] = [];
  for (const [name, value] of entries) {
    left.push([name, value]);
    if (secretParameter.test(name)) secrets.push(...leavesOf(value));
  }
  for (const [name, value] of left) {
    if (secretName.test(name) || secretCamel.test(name)) secrets.push(...leavesOf(value));
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      // The loop visits these too. One by one, because a call can't take a hundred thousand arguments.
      for (const entry of Object.entries(jsonOf(value) ?? {})) left.push(entry);
    }
  }
  return secrets;
}

import { checkOptions, forOneCall, optionNames } from '../../option-names.js';
import { describeKind, isRecord } from '../../schema/unknown-values.js';
import { collectParameters, createInputError, type Parameter } from './input.js';
import { findNamedSecrets } from './input-secrets.js';

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

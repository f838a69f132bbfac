import { ConfigurationError } from '../errors/index.js';
import { invalidOption } from '../option-names.js';
import { joinWords } from '../schema/unknown-values.js';

/** Environment variables that configure a client. */
export interface Environment {
  /** Variable name for each option. */
  readonly options: Readonly<Record<string, string>> & { readonly baseUrl: string };
  /**
   * Authentication methods. `own` contains the fixed properties of `auth`, and `parts` maps each
   * other property to its environment variable.
   */
  readonly auth: readonly {
    readonly own?: object;
    readonly parts: Readonly<Record<string, string>>;
  }[];
  readonly needsAuth?: boolean;
}

/**
 * Creates a client from environment variables and options. Options take precedence.
 * @throws {ConfigurationError} if a variable is missing or invalid. The message names the variable
 * and contains no secret.
 */
export function fromEnvironment<Options extends object, Client>(
  { options: variables, auth: ways, needsAuth = false }: Environment,
  given: Partial<Options> | undefined,
  make: (options: Options) => Client,
): Client {
  const names = new Map<string, string>();
  const read: Record<string, unknown> = {};
  const own = new Map<string, unknown>();
  // Include inherited options, such as those from `Object.create(defaults)`.
  for (const option in given) own.set(option, Reflect.get(given, option));
  for (const [option, variable] of Object.entries(variables)) {
    const value = process.env[variable];
    if (!value || own.get(option) !== undefined) continue;
    names.set(option, variable);
    read[option] = value;
  }
  if (own.get('auth') === undefined) read.auth = readAuth(ways, needsAuth, names);
  for (const [option, value] of own) if (value !== undefined) read[option] = value;
  if (read.baseUrl === undefined) {
    throw new ConfigurationError(
      `${variables.baseUrl}: is required. Set the variable to the API's base URL.`,
      {
        option: 'baseUrl',
      },
    );
  }
  try {
    // `as`: the client checks the values.
    return make(read as Options);
  } catch (error) {
    throw nameVariables(error, names);
  }
}

function readAuth(
  ways: Environment['auth'],
  needsAuth: boolean,
  names: Map<string, string>,
): object | undefined {
  const begun = ways.filter(({ parts }) => Object.values(parts).some((name) => process.env[name]));
  const [way, another] = begun;
  if (way && another) {
    const all = begun.flatMap(({ parts }) =>
      Object.values(parts).filter((name) => process.env[name]),
    );
    const variables = joinWords(all, 'and');
    throw new ConfigurationError(
      `${variables}: must not be combined. Set the variables for only one authentication method.`,
      { option: 'auth' },
    );
  }
  if (!way) {
    if (!needsAuth) return undefined;
    const variables = ways
      .map(({ parts }) => joinWords(Object.values(parts), 'and'))
      .join(', or set ');
    throw invalidOption('auth', `is required. Set ${variables}.`);
  }
  const auth: Record<string, unknown> = { ...way.own };
  for (const [part, name] of Object.entries(way.parts)) {
    const value = process.env[name];
    if (!value) {
      const others = Object.values(way.parts).filter((each) => process.env[each]);
      throw new ConfigurationError(
        `${name}: is required in addition to ${joinWords(others, 'and')}`,
        { option: 'auth' },
      );
    }
    names.set(`auth.${part}`, name);
    auth[part] = value;
  }
  return auth;
}

/**
 * Replaces the option name at the start of an error message with the variable that the user set.
 */
function nameVariables(error: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  const [, option = '', rest = ''] = /^([\w.]+): (.*)$/s.exec(error.message) ?? [];
  const name = names.get(option);
  if (name === undefined) return error;
  return new ConfigurationError(`${name}: ${rest}`, { option: error.option, cause: error });
}

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
  { options: variables, auth, needsAuth = false }: Environment,
  given: Partial<Options> | undefined,
  make: (options: Options) => Client,
): Client {
  const read: Record<string, unknown> = {};
  /** Variables that set each option, for errors. */
  const sources: Record<string, string> = {};
  for (const [option, variable] of Object.entries(variables)) {
    read[option] = readVariable(variable);
    sources[option] = variable;
  }
  for (const [option, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    read[option] = value;
    delete sources[option];
  }
  if (read.baseUrl === undefined) {
    throw invalidOption('baseUrl', `is required. Set ${variables.baseUrl}.`);
  }
  if (read.auth === undefined) {
    const method = chooseMethod(auth, needsAuth);
    if (method) {
      const parts = Object.entries(method.parts);
      const values = parts.map(([part, name]) => [part, readVariable(name)]);
      read.auth = { ...method.own, ...Object.fromEntries(values) };
      sources.auth = joinWords(Object.values(method.parts), 'and');
    }
  }
  try {
    // `as`: the client checks the values.
    return make(read as Options);
  } catch (error) {
    const source = error instanceof ConfigurationError && sources[error.option ?? ''];
    if (!source) throw error;
    const message = `${error.message} (set by ${source})`;
    throw new ConfigurationError(message, { option: error.option, cause: error });
  }
}

/** Returns a variable's value. Undefined if the variable is unset or empty. */
function readVariable(name: string): string | undefined {
  return process.env[name] || undefined;
}

function chooseMethod(methods: Environment['auth'], needsAuth: boolean) {
  const names = methods.map(({ parts }) => Object.values(parts));
  const set = names.flat().filter(readVariable);
  if (set.length === 0 && !needsAuth) return undefined;
  const method = methods.find(({ parts }) => Object.values(parts).join() === set.join());
  if (method) return method;
  const choices = names.map((each) => joinWords(each, 'and')).join(', or ');
  const got = set.length === 0 ? 'none' : joinWords(set, 'and');
  throw invalidOption('auth', `set only ${choices} (got ${got})`);
}

import type { ConsoleAuth } from '../console/index.js';
import type { HostingAuth } from '../hosting/index.js';
import type { SupportAuth } from '../support/index.js';
import type { ExamineOptions } from './examine.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the environment names, by the variables of the clients' `fromEnv`: never an argument of a command, which other users of the machine can
 * read.
 * @throws {Error} naming a variable that is missing beside another one.
 */
export function fromEnvironment(
  env: Environment,
): Pick<ExamineOptions, 'hosting' | 'support' | 'console'> {
  const { TRIFORGE_BASE_URL, TRIFORGE_SUPPORT_BASE_URL, TRIFORGE_CONSOLE_BASE_URL } = env;
  return {
    hosting: addressOf('TRIFORGE_BASE_URL', TRIFORGE_BASE_URL, (baseUrl) => ({
      baseUrl,
      auth: hostingAuth(env),
      vendor: env.TRIFORGE_VENDOR,
    })),
    support: addressOf('TRIFORGE_SUPPORT_BASE_URL', TRIFORGE_SUPPORT_BASE_URL, (baseUrl) => ({
      baseUrl,
      auth: supportAuth(env),
    })),
    console: addressOf('TRIFORGE_CONSOLE_BASE_URL', TRIFORGE_CONSOLE_BASE_URL, (baseUrl) => ({
      baseUrl,
      auth: consoleAuth(env),
      vendor: env.TRIFORGE_CONSOLE_VENDOR,
    })),
  };
}

function addressOf<T>(
  name: string,
  value: string | undefined,
  made: (baseUrl: string) => T,
): T | undefined {
  if (value === undefined || value === '') return undefined;
  if (!URL.canParse(value)) throw new Error(`${name}: expected an address such as https://…`);
  return made(value);
}

function hostingAuth({ TRIFORGE_TOKEN }: Environment): HostingAuth | undefined {
  return TRIFORGE_TOKEN ? { type: 'token', token: TRIFORGE_TOKEN } : undefined;
}

function supportAuth(env: Environment): SupportAuth {
  return {
    userName: needed(env, 'TRIFORGE_SUPPORT_USER_NAME', 'TRIFORGE_SUPPORT_BASE_URL'),
    apiKey: needed(env, 'TRIFORGE_SUPPORT_API_KEY', 'TRIFORGE_SUPPORT_BASE_URL'),
    password: needed(env, 'TRIFORGE_SUPPORT_PASSWORD', 'TRIFORGE_SUPPORT_BASE_URL'),
  };
}

function consoleAuth(env: Environment): ConsoleAuth {
  if (env.TRIFORGE_CONSOLE_LICENSE) return { license: env.TRIFORGE_CONSOLE_LICENSE };
  return { licenseMd5: needed(env, 'TRIFORGE_CONSOLE_LICENSE_MD5', 'TRIFORGE_CONSOLE_BASE_URL') };
}

function needed(env: Environment, name: string, beside: string): string {
  const value = env[name];
  if (value === undefined || value === '')
    throw new Error(`${name}: it is wanted beside ${beside}`);
  return value;
}

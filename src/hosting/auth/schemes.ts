import { ConfigurationError } from '../../errors/index.js';
import { checkOptions, invalidOption, optionNames } from '../../option-names.js';
import { describeKind, describeLength, formatGot } from '../../schema/unknown-values.js';
import { BoundedMap } from '../../transport/request/bounded-map.js';
import {
  type Authorizer,
  type Credentials,
  computeFingerprint,
  formatBasicAuth,
} from '../../transport/request/credentials.js';
import { encodeParameters, type Rule, rule } from '../../transport/request/input.js';
import { requiresOtp } from '../../transport/response/classify.js';

/** Matches printable ASCII without spaces. */
const printable = /^[\x21-\x7e]+$/;

/** Length in characters of an application's client ID and client secret. */
export const applicationLengths = { clientId: 20, clientSecret: 40 };

/** Returns whether a value is printable ASCII text of the required length, without spaces. */
export function isPrintable(value: unknown, length: number): boolean {
  return typeof value === 'string' && value.length === length && printable.test(value);
}

function printableText(length: number): Rule {
  return rule(`${length} printable ASCII characters`, (value) => isPrintable(value, length), {
    type: 'string',
    pattern: `^[!-~]{${length}}$`,
  });
}

/** Validation rule for a client ID. */
export const clientId = printableText(applicationLengths.clientId);

/** Validation rule for a client secret. */
export const clientSecret = printableText(applicationLengths.clientSecret);

/** Basic authentication with a username and password. */
export interface BasicAuth {
  /** Always `basic`. */
  readonly type: 'basic';
  /** Login name. Must not contain a colon. */
  readonly username: string;
  /** Password, or a token used as the password. */
  readonly password: string;
  /**
   * One-time password for an account with two-factor authentication. Pass the code, or a function
   * that returns the code. The client calls the function whenever a request requires a code, and
   * sends the code only with that request.
   */
  readonly otp?: string | (() => string | Promise<string>) | undefined;
}

/** Authentication with an OAuth or personal access token. */
export interface TokenAuth {
  /** Always `token`. */
  readonly type: 'token';
  /** OAuth or personal access token. */
  readonly token: string;
  /**
   * Location of the token: `header` for the `Authorization` header, or `query` for the query.
   * Default: `header`.
   */
  readonly in?: 'header' | 'query' | undefined;
}

/** Client ID and secret of an OAuth application, whose rate limit applies to the calls. */
export interface ApplicationAuth {
  /** Always `application`. */
  readonly type: 'application';
  /** 20-character client ID. */
  readonly clientId: string;
  /** Client secret, 40 characters. */
  readonly clientSecret: string;
}

/** No credentials. */
export interface NoAuth {
  /** Always `none`. */
  readonly type: 'none';
}

/** Credentials for the hosting API. */
export type HostingCredentials = BasicAuth | TokenAuth | ApplicationAuth | NoAuth;

/**
 * Credentials, or a function that returns credentials for each request, for example to rotate them.
 * A string is treated as a token.
 */
export type HostingAuth =
  | string
  | HostingCredentials
  | (() => string | HostingCredentials | Promise<string | HostingCredentials>);

/** Number of an `auth` function's most recent credentials whose secrets stay masked. */
const maxRecent = 20;

const credentialParameters = new Set(['access_token', 'client_id', 'client_secret']);

/**
 * Creates the authorizer for an `auth` option.
 * @throws {ConfigurationError} if the scheme is unknown, or the credentials are invalid.
 */
export function hostingAuthorizer(auth: HostingAuth | undefined, vendor: string): Authorizer {
  const otpHeader = `x-${vendor}-otp`;
  /** Functions that provide one-time passwords, by the credentials that were sent. */
  const prompts = new WeakMap<Credentials, () => string | Promise<string>>();
  // A server can echo an earlier request's secrets, for example from a list's previous page.
  const recent = new BoundedMap<string, readonly string[]>(maxRecent);
  const build = (given: HostingCredentials, requirement: string | undefined) => {
    const own = buildSchemeCredentials(given, requirement, otpHeader);
    if (!own) return undefined;
    recent.set(own.fingerprint, own.secrets);
    const made = { ...own, secrets: [...recent.values()].flat() };
    if (given.type === 'basic' && typeof given.otp === 'function') prompts.set(made, given.otp);
    return made;
  };
  const renew: Authorizer['renew'] = async (rejected, challenge) => {
    const prompt = rejected && prompts.get(rejected);
    if (!prompt || !requiresOtp(challenge)) return undefined;
    return withOtp(rejected, otpHeader, await prompt());
  };
  if (typeof auth === 'function') {
    const credentials = async (requirement?: string) => {
      return build(checkAuth(await auth()), requirement);
    };
    return { credentialParameters, credentials, renew };
  }
  const given = checkAuth(auth ?? { type: 'none' });
  const made = new Map<string | undefined, Credentials | undefined>();
  const credentials = (requirement?: string) => {
    if (!made.has(requirement)) made.set(requirement, build(given, requirement));
    return made.get(requirement);
  };
  const isNone = given.type === 'none';
  return {
    credentialParameters,
    unauthorizedHint: isNone ? 'no credentials are set. Set the `auth` option.' : undefined,
    fixed: 'otp' in given ? undefined : credentials(),
    credentials,
    renew,
  };
}

/** Options for each scheme. */
const schemes = {
  basic: optionNames<BasicAuth>()('type username password otp'),
  token: optionNames<TokenAuth>()('type token in'),
  application: optionNames<ApplicationAuth>()('type clientId clientSecret'),
  none: optionNames<NoAuth>()('type'),
};

/** Scheme options that aren't required credentials. */
const otherOptions = new Set(['type', 'otp', 'in']);

function checkAuth(given: string | HostingCredentials): HostingCredentials {
  const auth = typeof given === 'string' ? ({ type: 'token', token: given } as const) : given;
  if (typeof auth !== 'object' || auth === null) {
    const why = `must be a token, or an object such as { type: 'token', token } (got ${describeKind(auth)})`;
    throw invalidOption('auth', why);
  }
  const type: unknown = auth.type;
  if (typeof type !== 'string' || !Object.hasOwn(schemes, type)) {
    throw new ConfigurationError(
      `auth.type: must be 'basic', 'token', 'application' or 'none'${formatGot(type, 'string')}`,
      { option: 'auth' },
    );
  }
  const options = schemes[auth.type];
  checkOptions(auth, options, 'auth');
  for (const name of Object.keys(options)) {
    if (otherOptions.has(name)) continue;
    const problem = findSecretProblem(name, Reflect.get(auth, name));
    if (problem !== undefined) {
      throw new ConfigurationError(`auth.${name}: ${problem}`, { option: 'auth' });
    }
  }
  if (auth.type === 'basic' && auth.username.includes(':')) {
    throw new ConfigurationError('auth.username: must not contain a colon', { option: 'auth' });
  }
  return auth;
}

/** Describes the problem with one credential, such as a password, without revealing the value. */
function findSecretProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') {
    return `must be a non-empty string (got ${describeKind(value)})`;
  }
  // Secrets read from files or shell output often end with a line break.
  if (/[\r\n\0]/.test(value)) return 'must not contain a line break or NUL. Use trim().';
  if (name === 'clientId' || name === 'clientSecret') {
    const length = applicationLengths[name];
    if (isPrintable(value, length)) return undefined;
    return `must be ${length} printable ASCII characters (got ${describeLength(value, length)})`;
  }
  if (name === 'token' && /^(?:token|bearer) /i.test(value)) {
    return "must not contain the scheme, such as 'token' or 'Bearer'. Pass only the token.";
  }
  if (name === 'token' && !printable.test(value))
    return 'must be printable ASCII without spaces. Use trim().';
  return undefined;
}

function buildSchemeCredentials(
  auth: HostingCredentials,
  requirement: string | undefined,
  otpHeader: string,
): Credentials | undefined {
  if (requirement === 'application') return applicationBasic(auth);
  if (requirement === 'basic' && auth.type !== 'basic') {
    const why = `must be a username and password for this endpoint (got type '${auth.type}'). Use { type: 'basic', username, password }.`;
    throw invalidOption('auth', why);
  }
  switch (auth.type) {
    case 'basic': {
      const basic = basicCredentials(auth.username, auth.password);
      if (typeof auth.otp === 'function') return { ...basic, isRenewable: true };
      return typeof auth.otp === 'string' ? withOtp(basic, otpHeader, auth.otp) : basic;
    }
    case 'token': {
      const { token } = auth;
      const fingerprint = computeFingerprint('token', token);
      if (auth.in === 'query') return inQuery({ access_token: token }, [token], fingerprint);
      return inHeader(`token ${token}`, [token], fingerprint);
    }
    case 'application': {
      const { clientId, clientSecret } = auth;
      return inQuery(
        { client_id: clientId, client_secret: clientSecret },
        [clientSecret],
        computeFingerprint('application', clientId, clientSecret),
      );
    }
    default:
      return undefined;
  }
}

function applicationBasic(auth: HostingCredentials): Credentials {
  if (auth.type !== 'application') {
    const why = `must be an OAuth application's client ID and secret for this endpoint (got type '${auth.type}'). Use { type: 'application', clientId, clientSecret }.`;
    throw invalidOption('auth', why);
  }
  return basicCredentials(auth.clientId, auth.clientSecret);
}

function basicCredentials(user: string, password: string): Credentials {
  const authorization = formatBasicAuth(user, password);
  const secrets = [password, `${user}:${password}`, authorization.slice('Basic '.length)];
  return inHeader(authorization, secrets, computeFingerprint('basic', user, password));
}

function inHeader(
  authorization: string,
  secrets: readonly string[],
  fingerprint: string,
): Credentials {
  return { headers: { authorization }, parameters: '', secrets, fingerprint };
}

function inQuery(
  named: Readonly<Record<string, string>>,
  secrets: readonly string[],
  fingerprint: string,
): Credentials {
  const parameters = encodeParameters(Object.entries(named));
  return { headers: {}, parameters, secrets, fingerprint };
}

function withOtp(credentials: Credentials, otpHeader: string, otp: string): Credentials {
  if (typeof otp !== 'string' || !printable.test(otp)) {
    throw new ConfigurationError('auth.otp: must be printable ASCII without spaces', {
      option: 'auth',
    });
  }
  return {
    ...credentials,
    headers: { ...credentials.headers, [otpHeader]: otp },
    secrets: [...credentials.secrets, otp],
  };
}

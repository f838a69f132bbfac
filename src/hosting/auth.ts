import { ConfigurationError } from '../errors.js';
import { otpWanted } from '../transport/classify.js';
import type { Authorizer, Challenge, Credentials } from '../transport/credentials.js';
import { basicValue, fingerprintOf } from '../transport/fingerprint.js';

/** A user's name and password. */
export interface BasicAuth {
  readonly type: 'basic';
  readonly username: string;
  readonly password: string;
  /** One-time password for accounts with two factors: the code, or a function that asks for it when the server wants one. */
  readonly otp?: string | (() => string | Promise<string>) | undefined;
}

/** An OAuth token. */
export interface TokenAuth {
  readonly type: 'token';
  readonly token: string;
  /** In the `Authorization` header (default), or as the query parameter `access_token`. */
  readonly in?: 'header' | 'query' | undefined;
}

/** Id and secret of an OAuth application: server-to-server calls, at the application's rate limit. */
export interface ApplicationAuth {
  readonly type: 'application';
  /** 20 characters. */
  readonly clientId: string;
  /** 40 characters. */
  readonly clientSecret: string;
}

/** No credentials. */
export interface NoAuth {
  readonly type: 'none';
}

/** Credentials of the hosting API (contract: Authentication). */
export type HostingCredentials = BasicAuth | TokenAuth | ApplicationAuth | NoAuth;

/** Credentials, or a function that gives them for each request (rotation). */
export type HostingAuth =
  | HostingCredentials
  | (() => HostingCredentials | Promise<HostingCredentials>);

const queryNames = new Set(['access_token', 'client_id', 'client_secret']);

/**
 * Makes the authorizer of an `auth` option.
 * @throws {ConfigurationError} a scheme that does not exist, or lacks a part.
 */
export function hostingAuthorizer(auth: HostingAuth | undefined, vendor: string): Authorizer {
  if (typeof auth === 'function') return rotating(auth, vendor);
  return fixed(auth ?? { type: 'none' }, vendor);
}

function rotating(
  give: () => HostingCredentials | Promise<HostingCredentials>,
  vendor: string,
): Authorizer {
  let current: Authorizer | undefined;
  return {
    queryNames,
    async credentials(requirement, signal) {
      current = fixed(await give(), vendor);
      return await current.credentials(requirement, signal);
    },
    async renew(rejected, challenge, signal) {
      return await current?.renew?.(rejected, challenge, signal);
    },
  };
}

function fixed(auth: HostingCredentials, vendor: string): Authorizer {
  checkAuth(auth);
  const otpHeader = `x-${vendor}-otp`;
  const made = new Map<string, Credentials | undefined>();
  return {
    queryNames,
    credentials(requirement) {
      const key = requirement ?? '';
      if (!made.has(key)) made.set(key, credentialsOf(auth, requirement, otpHeader));
      return made.get(key);
    },
    async renew(rejected: Credentials | undefined, challenge: Challenge) {
      if (auth.type !== 'basic' || typeof auth.otp !== 'function' || !rejected) return undefined;
      if (!otpWanted(challenge)) return undefined;
      const otp = await auth.otp();
      return withOtp(rejected, otpHeader, otp);
    },
  };
}

function checkAuth(auth: HostingCredentials): void {
  const parts: Readonly<Record<string, readonly string[]>> = {
    basic: ['username', 'password'],
    token: ['token'],
    application: ['clientId', 'clientSecret'],
    none: [],
  };
  const type: unknown = typeof auth === 'object' && auth !== null ? auth.type : undefined;
  const needed = typeof type === 'string' && Object.hasOwn(parts, type) ? parts[type] : undefined;
  if (!needed) {
    throw new ConfigurationError(
      typeof auth === 'string'
        ? "auth: expected an object such as { type: 'token', token }, got a string"
        : "auth.type: expected 'basic', 'token', 'application' or 'none'",
      'auth',
    );
  }
  for (const name of needed) {
    const value: unknown = Reflect.get(auth, name);
    if (typeof value !== 'string' || value === '' || /[\r\n\0]/.test(value)) {
      throw new ConfigurationError(`auth.${name}: expected a string that is not empty`, 'auth');
    }
  }
  if (auth.type === 'basic' && auth.username.includes(':')) {
    throw new ConfigurationError('auth.username: a colon can not stand in it (RFC 7617)', 'auth');
  }
  if (auth.type === 'token' && !/^[\x21-\x7e]+$/.test(auth.token)) {
    throw new ConfigurationError('auth.token: expected printable ASCII without spaces', 'auth');
  }
}

function credentialsOf(
  auth: HostingCredentials,
  requirement: string | undefined,
  otpHeader: string,
): Credentials | undefined {
  if (requirement === 'application') return applicationBasic(auth);
  if (requirement === 'basic' && auth.type !== 'basic') {
    throw new ConfigurationError(
      `this endpoint accepts only Basic authentication of the user: use auth { type: 'basic', username, password } instead of '${auth.type}'`,
      'auth',
    );
  }
  switch (auth.type) {
    case 'basic': {
      const basic = basicCredentials(auth.username, auth.password);
      return typeof auth.otp === 'string' ? withOtp(basic, otpHeader, auth.otp) : basic;
    }
    case 'token':
      return tokenCredentials(auth);
    case 'application': {
      const { clientId, clientSecret } = auth;
      return {
        scheme: 'application',
        headers: {},
        parameters: `client_id=${encodeURIComponent(clientId)}&client_secret=${encodeURIComponent(clientSecret)}`,
        parametersIn: 'query',
        secrets: [clientSecret],
        fingerprint: fingerprintOf('application', clientId, clientSecret),
      };
    }
    default:
      return undefined;
  }
}

function applicationBasic(auth: HostingCredentials): Credentials {
  if (auth.type !== 'application') {
    throw new ConfigurationError(
      `this endpoint accepts only the id and secret of the OAuth application: use auth { type: 'application', clientId, clientSecret } instead of '${auth.type}'`,
      'auth',
    );
  }
  return basicCredentials(auth.clientId, auth.clientSecret);
}

function basicCredentials(user: string, password: string): Credentials {
  const authorization = basicValue(user, password);
  return {
    scheme: 'basic',
    headers: { authorization },
    parameters: '',
    parametersIn: 'query',
    secrets: [password, authorization.slice('Basic '.length)],
    fingerprint: fingerprintOf('basic', user, password),
  };
}

function tokenCredentials(auth: TokenAuth): Credentials {
  const inQuery = auth.in === 'query';
  return {
    scheme: 'token',
    headers: inQuery ? {} : { authorization: `token ${auth.token}` },
    parameters: inQuery ? `access_token=${encodeURIComponent(auth.token)}` : '',
    parametersIn: 'query',
    secrets: [auth.token],
    fingerprint: fingerprintOf('token', auth.token),
  };
}

function withOtp(credentials: Credentials, otpHeader: string, otp: string): Credentials {
  if (typeof otp !== 'string' || !/^[\x21-\x7e]+$/.test(otp)) {
    throw new ConfigurationError('auth.otp: expected the one-time password as a string', 'auth');
  }
  return {
    ...credentials,
    headers: { ...credentials.headers, [otpHeader]: otp },
    secrets: [...credentials.secrets, otp],
  };
}

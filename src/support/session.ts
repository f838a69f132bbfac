import { AuthenticationError, ConfigurationError, NotFoundError } from '../errors/index.js';
import { showText } from '../masks/secrets.js';
import { checkOptions, invalidOption, type OptionNames, optionNames } from '../option-names.js';
import type { ResponseInfo } from '../response-info.js';
import { describeKind } from '../schema/unknown-values.js';
import { ApiClient, type Call } from '../transport/api-client.js';
import type { RequestOptions } from '../transport/options.js';
import {
  type Authorizer,
  anonymous,
  type Credentials,
  computeFingerprint,
} from '../transport/request/credentials.js';
import { type CallDetails, defineEndpoint, jsonMapped } from '../transport/request/endpoint.js';
import { filledText } from '../transport/request/input.js';
import type { Transport } from '../transport/transport.js';
import { parseSupportDate } from './dates.js';
import { AuthenticationResponse } from './models/session.js';

/** Credentials of an API user, issued by the service's operator. */
export interface SessionAuth {
  /** Name of the API user. */
  readonly userName: string;
  /** Key of the API user. */
  readonly apiKey: string;
  /** Password of the API user. */
  readonly password: string;
}

/** Access token obtained elsewhere. The client doesn't renew this token. */
export interface AccessTokenAuth {
  /** Token of an existing session. */
  readonly accessToken: string;
}

/** Credentials for the support API. */
export type SupportAuth = SessionAuth | AccessTokenAuth;

const credentialParameters = new Set(['access_token']);

const unauthorizedHint = 'the access token is missing, invalid or expired';

const fixedTokenNote = `${unauthorizedHint}. Pass a new token. To let the client renew tokens, pass { userName, apiKey, password }.`;

/** Number of sessions whose tokens are masked. A larger number would slow down masking. */
const maxTokens = 20;

/** Session opened by the server. */
export interface SupportSession {
  /** Access token of the session. */
  readonly accessToken: string;
  /** Expiry time. Undefined if the server's date is missing or can't be parsed. */
  readonly expires: Date | undefined;
}

/**
 * Creates the authorizer for an `auth` option.
 * @throws {ConfigurationError} if a credential is missing.
 */
export function supportAuthorizer(auth: SupportAuth | undefined, transport: Transport): Authorizer {
  if (typeof auth === 'object' && auth !== null) {
    if ('accessToken' in auth) return fixedToken(auth);
    return new RenewingSession(copyCredentials(auth, sessionNames), transport);
  }
  throw invalidOption(
    'auth',
    `must be { userName, apiKey, password } or { accessToken } (got ${describeKind(auth)})`,
  );
}

const sessionNames = optionNames<SessionAuth>()('userName apiKey password');

const tokenNames = optionNames<AccessTokenAuth>()('accessToken');

/**
 * Validates and copies the credentials. Later sign-ins use the copy, so they match the fingerprint
 * that is computed now.
 */
function copyCredentials<Auth extends object>(given: Auth, names: OptionNames<Auth>): Auth {
  const auth = { ...checkOptions(given, names, 'auth') };
  for (const name of Object.keys(names)) {
    const value: unknown = Reflect.get(auth, name);
    if (typeof value === 'string' && value !== '') continue;
    const why = `must be a non-empty string (got ${describeKind(value)})`;
    throw new ConfigurationError(`auth.${name}: ${why}`, { option: 'auth' });
  }
  return auth;
}

function fixedToken(auth: AccessTokenAuth): Authorizer {
  const { accessToken } = copyCredentials(auth, tokenNames);
  const credentials = buildTokenCredentials(
    accessToken,
    computeFingerprint('support', accessToken),
  );
  return { credentialParameters, unauthorizedHint: fixedTokenNote, credentials: () => credentials };
}

/**
 * Creates credentials whose token is sent with the parameters, in the query (GET) or the form
 * (POST).
 */
function buildTokenCredentials(token: string, fingerprint: string): Credentials {
  return {
    headers: {},
    parameters: `access_token=${encodeURIComponent(token)}`,
    parametersIn: 'form_or_query',
    secrets: [token],
    fingerprint,
  };
}

/**
 * Opens a session on first use and renews it after a 401. Concurrent calls share one sign-in.
 */
class RenewingSession implements Authorizer {
  readonly credentialParameters = credentialParameters;
  readonly unauthorizedHint = unauthorizedHint;
  readonly #auth: SessionAuth;
  readonly #transport: Transport;
  /**
   * Identifies the account rather than the session so that cached responses remain usable after a
   * renewal.
   */
  readonly #fingerprint: string;
  #credentials: Credentials | undefined;
  /** Tokens of recent sessions, newest first. Older tokens may remain valid for a while. */
  #tokens: readonly string[] = [];
  #opening: Promise<Credentials> | undefined;

  constructor(auth: SessionAuth, transport: Transport) {
    this.#auth = auth;
    this.#transport = transport;
    const { userName, apiKey, password } = auth;
    this.#fingerprint = computeFingerprint('support', userName, apiKey, password);
  }

  credentials(): Credentials | Promise<Credentials> {
    return this.#credentials ?? this.#open();
  }

  renew(rejected: Credentials | undefined): Promise<Credentials> {
    // Another call may have renewed the session while this call was in flight.
    if (this.#credentials && this.#credentials !== rejected) {
      return Promise.resolve(this.#credentials);
    }
    this.#credentials = undefined;
    return this.#open();
  }

  #open(): Promise<Credentials> {
    this.#opening ??= this.#authenticate().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #authenticate(): Promise<Credentials> {
    const opening = requestSession(this.#transport, this.#auth).catch(rejectPath);
    const { accessToken } = await opening;
    const { apiKey, password } = this.#auth;
    const credentials = buildTokenCredentials(accessToken, this.#fingerprint);
    const earlier = this.#tokens.filter((each) => each !== accessToken);
    this.#tokens = [accessToken, ...earlier].slice(0, maxTokens);
    // The server may echo these secrets in a later response.
    const secrets = [...this.#tokens, apiKey, password];
    this.#credentials = { ...credentials, secrets, isRenewable: true };
    return this.#credentials;
  }
}

/**
 * Converts a sign-in's 404 to a `ConfigurationError`, because a caller would mistake the 404 for a
 * missing record.
 * @throws the converted or unchanged error.
 */
function rejectPath(error: unknown): never {
  if (!(error instanceof NotFoundError)) throw error;
  throw new ConfigurationError(
    "baseUrl: must be the support API's URL, such as https://support.example.com/api/v2/ (the sign-in there got a 404)",
    { option: 'baseUrl', cause: error },
  );
}

const openSession = defineEndpoint<SessionAuth>('POST /authenticate')({
  operation: 'authenticate',
  input: { userName: filledText, apiKey: filledText, password: filledText },
  encoding: 'form',
  secret: ['apiKey', 'password'],
  redirects: 'none',
  auth: 'none',
  response: jsonMapped(AuthenticationResponse, parseSession),
  // If the sign-in waited for a slot, the calls ahead of it would be sent first and fail without a
  // new session.
  exemptFromLimits: true,
  isHidden: true,
  // Opening a second session is harmless.
  retry: 'idempotent',
});

/**
 * Opens a session.
 * @throws {AuthenticationError} if the credentials are rejected with a 401 or with
 * `success: false`.
 */
export function requestSession(
  transport: Transport,
  auth: SessionAuth,
  options?: RequestOptions,
): Call<SupportSession> {
  const authorizer = { ...anonymous, unauthorizedHint: rejectedHint };
  return new ApiClient<never>(transport, authorizer, () => authorizer).call(
    openSession,
    auth,
    options,
  );
}

/**
 * Converts the response to a session.
 * @throws {AuthenticationError} if the server rejected the credentials or sent no token.
 */
function parseSession(
  wire: AuthenticationResponse,
  response: ResponseInfo,
  call: CallDetails,
): SupportSession {
  const token = wire.access_token;
  if (wire.success === false || typeof token !== 'string' || token === '') {
    const request = call.describe();
    const { operation, method, url } = request;
    const why = showText(
      String(wire.statusMessage ?? 'the response contains no access_token'),
      call.secrets,
    );
    throw new AuthenticationError(`${operation}: ${rejectedHint}: ${why} [${method} ${url}]`, {
      request,
      response,
      reason: 'bad_credentials',
    });
  }
  return { accessToken: token, expires: parseExpiry(wire.expires) };
}

const rejectedHint = 'the server rejected userName, apiKey or password';

function parseExpiry(text: unknown): Date | undefined {
  try {
    return parseSupportDate(String(text));
  } catch {
    return undefined;
  }
}

import { randomBytes } from 'node:crypto';
import { ConfigurationError, InvalidRequestError, isApiError } from '../../errors/index.js';
import { checkOptions, forOneCall, invalidOption, optionNames } from '../../option-names.js';
import { describeLength, showValue } from '../../schema/unknown-values.js';
import { ApiClient, type Call, createCall } from '../../transport/api-client.js';
import type { RequestOptions } from '../../transport/options.js';
import { type Authorizer, computeFingerprint } from '../../transport/request/credentials.js';
import { defineEndpoint, noContent } from '../../transport/request/endpoint.js';
import {
  createInputError,
  encodeParameters,
  filledText,
  nameOperation,
  oneOf,
  optional,
  text,
  texts,
} from '../../transport/request/input.js';
import { buildRequest, formatUrl } from '../../transport/request/request-spec.js';
import type { WithResponse } from '../../transport/response/response-details.js';
import {
  type ClientOptions,
  parsePlainUrl,
  resolveSettings,
  type TransportSettings,
} from '../../transport/settings.js';

import { Transport } from '../../transport/transport.js';
import { applicationLengths, clientId, isPrintable } from '../auth/schemes.js';
import { missingScopes, type Scope } from '../auth/scopes.js';
import {
  acceptTypes,
  checkRedirectUri,
  httpUrl,
  type OAuthCallback,
  type OAuthFormat,
  OAuthTokenResponse,
  oauthError,
  parseFailure,
  parseToken,
  readCallback,
  readTokenFields,
  refusal,
} from './responses.js';

/**
 * Options for an `OAuthWebFlow`. The options identify the application and include the
 * `ClientOptions` that a flow supports.
 */
export interface OAuthWebFlowOptions
  extends Pick<
    ClientOptions,
    | 'userAgent'
    | 'dispatcher'
    | 'headers'
    | 'log'
    | 'tls'
    | 'proxy'
    | 'timeout'
    | 'retry'
    | 'maxResponseBytes'
  > {
  /**
   * Base URL of the OAuth web endpoints, without `/login/oauth/…`, for example
   * `https://code.example.com`.
   */
  readonly authUrl: string | URL;
  /** 20-character client ID of the application. */
  readonly clientId: string;
  /**
   * 40-character client secret of the application. The client sends the secret only to `authUrl`
   * and masks it in errors and logs.
   */
  readonly clientSecret: string;
  /**
   * URL that users return to. A call can override this URL. Default: the application's registered
   * callback URL.
   */
  readonly redirectUri?: string | undefined;
  /**
   * Registered callback URL of the application. The client validates redirect URIs against this URL
   * (see `checkRedirectUri`). Default: none, so only the server compares redirect URIs with the
   * callback URL.
   */
  readonly callbackUrl?: string | URL | undefined;
}

const names = optionNames<OAuthWebFlowOptions>()(
  'authUrl clientId clientSecret redirectUri callbackUrl userAgent dispatcher headers',
  'log tls proxy timeout retry maxResponseBytes',
);

/**
 * Validates the options and applies the defaults.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
function resolveOAuthSettings(options: OAuthWebFlowOptions): TransportSettings {
  const { authUrl, clientId, clientSecret, redirectUri, callbackUrl, ...shared } = checkOptions(
    options,
    names,
  );
  parsePlainUrl('authUrl', authUrl);
  checkApplication('clientId', clientId);
  checkApplication('clientSecret', clientSecret);
  const media = { vendor: 'service', version: 'v3' } as const;
  return resolveSettings(
    {
      ...shared,
      baseUrl: authUrl,
      // Token responses are short.
      maxResponseBytes: options.maxResponseBytes ?? 1_048_576,
    },
    { media, accept: acceptTypes.json, baseUrlOption: 'authUrl' },
  );
}

function checkApplication(option: keyof typeof applicationLengths, value: unknown): void {
  const length = applicationLengths[option];
  if (isPrintable(value, length)) return;
  const why = `must be ${length} printable ASCII characters (got ${describeLength(value, length)})`;
  throw invalidOption(option, why);
}

/**
 * Checks the redirect URI and the callback URL.
 * @throws {ConfigurationError} if either URL is invalid, or the URLs don't match.
 */
function checkRedirectOptions({ redirectUri, callbackUrl }: OAuthWebFlowOptions): void {
  try {
    if (callbackUrl !== undefined) httpUrl(callbackUrl, 'callbackUrl');
    if (redirectUri !== undefined) checkRedirectUri(redirectUri, callbackUrl ?? redirectUri);
  } catch (cause) {
    if (!(cause instanceof InvalidRequestError)) throw cause;
    throw new ConfigurationError(cause.message, { option: cause.field, cause });
  }
}

/**
 * Creates an authorizer that sends the client ID and secret as form fields, and only to the flow's
 * origin.
 */
function applicationAuthorizer({ clientId, clientSecret }: OAuthWebFlowOptions): Authorizer {
  const credentials = {
    headers: {},
    parameters: encodeParameters([
      ['client_id', clientId],
      ['client_secret', clientSecret],
    ]),
    parametersIn: 'form_or_query',
    secrets: [clientSecret],
    fingerprint: computeFingerprint('oauth', clientId, clientSecret),
  } as const;
  return {
    credentialParameters: new Set(['client_id', 'client_secret']),
    unauthorizedHint: 'the client ID or secret is wrong. Check clientId and clientSecret.',
    credentials: () => credentials,
  };
}

/** Input of {@link OAuthWebFlow.authorizeUrl}. */
export interface AuthorizeInput {
  /**
   * Scopes to request. Without scopes, the token gets the scopes that the user granted earlier. If
   * there are none, the token has access only to public information. Default: none.
   */
  readonly scopes?: readonly Scope[] | undefined;
  /** Unguessable string, unique to each attempt. Default: a random string of 43 characters. */
  readonly state?: string | undefined;
  /** URL that the user returns to. Default: the flow's `redirectUri`. */
  readonly redirectUri?: string | undefined;
}

const authorizeNames = optionNames<AuthorizeInput>()('scopes state redirectUri');

/** Result of {@link OAuthWebFlow.authorizeUrl}. */
export interface AuthorizeUrl {
  /** URL to send the user's browser to. */
  readonly url: string;
  /** State to store in the user's session and pass to `parseCallback`. */
  readonly state: string;
}

/** Input of {@link OAuthWebFlow.exchangeCode}. */
export interface ExchangeInput {
  /** Code from `parseCallback`. */
  readonly code: string;
  /** Redirect URI passed to `authorizeUrl`. Default: the flow's `redirectUri`. */
  readonly redirectUri?: string | undefined;
  /**
   * Scopes passed to `authorizeUrl`. The client uses these scopes only to compute `missingScopes`,
   * and doesn't send them to the server.
   */
  readonly requestedScopes?: readonly Scope[] | undefined;
  /** Response format to request. Default: `json`. */
  readonly format?: OAuthFormat | undefined;
}

/** A user's token for the application. */
export interface OAuthToken {
  /** Access token. Pass it as the `token` in `auth: { type: 'token', token }`. */
  readonly accessToken: string;
  /** Type of the token, usually `bearer`. */
  readonly tokenType: string;
  /**
   * Granted scopes. The user can grant fewer scopes than requested, and can change the scopes
   * later.
   */
  readonly scopes: Scope[];
  /**
   * Scopes in `requestedScopes` that the user granted neither directly nor through another scope.
   */
  readonly missingScopes: Scope[];
  /** Token for renewing the access token. Undefined if the server doesn't send a refresh token. */
  readonly refreshToken?: string | undefined;
  /**
   * Lifetime of the access token in seconds. Undefined if the server doesn't send a valid lifetime.
   */
  readonly expiresIn?: number | undefined;
  /**
   * Lifetime of the refresh token in seconds. Undefined if the server doesn't send a valid
   * lifetime.
   */
  readonly refreshTokenExpiresIn?: number | undefined;
}

/**
 * The page on which users grant access to the application. The client doesn't request this page.
 */
export const authorizeEndpoint = defineEndpoint<
  Readonly<Record<'client_id' | 'redirect_uri' | 'scope' | 'state', string | undefined>>
>('GET /login/oauth/authorize')({
  operation: 'oauth.authorizeUrl',
  input: {
    client_id: clientId,
    redirect_uri: optional(filledText),
    scope: optional(text),
    state: { ...filledText, expected: 'a non-empty, unguessable string' },
  },
  response: noContent,
  auth: 'none',
});

const exchange = defineEndpoint<ExchangeInput>('POST /login/oauth/access_token')({
  operation: 'oauth.exchangeCode',
  encoding: 'form',
  input: {
    code: filledText,
    redirectUri: optional(filledText),
    requestedScopes: optional(texts),
    format: optional(oneOf('json', 'form', 'xml')),
  },
  serialize: ({ code, redirectUri }) => ({ code, redirect_uri: redirectUri }),
  fields: { code: filledText, redirect_uri: optional(filledText) },
  secret: ['code'],
  redirects: 'none',
  accept: (_media, { format }) => acceptTypes[format ?? 'json'],
  auth: 'application',
  // Use the raw body, because the response's Content-Type determines the format.
  response: ({ format, requestedScopes }) => ({
    kind: 'bytes',
    schema: OAuthTokenResponse,
    map: async (body, response, call) => {
      // `as`: for `kind: 'bytes'` the transport passes a Buffer.
      const bytes = body as Buffer;
      const tokenResponse = {
        body: bytes,
        requestedFormat: format ?? 'json',
        response,
        request: call.describe(),
      };
      const fields = await readTokenFields(tokenResponse);
      const failure = parseFailure(fields);
      if (failure) throw oauthError('the code was not exchanged', failure, call.secrets);
      return grantedToken(parseToken(fields, tokenResponse), requestedScopes ?? []);
    },
  }),
});

function grantedToken(token: OAuthTokenResponse, requested: readonly Scope[]): OAuthToken {
  // Some servers separate scopes with spaces instead of commas.
  const scopes = (token.scope ?? '').split(/[\s,]/).filter((scope) => scope !== '');
  return {
    accessToken: token.access_token,
    tokenType: token.token_type,
    scopes,
    missingScopes: missingScopes(requested, scopes),
    refreshToken: token.refresh_token || undefined,
    // An invalid lifetime must not make the token unavailable, because the code is already used.
    expiresIn: Number(token.expires_in) || undefined,
    refreshTokenExpiresIn: Number(token.refresh_token_expires_in) || undefined,
  };
}

/**
 * OAuth web flow, in which an application gets a user's token without seeing the user's password.
 *
 * ```ts
 * const flow = new OAuthWebFlow({ authUrl: 'https://code.example.com', clientId, clientSecret });
 * ```
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export class OAuthWebFlow {
  readonly #options: OAuthWebFlowOptions;
  readonly #api: ApiClient<never>;

  constructor(options: OAuthWebFlowOptions) {
    const settings = resolveOAuthSettings(options);
    checkRedirectOptions(options);
    const authorizer = applicationAuthorizer(options);
    this.#options = options;
    this.#api = new ApiClient<never>(new Transport(settings), authorizer, () => authorizer);
  }

  /**
   * `GET /login/oauth/authorize`
   *
   * Returns the URL to send the user's browser to, and the `state` to store in the user's session.
   * Sends no request.
   * @throws {InvalidRequestError} if an input is unknown, a scope is empty or contains a comma or
   * space, `state` is empty, or `redirectUri` is invalid or doesn't match `callbackUrl`.
   * @example const { url } = oauth.authorizeUrl({ scopes: ['repo'], state });
   */
  authorizeUrl(input: AuthorizeInput = {}): AuthorizeUrl {
    try {
      return this.#createAuthorizeUrl(input);
    } catch (error) {
      throw nameOperation(error, authorizeEndpoint.operation);
    }
  }

  /**
   * Parses the callback URL that the server redirected the user's browser to.
   * @param url Callback URL, such as `request.url`, or the URL's parameters.
   * @param expected The `state` that `authorizeUrl` returned for this user's session, compared in
   * constant time. If it is undefined, the callback is rejected.
   * @throws {OAuthError} if the state doesn't match (`state_mismatch`), or the server reports an
   * error such as `access_denied`, `application_suspended` or `redirect_uri_mismatch`. After a
   * `state_mismatch`, abort the flow.
   * @example const callback = oauth.parseCallback(request.url, { state });
   */
  parseCallback(
    url: string | URL | URLSearchParams,
    expected: { readonly state: string | undefined },
  ): OAuthCallback {
    return readCallback(url, expected?.state, [this.#options.clientSecret]);
  }

  /**
   * `POST /login/oauth/access_token`
   *
   * Exchanges the code for a token. A code can be used only once. The client never retries an
   * exchange that the server may have executed.
   * @throws {OAuthError} if the server reports an error such as `incorrect_client_credentials`,
   * `redirect_uri_mismatch` or `bad_verification_code`, even with status 200. After
   * `bad_verification_code`, start the flow again.
   * @throws {ResponseBodyError | ResponseShapeError} if the response is invalid. The server may
   * already have accepted the code.
   * @example const { accessToken } = await oauth.exchangeCode({ code });
   */
  exchangeCode(input: ExchangeInput, options?: RequestOptions): Call<OAuthToken> {
    return createCall(this.#exchange(input, options));
  }

  /**
   * Closes the flow and its connections. Calls in flight and new calls fail with a
   * `ConnectionError`. A dispatcher that you passed stays open.
   */
  async close(): Promise<void> {
    await this.#api.transport.close();
  }

  /** Closes the flow, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createAuthorizeUrl(input: AuthorizeInput): AuthorizeUrl {
    forOneCall(() => checkOptions(input, authorizeNames));
    const { scopes = [], state = randomBytes(32).toString('base64url') } = input;
    const wrong = Array.isArray(scopes)
      ? scopes.filter((each) => typeof each !== 'string' || !/^[^\s,]+$/.test(each))
      : [scopes];
    if (wrong.length > 0) {
      throw createInputError(
        'scopes',
        `must be an array of scopes without commas or spaces (got ${showValue(wrong[0])})`,
      );
    }
    const parameters = {
      client_id: this.#options.clientId,
      redirect_uri: this.#redirectUri(input.redirectUri),
      scope: scopes.length > 0 ? scopes.join(',') : undefined,
      state,
    };
    const { settings } = this.#api.transport;
    const context = { ...settings, credentialParameters: new Set<string>() };
    return { url: formatUrl(buildRequest(authorizeEndpoint, parameters, context).target), state };
  }

  async #exchange(
    input: ExchangeInput,
    options: RequestOptions | undefined,
  ): Promise<WithResponse<OAuthToken>> {
    try {
      const redirectUri = this.#redirectUri(input?.redirectUri);
      return await this.#api.call(exchange, { ...input, redirectUri }, options).withResponse();
    } catch (error) {
      // Other errors, such as invalid input, don't come from the server.
      if (!isApiError(error)) throw nameOperation(error, exchange.operation);
      const secrets = [this.#options.clientSecret, input.code];
      throw (await refusal(error, input.format ?? 'json', secrets)) ?? error;
    }
  }

  #redirectUri(given: string | undefined): string | undefined {
    const { redirectUri, callbackUrl } = this.#options;
    const uri = given ?? redirectUri;
    if (uri === undefined) return undefined;
    // Without a callback URL, the URI is compared with itself so that the remaining checks apply.
    return checkRedirectUri(uri, callbackUrl ?? uri);
  }
}

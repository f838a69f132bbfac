import { randomBytes } from 'node:crypto';
import { type ApiError, isApiError, type OAuthError } from '../../errors/index.js';
import { ApiClient } from '../../transport/api-client.js';
import { type Call, callOf } from '../../transport/call.js';
import type { CloseOptions, RequestOptions } from '../../transport/options.js';
import { endpoint } from '../../transport/request/endpoint.js';
import {
  encodeParameters,
  filledText,
  invalidInput,
  oneOf,
  optional,
  texts,
} from '../../transport/request/input.js';
import type { WithResponse } from '../../transport/response/answer-info.js';
import { Transport } from '../../transport/transport.js';
import { missingScopes, type Scope } from '../auth/scopes.js';
import { type OAuthCallback, oauthError, readCallback } from './callback.js';
import { checkRedirectUri } from './redirect-uri.js';
import {
  applicationAuthorizer,
  checkRedirectOptions,
  type OAuthWebFlowOptions,
  settingsOf,
} from './settings.js';
import {
  failureOf,
  mediaTypes,
  type OAuthFormat,
  type OAuthTokenAnswer,
  readFields,
  scopesOf,
  tokenOf,
} from './token.js';

/** Input of {@link OAuthWebFlow.authorizeUrl}. */
export interface AuthorizeInput {
  /** What the token shall be allowed. Default none: public information, or what the user has granted before. */
  readonly scopes?: readonly Scope[] | undefined;
  /** A string that nobody can guess, one for each attempt. Default: 43 random characters are made. */
  readonly state?: string | undefined;
  /** Default the flow's `redirectUri`. */
  readonly redirectUri?: string | undefined;
}

/** Where to send the user, and what to remember of it. */
export interface AuthorizeUrl {
  /** Where to send the user's browser. */
  readonly url: string;
  /** Keep it in the user's session, and give it to `parseCallback`. */
  readonly state: string;
}

/** Input of {@link OAuthWebFlow.exchangeCode}. */
export interface ExchangeInput {
  /** As `parseCallback` gave it. */
  readonly code: string;
  /** Default the flow's `redirectUri`. */
  readonly redirectUri?: string | undefined;
  /** What `authorizeUrl` was asked for, to find out what is missing. It is not sent. */
  readonly requestedScopes?: readonly Scope[] | undefined;
  /** The format to ask for. Default `json`. */
  readonly format?: OAuthFormat | undefined;
}

/** A token of a user for the application. */
export interface OAuthToken {
  /** For `auth: { type: 'token', token }`. */
  readonly accessToken: string;
  /** `bearer`. */
  readonly tokenType: string;
  /** What was granted; may be fewer than asked for, and the user may change it later. */
  readonly scopes: Scope[];
  /** Those of `requestedScopes` that were not granted, not even through another scope. */
  readonly missingScopes: Scope[];
}

const exchange = endpoint<ExchangeInput>('POST /login/oauth/access_token')({
  operation: 'oauth.exchangeCode',
  encoding: 'form',
  input: {
    code: filledText,
    redirectUri: optional(filledText),
    requestedScopes: optional(texts),
    format: optional(oneOf('json', 'form', 'xml')),
  },
  serialize: ({ code, redirectUri }) => ({ code, redirect_uri: redirectUri }),
  secret: ['code'],
  redirects: 'none',
  accept: (_media, { format }) => mediaTypes[format ?? 'json'],
  auth: 'application',
  // The body as it came: which of three formats it has is known only then.
  answer: ({ format, requestedScopes }) => ({
    kind: 'bytes',
    schema: undefined,
    map: async (body, response, call) => {
      // `as`: the transport hands out a Buffer for this kind.
      const bytes = body as Buffer;
      const answer = { body: bytes, asked: format ?? 'json', response, request: call.request() };
      const fields = await readFields(answer);
      const failure = failureOf(fields);
      if (failure) throw oauthError('the code was not exchanged', failure, call.secrets);
      return grantedToken(tokenOf(fields, answer), requestedScopes ?? []);
    },
  }),
});

function grantedToken(token: OAuthTokenAnswer, requested: readonly Scope[]): OAuthToken {
  const scopes = scopesOf(token);
  return {
    accessToken: token.access_token,
    tokenType: token.token_type,
    scopes,
    missingScopes: missingScopes(requested, scopes),
  };
}

/**
 * The OAuth web flow: an application gets a token of a user
 * without seeing the password.
 *
 * ```ts
 * const flow = new OAuthWebFlow({ authUrl: 'https://code.example.com', clientId, clientSecret });
 * ```
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export class OAuthWebFlow {
  readonly #options: OAuthWebFlowOptions;
  readonly #api: ApiClient<never>;

  constructor(options: OAuthWebFlowOptions) {
    const settings = settingsOf(options);
    checkRedirectOptions(options);
    const authorizer = applicationAuthorizer(options);
    this.#options = options;
    this.#api = new ApiClient<never>(new Transport(settings), authorizer, () => authorizer);
  }

  /**
   * `GET /login/oauth/authorize`
   *
   * Step 1: where to send the user's browser. Sends nothing.
   * @throws {InvalidRequestError} a scope with a comma or space in it, an empty `state`, a `redirectUri` outside of `callbackUrl`.
   * @example const { url } = oauth.authorizeUrl({ scopes: ['repo'], state });
   */
  authorizeUrl(input: AuthorizeInput = {}): AuthorizeUrl {
    const { scopes = [], state = randomBytes(32).toString('base64url') } = input;
    if (typeof state !== 'string' || state === '') {
      throw invalidInput('state', 'expected a string that nobody can guess');
    }
    if (!Array.isArray(scopes) || !scopes.every((each) => /^[^\s,]+$/.test(String(each)))) {
      throw invalidInput('scopes', 'expected scopes without commas and spaces');
    }
    const { base } = this.#api.transport.settings;
    const query = encodeParameters([
      ['client_id', this.#options.clientId],
      ['redirect_uri', this.#redirectUri(input.redirectUri)],
      ['scope', scopes.length > 0 ? scopes.join(',') : undefined],
      ['state', state],
    ]);
    return { url: `${base.origin}${base.prefix}/login/oauth/authorize?${query}`, state };
  }

  /**
   * Step 2: reads the request that the user's browser comes back with.
   * @param url the callback's URL (`request.url` will do), or its parameters.
   * @param expected the `state` that `authorizeUrl` gave for this user's session; compared in constant time. Without one the callback is refused.
   * @throws {OAuthError} `state_mismatch`: abort. Else what the server says: `access_denied` when the user refused, `application_suspended`, `redirect_uri_mismatch`.
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
   * Step 3: gets the token. A code can be used once, and is never sent twice by itself.
   * @throws {OAuthError} `incorrect_client_credentials`, `redirect_uri_mismatch`, `bad_verification_code` (begin again), also where the server says so inside a 200.
   * @throws {ResponseBodyError | ResponseShapeError} an answer that is none; the code may be used up.
   * @example const { accessToken } = await oauth.exchangeCode({ code });
   */
  exchangeCode(input: ExchangeInput, options?: RequestOptions): Call<OAuthToken> {
    return callOf(this.#exchange(input, options));
  }

  /**
   * Closes the flow. Calls in flight have `gracePeriod` to finish; then they fail with a
   * `ConnectionError`, and all connections end. Streams that no one reads end immediately, and new calls
   * fail. A dispatcher that you passed stays open.
   * @throws {InvalidRequestError} if `gracePeriod` is not a number of milliseconds.
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.#api.transport.close(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #exchange(
    input: ExchangeInput,
    options: RequestOptions | undefined,
  ): Promise<WithResponse<OAuthToken>> {
    const redirectUri = this.#redirectUri(input?.redirectUri);
    try {
      return await this.#api.call(exchange, { ...input, redirectUri }, options).withResponse();
    } catch (error) {
      // Bad input is no answer of the server's.
      if (!isApiError(error)) throw error;
      const secrets = [this.#options.clientSecret, input.code];
      throw (await refusal(error, input.format ?? 'json', secrets)) ?? error;
    }
  }

  #redirectUri(given: string | undefined): string | undefined {
    const { redirectUri, callbackUrl } = this.#options;
    const uri = given ?? redirectUri;
    if (uri === undefined) return undefined;
    // Without a callback URL to compare, it can only be held against itself.
    return checkRedirectUri(uri, callbackUrl ?? uri);
  }
}

/** Some servers refuse by 4xx what others answer inside a 200. */
async function refusal(
  error: ApiError,
  asked: OAuthFormat,
  secrets: readonly string[],
): Promise<OAuthError | undefined> {
  if (error.status >= 500 || error.code === 'rate_limit') return undefined;
  const { body, response, request } = error;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  try {
    const fields = await readFields({ body: Buffer.from(text), asked, response, request });
    const failure = failureOf(fields);
    // `{"error": "Not Found"}` is no word of OAuth.
    if (!failure || !/^[a-z][a-z_]*$/.test(failure.error)) return undefined;
    return oauthError('the code was not exchanged', failure, secrets, { cause: error });
  } catch {
    return undefined; // a page of HTML or the like: the error stays what it is
  }
}

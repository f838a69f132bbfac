import { randomBytes } from 'node:crypto';
import { InvalidRequestError, isApiError, type OAuthError } from '../errors.js';
import { encodeParameters } from '../transport/body.js';
import { type Call, callOf, type ResponseHolder } from '../transport/call.js';
import { Caller } from '../transport/caller.js';
import { type Answer, endpoint } from '../transport/endpoint.js';
import { filledText, oneOf, optional, texts } from '../transport/input.js';
import { checkHeaders, type RequestOptions } from '../transport/options.js';
import { buildRequest, describe } from '../transport/request-spec.js';
import { Transport } from '../transport/transport.js';
import { type OAuthCallback, oauthError, readCallback } from './oauth-callback.js';
import { checkRedirectUri } from './oauth-redirect.js';
import {
  applicationAuthorizer,
  checkRedirectOptions,
  type OAuthWebFlowOptions,
  settingsOf,
} from './oauth-settings.js';
import {
  failureOf,
  mediaTypes,
  type OAuthFormat,
  type RawTokenAnswer,
  readFields,
  scopesOf,
  tokenOf,
} from './oauth-token.js';
import { missingScopes, type Scope } from './scopes.js';

/** Input of {@link OAuthWebFlow.authorizeUrl}. */
export interface AuthorizeInput {
  /** What the token shall be allowed. Default none: public information, or what the user has granted before. */
  readonly scopes?: readonly Scope[] | undefined;
  /** A string that nobody can guess, one for each attempt. Default: 43 random characters are made. */
  readonly state?: string | undefined;
  /** Default the flow's `redirectUri`. */
  readonly redirect_uri?: string | undefined;
}

/** Where to send the user, and what to remember of it. */
export interface AuthorizeUrl {
  readonly url: string;
  /** Keep it in the user's session, and give it to `parseCallback`. */
  readonly state: string;
}

/** Input of {@link OAuthWebFlow.exchangeCode}. */
export interface ExchangeInput {
  /** As `parseCallback` gave it. */
  readonly code: string;
  /** Default the flow's `redirectUri`. */
  readonly redirect_uri?: string | undefined;
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

const exchange = endpoint<ExchangeInput>()({
  operation: 'oauth.exchangeCode',
  method: 'POST',
  path: '/login/oauth/access_token',
  encoding: 'form',
  input: {
    code: filledText,
    redirect_uri: optional(filledText),
    requestedScopes: optional(texts),
    format: optional(oneOf('json', 'form', 'xml')),
  },
  unsent: ['requestedScopes', 'format'],
  secret: ['code'],
  accept: (_media, { format }) => mediaTypes[format ?? 'json'],
  auth: 'application',
  answer: { kind: 'none', schema: undefined, map: () => undefined },
});

/** The body as it came: which of three formats it has is known only then. */
const anyBody: Answer<Buffer> = {
  kind: 'bytes',
  schema: undefined,
  // `as`: the transport hands out a Buffer for this kind.
  map: (body) => body as Buffer,
};

/**
 * The OAuth web flow (contract section "OAuth web flow"): an application gets a token of a user
 * without seeing the password.
 *
 * ```ts
 * const flow = new OAuthWebFlow({ authUrl: 'https://code.example.com', clientId, clientSecret });
 * ```
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export class OAuthWebFlow {
  readonly #options: OAuthWebFlowOptions;
  readonly #caller: Caller<never>;

  constructor(options: OAuthWebFlowOptions) {
    const settings = settingsOf(options);
    checkRedirectOptions(options);
    const authorizer = applicationAuthorizer(options);
    this.#options = options;
    this.#caller = new Caller<never>(new Transport(settings), authorizer, () => authorizer);
  }

  /**
   * Step 1: where to send the user's browser. Sends nothing.
   * @throws {InvalidRequestError} a scope with a comma or space in it, an empty `state`, a `redirect_uri` outside of `callbackUrl`.
   */
  authorizeUrl(input: AuthorizeInput = {}): AuthorizeUrl {
    const { scopes = [], state = randomBytes(32).toString('base64url') } = input;
    if (typeof state !== 'string' || state === '') {
      throw new InvalidRequestError('state: expected a string that nobody can guess', 'state');
    }
    if (!Array.isArray(scopes) || !scopes.every((each) => /^[^\s,]+$/.test(String(each)))) {
      throw new InvalidRequestError('scopes: expected scopes without commas and spaces', 'scopes');
    }
    const { base } = this.#caller.transport.settings;
    const query = encodeParameters([
      ['client_id', this.#options.clientId],
      ['redirect_uri', this.#redirectUri(input.redirect_uri)],
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
   */
  parseCallback(
    url: string | URL | URLSearchParams,
    expected: { readonly state: string | undefined },
  ): OAuthCallback {
    return readCallback(url, expected?.state);
  }

  /**
   * Step 3: gets the token. A code can be used once, and is never sent twice by itself.
   * @throws {OAuthError} `incorrect_client_credentials`, `redirect_uri_mismatch`, `bad_verification_code` (begin again), also where the server says so inside a 200.
   * @throws {ResponseBodyError | ResponseShapeError} an answer that is none; the code may be used up.
   */
  exchangeCode(input: ExchangeInput, options?: RequestOptions): Call<OAuthToken> {
    const holder: ResponseHolder = { response: undefined };
    return callOf(this.#exchange(input, options, holder), holder);
  }

  /** Ends the sockets this flow opened. A dispatcher of yours stays open. */
  async close(): Promise<void> {
    await this.#caller.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #exchange(
    input: ExchangeInput,
    options: RequestOptions | undefined,
    holder: ResponseHolder,
  ): Promise<OAuthToken> {
    const { base, media, accept } = this.#caller.transport.settings;
    const context = { base, media, accept, headers: checkHeaders(options?.headers) };
    const redirect_uri = this.#redirectUri(input?.redirect_uri);
    const spec = buildRequest(exchange, { ...input, redirect_uri }, context);
    const secrets = [this.#options.clientSecret, ...spec.secrets];
    let body: Buffer;
    try {
      body = await this.#caller.run(spec, anyBody, options, holder);
    } catch (error) {
      throw (await refusal(error, input.format ?? 'json', secrets)) ?? error;
    }
    const { response } = holder;
    if (!response) throw new TypeError('a result came without an answer');
    const request = describe(spec, secrets);
    const answer: RawTokenAnswer = { body, asked: input.format ?? 'json', response, request };
    const fields = await readFields(answer);
    const failure = failureOf(fields);
    if (failure) throw oauthError('the code was not exchanged', failure, secrets);
    const token = tokenOf(fields, answer);
    const scopes = scopesOf(token);
    return {
      accessToken: token.access_token,
      tokenType: token.token_type,
      scopes,
      missingScopes: missingScopes(input.requestedScopes ?? [], scopes),
    };
  }

  #redirectUri(given: string | undefined): string | undefined {
    const { redirectUri, callbackUrl } = this.#options;
    const uri = given ?? redirectUri;
    if (uri === undefined) return undefined;
    // Without a callback URL to compare, it can only be held against itself: it must be a URL.
    checkRedirectUri(uri, callbackUrl ?? uri);
    return uri;
  }
}

/** Some servers refuse by 4xx what the contract answers inside a 200. */
async function refusal(
  error: unknown,
  asked: OAuthFormat,
  secrets: readonly string[],
): Promise<OAuthError | undefined> {
  if (!isApiError(error) || error.status >= 500 || error.code === 'rate_limit') return undefined;
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

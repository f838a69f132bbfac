/** The budget a hosting answer reports in its `X-RateLimit-*` headers. */
export interface RateLimit {
  /** Requests allowed in one window. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window ends, by the server's clock; absent where the server does not say. */
  readonly reset?: Date | undefined;
  /** The bucket the request was counted in (`core`, `search`…), where the server names one. */
  readonly resource?: string | undefined;
}

/** OAuth scopes of an answer: what the token has, and what the action checks for. */
export interface ResponseScopes {
  /** `X-OAuth-Scopes`; undefined when the server did not send the header. */
  readonly granted: readonly string[] | undefined;
  /** `X-Accepted-OAuth-Scopes`; undefined when the server did not send the header. */
  readonly accepted: readonly string[] | undefined;
}

/** URLs of a `Link` header by relation type, credentials stripped. */
export type Links = Readonly<Record<string, string | undefined>>;

/** What an answer of the support API says of itself, beside its data. */
export interface Outcome {
  /** Never false: that is an `OperationFailedError`. */
  readonly success: boolean | undefined;
  /** The server's own words; of a failure they are its reason. */
  readonly statusMessage: string | undefined;
}

/** Everything about an answer but its body. */
export interface ResponseInfo {
  /** HTTP status code. */
  readonly status: number;
  /** The reason phrase; some servers explain themselves there. */
  readonly statusText: string;
  /** Header fields, names in lower case, repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The URL that answered (after redirects), without credentials. */
  readonly url: string;
  /** The budget of requests, where the answer tells. */
  readonly rateLimit: RateLimit | undefined;
  /** The `ETag` header field; undefined where there is none. */
  readonly etag: string | undefined;
  /** Scopes that the token has, and that the endpoint wants. */
  readonly scopes: ResponseScopes;
  /** Addresses of the `Link` header field, by relation. */
  readonly links: Links;
  /** The server's own id of the request, for a support ticket. */
  readonly requestId: string | undefined;
  /** True when the body came from the conditional cache (the server said 304). */
  readonly fromCache: boolean;
  /** How many times the request was sent before it was answered so. */
  readonly attempts: number;
  /** `success` and `statusMessage` of the support API; undefined where the answer has neither. */
  readonly outcome?: Outcome | undefined;
}

/** What was asked, with every secret masked. */
export interface RequestInfo {
  /** The method of the client that was called, as in `pulls.list`. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Masked: query parameters that are not known to be harmless show as `***`. */
  readonly url: string;
}

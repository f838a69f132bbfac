/** Rate-limit quota that the hosting API reports. */
export interface RateLimit {
  /** Number of requests allowed per window. */
  readonly limit: number;
  /** Number of requests left in the current window. */
  readonly remaining: number;
  /**
   * End of the window, according to the server's clock. Undefined if the server doesn't send a
   * valid time.
   */
  readonly reset?: Date | undefined;
  /**
   * Name of the quota, such as `core` or `search`. Undefined if the server doesn't send a name.
   */
  readonly resource?: string | undefined;
}

/**
 * OAuth scopes that a response reports: the token's scopes and the scopes that the endpoint
 * accepts.
 */
export interface ResponseScopes {
  /** Scopes of the token (`X-OAuth-Scopes`). Undefined if the server didn't send the header. */
  readonly granted: readonly string[] | undefined;
  /**
   * Scopes that the endpoint accepts (`X-Accepted-OAuth-Scopes`). Undefined if the server didn't
   * send the header.
   */
  readonly accepted: readonly string[] | undefined;
}

/** URLs in a `Link` header by relation type, without credentials. */
export type Links = Readonly<Record<string, string | undefined>>;

/** Outcome that a support API response reports in addition to its data. */
export interface Outcome {
  /**
   * Whether the operation succeeded. False only in the `response` of an `OperationFailedError`.
   */
  readonly success: boolean | undefined;
  /** Message from the server. If the operation failed, the message contains the reason. */
  readonly statusMessage: string | undefined;
}

/** A response's status, headers and other metadata, without the body. */
export interface ResponseInfo {
  /** HTTP status code. */
  readonly status: number;
  /** Reason phrase. Some servers put an explanation here. */
  readonly statusText: string;
  /** Headers with lowercase names. Repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Final URL after redirects, without credentials. */
  readonly url: string;
  /** Rate-limit quota. Undefined if the response doesn't report it. */
  readonly rateLimit: RateLimit | undefined;
  /** `ETag` header. Undefined if the response has no `ETag`. */
  readonly etag: string | undefined;
  /** The token's OAuth scopes and the scopes that the endpoint accepts. */
  readonly scopes: ResponseScopes;
  /** URLs in the `Link` header by relation type. */
  readonly links: Links;
  /** Request ID sent by the server. Include this ID in support tickets. */
  readonly requestId: string | undefined;
  /** Whether the body came from the conditional cache, after the server responded with 304. */
  readonly fromCache: boolean;
  /** Number of attempts, including retries. 0 if the client didn't send the request. */
  readonly attempts: number;
  /** `success` and `statusMessage` from the support API. Undefined if the response has neither. */
  readonly outcome?: Outcome | undefined;
}

/** Description of a request, with all secrets masked. */
export interface RequestInfo {
  /** Client method that was called, for example `pulls.list`. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /**
   * URL of the request. Values of query parameters that aren't known to be harmless are shown as
   * `***`.
   */
  readonly url: string;
}

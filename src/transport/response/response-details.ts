import { inspect } from 'node:util';
import { mask, revealsSecret, showText, showUrl, stripParameters } from '../../masks/secrets.js';
import type {
  Links,
  Outcome,
  RateLimit,
  ResponseInfo,
  ResponseScopes,
} from '../../response-info.js';
import {
  getHeader,
  getUrlHeader,
  parseLinkHeader,
  parseRateLimit,
  type RawHeaders,
} from '../http/headers.js';
import type { UrlSource } from '../request/request-spec.js';

/** Data for a {@link ResponseDetails}. */
export interface ResponseFacts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: RawHeaders;
  /** Final URL without credentials, or a function that computes the URL on demand. */
  readonly url: string | (() => string);
  /** Origin that sent the response. Default: the origin of `url`, which is trusted. */
  readonly by?: UrlSource | undefined;
  readonly fromCache: boolean;
  readonly attempts: number;
  /** Query parameters to remove from `Link` URLs. */
  readonly credentialParameters: ReadonlySet<string>;
  /** Values to mask when the response is printed. The server may echo them. */
  readonly secrets?: readonly string[] | undefined;
  /** Secrets in the credentials that were sent. `Link` URLs must not contain them. */
  readonly credentials?: readonly string[] | undefined;
}

/** Response details. They are computed on demand, because most calls don't use them. */
export class ResponseDetails implements ResponseInfo {
  readonly status: number;
  readonly statusText: string;
  readonly fromCache: boolean;
  readonly attempts: number;
  /** Outcome that the body reports. Set once the body has been read. */
  outcome?: Outcome | undefined;
  #url: string | (() => string);
  #by: UrlSource | undefined;
  readonly #raw: RawHeaders;
  readonly #credentialParameters: ReadonlySet<string>;
  readonly #secrets: readonly string[];
  readonly #credentials: readonly string[];
  #headers: Readonly<Record<string, string | undefined>> | undefined;
  #links: Links | undefined;
  #rateLimit: { readonly value: RateLimit | undefined } | undefined;

  constructor(facts: ResponseFacts) {
    this.status = facts.status;
    this.statusText = facts.statusText;
    this.#url = facts.url;
    this.#by = facts.by;
    this.fromCache = facts.fromCache;
    this.attempts = facts.attempts;
    this.#raw = facts.headers;
    this.#credentialParameters = facts.credentialParameters;
    this.#secrets = facts.secrets ?? [];
    this.#credentials = facts.credentials ?? [];
  }

  get url(): string {
    if (typeof this.#url === 'function') this.#url = this.#url();
    return this.#url;
  }

  /** The origin that sent the URLs in this response. */
  get urlSource(): UrlSource {
    this.#by ??= { origin: new URL(this.url).origin, trusted: true };
    return this.#by;
  }

  /** Masks a URL from this response, for errors and events. */
  show(url: string): string {
    return showUrl(url, this.#secrets);
  }

  /** Returns whether a URL from this response contains the credentials that were sent. */
  echoesCredentials(url: string): boolean {
    return revealsSecret(url, this.#credentials);
  }

  /** The `Link` header, decoded as UTF-8. */
  get link(): string | undefined {
    return getUrlHeader(this.#raw, 'link');
  }

  get headers(): Readonly<Record<string, string | undefined>> {
    if (!this.#headers) {
      const headers: Record<string, string | undefined> = Object.create(null);
      for (const name of Object.keys(this.#raw)) headers[name] = getHeader(this.#raw, name);
      this.#headers = headers;
    }
    return this.#headers;
  }

  get rateLimit(): RateLimit | undefined {
    this.#rateLimit ??= { value: parseRateLimit(this.#raw) };
    return this.#rateLimit.value;
  }

  get etag(): string | undefined {
    return getHeader(this.#raw, 'etag');
  }

  get scopes(): ResponseScopes {
    return {
      granted: splitHeaderList(getHeader(this.#raw, 'x-oauth-scopes')),
      accepted: splitHeaderList(getHeader(this.#raw, 'x-accepted-oauth-scopes')),
    };
  }

  get links(): Links {
    if (!this.#links) {
      const links: Record<string, string | undefined> = Object.create(null);
      for (const [rel, uri] of Object.entries(parseLinkHeader(this.link))) {
        const url = URL.canParse(uri, this.url) ? new URL(uri, this.url).href : uri;
        const stripped = stripParameters(url, this.#credentialParameters);
        links[rel] = this.echoesCredentials(stripped) ? mask : stripped;
      }
      this.#links = links;
    }
    return this.#links;
  }

  get requestId(): string | undefined {
    const name = Object.keys(this.#raw).find((each) => /^x-(?:[a-z]+-)?request-id$/.test(each));
    return name === undefined ? undefined : getHeader(this.#raw, name);
  }

  /** Returns data without secrets or headers, for `JSON.stringify` and logs. */
  toJSON(): object {
    const { status, fromCache, attempts, requestId = '' } = this;
    return {
      status,
      statusText: showText(this.statusText, this.#secrets),
      url: showUrl(this.url, this.#secrets),
      requestId: showText(requestId, this.#secrets),
      fromCache,
      attempts,
    };
  }

  [inspect.custom](): object {
    return this.toJSON();
  }
}

/** Splits a comma-separated header into words. Returns undefined if the header is absent. */
function splitHeaderList(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  return header
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** A result with all response details. */
export interface CallResult<T> extends WithResponse<T> {
  readonly response: ResponseDetails;
}

/** A result and its response. */
export interface WithResponse<T> {
  /** The call's result. */
  readonly data: T;
  /** Response status, headers and rate limit. */
  readonly response: ResponseInfo;
}

import type { Dispatcher } from 'undici';
import { optionNames } from '../option-names.js';
import type { TlsOptions } from './connection-options.js';
import type { Logger } from './event-log.js';
import type { CacheOptions, RateLimitOptions, RetryOptions, TimeoutOptions } from './options.js';
import type { RequestHooks } from './policies/hooks.js';
import type { Fields } from './request/fields.js';
import type { ValidationMode } from './response/parse-response.js';

/** Options that all three clients accept. */
export interface ClientOptions {
  /** Base URL of the API, with or without a trailing slash. */
  readonly baseUrl: string | URL;
  /** Text to put before the package's own `User-Agent`, which is always sent. Default: none. */
  readonly userAgent?: string | undefined;
  /**
   * A custom undici 7 `Dispatcher`, for example with interceptors or mocks. Can't be combined with
   * `tls` or `proxy`. The client doesn't close it. Default: the client creates and closes its own
   * agents.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /**
   * Headers to send with every request, as an object, `Headers`, a `Map`, or an array of pairs. A
   * call's headers take precedence. These headers are not sent to untrusted origins and can't
   * replace headers that the client or its methods set. Default: none.
   */
  readonly headers?: Fields<string> | undefined;
  /**
   * Logger that gets a line for each request, retry, wait, redirect, and response that doesn't
   * match its model. Pass `console`, a pino logger, or any object with the methods `debug`, `info`,
   * `warn` and `error`. Secrets are masked. Default: standard error if `TRIFORGE_LOG` is `debug` or
   * `info`; otherwise none.
   */
  readonly log?: Logger | undefined;
  /**
   * Functions to call before each request and after each response, for example to add a tracing
   * header or to measure time. They see no credentials and no bodies. Default: none.
   */
  readonly hooks?: RequestHooks | undefined;
  /**
   * TLS settings, such as a private certificate authority or a client certificate. Default: Node's
   * settings.
   */
  readonly tls?: TlsOptions | undefined;
  /**
   * Proxy URL, such as `http://user:password@proxy.example.com:3128`, or `'env'` to read
   * `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (uppercase or lowercase). Without `'env'`, the
   * client ignores these variables. Default: no proxy.
   */
  readonly proxy?: string | URL | undefined;
  /**
   * Time limits for calls that don't set their own. A number is the total in ms. `false` disables
   * all limits. Default: the defaults of {@link TimeoutOptions}.
   */
  readonly timeout?: number | TimeoutOptions | false | undefined;
  /**
   * Retries of failed calls. `false` disables them. Default: the defaults of {@link RetryOptions}.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** What to do when the rate limit is exhausted. Default: throw a `RateLimitError`. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Maximum number of redirects to follow per attempt. Default: 10. */
  readonly maxRedirects?: number | undefined;
  /**
   * What to do with a response that doesn't match its model. Default: `strict`, which throws a
   * `ResponseShapeError`.
   */
  readonly validation?: ValidationMode | undefined;
  /**
   * Maximum size of a decoded response body in bytes. Streams have no limit. Default: 104857600
   * (100 MiB).
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Additional origins that receive the credentials, such as `https://uploads.example.com`. If
   * `baseUrl` is https, plain http origins never receive them. Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Caches responses and revalidates them with `If-None-Match`. Every call still contacts the
   * server, but many servers don't count a 304 toward the rate limit. Default: false.
   */
  readonly cache?: boolean | CacheOptions | undefined;
  /**
   * Maximum number of requests in flight, each on its own socket. Further requests wait. A request
   * is in flight until its response has arrived or, for a streamed response, until its headers have
   * arrived. `Infinity` removes the limit. Default: 64.
   */
  readonly maxConcurrency?: number | undefined;
  /**
   * Maximum number of pages of one list to fetch in parallel, from 1 to 100. Takes effect only if
   * the server reports the number of pages. Many servers count parallel requests toward secondary
   * limits (see `docs/pagination.md`). Default: 1.
   */
  readonly concurrency?: number | undefined;
}

/** Property names of {@link ClientOptions}. Each client adds its own names. */
export const clientNames = optionNames<ClientOptions>()(
  'baseUrl userAgent dispatcher headers log hooks tls proxy timeout retry rateLimit maxRedirects',
  'validation maxResponseBytes trustedOrigins cache maxConcurrency concurrency',
);

import type { Dispatcher } from 'undici';
import { optionNames } from '../option-names.js';
import type { TlsOptions } from './connection-options.js';
import type { Logger } from './event-log.js';
import type { CacheOptions, RateLimitOptions, RetryOptions, TimeoutOptions } from './options.js';
import type { RequestPolicy } from './policies/own-policies.js';
import type { Fields } from './request/fields.js';
import type { ValidationMode } from './response/parse-response.js';

/** What all three clients take. */
export interface ClientOptions {
  /** Where the API is. A missing trailing slash is added. */
  readonly baseUrl: string | URL;
  /** Put before the package's own User-Agent, which is always sent. Default nothing. */
  readonly userAgent?: string | undefined;
  /**
   * Any `Dispatcher` of undici 7: interceptors, mocks. It is the caller's to close, and takes the place
   * of `tls` and `proxy`. Default: agents of the client's own.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /**
   * Header fields of every request, as those of a call: an object, `Headers`, a `Map`, or pairs. Those of
   * the call win; origins that are not trusted get none. Fields that the client or its methods set are
   * refused. Default none.
   */
  readonly headers?: Fields<string> | undefined;
  /**
   * A line for each request, repeat, wait, redirect, and answer that does not fit its model: `console`, a
   * logger of pino, or any object with `debug`, `info`, `warn` and `error`. Secrets are masked. Default:
   * what `TRIFORGE_LOG` (`debug` or `info`) asks for on standard error, else none.
   */
  readonly log?: Logger | undefined;
  /**
   * Steps that every request passes, the first one outermost: add a header, change the URL, measure. They
   * see no credentials. See `docs/extending.md`. Default: none.
   */
  readonly policies?: readonly RequestPolicy[] | undefined;
  /** Certificates: an authority of your own, a client certificate. Default: as Node does. */
  readonly tls?: TlsOptions | undefined;
  /**
   * A proxy on the way, as `http://user:password@proxy.example.com:3128`; or `'env'` for `HTTP_PROXY`,
   * `HTTPS_PROXY` and `NO_PROXY`, in either letter case. Default none, whatever the environment says.
   */
  readonly proxy?: string | URL | undefined;
  /** A number is the total, in ms; `false` turns all limits off. Default: as {@link TimeoutOptions} says. */
  readonly timeout?: number | TimeoutOptions | false | undefined;
  /** `false` never repeats a call. Default: as {@link RetryOptions} says. */
  readonly retry?: RetryOptions | false | undefined;
  /** What happens when the rate limit is exhausted. Default: a `RateLimitError`. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** How many redirects of one attempt are followed. Default 10. */
  readonly maxRedirects?: number | undefined;
  /** What happens to a response that doesn't fit its model. Default: `strict`, which throws a `ResponseShapeError`. */
  readonly validation?: ValidationMode | undefined;
  /** Most bytes of an answer's body, decoded; streams are not limited. Default 104857600 (100 MiB). */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Other origins that get the credentials, as `https://uploads.example.com`. With a `baseUrl` of https, an
   * origin of plain http never gets them. Default none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Keeps answers and asks with their validators (`If-None-Match`): many servers count a 304 as free.
   * The server is always asked. Default false.
   */
  readonly cache?: boolean | CacheOptions | undefined;
  /**
   * Most requests in flight at once, each on a socket of its own; more wait their turn. A request is in
   * flight until its answer, or the head of a stream, is there. Default 64; `Infinity` for no limit. With
   * `rateLimit.shared` a number given here is that of all processes together; the default is each one's own.
   */
  readonly maxConcurrency?: number | undefined;
  /**
   * Most pages of one list in flight or held ahead, 1 to 100, where its server tells which pages there are.
   * Many servers count parallel requests towards secondary limits: see `docs/pagination.md`. Default 1.
   */
  readonly concurrency?: number | undefined;
}

/** The names of {@link ClientOptions}; a family adds its own. */
export const clientNames = optionNames<ClientOptions>()(
  'baseUrl userAgent dispatcher headers log policies tls proxy timeout retry rateLimit maxRedirects',
  'validation maxResponseBytes trustedOrigins cache maxConcurrency concurrency',
);

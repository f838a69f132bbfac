import { checkOptions, invalidOption, optionNames, parseNumber } from '../option-names.js';
import { describeKind, getMember, showValue, toText } from '../schema/unknown-values.js';
import { version } from '../version.js';
import {
  collectProxySecrets,
  resolveProxies,
  resolveTls,
  type TlsOptions,
} from './connection-options.js';
import { createDispatchers } from './dispatch/agent-pool.js';
import { type DispatcherLike, useDispatcher } from './dispatch/dispatcher.js';
import { createFetchDispatcher } from './dispatch/fetch-dispatcher.js';
import type { MediaContext } from './http/media-type.js';
import {
  type CacheOptions,
  type RateLimitOptions,
  type RetryOptions,
  readValidationVariable,
  resolveCache,
  resolveConcurrency,
  resolveRateLimit,
  resolveRetry,
  resolveTimeouts,
  resolveValidation,
  type TimeoutOptions,
} from './options.js';
import { readMonotonicClock } from './policies/context.js';
import type { RequestHooks } from './policies/hooks.js';
import { computeFingerprint } from './request/credentials.js';
import { type Logger, publishTo, resolveLog } from './request/diagnostics.js';
import { checkSharedHeaders, type Fields, secretsInHeaders } from './request/fields.js';
import { type BaseUrl, isDowngrade } from './request/request-spec.js';
import type { ValidationMode } from './response/parse-response.js';

/** A client's options, checked and completed with defaults. */
export type TransportSettings = ReturnType<typeof resolveSettings>;

/** Settings that each API's client adds to the user's options. */
export interface FamilySettings {
  readonly media: MediaContext;
  readonly accept: string;
  /** Headers that the API's clients send with each request. */
  readonly headers?: ReadonlyArray<readonly [string, string]> | undefined;
  /**
   * Write interval in ms for a minute after the pause that a refused write causes, unless the user
   * sets an interval. Default: 0.
   */
  readonly learnedWriteInterval?: number | undefined;
  /**
   * Names of all options that the API's clients accept. Default: the names of {@link
   * ClientOptions}.
   */
  readonly names?: Readonly<Record<string, true>> | undefined;
  /** Name of the option that contains the base URL, for error messages. Default: `baseUrl`. */
  readonly baseUrlOption?: string | undefined;
  /** Returns advice after a 404 if the path of `baseUrl` may be wrong. Default: no advice. */
  readonly explainBaseUrl?: ((path: string, isPage: boolean) => string | undefined) | undefined;
}

/**
 * Checks a client's options and fills in defaults.
 * @throws {ConfigurationError} if an option is invalid. The message names the option.
 */
export function resolveSettings(options: ClientOptions, family: FamilySettings) {
  checkOptions(options, family.names ?? clientNames);
  const base = resolveBaseUrl(options.baseUrl);
  // If `baseUrl` is https, drop plain http origins, because anyone on the network path could read
  // the credentials.
  const others = Array.from(options.trustedOrigins ?? [], parseOrigin).filter(
    (each) => !isDowngrade(each, base.origin),
  );
  const trustedOrigins = new Set([base.origin, ...others]);
  const headers = checkSharedHeaders(options.headers, family.headers);
  const given = resolveDispatcher(options);
  const tls = resolveTls(options.tls);
  const proxies = resolveProxies(options.proxy);
  const log = resolveLog(options.log);
  const { maxRedirects, maxResponseBytes, maxConcurrency } = options;
  return {
    base,
    trustedOrigins,
    dispatchers: given
      ? useDispatcher(given)
      : createDispatchers({ tls, proxies, baseOrigin: base.origin }),
    certificate: tls.cert === undefined ? '' : computeFingerprint('certificate', tls.cert.trim()),
    secrets: [...collectProxySecrets(proxies), ...secretsInHeaders(headers)],
    /** Headers sent with every request. */
    headers,
    publish: publishTo(log),
    log,
    /**
     * Options that the user passed, with checked names. A policy that reads an option checks its
     * value.
     */
    options,
    userAgent: formatUserAgent(options.userAgent),
    media: family.media,
    /** Media type for endpoints that don't set one. */
    accept: family.accept,
    timeouts: resolveTimeouts(options.timeout),
    retry: resolveRetry(options.retry),
    validation: resolveValidation(options.validation, readValidationVariable()),
    maxRedirects: parseNumber('maxRedirects', maxRedirects, 10, 0, 100),
    baseUrlOption: family.baseUrlOption ?? 'baseUrl',
    explainBaseUrl: (isPage: boolean) => family.explainBaseUrl?.(base.prefix, isPage),
    maxResponseBytes: parseNumber('maxResponseBytes', maxResponseBytes, 100 * 1024 * 1024, 1),
    maxConcurrency: parseNumber('maxConcurrency', maxConcurrency, 64, 1, Number.POSITIVE_INFINITY),
    /** Default `concurrency` for lists. */
    concurrency: resolveConcurrency(options.concurrency),
    ...resolveRateLimit(options.rateLimit, family.learnedWriteInterval),
    /** Store for cached responses. Undefined if caching is off. */
    cache: resolveCache(options.cache),
    now: () => Date.now(),
    clock: readMonotonicClock,
    random: Math.random,
  };
}

/**
 * Returns the caller's `dispatcher`, or a dispatcher for the caller's `fetch`.
 * @throws {ConfigurationError} if the option is invalid, or is combined with `tls` or `proxy`.
 */
function resolveDispatcher(options: ClientOptions): DispatcherLike | undefined {
  const { dispatcher, fetch } = options;
  if (dispatcher === undefined && fetch === undefined) return undefined;
  const own = dispatcher === undefined ? 'fetch' : 'dispatcher';
  for (const name of ['fetch', 'tls', 'proxy'] as const) {
    if (name === own || options[name] === undefined) continue;
    throw invalidOption(name, `must not be combined with ${own}. Configure the ${own} instead.`);
  }
  if (dispatcher === undefined) {
    if (typeof fetch === 'function') return createFetchDispatcher(fetch);
    throw invalidOption('fetch', `must be a function (got ${describeKind(fetch)})`);
  }
  if (typeof getMember(dispatcher, 'dispatch') === 'function') return dispatcher;
  throw invalidOption(
    'dispatcher',
    `must be an undici Dispatcher, such as new Agent({ connections: 16 }) (got ${describeKind(dispatcher)})`,
  );
}

function resolveBaseUrl(given: string | URL): BaseUrl {
  const url = parsePlainUrl('baseUrl', given);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/**
 * Parses a URL that has only an origin and a path.
 * @throws {ConfigurationError} if the URL isn't http or https, or has a username, password, query
 * or fragment.
 */
export function parsePlainUrl(option: string, given: string | URL): URL {
  const text = toText(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url && /^https?:$/.test(url.protocol);
  if (isHttp && url.username + url.password + url.search + url.hash === '') return url;
  const rule = 'must be an absolute http or https URL, such as https://code.example.com/api/v3/';
  const got = isHttp ? '' : ` (got ${describeKind(given)})`;
  throw invalidOption(option, `${rule}, without a username, password, query or fragment${got}`);
}

function parseOrigin(given: string): string {
  const text = toText(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && url.origin !== 'null' && !url.hostname.includes('*')) return url.origin;
  const rule = 'must contain only origins without wildcards, such as https://uploads.example.com';
  const why = `${rule}, because origins are compared whole (got ${describeKind(given)})`;
  throw invalidOption('trustedOrigins', why);
}

function formatUserAgent(prefix: string | undefined): string {
  const own = `triforge/${version}`;
  if (prefix === undefined || prefix === '') return own;
  if (typeof prefix !== 'string' || !/^[\x20-\x7e]+$/.test(prefix)) {
    throw invalidOption('userAgent', `must be printable ASCII (got ${showValue(prefix)})`);
  }
  return `${prefix} ${own}`;
}

/** Options that all three clients accept. */
export interface ClientOptions {
  /** Base URL of the API, with or without a trailing slash. */
  readonly baseUrl: string | URL;
  /** Text to prepend to the package's own `User-Agent`. Default: none. */
  readonly userAgent?: string | undefined;
  /**
   * Custom dispatcher from undici 7 or 8, for example with interceptors or mocks. Can't be combined
   * with `fetch`, `tls` or `proxy`. The client never closes this dispatcher. Default: agents that
   * the client creates and closes.
   */
  readonly dispatcher?: DispatcherLike | undefined;
  /**
   * Function that sends requests in place of undici, such as `globalThis.fetch`. Can't be combined
   * with `dispatcher`, `tls` or `proxy`. After a connection error, the client repeats only reads
   * and idempotent writes, because `fetch` doesn't report whether the request was sent. Default:
   * none, or `globalThis.fetch` in Cloudflare Workers.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Headers to send with every request, as an object, `Headers`, a `Map`, or an array of pairs. A
   * call's headers take precedence. Of these headers, untrusted origins receive only
   * `Accept-Language`. This option can't replace headers that the client or its methods set.
   * Default: none.
   */
  readonly headers?: Fields<string> | undefined;
  /**
   * Logger for requests, retries, waits, redirects, and responses that don't match their models.
   * Pass `console`, a pino logger, or any object with the methods `debug`, `info`, `warn` and
   * `error`. Secrets are masked. Default: standard error if `TRIFORGE_LOG` is `debug` or `info`;
   * otherwise none.
   */
  readonly log?: Logger | undefined;
  /**
   * Functions to call before each request and after each response, for example to add a tracing
   * header or to measure time. Hooks aren't called for sign-ins, and can't see credentials or
   * bodies. Default: none.
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
   * Time limits for calls that don't set their own. A number sets the total limit in ms. `false`
   * disables `total`, `headers` and `body`, but not the limit of 10 seconds for connecting.
   * Default: the defaults in {@link TimeoutOptions}.
   */
  readonly timeout?: number | TimeoutOptions | false | undefined;
  /**
   * Retry settings for failed calls. `false` disables retries. Default: the defaults in
   * `RetryOptions`.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** What to do when the rate limit is exhausted. Default: throw a `RateLimitError`. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Maximum number of redirects to follow per attempt. Default: 10. */
  readonly maxRedirects?: number | undefined;
  /**
   * What to do with a response that doesn't match its model. `strict` throws a
   * `ResponseShapeError`, except for responses that the API doesn't specify. Default: the
   * environment variable `TRIFORGE_VALIDATION`. If the variable is unset, the default is `warn` for
   * writes without a custom schema, and `strict` for all other calls.
   */
  readonly validation?: ValidationMode | undefined;
  /**
   * Maximum size of a decoded response body in bytes. Streams have no limit. Default: 104857600
   * (100 MiB). In `OAuthWebFlow`, the default is 1048576 (1 MiB).
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Additional origins that receive the credentials, such as `https://uploads.example.com`. If
   * `baseUrl` uses https, plain http origins never receive credentials. Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Whether to cache JSON responses to GET requests. The client revalidates cached responses with
   * `If-None-Match` or `If-Modified-Since`, so every call still contacts the server. Many servers
   * don't count a 304 toward the rate limit. Default: false.
   */
  readonly cache?: boolean | CacheOptions | undefined;
  /**
   * Maximum number of requests in flight. Each request uses its own socket, and further requests
   * wait. A request is in flight until its response has arrived. A streamed response keeps its
   * request in flight only until the headers have arrived. `Infinity` removes the limit. Default:
   * 64.
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
  'baseUrl userAgent dispatcher fetch headers log hooks tls proxy timeout retry rateLimit maxRedirects',
  'validation maxResponseBytes trustedOrigins cache maxConcurrency concurrency',
);

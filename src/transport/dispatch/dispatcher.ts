import type { Readable } from 'node:stream';
import type { Failure } from '../http/raw-response.js';
import type { RequestBody } from '../request/body.js';

/**
 * The part of a dispatcher that the client uses. Dispatchers from undici 7, undici 8 and the
 * emulator match this interface.
 */
export interface DispatcherLike {
  /** Sends a request and calls the handler's methods. */
  dispatch(options: object, handler: object): boolean;
}

/** Options that the client passes to {@link DispatcherLike.dispatch}. */
export interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: string | Readable | null;
  /** Maximum time until the response's headers arrive, in ms. 0 for no limit. */
  readonly headersTimeout: number;
  /** Maximum pause within a body, in ms. 0 for no limit. */
  readonly bodyTimeout: number;
}

export interface Proxies {
  /** Proxy for `http:`. Default: none. */
  readonly http: URL | undefined;
  /** Proxy for `https:`. Default: the proxy for `http:`. */
  readonly https: URL | undefined;
  /** Entries of `NO_PROXY`: hosts to connect to directly. */
  readonly none: readonly string[];
}

/** TLS options for `node:tls`. Certificates and keys are in PEM format. */
export interface TlsSettings {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
}

export interface ConnectionSettings {
  readonly tls: TlsSettings;
  readonly proxies: Proxies | undefined;
  readonly baseOrigin: string;
}

export interface Dispatchers {
  /** Dispatcher for all requests. Undefined if it depends on the origin, or isn't loaded yet. */
  readonly single: DispatcherLike | undefined;
  /**
   * Returns the dispatcher for an origin, or a promise while the dispatcher's module is loading.
   * @param trusted whether the client may present its certificate to this origin.
   */
  select(origin: string, trusted: boolean): DispatcherLike | Promise<DispatcherLike>;
  /** Returns the proxy for an origin, without the proxy's password. */
  getProxy(origin: string): string | undefined;
  /** Ends all connections immediately. */
  close(): Promise<unknown>;
}

/** Uses one dispatcher for all requests. Closing the client leaves the dispatcher open. */
export function useDispatcher(dispatcher: DispatcherLike): Dispatchers {
  return {
    single: dispatcher,
    select: () => dispatcher,
    getProxy: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** An outgoing request, including its credentials. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: RequestBody | undefined;
}

export interface ExchangeLimits {
  /** Maximum time until the response's headers arrive, in ms. 0 for no limit. */
  readonly headersTimeout: number;
  /** Maximum pause within a body, in ms. 0 for no limit. */
  readonly bodyTimeout: number;
  /** Maximum size of a buffered body in bytes, before and after decoding. */
  readonly maxBytes: number;
  /** Converts a streamed body's failure to an error. Undefined if the body is buffered. */
  readonly stream: ((failure: Failure) => Error) | undefined;
}

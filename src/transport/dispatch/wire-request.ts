import type { Failure } from '../http/raw-response.js';
import type { RequestBody } from '../request/body.js';

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

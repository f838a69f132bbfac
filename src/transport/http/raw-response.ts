import type { Readable } from 'node:stream';
import type { RawHeaders } from './headers.js';

/** A response with a decoded body. */
export interface RawResponse {
  /** False for a response, regardless of its status. */
  readonly failed: false;
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase. May be empty. */
  readonly statusText: string;
  /** Header values by lowercase name. An array if the server sent the header more than once. */
  readonly headers: RawHeaders;
  /** All chunks of the body, or a stream if the method returns one and the status is 2xx. */
  readonly body: readonly Buffer[] | Readable;
}

/** A response whose body isn't a stream. */
export type BufferedResponse = RawResponse & { readonly body: readonly Buffer[] };

/** A response without its body. */
export type ResponseHead = Pick<RawResponse, 'status' | 'statusText' | 'headers'>;

/** Reason why there is no complete response. */
export type FailureKind =
  | 'connection'
  /** The length of the data to send differs from the declared length. */
  | 'invalid_body'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_body'
  | 'interrupted'
  | 'truncated'
  | 'too_large'
  | 'undecodable';

/**
 * A request without a complete response. The error is created later so that its stack contains the
 * caller.
 */
export interface Failure {
  /** True for a failure. */
  readonly failed: true;
  /** Reason for the failure. */
  readonly kind: FailureKind;
  /** Error from Node or undici. May contain the request's secrets. */
  readonly cause: unknown;
  /** Whether the request may have reached the server. */
  readonly sent: boolean;
  /** Status of the response whose body failed. Undefined if no response started. */
  readonly status: number | undefined;
}

/** Result of a request, either a response or a failure. */
export type HttpResponse = RawResponse | Failure;

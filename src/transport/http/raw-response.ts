import type { Readable } from 'node:stream';
import type { RawHeaders } from './header-fields.js';

/** A response, its body decoded from its content coding. */
export interface RawResponse {
  /** False for a response, whatever its status. */
  readonly failed: false;
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase; may be empty. */
  readonly statusText: string;
  /** Values by lower-case name; an array if the server sent a header several times. */
  readonly headers: RawHeaders;
  /**
   * The whole body, or a stream if the method returns one and the status is 2xx. The memory is used again
   * after the call: copy what you keep.
   */
  readonly body: Buffer | Readable;
  /** Gives the body's memory back once it was decoded. */
  readonly release?: (() => void) | undefined;
}

/** Why there is no response, or no whole one. */
export type FailureKind =
  | 'connection'
  /** The data to be sent was not what was announced. */
  | 'invalid_body'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_body'
  | 'interrupted'
  | 'truncated'
  | 'too_large'
  | 'undecodable';

/** A request without a whole response. The client makes the error later, where the caller's stack is. */
export interface Failure {
  /** True for a failure. */
  readonly failed: true;
  /** What failed. */
  readonly kind: FailureKind;
  /** The error of Node or undici. May contain secrets of the request. */
  readonly cause: unknown;
  /** True once the request may have reached the server. */
  readonly sent: boolean;
  /** The connection that failed had carried answers before. */
  readonly reused?: boolean | undefined;
  /** Status of the answer whose body failed; undefined when no answer began. */
  readonly status: number | undefined;
}

/** What came of a request: a response, or a failure. */
export type HttpResponse = RawResponse | Failure;

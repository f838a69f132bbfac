import type { Readable } from 'node:stream';
import type { RawHeaders } from './header-fields.js';

/** One answer on the wire, its body decoded from its content coding. */
export interface RawResponse {
  readonly failed: false;
  readonly status: number;
  readonly statusText: string;
  readonly headers: RawHeaders;
  /**
   * The whole body, or a stream of it where a stream was asked for and the status is 2xx. Its memory is
   * used again after {@link release}: what is to be kept longer must be copied.
   */
  readonly body: Buffer | Readable;
  /** Gives the body's memory back once it was decoded. */
  readonly release?: (() => void) | undefined;
}

/** What went wrong where no answer, or no whole answer, came. */
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

/** An attempt without a whole answer. Data, not an error: errors are made where the caller's stack is. */
export interface Failure {
  readonly failed: true;
  readonly kind: FailureKind;
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

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

import type { RequestBody } from '../request/body.js';

/** One request as it is sent, with credentials. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: RequestBody | undefined;
}

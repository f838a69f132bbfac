import type { RequestBody } from '../request/body.js';

/** One request as it goes out: everything decided, credentials included. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: RequestBody | undefined;
}

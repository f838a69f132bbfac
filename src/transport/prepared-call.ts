import type { Timeouts } from './dispatch/deadline.js';
import type { RetrySettings } from './policy/retry.js';
import type { IsAhead } from './request/ahead.js';
import type { Authorizer } from './request/credentials.js';
import type { Answer } from './request/endpoint.js';
import type { RequestSpec } from './request/request-spec.js';
import type { AnswerInfo } from './response/answer-info.js';
import type { ValidationMode } from './response/parse-response.js';

/** One call, ready to be sent. */
export interface PreparedCall<T> {
  readonly spec: RequestSpec;
  /** How the response is read. `as(schema)` replaces it until the response is decoded. */
  answer: Answer<T>;
  isDecoded: boolean;
  readonly authorizer: Authorizer;
  readonly signals: readonly AbortSignal[];
  readonly timeouts: Timeouts;
  readonly retry: RetrySettings;
  readonly validation: ValidationMode;
  /** Of a page that a list may fetch before it is needed; undefined otherwise. */
  readonly isAhead?: IsAhead | undefined;
  /** Called with a good response before it is decoded; its result is awaited. */
  readonly arrived?: ((response: AnswerInfo) => Promise<unknown> | undefined) | undefined;
}

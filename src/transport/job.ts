import type { AnswerInfo } from './answer-info.js';
import type { Authorizer } from './credentials.js';
import type { Answer } from './endpoint.js';
import type { RetrySettings, Timeouts, ValidationMode } from './options.js';
import type { RequestSpec } from './request-spec.js';

/** One call, ready to be sent. */
export interface Job<T> {
  readonly spec: RequestSpec;
  readonly answer: Answer<T>;
  readonly authorizer: Authorizer;
  readonly signals: readonly AbortSignal[];
  readonly timeouts: Timeouts;
  readonly retry: RetrySettings;
  readonly validation: ValidationMode;
  /** Told of a good answer before it is decoded; what it returns is waited for. */
  readonly arrived?: ((response: AnswerInfo) => Promise<unknown> | undefined) | undefined;
}

/** GET and HEAD: nothing needs to be said of what was executed. */
export function reads({ method }: RequestSpec): boolean {
  return method === 'GET' || method === 'HEAD';
}

import type { ResponseInfo } from '../response-info.js';
import type { Timeouts } from './dispatch/abort-scope.js';
import type { RetrySettings } from './policy/retry.js';
import type { Authorizer } from './request/credentials.js';
import type { Answer } from './request/endpoint.js';
import type { RequestSpec } from './request/request-spec.js';
import type { AnswerInfo } from './response/answer-info.js';
import type { ValidationMode } from './response/parse-response.js';

/** A result together with the answer it came from. */
export interface WithResponse<T> {
  /** The result. */
  readonly data: T;
  /** Status, headers and limits of the answer. */
  readonly response: ResponseInfo;
}

/** What every method but the lists returns: one native promise, sent at once. */
export interface Call<T> extends Promise<T> {
  /** The result and the facts of the answer: status, headers, rate limit, scopes… */
  withResponse(): Promise<WithResponse<T>>;
}

/**
 * The call of a running request. A failure that nobody looks at is one unhandled rejection, and there is
 * no subclass of Promise, which would lose the caller's line in stacks.
 */
export function callOf<T>(running: Promise<WithResponse<T>>): Call<T> {
  const data = running.then(dataOf);
  return Object.assign(data, {
    async withResponse(): Promise<WithResponse<T>> {
      await data;
      return await running;
    },
  });
}

function dataOf<T>({ data }: WithResponse<T>): T {
  return data;
}

/** One call, ready to be sent. */
export interface PreparedCall<T> {
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

/** Nothing needs to be said of what was executed. */
export function reads({ retry }: RequestSpec): boolean {
  return retry === 'safe';
}

import type { ResponseInfo } from '../response-info.js';

/** A result together with the answer it came from. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/** What every method but the lists returns: one native promise, sent at once. */
export interface Call<T> extends Promise<T> {
  /** The result and the facts of the answer: status, headers, rate limit, scopes… */
  withResponse(): Promise<WithResponse<T>>;
}

/** Where the pipeline leaves the facts of the answer while the promise carries the data. */
export interface ResponseHolder {
  response: ResponseInfo | undefined;
}

/**
 * Gives a running promise its `withResponse`. One promise only, so that a failure nobody looks at is
 * one unhandled rejection; and no subclass, which would lose the caller's line in stacks.
 */
export function callOf<T>(running: Promise<T>, holder: ResponseHolder): Call<T> {
  return Object.assign(running, {
    async withResponse(): Promise<WithResponse<T>> {
      const data = await running;
      const { response } = holder;
      if (!response) throw new TypeError('a result came without an answer');
      return { data, response };
    },
  });
}

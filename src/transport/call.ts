import { InvalidRequestError } from '../errors/index.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { replaceSchema } from './own-schema.js';
import type { PreparedCall } from './policies/context.js';
import type { WithResponse } from './response/response-details.js';

/** Result of every method except lists: a native promise. The request is sent immediately. */
export interface Call<T> extends Promise<T> {
  /**
   * Resolves to the result together with the status, headers, rate limit and scopes of the
   * response.
   */
  withResponse(): Promise<WithResponse<T>>;
}

/** A {@link Call} whose response is JSON. `Missing` is the result of a 404 that isn't an error. */
export interface JsonCall<T, Missing = never> extends Call<T> {
  /**
   * Validates the response with your schema instead of the method's model: any Standard Schema
   * (zod, valibot, arktype…), or a model of this package. The schema's output is the result. Call
   * it before any `await`, and await the promise that it returns; the original promise then
   * rejects.
   * @throws {InvalidRequestError} (rejects) if this isn't a schema, or the response is already
   * decoded.
   * @throws {ResponseShapeError} (rejects) if the response doesn't match, whatever `validation`
   * says.
   * @example await hosting.pulls.get({ owner, repo, number: 1 }).as(z.object({ title: z.string() }));
   */
  as<Output>(schema: StandardSchema<Output>): JsonCall<Output | Missing, Missing>;
}

/**
 * Adds the methods of a call to the promise of a running request. A subclass of Promise would lose
 * the caller's line in stack traces. An unhandled failure is reported as one unhandled rejection.
 * @param call undefined if `as` has nothing to replace.
 */
export function createCall<T>(
  running: Promise<WithResponse<T>>,
  call?: PreparedCall<unknown>,
): JsonCall<T> {
  const answer = call?.answer;
  const data = running.then((settled) => {
    if (call?.answer !== answer) throw replacedError();
    return settled.data;
  });
  return Object.assign(data, {
    async withResponse(): Promise<WithResponse<T>> {
      await data;
      return await running;
    },
    as<Output>(schema: StandardSchema<Output>): JsonCall<Output> {
      // The caller handles the promise that `as` returns instead.
      data.catch(() => undefined);
      try {
        replaceSchema(call, schema);
      } catch (error) {
        return createCall<Output>(Promise.reject(error));
      }
      // `as`: the schema validates the response.
      return createCall(
        running as Promise<WithResponse<unknown>> as Promise<WithResponse<Output>>,
        call,
      );
    },
  });
}

function replacedError(): InvalidRequestError {
  return new InvalidRequestError(
    'as: this result is validated by another schema. Await the promise that as() returned.',
    { field: 'as' },
  );
}

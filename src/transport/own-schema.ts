import { InvalidRequestError } from '../errors/index.js';
import type { ResponseInfo } from '../response-info.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import type { PreparedCall } from './policies/context.js';
import type { ResponseSpec } from './request/endpoint.js';
import { checkSchema } from './request/raw-request.js';

/**
 * Replaces the model of a running call with the schema passed to `as`.
 * @param call undefined if it failed before it was sent.
 * @throws {InvalidRequestError} if this isn't a schema, the response isn't JSON, or it is already
 * decoded.
 */
export function replaceSchema(
  call: PreparedCall<unknown> | undefined,
  schema: StandardSchema,
): void {
  checkSchema(schema, 'as');
  if (call?.isDecoded) {
    throw new InvalidRequestError(
      'as: the response is already decoded. Call as() on the result of the method, before any await.',
      { field: 'as' },
    );
  }
  if (call) call.answer = withSchema(call.answer, schema, (whole) => whole);
}

/**
 * Replaces an endpoint's model with the caller's schema.
 * @param whole creates the schema of the whole value. The caller's schema validates a part of it.
 * @throws {InvalidRequestError} if this isn't a schema, or the response isn't JSON.
 */
export function withSchema<T>(
  answer: ResponseSpec<T>,
  schema: StandardSchema | undefined,
  whole: (schema: StandardSchema) => StandardSchema,
): ResponseSpec<T> {
  if (schema === undefined) return answer;
  checkSchema(schema, 'as');
  if (answer.kind !== 'json') {
    throw new InvalidRequestError('as: the response of this method contains no JSON', {
      field: 'as',
    });
  }
  const own = { schema: whole(schema), map: validateOutput, isStrict: true, unspecified: false };
  // `as`: the result has the type of the schema's output.
  return { ...answer, ...own } as ResponseSpec<T>;
}

/** Returns the schema's output, or null for a 404 that isn't an error. */
function validateOutput(value: unknown, response: ResponseInfo): unknown {
  return response.status === 404 ? null : value;
}

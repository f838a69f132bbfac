import { InvalidRequestError } from '../errors/index.js';
import type { ResponseInfo } from '../response-info.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import type { PreparedCall } from './policies/context.js';
import type { Answer } from './request/endpoint.js';
import { checkSchema } from './request/raw-request.js';

/**
 * Replaces the model of a running call by the schema passed to `as`.
 * @param call undefined if it failed before it was sent.
 * @throws {InvalidRequestError} if this is no schema, the response contains no JSON, or it is decoded already
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
 * A response with the caller's schema in place of the endpoint's model.
 * @param whole makes the schema of the whole value, of which the caller's validates a part.
 * @throws {InvalidRequestError} if this is no schema, or the response contains no JSON
 */
export function withSchema<T>(
  answer: Answer<T>,
  schema: StandardSchema | undefined,
  whole: (schema: StandardSchema) => StandardSchema,
): Answer<T> {
  if (schema === undefined) return answer;
  checkSchema(schema, 'as');
  if (answer.kind !== 'json') {
    throw new InvalidRequestError('as: the response of this method contains no JSON', {
      field: 'as',
    });
  }
  const own = { schema: whole(schema), map: outputOf, isStrict: true, unspecified: false };
  // `as`: callers see the type of the schema's output.
  return { ...answer, ...own } as Answer<T>;
}

/** The schema's output; null if a 404 means that there is nothing. */
function outputOf(value: unknown, response: ResponseInfo): unknown {
  return response.status === 404 ? null : value;
}

import { InvalidRequestError } from '../errors/index.js';
import type { ResponseInfo } from '../response-info.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import type { Answer } from './request/endpoint.js';
import { checkSchema } from './request/raw-request.js';

/**
 * An answer with the caller's own schema in place of the endpoint's model.
 * @param whole makes the schema of the whole value, of which the caller's judges a part.
 * @throws {InvalidRequestError}
 */
export function judgedBy<Result>(
  schema: StandardSchema,
  answer: Answer<unknown>,
  whole: (schema: StandardSchema) => StandardSchema,
): Answer<Result> {
  checkSchema(schema);
  if (answer.kind !== 'json') {
    throw new InvalidRequestError('schema: the answer of this method holds no JSON', 'schema');
  }
  // `as`: what the schema puts out is the result.
  return { ...answer, schema: whole(schema), map: asJudged, unspecified: false } as Answer<Result>;
}

/** What was judged is the result; a 404 that says there is none is null. */
function asJudged(value: unknown, response: ResponseInfo): unknown {
  return response.status === 404 ? null : value;
}

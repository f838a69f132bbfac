import { InvalidRequestError } from '../errors/index.js';
import type { ResponseInfo } from '../response-info.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import type { ResultOf, WithSchema } from './options.js';
import { type OffsetSlice, sliceSchema } from './pagination/offset-pages.js';
import type { Answer } from './request/endpoint.js';
import { kindOf } from './request/input.js';
import { itemsSchema } from './request/raw-request.js';

/** An answer with the caller's own schema, if there is one, in place of the endpoint's model. */
export function judgedBy<Options extends WithSchema, Output>(
  options: Options | undefined,
  answer: Answer<Output>,
): Answer<ResultOf<Options, Output>> {
  return replaced(options, answer, (schema) => schema);
}

/** {@link judgedBy} for a list, whose items the schema is for. */
export function itemsJudgedBy<Options extends WithSchema, Item>(
  options: Options | undefined,
  answer: Answer<Item[]>,
): Answer<ResultOf<Options, Item>[]> {
  return replaced(options, answer, itemsSchema);
}

/** {@link judgedBy} for a page of a search, whose items the schema is for. */
export function sliceJudgedBy<Options extends WithSchema, Item>(
  options: Options | undefined,
  answer: Answer<OffsetSlice<Item>>,
): Answer<OffsetSlice<ResultOf<Options, Item>>> {
  return replaced(options, answer, sliceSchema);
}

function replaced<Result>(
  options: WithSchema | undefined,
  answer: Answer<unknown>,
  whole: (schema: StandardSchema) => StandardSchema,
): Answer<Result> {
  const schema = options?.schema;
  // `as`: without a schema the result is the endpoint's own, and with one what the schema puts out.
  if (schema === undefined) return answer as Answer<Result>;
  if (typeof schema?.['~standard']?.validate !== 'function') {
    throw new InvalidRequestError(
      `schema: expected a Standard Schema, such as z.object({ … }) of zod, got ${kindOf(schema)}`,
      'schema',
    );
  }
  if (answer.kind !== 'json') {
    throw new InvalidRequestError('schema: the answer of this method holds no JSON', 'schema');
  }
  // `as`: as above.
  return { ...answer, schema: whole(schema), map: asJudged } as Answer<Result>;
}

/** What was judged is the result; a 404 that says there is none is null. */
function asJudged(value: unknown, response: ResponseInfo): unknown {
  return response.status === 404 ? null : value;
}

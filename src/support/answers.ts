import type { Outcome } from '../response-info.js';
import { listOf, type Model, modelOf, ref } from '../schema/model.js';
import { isRecord } from '../schema/unknown-values.js';
import { z } from '../schema/zod.js';
import {
  itemsIn,
  noItems,
  type OffsetSlice,
  sliceAnswer,
  sliceIn,
} from '../transport/pagination/offset-pages.js';
import { type Answer, noArray } from '../transport/request/endpoint.js';
import { type RawRequest, rawAnswer } from '../transport/request/raw-request.js';

/** `success: false` inside HTTP 200 is a failure; a missing `success` is none. */
function failure(value: unknown): { statusMessage: string | undefined } | undefined {
  if (!isRecord(value) || value.success !== false) return undefined;
  const { statusMessage } = value;
  return { statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined };
}

/** What stands beside the data; nothing where the server says nothing. */
function outcome(value: unknown): Outcome | undefined {
  if (!isRecord(value)) return undefined;
  const { success, statusMessage } = value;
  if (typeof success !== 'boolean' && typeof statusMessage !== 'string') return undefined;
  return {
    success: typeof success === 'boolean' ? success : undefined,
    statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined,
  };
}

/** An answer that is what it says, without an envelope. */
export function plain<T>(model: Model<T>): Answer<T> {
  // `as`: the model has judged the value before it is mapped.
  return { kind: 'json', schema: model, failure, outcome };
}

/** A record: bare, or under one of the names that servers have put it under. */
export function recordOf<T>(model: Model<T>, ...names: readonly string[]): Answer<T> {
  return {
    ...plain(model),
    unwrap: (value) => {
      if (!isRecord(value)) return value;
      if ('id' in value) return withoutOutcome(value);
      const name = names.find((each) => isRecord(value[each]));
      return name === undefined ? value : value[name];
    },
  };
}

/** A write's outcome stands beside the attributes of a bare record, and is none of them. */
function withoutOutcome(value: Record<string, unknown>): Record<string, unknown> {
  if (typeof value.success !== 'boolean') return value;
  const { success: _success, statusMessage: _statusMessage, ...record } = value;
  return record;
}

/** Something whose shape is not documented: success, or `OperationFailedError`. */
export const done: Answer<void> = {
  kind: 'json',
  schema: undefined,
  failure,
  outcome,
  map: () => undefined,
};

/** A list: a bare array, or the first array in an envelope. */
export function itemsOf<T>(item: Model<T>): Answer<T[]> {
  return {
    ...plain(listOf(item)),
    unwrap: itemsIn,
    mismatch: noArray,
  };
}

/** A page of a search: an envelope with its total, a bare array, or a lone record. */
export function sliceOf<T>(item: Model<T>): Answer<OffsetSlice<T>> {
  const slice = modelOf<OffsetSlice<T>>(`a page of ${item.name}`, () =>
    z.object({
      items: z.array(ref(item)),
      total: z.optional(z.int()),
      last: z.boolean(),
    }),
  );
  return { ...plain(slice), unwrap: sliceIn, mismatch: noItems };
}

/** The answer that a raw request asks for; `success: false` is a failure as everywhere. */
export function rawOf<T>(request: RawRequest<T>): Answer<T> {
  return { ...rawAnswer(request), failure };
}

/** A page of a search that no method covers: its items fit the request's schema. */
export function rawSliceOf<T>(request: RawRequest<T>): Answer<OffsetSlice<T>> {
  return { ...sliceAnswer(request.schema), failure };
}

/** The answer of an endpoint of the user's own: `success: false` is a failure, whatever else is read. */
export function judgedByOutcome(answer: Answer<unknown>): Answer<unknown> {
  return answer.kind === 'none' ? done : { ...answer, failure, outcome };
}

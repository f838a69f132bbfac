import * as z from 'zod/mini';
import type { Outcome } from '../response-info.js';
import { defineList, defineModel, type Model, ref } from '../schema/model.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { isRecord } from '../schema/unknown-values.js';
import {
  createSliceSpec,
  describeNonItems,
  extractSlice,
  findList,
  type OffsetSlice,
} from '../transport/pagination/offset-pages.js';
import { type ResponseSpec, unspecified } from '../transport/request/endpoint.js';
import type { CaseInput } from './common.js';
import { ContactCreated, SupportCase } from './models/index.js';

/** Detects `success: false` in a 200 response. A missing `success` is treated as success. */
function findFailure(value: unknown): { statusMessage: string | undefined } | undefined {
  if (!isRecord(value) || value.success !== false) return undefined;
  const { statusMessage } = value;
  return { statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined };
}

/**
 * Returns the outcome that a response reports in addition to its data. Undefined if it reports no
 * outcome.
 */
function outcome(value: unknown): Outcome | undefined {
  if (!isRecord(value)) return undefined;
  const { success, statusMessage } = value;
  if (typeof success !== 'boolean' && typeof statusMessage !== 'string') return undefined;
  return {
    success: typeof success === 'boolean' ? success : undefined,
    statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined,
  };
}

/** Describes a response without an envelope. */
export function wholeBody<T>(model: Model<T>): ResponseSpec<T> {
  return { kind: 'json', schema: model, failure: findFailure, outcome };
}

/**
 * Describes a response with a record, either unwrapped or nested under one of the specified names.
 */
export function recordBody<T>(model: Model<T>, ...names: readonly string[]): ResponseSpec<T> {
  return { ...wholeBody(model), unwrap: (value) => recordIn(value, names), envelope: names };
}

function recordIn(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const name = 'id' in value ? undefined : names.find((each) => isRecord(value[each]));
  return name === undefined ? withoutOutcome(value) : value[name];
}

/**
 * Describes a response with a case, in a format that the API doesn't specify. A case without an ID
 * gets the requested ID.
 */
export function anyCase({ case_id }: CaseInput): ResponseSpec<SupportCase> {
  return {
    ...unspecified(wholeBody(SupportCase)),
    envelope: ['data', 'case'],
    unwrap: (value) => {
      const [only, ...others] = Array.isArray(value) ? value : [value];
      const found = recordIn(others.length === 0 ? only : value, ['data', 'case']);
      if (!isRecord(found) || (found.id !== undefined && found.id !== null)) return found;
      return { ...found, id: Number(case_id) };
    },
  };
}

/**
 * Response to `contacts.create`. The API doesn't specify its body, which can be the contact itself.
 */
export const newContact: ResponseSpec<ContactCreated> = {
  ...unspecified(wholeBody(ContactCreated)),
  unwrap: (value) => {
    if (!isRecord(value)) return value;
    const { contact_id, ...others } = value;
    if (contact_id !== undefined && contact_id !== null) return value;
    const data = recordIn(others, ['data', 'contact']);
    if (!isRecord(data) || !('id' in data)) return others;
    const { success, statusMessage } = value;
    return {
      ...(typeof success === 'boolean' && { success }),
      ...(typeof statusMessage === 'string' && { statusMessage }),
      contact_id: data.id,
      data,
    };
  },
};

/** Removes the outcome fields, which servers add to the attributes of an unwrapped record. */
function withoutOutcome(value: Record<string, unknown>): Record<string, unknown> {
  if (typeof value.success !== 'boolean') return value;
  const { success: _success, statusMessage: _statusMessage, ...record } = value;
  return record;
}

/**
 * Response whose data the API doesn't specify. The client checks only the outcome and throws an
 * `OperationFailedError` for a failure.
 */
export const done: ResponseSpec<void> = {
  kind: 'json',
  schema: undefined,
  failure: findFailure,
  outcome,
  map: () => undefined,
};

/**
 * Describes a response with a list, in a format that the API doesn't specify. `name` is the list's
 * likely name in an envelope.
 */
export function anyList<T>(item: Model<T>, name: string): ResponseSpec<T[]> {
  return {
    ...unspecified(wholeBody(defineList(item))),
    unwrap: (value) => findList(value, name),
    envelope: [name],
  };
}

/** Describes a page of a search: an envelope with a total, a bare array, or a single record. */
export function slice<T>(item: Model<T>): ResponseSpec<OffsetSlice<T>> {
  const slice = defineModel<OffsetSlice<T>>(`a page of ${item.name}`, () =>
    z.object({
      items: z.array(ref(item)),
      total: z.optional(z.int()),
      last: z.boolean(),
    }),
  );
  return {
    ...wholeBody(slice),
    unwrap: extractSlice,
    envelope: ['items'],
    mismatch: describeNonItems,
  };
}

/** Describes a page of a search that no method covers. The page's items match `schema`. */
export function rawSlice<T>(schema: StandardSchema<T> | undefined): ResponseSpec<OffsetSlice<T>> {
  return { ...createSliceSpec(schema), failure: findFailure };
}

/** Adds the `success` check to responses to `request`. */
export function checkOutcome(spec: ResponseSpec<unknown>): ResponseSpec<unknown> {
  return spec.kind === 'none' ? done : { ...spec, failure: findFailure, outcome };
}

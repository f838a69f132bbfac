import * as z from 'zod/mini';
import type { Outcome } from '../response-info.js';
import { defineList, defineModel, type Model, ref } from '../schema/model.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { describeKind, isRecord } from '../schema/unknown-values.js';
import { type AnyEndpoint, type ApiClient, Resource } from '../transport/api-client.js';
import { type AuthOptions, listNames } from '../transport/options.js';
import {
  createSliceSchema,
  createSliceSpec,
  describeNonItems,
  extractSlice,
  findList,
  OffsetPages,
  type OffsetSlice,
} from '../transport/pagination/offset-pages.js';
import type { ListOptions, Paginated } from '../transport/pagination/paginated.js';
import { type Endpoint, type ResponseSpec, unspecified } from '../transport/request/endpoint.js';
import {
  createInputError,
  filledText,
  integer,
  oneOf,
  optional,
  type Parameter,
  record,
  rule,
  texts,
} from '../transport/request/input.js';
import { formatSupportDate, isSupportDate } from './dates.js';
import type { DynamicAttributes } from './models/index.js';
import type { SupportAuth } from './session.js';

/**
 * Returns the outcome that a response reports in addition to its data. Undefined if it reports no
 * outcome.
 */
function outcome(value: unknown): Outcome | undefined {
  if (!isRecord(value)) return undefined;
  const success = typeof value.success === 'boolean' ? value.success : undefined;
  const statusMessage = typeof value.statusMessage === 'string' ? value.statusMessage : undefined;
  if (success === undefined && statusMessage === undefined) return undefined;
  return { success, statusMessage };
}

/** Detects `success: false` in a 200 response. A missing `success` is treated as success. */
function findFailure(value: unknown): Outcome | undefined {
  const found = outcome(value);
  return found?.success === false ? found : undefined;
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

/** Adds the `success` check to the response of a `request` call. */
export function checkOutcome(spec: ResponseSpec<unknown>): ResponseSpec<unknown> {
  return spec.kind === 'none' ? done : { ...spec, failure: findFailure, outcome };
}

/** API client with credentials for the support API. */
export type SupportApi = ApiClient<SupportAuth>;

export abstract class SupportResource extends Resource<SupportAuth> {}

/** Adds declared dynamic attributes to the endpoint's result type. Returns the same endpoint. */
export function attributed<Input, T, Output extends T>(
  endpoint: Endpoint<Input, T>,
): Endpoint<Input, Output> {
  // `as`: nothing validates dynamic attributes. Their types come from the user's declaration.
  return endpoint as Endpoint<Input, Output>;
}

/** Options for one call. `auth` overrides the client's credentials. */
export type SupportRequestOptions = AuthOptions<SupportAuth>;

/** Options for a search. */
export type SupportSearchOptions = SupportRequestOptions & ListOptions;

/** Input that identifies a contact. */
export interface ContactInput {
  /** ID of the contact. */
  readonly contact_id: number | string;
}

/** Input that identifies a case. */
export interface CaseInput {
  /** ID of the case. */
  readonly case_id: number | string;
}

/** Values of the dynamic attributes in `Attributes`. */
export type AttributeInputs<Attributes> = {
  readonly [Name in keyof Attributes]?:
    | (Attributes[Name] & (string | number | boolean))
    | undefined;
};

/** Parameters shared by contact and case searches. */
export interface SearchInput {
  /**
   * Number of records per page. A server may send fewer records. With 0, a server returns only the
   * total or rejects the request. Default: set by the server.
   */
  readonly count?: number | undefined;
  /** 0-based index of the first record. Default: 0. */
  readonly index?: number | undefined;
  /** Name of the attribute to sort by. */
  readonly order_by?: string | undefined;
  /** Sort order: `ASC` (ascending) or `DESC` (descending). */
  readonly order_dir?: 'ASC' | 'DESC' | undefined;
}

/** Writable fields common to contacts and cases. */
export interface RecordFields<Attributes = DynamicAttributes> {
  /** One or more notes to add to the existing notes. */
  readonly note?: string | readonly string[] | undefined;
  /** Tags to add. Use `updateTags` to remove tags. */
  readonly tag?: string | readonly string[] | undefined;
  /** Dynamic attributes, which the server stores as text. */
  readonly attributes?: AttributeInputs<Attributes> | undefined;
}

/** Input that identifies an object in a channel, such as a profile or a message. */
export interface ChannelInput {
  /** Name of the channel, for example `facebook`, `twitter` or `email`. */
  readonly source: string;
  /** ID of the message or profile in the channel. */
  readonly ext_id: number | string;
}

/** Changes to a record's tags. */
export interface TagChange {
  /** Tags to add. */
  readonly add?: readonly string[] | undefined;
  /** Tags to remove. */
  readonly remove?: readonly string[] | undefined;
}

/** Record ID, as a number or a string of digits. */
export const recordId = {
  ...rule(
    'a numeric ID',
    (value) =>
      (Number.isSafeInteger(value) && Number(value) >= 0) ||
      (typeof value === 'string' && /^\d+$/.test(value)),
    { type: 'integer', minimum: 0 },
  ),
  shown: true,
};

/** ID sent as a parameter, as a non-negative integer or any non-empty string. */
export const anyId = rule(
  'a number or a non-empty string',
  (value) => recordId.test(value) || filledText.test(value),
  filledText.schema,
);

/** One or more strings. */
const textOrTexts = rule(
  'a string or an array of strings',
  (value) => (Array.isArray(value) ? value : [value]).every((each) => typeof each === 'string'),
  texts.schema,
);

/** A `Date`, or a string in the API's format or in ISO 8601. */
export const date = {
  ...rule(
    'a valid Date, or a date with a time and an offset, such as 2015-02-20T16:32:51-0300 or 2015-02-20T19:32:51Z',
    isSupportDate,
    { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d{4}$' },
  ),
  shown: true,
};

/** Validation rules for {@link SearchInput}. */
export const searching = {
  count: optional(integer(0)),
  index: optional(integer(0)),
  order_by: optional(filledText),
  order_dir: optional(oneOf('ASC', 'DESC')),
};

/** Validation rules for {@link RecordFields}. */
export const recordFields = {
  note: optional(textOrTexts),
  tag: optional(textOrTexts),
  attributes: optional(record),
};

/** Validation rules for {@link ChannelInput}. */
export const inChannel = { source: filledText, ext_id: anyId };

/** Validation rules for {@link TagChange}. */
export const tagChange = { add: optional(textOrTexts), remove: optional(textOrTexts) };

/**
 * Returns a function that merges named parameters and dynamic attributes.
 * @throws {InvalidRequestError} if an attribute collides with a parameter, or its value isn't a
 * scalar.
 */
export function withAttributes(operation: string, reserved: readonly string[]) {
  return ({ attributes = {}, ...named }: RecordFields): Record<string, unknown> => {
    const sent = Object.entries<unknown>(named);
    for (const [name, value] of Object.entries(attributes)) {
      const field = `attributes.${name}`;
      if (value === undefined) continue;
      // `access_token` is a parameter that the client adds to every request.
      if (['', 'access_token', ...reserved].includes(name)) {
        const why =
          'must not have an empty or reserved name. If the name is an input, pass the value outside attributes.';
        throw createInputError(field, why, operation);
      }
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        const why = `must be a string, number or boolean (got ${describeKind(value)})`;
        throw createInputError(field, why, operation);
      }
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        const why = `must be a safe integer (got ${value}). Pass a larger integer as a string.`;
        throw createInputError(field, why, operation);
      }
      sent.push([name, value]);
    }
    // `fromEntries` defines properties, so `__proto__` is an ordinary name.
    return Object.fromEntries(sent);
  };
}

/**
 * Formats a date input for the request.
 * @throws {InvalidRequestError} if the date is invalid.
 */
export function wireDate(value: Date | string | undefined): Parameter | undefined {
  return value === undefined ? undefined : formatSupportDate(value);
}

/** Creates a list that is paged by a 0-based `index`. */
export function listByOffset<Input extends { readonly index?: unknown }, Item>(
  api: SupportApi,
  endpoint: AnyEndpoint<Input, OffsetSlice<Item>>,
  input: Input,
  options?: SupportSearchOptions,
  optionNames: Readonly<Record<string, true>> = listNames,
): Paginated<Item> {
  // JavaScript callers may pass null, which `build` rejects.
  const start = Number(input?.index ?? 0);
  return api.createList(endpoint, input, options, optionNames, createSliceSchema, (build, send) => {
    const buildAt = (index: number) => build(Object.is(index, start) ? input : { ...input, index });
    return new OffsetPages(endpoint.operation, start, buildAt, send);
  });
}

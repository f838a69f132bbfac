import { describeKind } from '../schema/unknown-values.js';
import { type ApiClient, Resource } from '../transport/api-client.js';
import type { AuthOptions } from '../transport/options.js';
import type { ListOptions } from '../transport/pagination/paginated.js';
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
import type { SupportAuth } from './auth.js';
import { formatSupportDate, isSupportDate } from './dates.js';

/** API client with credentials for the support API. */
export type SupportApi = ApiClient<SupportAuth>;

export abstract class SupportResource extends Resource<SupportAuth> {}

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

/** Dynamic attributes, which the server stores unchanged. */
export type DynamicAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Parameters shared by contact and case searches. */
export interface SearchInput {
  /**
   * Number of records per page. A server may send fewer. 0 requests only the total. Default: chosen
   * by the server.
   */
  readonly count?: number | undefined;
  /** 0-based index of the first record. Default: 0. */
  readonly index?: number | undefined;
  /** Name of the attribute to sort by. */
  readonly order_by?: string | undefined;
  /** Sort order, ascending or descending. */
  readonly order_dir?: 'ASC' | 'DESC' | undefined;
}

/** Writable fields common to contacts and cases. */
export interface RecordFields {
  /** One or more notes, added to the existing notes. */
  readonly note?: string | readonly string[] | undefined;
  /** Tags to add. Use `updateTags` to remove tags. */
  readonly tag?: string | readonly string[] | undefined;
  /** Dynamic attributes, stored unchanged. */
  readonly attributes?: DynamicAttributes | undefined;
}

/** Input that identifies an object in a channel, such as a profile or a message. */
export interface ChannelInput {
  /** Name of the channel, for example `facebook`, `twitter` or `email`. */
  readonly source: string;
  /** ID of the object in the channel. */
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
 * Parameters that the client adds to every request. Dynamic attributes must not use these names.
 */
const forbidden = new Set(['access_token']);

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
      if (name === '' || forbidden.has(name) || reserved.includes(name)) {
        throw createInputError(
          field,
          name === ''
            ? 'must have a non-empty name'
            : 'must not be a reserved name. If the name is an input, pass the value outside attributes.',
          operation,
        );
      }
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        const why = `must be a string, number or boolean (got ${describeKind(value)})`;
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

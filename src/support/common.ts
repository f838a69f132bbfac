import { InvalidRequestError } from '../errors/index.js';
import { type ApiClient, Resource } from '../transport/api-client.js';
import type { AuthOptions } from '../transport/call-settings.js';
import type { ListOptions } from '../transport/pagination/paginated.js';
import {
  filledText,
  integer,
  kindOf,
  oneOf,
  optional,
  type Parameter,
  record,
  rule,
} from '../transport/request/input.js';
import type { SupportAuth } from './auth.js';
import { formatSupportDate, isSupportDate } from './dates.js';

/** What contacts and cases call through. */
export type SupportApi = ApiClient<SupportAuth>;

/** Methods of one resource. */
export abstract class SupportResource extends Resource<SupportAuth> {}

/** Options of one call; `auth` overrides the client's credentials. */
export type SupportRequestOptions = AuthOptions<SupportAuth>;

/** Options of a search. */
export type SupportSearchOptions = SupportRequestOptions & ListOptions;

/** Names a contact. */
export interface ContactInput {
  /** Id of the contact. */
  readonly contact_id: number | string;
}

/** Names a case. */
export interface CaseInput {
  /** Id of the case. */
  readonly case_id: number | string;
}

/** Attributes beyond the documented ones, stored as they are given. */
export type DynamicAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the searches of contacts and cases have in common. */
export interface SearchInput {
  /** Records per page. A server may send fewer. 0 requests only the total. Default: the server's. */
  readonly count?: number | undefined;
  /** First record wanted, 0-based. Default 0. */
  readonly index?: number | undefined;
  /** Name of the attribute to order by. */
  readonly order_by?: string | undefined;
  /** Ascending or descending. */
  readonly order_dir?: 'ASC' | 'DESC' | undefined;
}

/** What can be set of a contact and of a case. */
export interface RecordFields {
  /** One note or several, added to those there are. */
  readonly note?: string | readonly string[] | undefined;
  /** Tags to add. Use `updateTags` to remove tags. */
  readonly tag?: string | readonly string[] | undefined;
  /** Dynamic attributes, stored as they are given. */
  readonly attributes?: DynamicAttributes | undefined;
}

/** Names what belongs to a channel: a profile, a message. */
export interface ChannelInput {
  /** Channel, as `facebook`, `twitter`, `email`. */
  readonly source: string;
  /** Id in that channel. */
  readonly ext_id: number | string;
}

/** Tags to add and to remove. */
export interface TagChange {
  /** Tags to add. */
  readonly add?: readonly string[] | undefined;
  /** Tags to remove. */
  readonly remove?: readonly string[] | undefined;
}

/** An id of a record: a number, or its digits. */
export const recordId = rule(
  'a numeric id',
  (value) =>
    (Number.isSafeInteger(value) && Number(value) >= 0) ||
    (typeof value === 'string' && /^\d+$/.test(value)),
);

/** An id that goes out as a parameter, which the contract lets be any string. */
export const anyId = rule(
  'an id: a number, or a string that is not empty',
  (value) => recordId.test(value) || filledText.test(value),
);

/** One string, or several. */
const textOrTexts = rule('a string or an array of strings', (value) =>
  (Array.isArray(value) ? value : [value]).every((each) => typeof each === 'string'),
);

/** A `Date`, or a string in the format of the API or ISO 8601. */
export const date = rule(
  'a valid Date, or a date with its time and offset, like 2015-02-20T16:32:51-0300 or 2015-02-20T19:32:51Z',
  isSupportDate,
);

/** Rules of {@link SearchInput}. */
export const searching = {
  count: optional(integer(0)),
  index: optional(integer(0)),
  order_by: optional(filledText),
  order_dir: optional(oneOf('ASC', 'DESC')),
};

/** Rules of {@link RecordFields}. */
export const recordFields = {
  note: optional(textOrTexts),
  tag: optional(textOrTexts),
  attributes: optional(record),
};

/** Rules of {@link ChannelInput}. */
export const inChannel = { source: filledText, ext_id: anyId };

/** Rules of {@link TagChange}. */
export const tagChange = { add: optional(textOrTexts), remove: optional(textOrTexts) };

/** Names that the client sends itself, in every request. */
const forbidden = new Set(['access_token']);

/**
 * What gives named parameters and dynamic attributes as they go out.
 * @throws {InvalidRequestError} an attribute that collides with a parameter, or whose value is no scalar.
 */
export function withAttributes(operation: string, reserved: readonly string[]) {
  return ({ attributes = {}, ...named }: RecordFields): Record<string, unknown> => {
    const sent = Object.entries<unknown>(named);
    for (const [name, value] of Object.entries(attributes)) {
      const field = `attributes.${name}`;
      if (value === undefined) continue;
      if (name === '' || forbidden.has(name) || reserved.includes(name)) {
        throw new InvalidRequestError(
          `${operation}: ${field}: this name is taken; give it as a parameter of its own, if it is one`,
          { field },
        );
      }
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        throw new InvalidRequestError(
          `${operation}: ${field}: expected a string, number or boolean, got ${kindOf(value)}`,
          { field },
        );
      }
      sent.push([name, value]);
    }
    // `fromEntries` defines its members, so that `__proto__` is a name like any other.
    return Object.fromEntries(sent);
  };
}

/** A date input as the wire wants it. @throws {InvalidRequestError} */
export function wireDate(value: Date | string | undefined): Parameter | undefined {
  return value === undefined ? undefined : formatSupportDate(value);
}

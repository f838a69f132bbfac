import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { defineModel, model, openEnum, ref } from '../../schema/model.js';
import { optionalInteger, optionalText } from '../../schema/optional-fields.js';
import { Contact } from './contact.js';
import { type OutcomeFields, outcomeFields } from './outcome.js';

/** Campaign that a case belongs to. */
export interface Campaign {
  /** Numeric ID. */
  id?: number | null | undefined;
  /** Name of the campaign. */
  name?: string | null | undefined;
}

/**
 * Case that a representative works on. Blank attributes are null or absent. Attributes that aren't
 * listed here are the support domain's dynamic attributes, typed `unknown`.
 */
export interface SupportCase {
  /** Numeric ID. */
  id: number;
  /**
   * Time when the case was first opened. Dates look like `2015-02-20T16:32:51-0300`. Parse them
   * with `parseSupportDate`.
   */
  first_open_date?: string | null | undefined;
  /** Time when the case was last opened. */
  last_open_date?: string | null | undefined;
  /** Time when the case entered the inbox. */
  inbox_date?: string | null | undefined;
  /** Time when the wait for a reply began. */
  we_did_not_reply_since_date?: string | null | undefined;
  /** Creation time. */
  creation_date?: string | null | undefined;
  /** Time of the last change. */
  update_date?: string | null | undefined;
  /** Whether the case was reopened. */
  reopened?: boolean | null | undefined;
  /** Campaign that the case belongs to. */
  campaign?: Campaign | null | undefined;
  /** Name of the channel. */
  source?: string | null | undefined;
  /** Whether the case is private. */
  private?: boolean | null | undefined;
  /** Subject of the case. */
  subject?: string | null | undefined;
  /** Contact that the case is for. */
  contact?: Contact | null | undefined;
  /** State of the case. */
  state?: 'Open' | 'Closed' | (string & {}) | null | undefined;
  /** Number of credits that the case has cost. */
  credits?: number | null | undefined;
  /** Time spent on the case, in milliseconds. */
  handling_ms?: number | null | undefined;
  /** Number of seconds until a response is due. */
  sla_seconds?: number | null | undefined;
  /** Number of messages sent. */
  messages_sent?: number | null | undefined;
  /** Number of messages received. */
  messages_received?: number | null | undefined;
  /** Number of messages linked to the case. */
  messages?: number | null | undefined;
  /** URL of the case's web page. */
  url?: string | null | undefined;
  /** Names of the tags. */
  tags?: string[] | null | undefined;
  /** Name of the user who last changed the case. */
  updated_by?: string | null | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/** Result of `cases.create`. */
export interface CaseCreated extends OutcomeFields {
  /** ID of the new case. */
  case_id: number;
  /** New case, if requested with `echo_data`. */
  data?: SupportCase | null | undefined;
}

/** Message linked to a case. The API doesn't specify its fields, so any JSON is accepted. */
export interface Message {
  /** Name of the channel. */
  source?: string | null | undefined;
  /** ID of the message in the channel. Some channels use numbers. */
  ext_id?: string | number | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/** Tag as a record. */
export interface TagRecord {
  /** Name of the tag. */
  name?: string | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/**
 * Tag in a list of tags, as a name or a record. The API doesn't specify the format, so any JSON
 * is accepted.
 */
export type Tag = string | TagRecord;

export const Campaign = model<Campaign>()('Campaign', () => ({
  id: optionalInteger(),
  name: optionalText(),
}));

export const SupportCase = model<SupportCase>('open')('SupportCase', () => ({
  id: z.int(),
  ...fields(optionalText, 'first_open_date last_open_date inbox_date we_did_not_reply_since_date'),
  ...fields(optionalText, 'creation_date update_date source subject url updated_by'),
  reopened: z.nullish(z.boolean()),
  campaign: z.nullish(ref(Campaign)),
  private: z.nullish(z.boolean()),
  contact: z.nullish(ref(Contact)),
  state: z.nullish(openEnum('Open', 'Closed')),
  ...fields(
    optionalInteger,
    'credits handling_ms sla_seconds messages_sent messages_received messages',
  ),
  tags: z.nullish(z.array(z.string())),
}));

export const CaseCreated = model<CaseCreated>()('CaseCreated', () => ({
  ...outcomeFields(),
  case_id: z.int(),
  data: z.nullish(ref(SupportCase)),
}));

export const Message = model<Message>('open')('Message', () => ({
  source: optionalText(),
  ext_id: z.nullish(z.union([z.string(), z.number()])),
}));

export const TagRecord = model<TagRecord>('open')('TagRecord', () => ({
  name: optionalText(),
}));

export const Tag = defineModel<Tag>('Tag', () => z.union([z.string(), ref(TagRecord)]));

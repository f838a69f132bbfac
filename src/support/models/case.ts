import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, modelOf, openEnum, ref } from '../../schema/model.js';
import { Contact } from './contact.js';
import { type Judged, judged } from './judged.js';

/** The campaign a case belongs to. */
export interface Campaign {
  /** Numeric id. */
  id?: number | null | undefined;
  /** Name of the campaign. */
  name?: string | null | undefined;
}

/**
 * A unit of work for a representative. Blank attributes are null or missing. Other attributes are the
 * dynamic attributes of the support domain, typed `unknown`.
 */
export interface SupportCase {
  /** Numeric id. */
  id: number;
  /** Dates are as `2015-02-20T16:32:51-0300`; `parseSupportDate` reads them. */
  first_open_date?: string | null | undefined;
  /** When it was last opened. */
  last_open_date?: string | null | undefined;
  /** When it came into the inbox. */
  inbox_date?: string | null | undefined;
  /** Time since which no one has replied. */
  we_did_not_reply_since_date?: string | null | undefined;
  /** When it was opened. */
  creation_date?: string | null | undefined;
  /** When it was last changed. */
  update_date?: string | null | undefined;
  /** Whether it was reopened. */
  reopened?: boolean | null | undefined;
  /** Campaign that the case belongs to. */
  campaign?: Campaign | null | undefined;
  /** Channel. */
  source?: string | null | undefined;
  /** Whether it is private. */
  private?: boolean | null | undefined;
  /** Subject. */
  subject?: string | null | undefined;
  /** Contact that the case is for. */
  contact?: Contact | null | undefined;
  /** How far it is. */
  state?: 'Open' | 'Closed' | (string & {}) | null | undefined;
  /** Credits that it has cost. */
  credits?: number | null | undefined;
  /** How long it was worked on, in milliseconds. */
  handling_ms?: number | null | undefined;
  /** Seconds until it must be answered. */
  sla_seconds?: number | null | undefined;
  /** How many messages were sent. */
  messages_sent?: number | null | undefined;
  /** How many messages came in. */
  messages_received?: number | null | undefined;
  /** Messages that are linked to it. */
  messages?: number | null | undefined;
  /** Address of its page. */
  url?: string | null | undefined;
  /** Names of its tags. */
  tags?: string[] | null | undefined;
  /** Who changed it last. */
  updated_by?: string | null | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/** Result of `cases.create`. */
export interface CaseCreated extends Judged {
  /** Id of the new case. */
  case_id: number;
  /** The new case, if `echo_data` requested it. */
  data?: SupportCase | null | undefined;
}

/** A message linked to a case. The interface doesn't specify its fields: any JSON is accepted. */
export interface Message {
  /** Channel. */
  source?: string | null | undefined;
  /** Id of the message in that channel. Some channels use numbers. */
  ext_id?: string | number | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/** A tag in the form of a record. */
export interface TagRecord {
  /** Name of the tag. */
  name?: string | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/** A tag in a list of tags: its name, or a record. The interface doesn't specify which: any JSON is accepted. */
export type Tag = string | TagRecord;

const text = () => z.nullish(z.string());
const count = () => z.nullish(z.int());

export const Campaign = model<Campaign>()('Campaign', () => ({
  id: count(),
  name: text(),
}));

export const SupportCase = model<SupportCase>('open')('SupportCase', () => ({
  id: z.int(),
  ...fields(text, 'first_open_date last_open_date inbox_date we_did_not_reply_since_date'),
  ...fields(text, 'creation_date update_date source subject url updated_by'),
  reopened: z.nullish(z.boolean()),
  campaign: z.nullish(ref(Campaign)),
  private: z.nullish(z.boolean()),
  contact: z.nullish(ref(Contact)),
  state: z.nullish(openEnum('Open', 'Closed')),
  ...fields(count, 'credits handling_ms sla_seconds messages_sent messages_received messages'),
  tags: z.nullish(z.array(z.string())),
}));

export const CaseCreated = model<CaseCreated>()('CaseCreated', () => ({
  ...judged(),
  case_id: z.int(),
  data: z.nullish(ref(SupportCase)),
}));

export const Message = model<Message>('open')('Message', () => ({
  source: text(),
  ext_id: z.nullish(z.union([z.string(), z.number()])),
}));

export const TagRecord = model<TagRecord>('open')('TagRecord', () => ({
  name: text(),
}));

export const Tag = modelOf<Tag>('Tag', () => z.union([z.string(), ref(TagRecord)]));

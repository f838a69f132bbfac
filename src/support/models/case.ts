import { fields } from '../../schema/fields.js';
import { model, modelOf, openEnum, ref } from '../../schema/model.js';
import { z } from '../../schema/zod.js';
import { Contact } from './contact.js';
import { type Judged, judged } from './judged.js';

/** The campaign a case belongs to. */
export interface Campaign {
  /** Numeric id. */
  id?: number | undefined;
  /** Name of the campaign. */
  name?: string | undefined;
}

/**
 * A unit of work for a representative. Empty attributes are omitted by this
 * service; attributes beyond these are the domain's own, and typed unknown.
 */
export interface SupportCase {
  /** Numeric id. */
  id: number;
  /** Dates are as `2015-02-20T16:32:51-0300`; `parseSupportDate` reads them. */
  first_open_date?: string | undefined;
  /** When it was last opened. */
  last_open_date?: string | undefined;
  /** When it came into the inbox. */
  inbox_date?: string | undefined;
  /** Since when nobody has replied. */
  we_did_not_reply_since_date?: string | undefined;
  /** When it was opened. */
  creation_date?: string | undefined;
  /** When it was last changed. */
  update_date?: string | undefined;
  /** How often it was opened again. */
  reopened?: boolean | undefined;
  /** Campaign that the case belongs to. */
  campaign?: Campaign | undefined;
  /** Channel. */
  source?: string | undefined;
  /** Whether it is private. */
  private?: boolean | undefined;
  /** Subject. */
  subject?: string | undefined;
  /** Contact that the case is for. */
  contact?: Contact | undefined;
  /** How far it is. */
  state?: 'Open' | 'Closed' | (string & {}) | undefined;
  /** Credits that it has cost. */
  credits?: number | undefined;
  /** How long it was worked on, in milliseconds. */
  handling_ms?: number | undefined;
  /** Seconds until it must be answered. */
  sla_seconds?: number | undefined;
  /** How many messages were sent. */
  messages_sent?: number | undefined;
  /** How many messages came in. */
  messages_received?: number | undefined;
  /** Messages that are linked to it. */
  messages?: number | undefined;
  /** Address of its page. */
  url?: string | undefined;
  /** Names of its tags. */
  tags?: string[] | undefined;
  /** Who changed it last. */
  updated_by?: string | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/** What creating a case answers. */
export interface CaseCreated extends Judged {
  /** Id of the new case. */
  case_id: number;
  /** The whole new case, where `echo_data` asked for it. */
  data?: SupportCase | undefined;
}

/**
 * A message linked to a case.
 * @remarks Known from the public documentation, which names these two fields.
 */
export interface Message {
  /** Channel. */
  source?: string | undefined;
  /** Id of the message in that channel. */
  ext_id?: string | undefined;
  /** Whatever else the server sends. */
  [attribute: string]: unknown;
}

/** A tag, as lists of tags give it. */
export type Tag = string;

const text = () => z.optional(z.string());
const count = () => z.optional(z.int());

export const Campaign = model<Campaign>()('Campaign', () => ({
  id: count(),
  name: text(),
}));

export const SupportCase = model<SupportCase>('open')('SupportCase', () => ({
  id: z.int(),
  ...fields(text, 'first_open_date last_open_date inbox_date we_did_not_reply_since_date'),
  ...fields(text, 'creation_date update_date source subject url updated_by'),
  reopened: z.optional(z.boolean()),
  campaign: z.optional(ref(Campaign)),
  private: z.optional(z.boolean()),
  contact: z.optional(ref(Contact)),
  state: z.optional(openEnum('Open', 'Closed')),
  ...fields(count, 'credits handling_ms sla_seconds messages_sent messages_received messages'),
  tags: z.optional(z.array(z.string())),
}));

export const CaseCreated = model<CaseCreated>()('CaseCreated', () => ({
  ...judged(),
  case_id: z.int(),
  data: z.optional(ref(SupportCase)),
}));

export const Message = model<Message>('open')('Message', () => ({
  ...fields(text, 'source ext_id'),
}));

export const Tag = modelOf<Tag>('Tag', () => z.string());

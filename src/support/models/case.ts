import * as z from 'zod';
import { type Model, model, modelOf, openEnum, ref } from '../../model.js';
import { Contact } from './contact.js';

/** The campaign a case belongs to. */
export interface Campaign {
  id?: number | undefined;
  name?: string | undefined;
}

/**
 * A unit of work for a representative (contract section "Case"). Empty attributes are omitted by this
 * service; attributes beyond these are the domain's own, and typed unknown.
 */
export interface SupportCase {
  id: number;
  /** Dates are as `2015-02-20T16:32:51-0300`; `parseSupportDate` reads them. */
  first_open_date?: string | undefined;
  last_open_date?: string | undefined;
  inbox_date?: string | undefined;
  we_did_not_reply_since_date?: string | undefined;
  creation_date?: string | undefined;
  update_date?: string | undefined;
  reopened?: boolean | undefined;
  campaign?: Campaign | undefined;
  /** Channel. */
  source?: string | undefined;
  private?: boolean | undefined;
  subject?: string | undefined;
  contact?: Contact | undefined;
  state?: 'Open' | 'Closed' | (string & {}) | undefined;
  credits?: number | undefined;
  handling_ms?: number | undefined;
  sla_seconds?: number | undefined;
  messages_sent?: number | undefined;
  messages_received?: number | undefined;
  messages?: number | undefined;
  url?: string | undefined;
  tags?: string[] | undefined;
  updated_by?: string | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/** What creating a case answers. */
export interface CaseCreated {
  success?: boolean | undefined;
  statusMessage?: string | undefined;
  /** Id of the new case. */
  case_id: number;
  /** The whole new case, where `echo_data` asked for it. */
  data?: SupportCase | undefined;
}

/**
 * A message linked to a case.
 * @remarks Its fields are outside the service contract; public documentation names these two.
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

export const Campaign: Model<Campaign> = model<Campaign>()('Campaign', () => ({
  id: count(),
  name: text(),
}));

export const SupportCase: Model<SupportCase> = model<SupportCase>()('SupportCase', () => ({
  id: z.int(),
  first_open_date: text(),
  last_open_date: text(),
  inbox_date: text(),
  we_did_not_reply_since_date: text(),
  creation_date: text(),
  update_date: text(),
  reopened: z.optional(z.boolean()),
  campaign: z.optional(ref(Campaign)),
  source: text(),
  private: z.optional(z.boolean()),
  subject: text(),
  contact: z.optional(ref(Contact)),
  state: z.optional(openEnum('Open', 'Closed')),
  credits: count(),
  handling_ms: count(),
  sla_seconds: count(),
  messages_sent: count(),
  messages_received: count(),
  messages: count(),
  url: text(),
  tags: z.optional(z.array(z.string())),
  updated_by: text(),
}));

export const CaseCreated: Model<CaseCreated> = model<CaseCreated>()('CaseCreated', () => ({
  success: z.optional(z.boolean()),
  statusMessage: text(),
  case_id: z.int(),
  data: z.optional(ref(SupportCase)),
}));

export const Message: Model<Message> = model<Message>()('Message', () => ({
  source: text(),
  ext_id: text(),
}));

export const Tag: Model<Tag> = modelOf<Tag>('Tag', () => z.string());

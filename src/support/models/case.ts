import * as z from 'zod/mini';
import { defineModel, fields, model, nullish, openEnum, ref } from '../../schema/model.js';
import { type OutcomeFields, outcomeFields } from './session.js';

/** Note on a contact. */
export interface ContactNote {
  /** Time of the note in milliseconds since the epoch. */
  date?: number | null | undefined;
  /** Text of the note. */
  text?: string | null | undefined;
  /** Name of the author. */
  userName?: string | null | undefined;
}

/** Identity of a contact in one channel. The channel determines which fields exist. */
export interface ContactProfile {
  /** ID of the profile. */
  id?: number | null | undefined;
  /** Name of the channel. */
  source?: 'facebook' | 'twitter' | 'youtube' | 'email' | 'sms' | (string & {}) | null | undefined;
  /** Name of the person in the channel. */
  name?: string | null | undefined;
  /** ID of the profile in the channel. Some channels use numbers. */
  ext_id?: string | number | null | undefined;
  /** Username in the channel. Twitter usernames don't include the at sign. */
  user_name?: string | null | undefined;
  /** Names of the profile's tags. */
  tags?: string[] | null | undefined;
  /** URL of a picture. */
  image_url?: string | null | undefined;
  /** The person's self-description. */
  about?: string | null | undefined;
  /** Location that the person specified. */
  location?: string | null | undefined;
  /** Gender, if the channel reports it. */
  gender?: string | null | undefined;
  /** Number of followers in the channel. */
  followers?: number | null | undefined;
  /** Number of accounts that the person follows in the channel. */
  following?: number | null | undefined;
  /**
   * Creation time, for example `2015-02-20T16:32:51-0300`. To parse the time, use
   * `parseSupportDate`.
   */
  creation_date?: string | null | undefined;
  /**
   * Time of the last change, for example `2015-02-20T16:32:51-0300`. To parse the time, use
   * `parseSupportDate`.
   */
  update_date?: string | null | undefined;
  /** Name of the user who last changed the profile. */
  updated_by?: string | null | undefined;
}

/** Dynamic attributes, which the server stores as text. */
export type DynamicAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Contact, case or creation result (`T`) with the dynamic attributes that `SupportClient`'s type
 * parameter declares. The client doesn't validate these attributes, and blank attributes are null
 * or absent. Adds nothing if the names are unknown.
 */
export type WithAttributes<T, Attributes> = string extends keyof Attributes
  ? T
  : Declared<T, Attributes>;

/** Also adds the attributes to the contact of a case, and to the record in a result. */
type Declared<T, Attributes> = T extends object
  ? T & {
      [Name in keyof T & ('contact' | 'data')]?: Declared<T[Name], Attributes>;
    } & (T extends { id: number }
        ? { [Name in keyof Attributes]?: Attributes[Name] | null | undefined }
        : unknown)
  : T;

/**
 * Person or company. Blank attributes are null or absent. To add types for dynamic attributes, pass
 * a type argument to `SupportClient`.
 */
export interface Contact {
  /** Numeric ID. */
  id: number;
  /** Full name. */
  name?: string | null | undefined;
  /** Given name. */
  first_name?: string | null | undefined;
  /** Family name. */
  last_name?: string | null | undefined;
  /** Unique ID of the contact in an external CRM. */
  crm_id?: string | null | undefined;
  /** Company-wide ID of the contact. Can be the same as `crm_id`. */
  client_id?: string | null | undefined;
  /** Additional identifying information, usually a nickname. */
  extended_value?: string | null | undefined;
  /** Number of cases. */
  cases?: number | null | undefined;
  /**
   * Channel profiles. Every contact has at least one profile, but search results may omit the
   * profiles.
   */
  profiles?: ContactProfile[] | null | undefined;
  /** URL of the contact. */
  url?: string | null | undefined;
  /** Names of the tags. */
  tags?: string[] | null | undefined;
  /** Notes about the contact. */
  notes?: ContactNote[] | null | undefined;
  /**
   * Creation time, for example `2015-02-20T16:32:51-0300`. To parse the time, use
   * `parseSupportDate`.
   */
  creation_date?: string | null | undefined;
  /**
   * Time of the last change, for example `2015-02-20T16:32:51-0300`. To parse the time, use
   * `parseSupportDate`.
   */
  update_date?: string | null | undefined;
  /** Name of the user who last changed the contact. */
  updated_by?: string | null | undefined;
}

/**
 * Result of `contacts.create`. The API doesn't specify the response, so the client accepts any
 * JSON.
 */
export interface ContactCreated extends OutcomeFields {
  /** ID of the new contact. Undefined if the response contains no ID. */
  contact_id?: number | undefined;
  /** New contact, if requested with `echo_data`. Undefined if the response contains no contact. */
  data?: Contact | null | undefined;
  /** Other members of the response. */
  [member: string]: unknown;
}

export const ContactNote = model<ContactNote>()('ContactNote', () => ({
  date: z.nullish(z.int()),
  ...fields(nullish(z.string), 'text userName'),
}));

export const ContactProfile = model<ContactProfile>()('ContactProfile', () => ({
  ...fields(nullish(z.int), 'id followers following'),
  source: z.nullish(openEnum('facebook', 'twitter', 'youtube', 'email', 'sms')),
  ext_id: z.nullish(z.union([z.string(), z.number()])),
  ...fields(nullish(z.string), 'name user_name image_url about location gender creation_date'),
  ...fields(nullish(z.string), 'update_date updated_by'),
  tags: z.nullish(z.array(z.string())),
}));

export const Contact = model<Contact>('open')('Contact', () => ({
  id: z.int(),
  ...fields(nullish(z.string), 'name first_name last_name crm_id client_id extended_value url'),
  ...fields(nullish(z.string), 'creation_date update_date updated_by'),
  cases: z.nullish(z.int()),
  profiles: z.nullish(z.array(ref(ContactProfile))),
  tags: z.nullish(z.array(z.string())),
  notes: z.nullish(z.array(ref(ContactNote))),
}));

export const ContactCreated = model<ContactCreated>('open')('ContactCreated', () => ({
  ...outcomeFields(),
  contact_id: z.optional(z.int()),
  data: z.nullish(ref(Contact)),
}));

/** Campaign that a case belongs to. */
export interface Campaign {
  /** Numeric ID. */
  id?: number | null | undefined;
  /** Name of the campaign. */
  name?: string | null | undefined;
}

/**
 * Support case. Blank attributes are null or absent. To add types for dynamic attributes, pass a
 * type argument to `SupportClient`.
 */
export interface SupportCase {
  /** Numeric ID. */
  id: number;
  /**
   * Time when the case was first opened. Example: `2015-02-20T16:32:51-0300`. To parse the time,
   * use `parseSupportDate`.
   */
  first_open_date?: string | null | undefined;
  /** Time when the case was last opened. */
  last_open_date?: string | null | undefined;
  /** Time when the case entered the inbox. */
  inbox_date?: string | null | undefined;
  /** Time when the contact started to wait for a reply. */
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
  /** Number of credits. */
  credits?: number | null | undefined;
  /** Handling time in milliseconds. */
  handling_ms?: number | null | undefined;
  /** Time specified by the service-level agreement (SLA), in seconds. */
  sla_seconds?: number | null | undefined;
  /** Number of messages sent. */
  messages_sent?: number | null | undefined;
  /** Number of messages received. */
  messages_received?: number | null | undefined;
  /** Number of messages linked to the case. */
  messages?: number | null | undefined;
  /** URL of the case. */
  url?: string | null | undefined;
  /** Names of the tags. */
  tags?: string[] | null | undefined;
  /** Name of the user who last changed the case. */
  updated_by?: string | null | undefined;
}

/** Result of `cases.create`. */
export interface CaseCreated extends OutcomeFields {
  /** ID of the new case. */
  case_id: number;
  /** New case, if requested with `echo_data`. */
  data?: SupportCase | null | undefined;
}

/**
 * Message linked to a case. The API doesn't specify the message's fields, so the client accepts any
 * JSON.
 */
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
 * Tag in a list of tags, as a name or a record. The API doesn't specify the format, so the client
 * accepts any JSON.
 */
export type Tag = string | TagRecord;

export const Campaign = model<Campaign>()('Campaign', () => ({
  id: z.nullish(z.int()),
  name: z.nullish(z.string()),
}));

export const SupportCase = model<SupportCase>('open')('SupportCase', () => ({
  id: z.int(),
  ...fields(nullish(z.string), 'first_open_date last_open_date we_did_not_reply_since_date url'),
  ...fields(nullish(z.string), 'inbox_date creation_date update_date source subject updated_by'),
  reopened: z.nullish(z.boolean()),
  campaign: z.nullish(ref(Campaign)),
  private: z.nullish(z.boolean()),
  contact: z.nullish(ref(Contact)),
  state: z.nullish(openEnum('Open', 'Closed')),
  ...fields(nullish(z.int), 'credits handling_ms sla_seconds'),
  ...fields(nullish(z.int), 'messages_sent messages_received messages'),
  tags: z.nullish(z.array(z.string())),
}));

export const CaseCreated = model<CaseCreated>()('CaseCreated', () => ({
  ...outcomeFields(),
  case_id: z.int(),
  data: z.nullish(ref(SupportCase)),
}));

export const Message = model<Message>('open')('Message', () => ({
  source: z.nullish(z.string()),
  ext_id: z.nullish(z.union([z.string(), z.number()])),
}));

export const TagRecord = model<TagRecord>('open')('TagRecord', () => ({
  name: z.nullish(z.string()),
}));

export const Tag = defineModel<Tag>('Tag', () => z.union([z.string(), ref(TagRecord)]));

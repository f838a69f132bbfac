import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { type Judged, judged } from './judged.js';

/** A note on a contact. */
export interface ContactNote {
  /** When it was written: milliseconds since the epoch. */
  date?: number | null | undefined;
  /** The note. */
  text?: string | null | undefined;
  /** Who wrote it. */
  userName?: string | null | undefined;
}

/** A contact's identity in one channel. The channel decides which fields exist. */
export interface ContactProfile {
  /** Id of the profile. */
  id?: number | null | undefined;
  /** Channel. */
  source?: 'facebook' | 'twitter' | 'youtube' | 'email' | 'sms' | (string & {}) | null | undefined;
  /** Name in that channel. */
  name?: string | null | undefined;
  /** Id of the profile in that channel. Some channels use numbers. */
  ext_id?: string | number | null | undefined;
  /** For twitter without the at-sign. */
  user_name?: string | null | undefined;
  /** Names of the profile's tags. */
  tags?: string[] | null | undefined;
  /** Address of a picture. */
  image_url?: string | null | undefined;
  /** The person's self-description. */
  about?: string | null | undefined;
  /** Location that the person entered. */
  location?: string | null | undefined;
  /** Gender, if the channel reports it. */
  gender?: string | null | undefined;
  /** Number of followers in that channel. */
  followers?: number | null | undefined;
  /** Number of accounts that the person follows in that channel. */
  following?: number | null | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  creation_date?: string | null | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  update_date?: string | null | undefined;
  /** Who changed it last. */
  updated_by?: string | null | undefined;
}

/**
 * A person or company. Blank attributes are null or missing. Other attributes are the dynamic
 * attributes of the support domain, typed `unknown`.
 */
export interface Contact {
  /** Numeric id. */
  id: number;
  /** Full name. */
  name?: string | null | undefined;
  /** Given name. */
  first_name?: string | null | undefined;
  /** Family name. */
  last_name?: string | null | undefined;
  /** Unique id of the contact in an external CRM. */
  crm_id?: string | null | undefined;
  /** Company-wide logical client id; may equal `crm_id`. */
  client_id?: string | null | undefined;
  /** Extra identifying information, normally a nick name. */
  extended_value?: string | null | undefined;
  /** Number of cases. */
  cases?: number | null | undefined;
  /** A contact has at least one profile; a search may leave them out. */
  profiles?: ContactProfile[] | null | undefined;
  /** Address of the contact's page. */
  url?: string | null | undefined;
  /** Names of its tags. */
  tags?: string[] | null | undefined;
  /** Notes about the contact. */
  notes?: ContactNote[] | null | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  creation_date?: string | null | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  update_date?: string | null | undefined;
  /** Who changed it last. */
  updated_by?: string | null | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/**
 * Result of `contacts.create`. The interface doesn't specify the response, so any JSON is accepted.
 */
export interface ContactCreated extends Judged {
  /** Id of the new contact. Undefined if the response has none. */
  contact_id?: number | undefined;
  /** The new contact, if the response has it: request it with `echo_data`. */
  data?: Contact | null | undefined;
  /** Other members of the response. */
  [member: string]: unknown;
}

const text = () => z.nullish(z.string());
const count = () => z.nullish(z.int());

export const ContactNote = model<ContactNote>()('ContactNote', () => ({
  date: count(),
  ...fields(text, 'text userName'),
}));

export const ContactProfile = model<ContactProfile>()('ContactProfile', () => ({
  ...fields(count, 'id followers following'),
  source: z.nullish(openEnum('facebook', 'twitter', 'youtube', 'email', 'sms')),
  ext_id: z.nullish(z.union([z.string(), z.number()])),
  ...fields(text, 'name user_name image_url about location gender creation_date'),
  ...fields(text, 'update_date updated_by'),
  tags: z.nullish(z.array(z.string())),
}));

export const Contact = model<Contact>('open')('Contact', () => ({
  id: z.int(),
  ...fields(text, 'name first_name last_name crm_id client_id extended_value url creation_date'),
  ...fields(text, 'update_date updated_by'),
  cases: count(),
  profiles: z.nullish(z.array(ref(ContactProfile))),
  tags: z.nullish(z.array(z.string())),
  notes: z.nullish(z.array(ref(ContactNote))),
}));

export const ContactCreated = model<ContactCreated>('open')('ContactCreated', () => ({
  ...judged(),
  contact_id: z.optional(z.int()),
  data: z.nullish(ref(Contact)),
}));

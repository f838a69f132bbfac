import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { z } from '../../schema/zod.js';
import { type Judged, judged } from './judged.js';

/** A note on a contact. */
export interface ContactNote {
  /** When it was written: milliseconds since the epoch. */
  date?: number | undefined;
  /** The note. */
  text?: string | undefined;
  /** Who wrote it. */
  userName?: string | undefined;
}

/** A contact's identity in one channel. Which fields there are depends on the channel. */
export interface ContactProfile {
  /** Id of the profile. */
  id?: number | undefined;
  /** Channel. */
  source: 'facebook' | 'twitter' | 'youtube' | 'email' | 'sms' | (string & {});
  /** Name in that channel. */
  name?: string | undefined;
  /** Id of the profile in that channel. */
  ext_id?: string | undefined;
  /** For twitter without the at-sign. */
  user_name?: string | undefined;
  /** Names of the profile's tags. */
  tags?: string[] | undefined;
  /** Address of a picture. */
  image_url?: string | undefined;
  /** What the person says about themselves. */
  about?: string | undefined;
  /** Where the person says to be. */
  location?: string | undefined;
  /** Gender, where the channel tells. */
  gender?: string | undefined;
  /** How many follow the person there. */
  followers?: number | undefined;
  /** How many the person follows there. */
  following?: number | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  creation_date?: string | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  update_date?: string | undefined;
  /** Who changed it last. */
  updated_by?: string | undefined;
}

/**
 * A person or company. Empty attributes are omitted by this service;
 * attributes beyond these are the domain's own, and typed unknown.
 */
export interface Contact {
  /** Numeric id. */
  id: number;
  /** Full name. */
  name?: string | undefined;
  /** Given name. */
  first_name?: string | undefined;
  /** Family name. */
  last_name?: string | undefined;
  /** Unique id of the contact in an external CRM. */
  crm_id?: string | undefined;
  /** Company-wide logical client id; may equal `crm_id`. */
  client_id?: string | undefined;
  /** Extra identifying information, normally a nick name. */
  extended_value?: string | undefined;
  /** Number of cases. */
  cases?: number | undefined;
  /** A contact has at least one profile; a search may leave them out. */
  profiles?: ContactProfile[] | undefined;
  /** Address of the contact's page. */
  url?: string | undefined;
  /** Names of its tags. */
  tags?: string[] | undefined;
  /** Notes about the contact. */
  notes?: ContactNote[] | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  creation_date?: string | undefined;
  /** As `2015-02-20T16:32:51-0300`; `parseSupportDate` reads it. */
  update_date?: string | undefined;
  /** Who changed it last. */
  updated_by?: string | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/** What creating a contact answers. */
export interface ContactCreated extends Judged {
  /** Id of the new contact. */
  contact_id: number;
  /** The whole new contact, where `echo_data` asked for it. */
  data?: Contact | undefined;
}

const text = () => z.optional(z.string());
const count = () => z.optional(z.int());

export const ContactNote = model<ContactNote>()('ContactNote', () => ({
  date: count(),
  ...fields(text, 'text userName'),
}));

export const ContactProfile = model<ContactProfile>()('ContactProfile', () => ({
  ...fields(count, 'id followers following'),
  source: openEnum('facebook', 'twitter', 'youtube', 'email', 'sms'),
  ...fields(text, 'name ext_id user_name image_url about location gender creation_date'),
  ...fields(text, 'update_date updated_by'),
  tags: z.optional(z.array(z.string())),
}));

export const Contact = model<Contact>('open')('Contact', () => ({
  id: z.int(),
  ...fields(text, 'name first_name last_name crm_id client_id extended_value url creation_date'),
  ...fields(text, 'update_date updated_by'),
  cases: count(),
  profiles: z.optional(z.array(ref(ContactProfile))),
  tags: z.optional(z.array(z.string())),
  notes: z.optional(z.array(ref(ContactNote))),
}));

export const ContactCreated = model<ContactCreated>()('ContactCreated', () => ({
  ...judged(),
  contact_id: z.int(),
  data: z.optional(ref(Contact)),
}));

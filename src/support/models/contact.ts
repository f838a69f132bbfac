import * as z from 'zod';
import { type Model, model, openEnum, ref } from '../../schema/model.js';

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
export interface ContactCreated {
  /** Whether it was done; a failure is an `OperationFailedError` instead. */
  success?: boolean | undefined;
  /** What the server says about it. */
  statusMessage?: string | undefined;
  /** Id of the new contact. */
  contact_id: number;
  /** The whole new contact, where `echo_data` asked for it. */
  data?: Contact | undefined;
}

const text = () => z.optional(z.string());
const count = () => z.optional(z.int());

export const ContactNote: Model<ContactNote> = model<ContactNote>()('ContactNote', () => ({
  date: count(),
  text: text(),
  userName: text(),
}));

export const ContactProfile: Model<ContactProfile> = model<ContactProfile>()(
  'ContactProfile',
  () => ({
    id: count(),
    source: openEnum('facebook', 'twitter', 'youtube', 'email', 'sms'),
    name: text(),
    ext_id: text(),
    user_name: text(),
    tags: z.optional(z.array(z.string())),
    image_url: text(),
    about: text(),
    location: text(),
    gender: text(),
    followers: count(),
    following: count(),
    creation_date: text(),
    update_date: text(),
    updated_by: text(),
  }),
);

export const Contact: Model<Contact> = model<Contact>('open')('Contact', () => ({
  id: z.int(),
  name: text(),
  first_name: text(),
  last_name: text(),
  crm_id: text(),
  client_id: text(),
  extended_value: text(),
  cases: count(),
  profiles: z.optional(z.array(ref(ContactProfile))),
  url: text(),
  tags: z.optional(z.array(z.string())),
  notes: z.optional(z.array(ref(ContactNote))),
  creation_date: text(),
  update_date: text(),
  updated_by: text(),
}));

export const ContactCreated: Model<ContactCreated> = model<ContactCreated>()(
  'ContactCreated',
  () => ({
    success: z.optional(z.boolean()),
    statusMessage: text(),
    contact_id: z.int(),
    data: z.optional(ref(Contact)),
  }),
);

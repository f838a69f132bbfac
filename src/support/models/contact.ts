import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { optionalInteger, optionalText } from '../../schema/optional-fields.js';
import { type OutcomeFields, outcomeFields } from './outcome.js';

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
  /** Username on the channel. For Twitter, without the at sign. */
  user_name?: string | null | undefined;
  /** Names of the profile's tags. */
  tags?: string[] | null | undefined;
  /** URL of a picture. */
  image_url?: string | null | undefined;
  /** The person's self-description. */
  about?: string | null | undefined;
  /** Location that the person entered. */
  location?: string | null | undefined;
  /** Gender, if the channel reports it. */
  gender?: string | null | undefined;
  /** Number of followers in the channel. */
  followers?: number | null | undefined;
  /** Number of accounts that the person follows in the channel. */
  following?: number | null | undefined;
  /** Creation time, for example `2015-02-20T16:32:51-0300`. Parse it with `parseSupportDate`. */
  creation_date?: string | null | undefined;
  /**
   * Time of the last change, for example `2015-02-20T16:32:51-0300`. Parse it with
   * `parseSupportDate`.
   */
  update_date?: string | null | undefined;
  /** Name of the user who last changed the profile. */
  updated_by?: string | null | undefined;
}

/**
 * Person or company. Blank attributes are null or absent. Attributes that aren't
 * listed here are the support domain's dynamic attributes, typed `unknown`.
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
  /** Company-wide logical client ID. Can be the same as `crm_id`. */
  client_id?: string | null | undefined;
  /** Additional identifying information, normally a nickname. */
  extended_value?: string | null | undefined;
  /** Number of cases. */
  cases?: number | null | undefined;
  /** Channel profiles. A contact has at least one, but search results may omit them. */
  profiles?: ContactProfile[] | null | undefined;
  /** URL of the contact's web page. */
  url?: string | null | undefined;
  /** Names of the tags. */
  tags?: string[] | null | undefined;
  /** Notes about the contact. */
  notes?: ContactNote[] | null | undefined;
  /** Creation time, for example `2015-02-20T16:32:51-0300`. Parse it with `parseSupportDate`. */
  creation_date?: string | null | undefined;
  /**
   * Time of the last change, for example `2015-02-20T16:32:51-0300`. Parse it with
   * `parseSupportDate`.
   */
  update_date?: string | null | undefined;
  /** Name of the user who last changed the contact. */
  updated_by?: string | null | undefined;
  /** Dynamic attributes. */
  [attribute: string]: unknown;
}

/**
 * Result of `contacts.create`. The API doesn't specify the response, so any JSON is accepted.
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
  date: optionalInteger(),
  ...fields(optionalText, 'text userName'),
}));

export const ContactProfile = model<ContactProfile>()('ContactProfile', () => ({
  ...fields(optionalInteger, 'id followers following'),
  source: z.nullish(openEnum('facebook', 'twitter', 'youtube', 'email', 'sms')),
  ext_id: z.nullish(z.union([z.string(), z.number()])),
  ...fields(optionalText, 'name user_name image_url about location gender creation_date'),
  ...fields(optionalText, 'update_date updated_by'),
  tags: z.nullish(z.array(z.string())),
}));

export const Contact = model<Contact>('open')('Contact', () => ({
  id: z.int(),
  ...fields(
    optionalText,
    'name first_name last_name crm_id client_id extended_value url creation_date',
  ),
  ...fields(optionalText, 'update_date updated_by'),
  cases: optionalInteger(),
  profiles: z.nullish(z.array(ref(ContactProfile))),
  tags: z.nullish(z.array(z.string())),
  notes: z.nullish(z.array(ref(ContactNote))),
}));

export const ContactCreated = model<ContactCreated>('open')('ContactCreated', () => ({
  ...outcomeFields(),
  contact_id: z.optional(z.int()),
  data: z.nullish(ref(Contact)),
}));

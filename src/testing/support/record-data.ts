import * as z from 'zod/mini';
import type { ContactNote } from '../../support/models/case.js';
import * as check from '../checks.js';
import { converted, optional, record } from '../record.js';
import type { LinkedMessage, StoredProfile } from './records.js';

/** Declares a field for a time, which is a `Date` in seeds and a string in world files. */
const date = () =>
  converted<Date | undefined, string | undefined>(z.optional(check.time()), () => undefined, {
    decode: (text) => (text === undefined ? undefined : new Date(text)),
    encode: (time) => time?.toISOString(),
  });

const note: z.core.$ZodType<string | ContactNote> = z.union([
  check.text(),
  z.partial(z.strictObject({ date: z.number(), text: check.text(), userName: check.text() })),
]);

// The other fields of a profile depend on its channel.
const profile: z.core.$ZodType<StoredProfile> = z.looseObject({
  source: check.name(),
  id: z.nullish(check.id()),
  ext_id: z.nullish(z.union([check.text(), z.number()])),
  name: z.nullish(check.text()),
  user_name: z.nullish(check.text()),
});

const message: z.core.$ZodType<LinkedMessage> = z.strictObject({
  source: check.text(),
  ext_id: check.text(),
});

export const recordFields = record({
  /** Numeric ID. Default: the next free ID. */
  id: optional(check.id()),
  /** Names of the tags. */
  tags: optional<readonly string[]>(check.texts()),
  /** Notes as strings, or as objects with a date (epoch ms) and an author. */
  notes: optional<readonly (string | ContactNote)[]>(z.array(note)),
  /** URL of the record's page. */
  url: optional(check.text()),
  /** Creation time, stored in whole seconds. Default: the emulator's time. */
  created: date(),
  /** Time of the last change, stored in whole seconds. Default: `created`. */
  updated: date(),
  /** Name of the user who made the last change. */
  updated_by: optional(check.text()),
  /** Dynamic attributes. */
  attributes: optional<Readonly<Record<string, string>>>(check.dictionary(check.text())),
});

export const contactFields = record({
  ...recordFields.fields,
  /** Name. Default: `Contact <id>`. */
  name: optional(check.text()),
  /** Given name. */
  first_name: optional(check.text()),
  /** Family name. */
  last_name: optional(check.text()),
  /** ID of the contact in a CRM. */
  crm_id: optional(check.text()),
  /** Company-wide ID of the client. */
  client_id: optional(check.text()),
  /** Value of the extended attribute. */
  extended_value: optional(check.text()),
  /** Channel profiles. A contact has at least one. Default: one profile from the `api` source. */
  profiles: optional<readonly StoredProfile[]>(z.array(profile)),
});

export const caseFields = record({
  ...recordFields.fields,
  /** Subject of the case. */
  subject: optional(check.text()),
  /** Channel. */
  source: optional(check.text()),
  /** Name of the campaign, which is created if it doesn't exist. */
  campaign: optional(check.name()),
  /** ID of an existing contact. */
  contact_id: optional(check.id()),
  /** Whether the case is private. Default: false. */
  private: optional(check.flag()),
  /** State. Default: `Open`. */
  state: optional<'Open' | 'Closed' | (string & {})>(check.name()),
  /** Messages linked to the case. */
  messages: optional<readonly LinkedMessage[]>(z.array(message)),
  /** Whether the case was reopened. Default: false. */
  reopened: optional(check.flag()),
  /** Time when the case was last opened. Default: `created`. */
  lastOpened: date(),
});

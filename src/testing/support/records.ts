import * as z from 'zod/mini';
import type { ContactNote, ContactProfile } from '../../support/models/case.js';
import * as check from '../checks.js';
import {
  converted,
  type DataOf,
  field,
  internal,
  type Kind,
  type KindFields,
  optional,
  type RecordOf,
  record,
} from '../record.js';
import { wholeSeconds } from './dates.js';

/** A profile as the emulator stores it. */
export interface StoredProfile extends ContactProfile {
  /** Channel. */
  source: string;
}

/** A message that is linked to a case. */
export interface LinkedMessage {
  /** Channel of the message. */
  readonly source: string;
  /** ID of the message in its channel. */
  readonly ext_id: string;
}

/** Declares a time in epoch ms, rounded down to whole seconds. World files use ISO 8601. */
const time = (initial: (now: string, created: unknown) => number) =>
  converted<number, string>(check.time(), ({ now }, { created }) => initial(now, created), {
    decode: (text) => wholeSeconds(Date.parse(text)),
    encode: (at) => new Date(at).toISOString(),
  });

/** Marks the fields that are text attributes. */
const attribute = check.text();
/** Declares a text attribute. Like the server, the emulator ignores blank attributes. */
const text = { ...optional(attribute), encode: (value?: string) => value || undefined };

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

const id = {
  /** Numeric ID. Default: the next free ID. */
  id: field(check.id(), ({ id }) => id),
};

const common = {
  /** URL of the record's page. */
  url: text,
  /** Dynamic attributes. */
  attributes: converted<Map<string, string>, Readonly<Record<string, string>>>(
    check.dictionary(check.text()),
    () => new Map(),
    {
      decode: (data) => new Map(Object.entries(data)),
      encode: (values) => Object.fromEntries([...values].filter(([, value]) => value !== '')),
    },
  ),
  /** Names of the tags. */
  tags: converted<Set<string>, readonly string[]>(check.texts(), () => new Set(), {
    decode: (tags) => new Set(tags),
    encode: (tags) => [...tags],
  }),
  /** Notes. A new note can be a string, or an object with a date (epoch ms) and an author. */
  notes: converted<ContactNote[], readonly (string | ContactNote)[]>(z.array(note), () => [], {
    // `SupportState` adds the notes, because their dates depend on other fields.
    decode: () => [],
    encode: (notes) => [...notes],
  }),
  /** Creation time. Default: the emulator's time. */
  created: time((now) => wholeSeconds(Date.parse(now))),
  /** Time of the last change. Default: `created`. */
  updated: time((_, created) => Number(created)),
  /** Name of the user who made the last change. */
  updated_by: optional(check.text()),
};

/** @internal */
export const contactKind = supportKind('contact', 'cases profiles', {
  ...id,
  /** Name. Default: `Contact <id>`. */
  name: field(attribute, ({ id }) => `Contact ${id}`),
  /** Given name. */
  first_name: text,
  /** Family name. */
  last_name: text,
  /** ID of the contact in a CRM. */
  crm_id: text,
  /** Company-wide ID of the client. */
  client_id: text,
  /** Value of the extended attribute. */
  extended_value: text,
  ...common,
  /** Channel profiles. Default: one profile from the `api` source. */
  profiles: converted<StoredProfile[], readonly StoredProfile[]>(z.array(profile), () => [], {
    // `SupportState` adds the profiles, because it assigns their IDs.
    decode: () => [],
    encode: (profiles) => profiles,
  }),
  /** Number of cases. */
  cases: internal(() => 0),
});

const caseFields =
  'first_open_date last_open_date inbox_date we_did_not_reply_since_date reopened campaign private ' +
  'contact state credits handling_ms sla_seconds messages messages_sent messages_received';

/** @internal */
export const caseKind = supportKind('case', caseFields, {
  ...id,
  /** Subject of the case. */
  subject: text,
  /** Channel. */
  source: text,
  ...common,
  /** Name of the campaign, which is created if it doesn't exist. */
  campaign: optional(check.name()),
  /** ID of an existing contact. */
  contact_id: optional(check.id()),
  /** Whether the case is private. Default: false. */
  private: field(check.flag(), false),
  /** State. Default: `Open`. */
  state: field<'Open' | 'Closed' | (string & {})>(check.name(), 'Open'),
  /** Messages linked to the case. */
  messages: field<LinkedMessage[]>(z.array(message), () => []),
  /** Whether the case was reopened. Default: false. */
  reopened: field(check.flag(), false),
  /** Time when the case was last opened. Default: `created`. */
  lastOpened: time((_, created) => Number(created)),
});

const commonKind = record({ ...id, ...common });

/** Common fields of contacts and cases. */
export interface StoredRecord extends RecordOf<typeof commonKind> {}

/** A contact as the emulator stores it. */
export interface StoredContact extends RecordOf<typeof contactKind> {}

/** A case as the emulator stores it. */
export interface StoredCase extends RecordOf<typeof caseKind> {}

/** Common properties of a new contact or case. */
export interface RecordData extends DataOf<typeof commonKind> {}

/** Properties of a new contact, and a contact in a world file. */
export interface ContactData extends DataOf<typeof contactKind> {}

/** Properties of a new case, and a case in a world file. */
export interface CaseData extends DataOf<typeof caseKind> {}

/** Changes to apply to a contact directly, without an API request. An empty string removes an attribute. */
export type ContactTouch = Omit<ContactData, 'id' | 'created' | 'profiles'>;

/** Changes to apply to a case directly, without an API request. An empty string removes an attribute. */
export type CaseTouch = Pick<
  CaseData,
  'subject' | 'state' | 'tags' | 'notes' | 'updated' | 'updated_by' | 'attributes'
>;

/** @internal Differences between contacts and cases. */
export interface RecordKind {
  readonly name: 'contact' | 'case';
  /** Names of the fields that are text attributes. All other text attributes are dynamic. */
  readonly texts: readonly string[];
  /** Names of response fields that aren't text attributes. Requests can't set these fields. */
  readonly reserved: ReadonlySet<string>;
}

/** Declares a kind of record. @param reserved names of response fields that only this kind has. */
function supportKind<F extends KindFields<unknown>>(
  name: RecordKind['name'],
  reserved: string,
  fields: F,
): Kind<F, unknown> & RecordKind {
  const all = `id tags notes creation_date update_date updated_by success statusMessage ${reserved}`;
  const texts = Object.keys(fields).filter((each) => fields[each]?.check === attribute);
  return { ...record(fields), name, texts, reserved: new Set(all.split(' ')) };
}

/** @internal Returns the non-blank text attributes of a record, both predefined and dynamic. */
export function getTexts({ texts }: RecordKind, stored: StoredRecord): Map<string, string> {
  const fields = Object.entries(stored).filter(([name]) => texts.includes(name));
  const found = new Map<string, string>();
  for (const [name, value] of [...fields, ...stored.attributes]) {
    if (typeof value === 'string' && value !== '') found.set(name, value);
  }
  return found;
}

/** @internal Channel and ID that identify a profile or message. */
export type Link = Pick<ContactProfile, 'source' | 'ext_id'>;

/** @internal Returns the index of a profile or message. -1 if it is not in the list. */
export function findPlace(link: Link, links: readonly Link[]): number {
  return links.findIndex(({ source, ext_id }) => source === link.source && ext_id === link.ext_id);
}

import type { Campaign } from '../../support/models/case.js';
import type { ContactNote, ContactProfile } from '../../support/models/contact.js';

/** What contacts and cases have in common. Times are milliseconds since the epoch, whole seconds. */
export interface StoredRecord {
  /** Numeric id. */
  readonly id: number;
  /** Attributes that are text, named and dynamic ones alike; none is empty. */
  readonly texts: Map<string, string>;
  /** Names of its tags. */
  readonly tags: Set<string>;
  /** Notes about it. */
  readonly notes: ContactNote[];
  /** When it was made. */
  readonly created: number;
  /** When it was last changed. */
  updated: number;
  /** Who changed it last. */
  updatedBy: string | undefined;
}

/** A profile as the emulator stores it. */
export interface StoredProfile extends ContactProfile {
  /** Channel. */
  source: string;
}

/** A contact as the emulator keeps it. */
export interface StoredContact extends StoredRecord {
  /** Its channel profiles. */
  readonly profiles: StoredProfile[];
  /** Number of cases. */
  cases: number;
}

/** A message that is linked to a case. */
export interface LinkedMessage {
  /** Channel of the message. */
  readonly source: string;
  /** Id of the message in its channel. */
  readonly ext_id: string;
}

/** A case as the emulator keeps it. */
export interface StoredCase extends StoredRecord {
  /** Campaign that the case belongs to. */
  readonly campaign: Campaign | undefined;
  /** Contact that the case is for. */
  readonly contact: StoredContact | undefined;
  /** Whether it is private. */
  readonly private: boolean;
  /** Messages that are linked to it. */
  readonly messages: LinkedMessage[];
  /** How far it is. */
  state: string;
  /** How often it was opened again. */
  reopened: boolean;
  /** When it was last opened. */
  lastOpened: number;
}

/** Names that answers give to what is no text: they can't be set as text. */
export const ownNames: ReadonlySet<string> = new Set(
  'id tags notes creation_date update_date updated_by success statusMessage'.split(' '),
);

/** The same for what only contacts have. */
export const contactNames: ReadonlySet<string> = new Set([...ownNames, 'cases', 'profiles']);

/** The same for what only cases have. */
export const caseNames: ReadonlySet<string> = new Set([
  ...ownNames,
  ...'first_open_date last_open_date inbox_date we_did_not_reply_since_date reopened'.split(' '),
  ...'campaign private contact state credits handling_ms sla_seconds'.split(' '),
  ...'messages messages_sent messages_received'.split(' '),
]);

/** Where a profile or message stands among others; -1 where it does not. */
export function placeOf(link: Link, links: readonly Link[]): number {
  return links.findIndex(({ source, ext_id }) => source === link.source && ext_id === link.ext_id);
}

type Link = Pick<ContactProfile, 'source' | 'ext_id'>;

/** Sets a text; an empty one is gone. */
export function setText(record: StoredRecord, name: string, value: string | undefined): void {
  if (value === undefined) return;
  if (value === '') record.texts.delete(name);
  else record.texts.set(name, value);
}

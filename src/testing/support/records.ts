import type { Campaign, ContactNote, ContactProfile } from '../../support/models/case.js';

/** Common fields of contacts and cases. Times are in epoch ms, rounded down to whole seconds. */
export interface StoredRecord {
  /** Numeric ID. */
  readonly id: number;
  /** Non-empty text attributes, both predefined and dynamic. */
  readonly texts: Map<string, string>;
  /** Names of the tags. */
  readonly tags: Set<string>;
  /** Notes. */
  readonly notes: ContactNote[];
  /** Creation time. */
  readonly created: number;
  /** Time of the last change. */
  updated: number;
  /** Name of the user who made the last change. */
  updatedBy: string | undefined;
}

/** A profile as the emulator stores it. */
export interface StoredProfile extends ContactProfile {
  /** Channel. */
  source: string;
}

/** A contact as the emulator stores it. */
export interface StoredContact extends StoredRecord {
  /** Channel profiles. */
  readonly profiles: StoredProfile[];
  /** Number of cases. */
  cases: number;
}

/** A message that is linked to a case. */
export interface LinkedMessage {
  /** Channel of the message. */
  readonly source: string;
  /** ID of the message in its channel. */
  readonly ext_id: string;
}

/** A case as the emulator stores it. */
export interface StoredCase extends StoredRecord {
  /** Campaign of the case. */
  readonly campaign: Campaign | undefined;
  /** Contact of the case. */
  readonly contact: StoredContact | undefined;
  /** Whether the case is private. */
  readonly private: boolean;
  /** Messages linked to the case. */
  readonly messages: LinkedMessage[];
  /** State, such as `Open` or `Closed`. */
  state: string;
  /** Whether the case was reopened. */
  reopened: boolean;
  /** Time when the case was last opened. */
  lastOpened: number;
}

/** Differences between contacts and cases. */
export interface RecordKind {
  readonly name: 'contact' | 'case';
  /**
   * Text attributes that are fields of the record in world files and seeds. All other text attributes
   * are dynamic.
   */
  readonly texts: readonly string[];
  /** Names of response fields that aren't text attributes. Requests can't set these fields. */
  readonly reserved: ReadonlySet<string>;
}

const reserved = 'id tags notes creation_date update_date updated_by success statusMessage';

export const contactKind: RecordKind = {
  name: 'contact',
  texts: ['name', 'first_name', 'last_name', 'crm_id', 'client_id', 'extended_value', 'url'],
  reserved: new Set(`${reserved} cases profiles`.split(' ')),
};

export const caseKind: RecordKind = {
  name: 'case',
  texts: ['subject', 'source', 'url'],
  reserved: new Set([
    ...reserved.split(' '),
    ...'first_open_date last_open_date inbox_date we_did_not_reply_since_date reopened'.split(' '),
    ...'campaign private contact state credits handling_ms sla_seconds'.split(' '),
    ...'messages messages_sent messages_received'.split(' '),
  ]),
};

/** Channel and ID that identify a profile or message. */
export type Link = Pick<ContactProfile, 'source' | 'ext_id'>;

/** Returns the index of a profile or message. -1 if it is not in the list. */
export function findPlace(link: Link, links: readonly Link[]): number {
  return links.findIndex(({ source, ext_id }) => source === link.source && ext_id === link.ext_id);
}

/** Sets a text attribute. An empty string removes it. */
export function setText(record: StoredRecord, name: string, value: string): void {
  if (value === '') record.texts.delete(name);
  else record.texts.set(name, value);
}

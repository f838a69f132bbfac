import type { ContactNote } from '../../support/models/contact.js';
import type { LinkedMessage, StoredProfile } from './records.js';

/** Common properties of a new contact or case. */
export interface RecordSeed {
  /** Numeric ID. Default: the next free ID. */
  readonly id?: number | undefined;
  /** Names of the tags. */
  readonly tags?: readonly string[] | undefined;
  /** Notes as strings, or as objects with a date (epoch ms) and an author. */
  readonly notes?: readonly (string | ContactNote)[] | undefined;
  /** URL of the record's page. */
  readonly url?: string | undefined;
  /** Creation time, stored in whole seconds. Default: the emulator's time. */
  readonly created?: Date | undefined;
  /** Time of the last change, stored in whole seconds. Default: `created`. */
  readonly updated?: Date | undefined;
  /** Name of the user who made the last change. */
  readonly updated_by?: string | undefined;
  /** Dynamic attributes. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** Properties of a new contact. */
export interface ContactSeed extends RecordSeed {
  /** Name. Default: `Contact <id>`. */
  readonly name?: string | undefined;
  /** Given name. */
  readonly first_name?: string | undefined;
  /** Family name. */
  readonly last_name?: string | undefined;
  /** ID of the contact in a CRM. */
  readonly crm_id?: string | undefined;
  /** Company-wide logical client ID. */
  readonly client_id?: string | undefined;
  /** Value of the extended attribute. */
  readonly extended_value?: string | undefined;
  /** Channel profiles; a contact has at least one. Default: one with the source `api`. */
  readonly profiles?: readonly StoredProfile[] | undefined;
}

/** Properties of a new case. */
export interface CaseSeed extends RecordSeed {
  /** Subject of the case. */
  readonly subject?: string | undefined;
  /** Channel. */
  readonly source?: string | undefined;
  /** Name of the campaign, which is created if it doesn't exist. */
  readonly campaign?: string | undefined;
  /** ID of an existing contact. */
  readonly contact_id?: number | undefined;
  /** Whether the case is private. Default: false. */
  readonly private?: boolean | undefined;
  /** State. Default: `Open`. */
  readonly state?: 'Open' | 'Closed' | (string & {}) | undefined;
  /** Messages that are linked to the case. */
  readonly messages?: readonly LinkedMessage[] | undefined;
  /** Whether the case was reopened. Default: false. */
  readonly reopened?: boolean | undefined;
  /** Time when the case was last opened. Default: `created`. */
  readonly lastOpened?: Date | undefined;
}

/** Changes to apply to a contact directly, without an API request. An empty string removes an attribute. */
export type ContactTouch = Omit<ContactSeed, 'id' | 'created' | 'profiles'>;

/** Changes to apply to a case directly, without an API request. An empty string removes an attribute. */
export type CaseTouch = Pick<
  CaseSeed,
  'subject' | 'state' | 'tags' | 'notes' | 'updated' | 'updated_by' | 'attributes'
>;

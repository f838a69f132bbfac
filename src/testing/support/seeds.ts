import type { StoredProfile } from './records.js';

/** What contacts and cases of your own have in common. */
export interface RecordSeed {
  /** Default the next free one. */
  readonly id?: number | undefined;
  /** Names of its tags. */
  readonly tags?: readonly string[] | undefined;
  /** Notes about it. */
  readonly notes?: readonly string[] | undefined;
  /** Address of its page. */
  readonly url?: string | undefined;
  /** Default the emulator's time. Kept in whole seconds, as the service writes dates. */
  readonly created?: Date | undefined;
  /** Default `created`. */
  readonly updated?: Date | undefined;
  /** Who changed it last. */
  readonly updated_by?: string | undefined;
  /** Dynamic attributes. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** A contact of your own. */
export interface ContactSeed extends RecordSeed {
  /** Default `Contact <id>`. */
  readonly name?: string | undefined;
  /** Given name. */
  readonly first_name?: string | undefined;
  /** Family name. */
  readonly last_name?: string | undefined;
  /** Id of the contact in a CRM. */
  readonly crm_id?: string | undefined;
  /** Id of the contact at the client. */
  readonly client_id?: string | undefined;
  /** Value of the extended attribute. */
  readonly extended_value?: string | undefined;
  /** Default one of the source `api`: a contact has at least one. */
  readonly profiles?: readonly Omit<StoredProfile, 'id'>[] | undefined;
}

/** A case of your own. */
export interface CaseSeed extends RecordSeed {
  /** Subject of the case. */
  readonly subject?: string | undefined;
  /** Channel. */
  readonly source?: string | undefined;
  /** Name of a campaign; it is made where there is none yet. */
  readonly campaign?: string | undefined;
  /** A contact that there is. */
  readonly contact_id?: number | undefined;
  /** Default false. */
  readonly private?: boolean | undefined;
  /** Default `Open`. */
  readonly state?: 'Open' | 'Closed' | (string & {}) | undefined;
  /** Messages that are linked to the case. */
  readonly messages?: readonly { readonly source: string; readonly ext_id: string }[] | undefined;
}

/** What can be changed of a contact behind the API's back. An empty text removes. */
export type ContactTouch = Omit<ContactSeed, 'id' | 'created' | 'profiles'>;

/** The same of a case. */
export type CaseTouch = Pick<
  CaseSeed,
  'subject' | 'state' | 'tags' | 'notes' | 'updated' | 'updated_by' | 'attributes'
>;

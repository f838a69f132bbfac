import type { Call } from '../transport/call.js';
import { endpoint } from '../transport/endpoint.js';
import { filledText, flag, optional, record, text } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import { done, itemsOf, plain, recordOf, sliceOf } from './answers.js';
import {
  type ContactInput,
  type DynamicAttributes,
  date,
  recordId,
  type SearchInput,
  type SupportCaller,
  type SupportRequestOptions,
  type SupportSearchOptions,
  searching,
  type TagChange,
  textOrTexts,
  wireDate,
  withAttributes,
} from './caller.js';
import { Contact, ContactCreated, ContactProfile, Tag } from './models/index.js';
import { search } from './search.js';

/** Attributes of a contact that can be set. */
export interface ContactFields {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  /** Unique id of the contact in an external CRM. */
  readonly crm_id?: string | undefined;
  /** Company-wide logical client id; may equal `crm_id`. */
  readonly client_id?: string | undefined;
  /** Extra identifying information, normally a nick name. */
  readonly extended_value?: string | undefined;
  /** One note or several, added to those there are. */
  readonly note?: string | readonly string[] | undefined;
  /** One tag or several. */
  readonly tag?: string | readonly string[] | undefined;
  /** Dynamic attributes, stored as they are given. */
  readonly attributes?: DynamicAttributes | undefined;
}

/** Input of {@link Contacts.create}. */
export interface CreateContact extends ContactFields {
  readonly name: string;
  /** Have the whole new contact in the answer, under `data`. */
  readonly echo_data?: boolean | undefined;
}

/** Input of {@link Contacts.update}. */
export interface UpdateContact extends ContactInput, ContactFields {
  /** Required by the server also where it does not change. */
  readonly name: string;
}

/** Input of {@link Contacts.search}. */
export interface SearchContacts extends SearchInput {
  readonly crm_id?: string | undefined;
  readonly name?: string | undefined;
  /** A `Date`, or the contract's format. */
  readonly updated_since?: Date | string | undefined;
}

/** Names a profile by its channel. */
export interface ProfileInput extends ContactInput {
  /** Channel, as `facebook`, `twitter`, `email`. */
  readonly source: string;
  /** Id of the profile in that channel. */
  readonly ext_id: string;
}

/** Input of {@link Contacts.addProfile}. */
export interface AddProfile extends ProfileInput {
  /** For twitter without the at-sign. */
  readonly user_name?: string | undefined;
  readonly name?: string | undefined;
}

/** Input of {@link Contacts.updateTags}. */
export interface ContactTagChange extends ContactInput, TagChange {}

const fields = {
  first_name: optional(text),
  last_name: optional(text),
  crm_id: optional(text),
  client_id: optional(text),
  extended_value: optional(text),
  note: optional(textOrTexts),
  tag: optional(textOrTexts),
  attributes: optional(record),
};

const reserved = [...Object.keys(fields), 'name', 'id', 'contact_id', 'echo_data'];
const inContact = { contact_id: recordId };

const createContact = endpoint<CreateContact>()({
  operation: 'contacts.create',
  method: 'POST',
  path: '/contact',
  input: { name: filledText, ...fields, echo_data: optional(flag) },
  encoding: 'form',
  wire: ({ attributes, ...named }) =>
    withAttributes('contacts.create', named, reserved, attributes),
  answer: plain(ContactCreated),
});

const updateContact = endpoint<UpdateContact>()({
  operation: 'contacts.update',
  method: 'POST',
  path: '/contact/{contact_id}',
  input: { ...inContact, name: filledText, ...fields },
  encoding: 'form',
  wire: ({ attributes, contact_id: _inPath, ...named }) =>
    withAttributes('contacts.update', named, reserved, attributes),
  answer: recordOf(Contact, 'data', 'contact'),
});

const getContact = endpoint<ContactInput>()({
  operation: 'contacts.get',
  method: 'GET',
  path: '/contact/{contact_id}',
  input: inContact,
  answer: recordOf(Contact, 'data', 'contact'),
});

const searchContacts = endpoint<SearchContacts>()({
  operation: 'contacts.search',
  method: 'GET',
  path: '/contact',
  input: {
    ...searching,
    crm_id: optional(filledText),
    name: optional(filledText),
    updated_since: optional(date),
  },
  wire: (input) => ({ ...input, updated_since: wireDate(input.updated_since) }),
  answer: sliceOf(Contact),
});

const listProfiles = endpoint<ContactInput>()({
  operation: 'contacts.listProfiles',
  method: 'GET',
  path: '/contact/{contact_id}/profiles',
  input: inContact,
  answer: itemsOf(ContactProfile),
});

const profile = { ...inContact, source: filledText, ext_id: filledText };

const addProfile = endpoint<AddProfile>()({
  operation: 'contacts.addProfile',
  method: 'POST',
  path: '/contact/{contact_id}/profiles/add',
  input: { ...profile, user_name: optional(text), name: optional(text) },
  encoding: 'form',
  answer: done,
});

const removeProfile = endpoint<ProfileInput>()({
  operation: 'contacts.removeProfile',
  method: 'POST',
  path: '/contact/{contact_id}/profiles/remove',
  input: profile,
  encoding: 'form',
  answer: done,
});

const listTags = endpoint<ContactInput>()({
  operation: 'contacts.listTags',
  method: 'GET',
  path: '/contact/{contact_id}/tags',
  input: inContact,
  answer: itemsOf(Tag),
});

const updateTags = endpoint<ContactTagChange>()({
  operation: 'contacts.updateTags',
  method: 'POST',
  path: '/contact/{contact_id}/tags',
  input: { ...inContact, add: optional(textOrTexts), remove: optional(textOrTexts) },
  encoding: 'form',
  answer: recordOf(Contact, 'data', 'contact'),
});

/** Contacts: persons or companies with one or more channel profiles (contract section "Support API v2"). */
export class Contacts {
  readonly #caller: SupportCaller;

  constructor(caller: SupportCaller) {
    this.#caller = caller;
  }

  /**
   * Creates or imports a contact.
   * @throws {OperationFailedError} the server refused, with its reason.
   * @remarks Inputs and answer are outside the service contract; public documentation.
   */
  create(input: CreateContact, options?: SupportRequestOptions): Call<ContactCreated> {
    return this.#caller.call(createContact, input, options);
  }

  /** Changes a contact. @throws {OperationFailedError} the server refused, with its reason. */
  update(input: UpdateContact, options?: SupportRequestOptions): Call<Contact> {
    return this.#caller.call(updateContact, input, options);
  }

  /** One contact. @throws {NotFoundError} */
  get(input: ContactInput, options?: SupportRequestOptions): Call<Contact> {
    return this.#caller.call(getContact, input, options);
  }

  /**
   * Contacts by criteria. Offsets shift when records are added or removed meanwhile: to synchronize,
   * order by `update_date`, start a little before the last run, and drop doubles by `id`.
   * @remarks Criteria are outside the service contract; public documentation.
   */
  search(input: SearchContacts = {}, options?: SupportSearchOptions): Paginated<Contact> {
    return search(this.#caller, searchContacts, input, options);
  }

  /** Channel identities of a contact. */
  listProfiles(input: ContactInput, options?: SupportRequestOptions): Call<ContactProfile[]> {
    return this.#caller.call(listProfiles, input, options);
  }

  /** Links a channel identity. */
  addProfile(input: AddProfile, options?: SupportRequestOptions): Call<void> {
    return this.#caller.call(addProfile, input, options);
  }

  /** Unlinks a channel identity, where it is linked. */
  removeProfile(input: ProfileInput, options?: SupportRequestOptions): Call<void> {
    return this.#caller.call(removeProfile, input, options);
  }

  /** Tags of a contact. */
  listTags(input: ContactInput, options?: SupportRequestOptions): Call<Tag[]> {
    return this.#caller.call(listTags, input, options);
  }

  /** Adds and removes tags. */
  updateTags(input: ContactTagChange, options?: SupportRequestOptions): Call<Contact> {
    return this.#caller.call(updateTags, input, options);
  }
}

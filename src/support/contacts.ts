import type { Call, JsonCall } from '../transport/api-client.js';
import type { Paginated } from '../transport/pagination/paginated.js';
import { defineEndpoint, unspecified } from '../transport/request/endpoint.js';
import { filledText, flag, optional, text } from '../transport/request/input.js';
import { changedSince } from './changes.js';
import {
  anyList,
  attributed,
  type ChannelInput,
  type ContactInput,
  date,
  done,
  inChannel,
  listByOffset,
  type RecordFields,
  recordBody,
  recordFields,
  recordId,
  type SearchInput,
  type SupportRequestOptions,
  SupportResource,
  type SupportSearchOptions,
  searching,
  slice,
  type TagChange,
  tagChange,
  wholeBody,
  wireDate,
  withAttributes,
} from './common.js';
import {
  Contact,
  ContactCreated,
  ContactProfile,
  type DynamicAttributes,
  Tag,
  type WithAttributes,
} from './models/index.js';

/** Writable attributes of a contact. */
export interface ContactFields<Attributes = DynamicAttributes> extends RecordFields<Attributes> {
  /** Given name. */
  readonly first_name?: string | undefined;
  /** Family name. */
  readonly last_name?: string | undefined;
  /** Unique ID of the contact in an external CRM. */
  readonly crm_id?: string | undefined;
  /** Company-wide ID of the contact. Can be the same as `crm_id`. */
  readonly client_id?: string | undefined;
  /** Additional identifying information, usually a nickname. */
  readonly extended_value?: string | undefined;
}

/** Input of {@link Contacts.create}. */
export interface CreateContact<Attributes = DynamicAttributes> extends ContactFields<Attributes> {
  /** Full name. */
  readonly name: string;
  /** Whether the server returns the whole new contact in `data`. Default: set by the server. */
  readonly echo_data?: boolean | undefined;
}

/** Input of {@link Contacts.update}. */
export interface UpdateContact<Attributes = DynamicAttributes>
  extends ContactInput,
    ContactFields<Attributes> {
  /** Full name. Required even if the name doesn't change. */
  readonly name: string;
}

/** Input of {@link Contacts.search}. */
export interface SearchContacts extends SearchInput {
  /** CRM ID to filter by. */
  readonly crm_id?: string | undefined;
  /** Name to filter by. */
  readonly name?: string | undefined;
  /**
   * Earliest time of the last change, as a `Date`, a string in the form `yyyy-MM-ddTHH:mm:ss±hhmm`,
   * or an ISO 8601 string with a time and an offset.
   */
  readonly updated_since?: Date | string | undefined;
}

/** Input of {@link Contacts.updateTags}. */
export interface ContactTagChange extends ContactInput, TagChange {}

/** Input that identifies a contact's profile in a channel. */
export interface ProfileInput extends ContactInput, ChannelInput {}

/** Input of `contacts.addProfile`. */
export interface AddProfile extends ProfileInput {
  /** Username in the channel. Twitter usernames don't include the at sign. */
  readonly user_name?: string | undefined;
  /** Name of the person in the channel. */
  readonly name?: string | undefined;
}

const fields = {
  first_name: optional(text),
  last_name: optional(text),
  crm_id: optional(text),
  client_id: optional(text),
  extended_value: optional(text),
  ...recordFields,
};

const reserved = [...Object.keys(fields), 'name', 'id', 'contact_id'];
const inContact = { contact_id: recordId };

const createContact = defineEndpoint<CreateContact>('POST /contact')({
  operation: 'contacts.create',
  input: { name: filledText, ...fields, echo_data: optional(flag) },
  encoding: 'form',
  serialize: withAttributes('contacts.create', [...reserved, 'echo_data']),
  response: unspecified(wholeBody(ContactCreated)),
});

const updateContact = defineEndpoint<UpdateContact>('POST /contact/{contact_id}')({
  operation: 'contacts.update',
  input: { ...inContact, name: filledText, ...fields },
  encoding: 'form',
  serialize: withAttributes('contacts.update', reserved),
  response: recordBody(Contact, 'data', 'contact'),
});

const getContact = defineEndpoint<ContactInput>('GET /contact/{contact_id}')({
  operation: 'contacts.get',
  input: inContact,
  response: recordBody(Contact, 'data', 'contact'),
});

const searchContacts = defineEndpoint<SearchContacts>('GET /contact')({
  operation: 'contacts.search',
  input: {
    ...searching,
    crm_id: optional(filledText),
    name: optional(filledText),
    updated_since: optional(date),
  },
  serialize: (input) => ({ ...input, updated_since: wireDate(input.updated_since) }),
  // The API doesn't specify the response to a search.
  response: unspecified(slice(Contact)),
});

const listProfiles = defineEndpoint<ContactInput>('GET /contact/{contact_id}/profiles')({
  operation: 'contacts.listProfiles',
  input: inContact,
  response: anyList(ContactProfile, 'profiles'),
});

const profile = { ...inContact, ...inChannel };

const addProfile = defineEndpoint<AddProfile>('POST /contact/{contact_id}/profiles/add')({
  operation: 'contacts.addProfile',
  input: { ...profile, user_name: optional(text), name: optional(text) },
  encoding: 'form',
  response: done,
});

const removeProfile = defineEndpoint<ProfileInput>('POST /contact/{contact_id}/profiles/remove')({
  operation: 'contacts.removeProfile',
  input: profile,
  encoding: 'form',
  response: done,
});

const listTags = defineEndpoint<ContactInput>('GET /contact/{contact_id}/tags')({
  operation: 'contacts.listTags',
  input: inContact,
  response: anyList(Tag, 'tags'),
});

const updateTags = defineEndpoint<ContactTagChange>('POST /contact/{contact_id}/tags')({
  operation: 'contacts.updateTags',
  input: { ...inContact, ...tagChange },
  encoding: 'form',
  response: recordBody(Contact, 'data', 'contact'),
});

/** Contacts, which are people or companies with one or more channel profiles. */
export class Contacts<Attributes = DynamicAttributes> extends SupportResource {
  /**
   * `POST /contact`
   *
   * Creates or imports a contact.
   * @throws {OperationFailedError} if the server rejects the operation. The error contains the
   * server's reason.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const { contact_id } = await support.contacts.create({ name: 'Mona' });
   */
  create(
    input: CreateContact<Attributes>,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<ContactCreated, Attributes>> {
    return this.api.call(attributed(createContact), input, options);
  }

  /**
   * `POST /contact/{contact_id}`
   *
   * Updates a contact. `tag` only adds tags. To remove tags, use {@link updateTags}.
   * @throws {OperationFailedError} if the server rejects the operation. The error contains the
   * server's reason.
   * @example await support.contacts.update({ contact_id: 1, name: 'Mona', crm_id: 'crm-7' });
   */
  update(
    input: UpdateContact<Attributes>,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<Contact, Attributes>> {
    return this.api.call(attributed(updateContact), input, options);
  }

  /**
   * `GET /contact/{contact_id}`
   *
   * Returns a contact.
   * @throws {NotFoundError} if the contact doesn't exist.
   * @example const { name } = await support.contacts.get({ contact_id: 1 });
   */
  get(
    input: ContactInput,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<Contact, Attributes>> {
    return this.api.call(attributed(getContact), input, options);
  }

  /**
   * `GET /contact`
   *
   * Searches for contacts. Changes during the search can shift the page offsets, so the list may
   * skip some records. To synchronize records, use {@link changedSince}.
   * @remarks The API doesn't specify the type of the list's items, so the client accepts items of
   * any type.
   * @example for await (const contact of support.contacts.search({ updated_since: new Date('2025-01-01') })) console.log(contact.id);
   */
  search(
    input: SearchContacts = {},
    options?: SupportSearchOptions,
  ): Paginated<WithAttributes<Contact, Attributes>> {
    return listByOffset(this.api, attributed(searchContacts), input, options);
  }

  /**
   * `GET /contact`
   *
   * Lists the contacts changed since a date (default: all contacts), oldest change first. Lists
   * every changed contact at least once. A contact that changes during the iteration may be listed
   * again. The list starts 10 minutes before the date. After a crash, continue from the `cursor` of
   * the last page that you saved.
   * @throws {ResponseShapeError} if the server doesn't sort by `update_date`, or a record has no
   * ID.
   * @example for await (const each of support.contacts.changedSince(new Date('2025-01-01'))) console.log(each.id);
   */
  changedSince(
    date?: Date | string,
    options?: SupportSearchOptions,
  ): Paginated<WithAttributes<Contact, Attributes>> {
    return changedSince((input, each) => this.search(input, each), date, options);
  }

  /**
   * `GET /contact/{contact_id}/profiles`
   *
   * Lists a contact's channel profiles.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const profiles = await support.contacts.listProfiles({ contact_id: 1 });
   */
  listProfiles(input: ContactInput, options?: SupportRequestOptions): JsonCall<ContactProfile[]> {
    return this.api.call(listProfiles, input, options);
  }

  /**
   * `POST /contact/{contact_id}/profiles/add`
   *
   * Links a channel profile to a contact.
   * @example await support.contacts.addProfile({ contact_id: 1, source: 'email', ext_id: 'mona@example.com' });
   */
  addProfile(input: AddProfile, options?: SupportRequestOptions): Call<void> {
    return this.api.call(addProfile, input, options);
  }

  /**
   * `POST /contact/{contact_id}/profiles/remove`
   *
   * Unlinks a channel profile from a contact.
   * @example await support.contacts.removeProfile({ contact_id: 1, source: 'email', ext_id: 'mona@example.com' });
   */
  removeProfile(input: ProfileInput, options?: SupportRequestOptions): Call<void> {
    return this.api.call(removeProfile, input, options);
  }

  /**
   * `GET /contact/{contact_id}/tags`
   *
   * Lists a contact's tags.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const tags = await support.contacts.listTags({ contact_id: 1 });
   */
  listTags(input: ContactInput, options?: SupportRequestOptions): JsonCall<Tag[]> {
    return this.api.call(listTags, input, options);
  }

  /**
   * `POST /contact/{contact_id}/tags`
   *
   * Adds and removes tags on a contact.
   * @example await support.contacts.updateTags({ contact_id: 1, add: ['vip'] });
   */
  updateTags(
    input: ContactTagChange,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<Contact, Attributes>> {
    return this.api.call(attributed(updateTags), input, options);
  }
}

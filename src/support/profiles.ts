import { defineEndpoint } from '../transport/request/endpoint.js';
import { optional, text } from '../transport/request/input.js';
import { type ChannelInput, type ContactInput, inChannel, recordId } from './common.js';
import { ContactProfile } from './models/index.js';
import { anyList, done } from './responses.js';

/** Input that identifies a contact's profile in a channel. */
export interface ProfileInput extends ContactInput, ChannelInput {}

/** Input of `contacts.addProfile`. */
export interface AddProfile extends ProfileInput {
  /** Username on the channel. For Twitter, without the at sign. */
  readonly user_name?: string | undefined;
  /** Name of the person in the channel. */
  readonly name?: string | undefined;
}

export const listProfiles = defineEndpoint<ContactInput>('GET /contact/{contact_id}/profiles')({
  operation: 'contacts.listProfiles',
  input: { contact_id: recordId },
  response: anyList(ContactProfile, 'profiles'),
});

const profile = { contact_id: recordId, ...inChannel };

export const addProfile = defineEndpoint<AddProfile>('POST /contact/{contact_id}/profiles/add')({
  operation: 'contacts.addProfile',
  input: { ...profile, user_name: optional(text), name: optional(text) },
  encoding: 'form',
  response: done,
});

export const removeProfile = defineEndpoint<ProfileInput>(
  'POST /contact/{contact_id}/profiles/remove',
)({
  operation: 'contacts.removeProfile',
  input: profile,
  encoding: 'form',
  response: done,
});

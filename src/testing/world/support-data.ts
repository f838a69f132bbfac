import { errorMessage } from '../../schema/unknown-values.js';
import { decodeRecord } from '../record.js';
import { caseFields, contactFields } from '../support/record-data.js';
import {
  caseKind,
  contactKind,
  type RecordKind,
  type StoredCase,
  type StoredContact,
  type StoredRecord,
} from '../support/records.js';
import type { SupportState } from '../support/state.js';
import type { SupportWorld } from '../support/world.js';
import type { CaseData, ContactData, SupportData } from './world.js';

/** Exports the state of the support API. */
export function exportSupport(state: SupportState): SupportData {
  return {
    users: [...state.sessions.users],
    campaigns: [...state.campaigns.keys()],
    contacts: Array.from(state.contacts.all, contactData),
    cases: Array.from(state.cases.all, caseData),
    sessions: [...state.sessions.all],
  };
}

function recordData(kind: RecordKind, record: StoredRecord) {
  const isField = ([name]: [string, string]) => kind.texts.includes(name);
  const texts = [...record.texts];
  return {
    id: record.id,
    ...Object.fromEntries(texts.filter(isField)),
    attributes: Object.fromEntries(texts.filter((text) => !isField(text))),
    tags: [...record.tags],
    notes: [...record.notes],
    created: new Date(record.created).toISOString(),
    updated: new Date(record.updated).toISOString(),
    updated_by: record.updatedBy,
  };
}

function contactData(contact: StoredContact): ContactData {
  // An empty name keeps the import from adding the default name.
  const name = contact.texts.get('name') ?? '';
  return { ...recordData(contactKind, contact), name, profiles: contact.profiles };
}

function caseData(stored: StoredCase): CaseData {
  return {
    ...recordData(caseKind, stored),
    campaign: stored.campaign?.name ?? undefined,
    contact_id: stored.contact?.id,
    private: stored.private,
    state: stored.state,
    messages: stored.messages,
    reopened: stored.reopened,
    lastOpened: new Date(stored.lastOpened).toISOString(),
  };
}

/**
 * Imports data into an empty world.
 * @throws {Error} if a contact doesn't exist, or a name or ID is taken. The message names the record's
 * path.
 */
export function importSupport(world: SupportWorld, state: SupportState, data: SupportData): void {
  const { users = [], campaigns = [], contacts = [], cases = [], sessions = [] } = data;
  checkDistinct(users, 'userName', 'support.users');
  checkDistinct(sessions, 'token', 'support.sessions');
  for (const user of users) world.addUser(user);
  for (const campaign of campaigns) world.addCampaign(campaign);
  for (const [index, contact] of contacts.entries()) {
    prefixErrors(`support.contacts[${index}]`, () =>
      world.addContact(decodeRecord(contactFields, contact)),
    );
  }
  for (const [index, stored] of cases.entries()) {
    prefixErrors(`support.cases[${index}]`, () => world.addCase(decodeRecord(caseFields, stored)));
  }
  for (const session of sessions) state.sessions.resume(session);
}

/**
 * Checks that no two records have the same value for a key. @throws {Error} if two records have the
 * same value.
 */
function checkDistinct<K extends string>(
  records: readonly Readonly<Record<K, string>>[],
  key: K,
  where: string,
): void {
  const seen = new Set<string>();
  for (const [index, { [key]: value }] of records.entries()) {
    if (seen.has(value))
      throw new Error(`${where}[${index}].${key}: must be unique (got ${value} twice)`);
    seen.add(value);
  }
}

function prefixErrors(where: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    throw new Error(`${where}: ${errorMessage(cause)}`, { cause });
  }
}

import { errorMessage } from '../../schema/unknown-values.js';
import type { StoredCase, StoredContact, StoredRecord } from '../support/records.js';
import type { SupportState } from '../support/state.js';
import type { SupportWorld } from '../support/world.js';
import { checkDistinct, checkMembers, readTime } from './checks.js';
import type { CaseData, ContactData, SupportData } from './world.js';

/** Texts that are members of a record in a file. Other texts are in `attributes`. */
const ofContacts = 'name first_name last_name crm_id client_id extended_value url'.split(' ');
const ofCases = ['subject', 'source', 'url'];

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

function recordData(record: StoredRecord, named: readonly string[]) {
  const texts = [...record.texts];
  return {
    id: record.id,
    ...Object.fromEntries(texts.filter(([name]) => named.includes(name))),
    attributes: Object.fromEntries(texts.filter(([name]) => !named.includes(name))),
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
  return { ...recordData(contact, ofContacts), name, profiles: contact.profiles };
}

function caseData(stored: StoredCase): CaseData {
  return {
    ...recordData(stored, ofCases),
    campaign: stored.campaign?.name ?? undefined,
    contact_id: stored.contact?.id,
    private: stored.private,
    state: stored.state,
    messages: stored.messages,
    reopened: stored.reopened,
    lastOpened: new Date(stored.lastOpened).toISOString(),
  };
}

const ofRecords = 'id tags notes created updated updated_by attributes';
const membersOfContacts = `${ofRecords} ${ofContacts.join(' ')} profiles`;
const membersOfCases = `${ofRecords} ${ofCases.join(' ')} campaign contact_id private state messages reopened lastOpened`;

/**
 * Fills an empty world.
 * @throws {Error} if a contact doesn't exist, a time is invalid, or a name is unknown or taken. Names the path
 * of the record.
 */
export function importSupport(world: SupportWorld, state: SupportState, data: SupportData): void {
  checkMembers(data, 'users campaigns contacts cases sessions', 'support');
  const { users = [], campaigns = [], contacts = [], cases = [], sessions = [] } = data;
  checkDistinct(users, 'userName', 'support.users');
  checkDistinct(sessions, 'token', 'support.sessions');
  for (const user of users) world.addUser(user);
  for (const campaign of campaigns) world.addCampaign(campaign);
  for (const [index, data] of contacts.entries()) {
    const where = `support.contacts[${index}]`;
    checkMembers(data, membersOfContacts, where);
    at(where, () => {
      const { notes, profiles, ...contact } = data;
      const { id } = world.addContact({ ...contact, ...parseTimes(contact), profiles });
      const stored = state.contacts.get(id);
      if (stored) addNotes(state, stored, notes);
    });
  }
  for (const [index, data] of cases.entries()) {
    const where = `support.cases[${index}]`;
    checkMembers(data, membersOfCases, where);
    at(where, () => {
      const { notes, reopened, lastOpened, ...rest } = data;
      const { id } = world.addCase({ ...rest, ...parseTimes(rest) });
      const stored = state.cases.get(id ?? 0);
      if (!stored) return;
      addNotes(state, stored, notes);
      stored.reopened = reopened ?? false;
      if (lastOpened !== undefined) {
        stored.lastOpened = readTime('lastOpened', lastOpened).getTime();
      }
    });
  }
  for (const session of sessions) state.sessions.resume(session);
}

function parseTimes({ created, updated }: ContactData | CaseData) {
  return {
    created: created === undefined ? undefined : readTime('created', created),
    updated: updated === undefined ? undefined : readTime('updated', updated),
  };
}

/** Adds notes. A note that is only a text gets the emulator's time. */
function addNotes(state: SupportState, record: StoredRecord, notes: ContactData['notes']): void {
  for (const note of notes ?? []) {
    if (typeof note === 'string') state.note(record, [note], { by: undefined });
    else record.notes.push({ ...note });
  }
}

function at(where: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    throw new Error(`${where}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

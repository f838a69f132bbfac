import { errorMessage } from '../../schema/unknown-values.js';
import { exportRecord } from '../record.js';
import { caseKind, contactKind } from '../support/records.js';
import type { SupportState } from '../support/state.js';
import type { SupportData } from './world.js';

/** Exports the state of the support API. */
export function exportSupport(state: SupportState): SupportData {
  return {
    users: [...state.sessions.users],
    campaigns: [...state.campaigns.keys()],
    contacts: Array.from(state.contacts.all, (each) => exportRecord(contactKind, each)),
    cases: Array.from(state.cases.all, (each) => exportRecord(caseKind, each)),
    sessions: [...state.sessions.all],
  };
}

/**
 * Imports data into an empty state.
 * @throws {Error} if a contact doesn't exist, or a name or ID is taken. The message names the record's
 * path.
 */
export function importSupport(state: SupportState, data: SupportData): void {
  const { users = [], campaigns = [], contacts = [], cases = [], sessions = [] } = data;
  checkDistinct(users, 'userName', 'support.users');
  checkDistinct(sessions, 'token', 'support.sessions');
  for (const user of users) state.sessions.add(user);
  for (const campaign of campaigns) state.campaign(campaign);
  for (const [index, contact] of contacts.entries()) {
    prefixErrors(`support.contacts[${index}]`, () => state.addContact(contact));
  }
  for (const [index, stored] of cases.entries()) {
    prefixErrors(`support.cases[${index}]`, () => state.addCase(stored));
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

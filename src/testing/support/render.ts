import type { SupportCase } from '../../support/models/case.js';
import type { Contact } from '../../support/models/contact.js';
import { writeDate } from './dates.js';
import type { StoredCase, StoredContact, StoredRecord } from './records.js';

/** A contact as it is answered: what is empty is left out. @param offset of the domain, in minutes. */
export function renderContact(contact: StoredContact, offset: number): Contact {
  const { id, texts, cases, profiles, notes } = contact;
  return {
    ...Object.fromEntries(texts),
    id,
    cases,
    ...(profiles.length > 0 && { profiles: profiles.map((profile) => ({ ...profile })) }),
    ...(notes.length > 0 && { notes: notes.map((note) => ({ ...note })) }),
    ...renderCommon(contact, offset),
  };
}

/** A case as it is answered: its notes can't be read by the API. */
export function renderCase(stored: StoredCase, offset: number): SupportCase {
  const { id, texts, campaign, contact, state, reopened, messages } = stored;
  const created = writeDate(stored.created, offset);
  return {
    ...Object.fromEntries(texts),
    id,
    state,
    reopened,
    private: stored.private,
    ...(campaign && { campaign: { ...campaign } }),
    ...(contact && { contact: renderContact(contact, offset) }),
    messages_sent: 0,
    messages_received: messages.length,
    messages: messages.length,
    first_open_date: created,
    inbox_date: created,
    last_open_date: writeDate(stored.lastOpened, offset),
    ...renderCommon(stored, offset),
  };
}

function renderCommon(record: StoredRecord, offset: number) {
  const { tags, created, updated, updatedBy } = record;
  return {
    ...(tags.size > 0 && { tags: [...tags] }),
    creation_date: writeDate(created, offset),
    update_date: writeDate(updated, offset),
    ...(updatedBy !== undefined && { updated_by: updatedBy }),
  };
}

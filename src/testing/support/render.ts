import type { Contact, SupportCase } from '../../support/models/case.js';

import { writeDate } from './dates.js';
import {
  caseKind,
  contactKind,
  getTexts,
  type StoredCase,
  type StoredContact,
  type StoredRecord,
} from './records.js';
import type { SupportState } from './state.js';

/** Settings for rendering a record. */
export interface Rendering {
  /** UTC offset of the domain in minutes. */
  readonly utcOffset: number;
  /** Origin of the last request, used as the base of record URLs. */
  readonly origin: string;
  /** State that contains the contacts and campaigns of cases. */
  readonly state: SupportState;
}

/** Renders a contact. Omits empty fields. */
export function renderContact(contact: StoredContact, how: Rendering): Contact {
  const { id, cases, profiles, notes } = contact;
  return {
    url: `${how.origin}/api/v2/contact/${id}`,
    ...Object.fromEntries(getTexts(contactKind, contact)),
    id,
    cases,
    ...(profiles.length > 0 && { profiles: profiles.map((profile) => ({ ...profile })) }),
    ...(notes.length > 0 && { notes: notes.map((note) => ({ ...note })) }),
    ...renderCommon(contact, how),
  };
}

/** Renders a case without notes, which the API doesn't return. */
export function renderCase(stored: StoredCase, how: Rendering): SupportCase {
  const { id, state, reopened, messages } = stored;
  const campaign = how.state.campaigns.get(stored.campaign ?? '');
  const contact = how.state.contacts.get(stored.contact_id ?? 0);
  const created = writeDate(stored.created, how.utcOffset);
  return {
    url: `${how.origin}/api/v2/case/${id}`,
    ...Object.fromEntries(getTexts(caseKind, stored)),
    id,
    state,
    reopened,
    private: stored.private,
    ...(campaign && { campaign: { ...campaign } }),
    ...(contact && { contact: renderContact(contact, how) }),
    credits: 0,
    handling_ms: 0,
    sla_seconds: 0,
    messages_sent: 0,
    messages_received: messages.length,
    messages: messages.length,
    first_open_date: created,
    inbox_date: created,
    // The emulator doesn't send messages, so there is never a reply.
    we_did_not_reply_since_date: created,
    last_open_date: writeDate(stored.lastOpened, how.utcOffset),
    ...renderCommon(stored, how),
  };
}

function renderCommon(record: StoredRecord, { utcOffset }: Rendering) {
  const { tags, created, updated, updated_by } = record;
  return {
    ...(tags.size > 0 && { tags: [...tags] }),
    creation_date: writeDate(created, utcOffset),
    update_date: writeDate(updated, utcOffset),
    ...(updated_by !== undefined && { updated_by }),
  };
}

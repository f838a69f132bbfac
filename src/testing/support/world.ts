import type { Contact, ContactNote, SupportCase } from '../../support/models/case.js';

import type { EmulatorClock } from '../clock.js';
import {
  caseKind,
  contactKind,
  type RecordKind,
  type StoredContact,
  type StoredRecord,
  setText,
} from './records.js';
import { type Rendering, renderCase, renderContact } from './render.js';
import type { CaseSeed, CaseTouch, ContactSeed, ContactTouch, RecordSeed } from './seeds.js';
import type { SupportUser } from './sessions.js';
import {
  resolveSupportSettings,
  type SupportEmulatorOptions,
  type SupportSettings,
} from './settings.js';
import { type ChangeAuthor, SupportState } from './state.js';

/** A case in the emulator with its notes, which the API doesn't return. */
export interface CaseInState extends SupportCase {
  /** Notes, in the order they were added. */
  readonly notes?: ContactNote[] | undefined;
}

/** Adds and reads the emulator's support API data directly, without API requests. */
export class SupportWorld {
  protected readonly clock: EmulatorClock;
  /** State of the support API. Read it in assertions, or change it to set up a test. */
  state: SupportState;
  protected settings: SupportSettings;
  /** Origin of the last request. */
  protected origin = 'http://127.0.0.1';

  constructor(
    clock: EmulatorClock,
    options: SupportEmulatorOptions,
    state = new SupportState(clock),
  ) {
    this.clock = clock;
    this.state = state;
    this.settings = resolveSupportSettings(options);
  }

  /** All contacts as the API returns them, in creation order. */
  get contacts(): readonly Contact[] {
    return Array.from(this.state.contacts.all, (each) => renderContact(each, this.rendering));
  }

  /** All cases, in creation order. */
  get cases(): readonly CaseInState[] {
    return Array.from(this.state.cases.all, (each) => ({
      ...renderCase(each, this.rendering),
      ...(each.notes.length > 0 && { notes: each.notes.map((note) => ({ ...note })) }),
    }));
  }

  /** Number of sessions that `/authenticate` has opened since the start or the last `reset`. */
  get authentications(): number {
    return this.state.sessions.opened;
  }

  /** Adds an API user. */
  addUser(user: SupportUser): void {
    this.state.sessions.add(user);
  }

  /** Adds a campaign. Returns its ID. */
  addCampaign(name: string): number {
    return this.state.campaign(name).id ?? 0;
  }

  /** Adds a contact and returns its API representation. @throws {RangeError} if the ID is taken. */
  addContact(seed: ContactSeed = {}): Contact {
    return renderContact(this.#storeContact(seed), this.rendering);
  }

  /** Adds a contact without rendering it, because rendering takes longer than storing. */
  #storeContact(seed: ContactSeed): StoredContact {
    checkAttributes(contactKind, seed);
    const contact = this.state.newContact(firstChange(seed), seed.id);
    setText(contact, 'name', seed.name ?? `Contact ${contact.id}`);
    this.#fill(contactKind, contact, seed);
    const own = { source: 'api', ext_id: String(contact.id), name: contact.texts.get('name') };
    for (const profile of seed.profiles ?? [own]) this.state.link(contact, profile);
    this.state.stamp(contact, laterChange({ ...seed, updated: seed.updated ?? seed.created }));
    return this.state.contacts.set(contact);
  }

  /**
   * Adds many contacts quickly.
   * @param make returns the properties of a contact by its index. Default: contacts with a
   * `crm_id`, created and changed one second apart, ending now.
   * @returns the contacts' IDs.
   */
  addContacts(count: number, make = this.#ordinary(count)): number[] {
    return Array.from({ length: count }, (_, index) => this.#storeContact(make(index)).id);
  }

  /**
   * Changes a contact without a request, as a support agent would. Sets the update date to `updated`.
   * Default: the emulator's time.
   * @throws {RangeError} if the contact doesn't exist.
   */
  touchContact(id: number, touch: ContactTouch = {}): Contact {
    const { contacts } = this.state;
    const contact = this.#touch(contactKind, contacts.get(id), id, touch);
    return renderContact(contacts.set(contact), this.rendering);
  }

  /**
   * Adds a case and returns its API representation.
   * @throws {RangeError} if the ID is taken, or the contact doesn't exist.
   */
  addCase(seed: CaseSeed = {}): SupportCase {
    const { contact_id: contactId, campaign: name, messages = [], state = 'Open' } = seed;
    const contact = contactId === undefined ? undefined : this.state.contacts.get(contactId);
    if (contactId !== undefined && !contact)
      throw new RangeError(`contact_id: must be the ID of an existing contact (got ${contactId})`);
    checkAttributes(caseKind, seed);
    const campaign = name === undefined ? undefined : this.state.campaign(name);
    const parts = { contact, campaign, private: seed.private ?? false };
    const stored = this.state.newCase(firstChange(seed), parts, seed.id);
    stored.state = state;
    stored.reopened = seed.reopened ?? false;
    stored.lastOpened = seed.lastOpened?.getTime() ?? stored.lastOpened;
    this.#fill(caseKind, stored, seed);
    for (const message of messages) stored.messages.push({ ...message });
    this.state.stamp(stored, laterChange({ ...seed, updated: seed.updated ?? seed.created }));
    return renderCase(this.state.cases.set(stored), this.rendering);
  }

  /**
   * Changes a case without a request, as {@link touchContact} does. Setting a closed case to `Open` reopens it.
   * @throws {RangeError} if the case doesn't exist.
   */
  touchCase(id: number, touch: CaseTouch = {}): SupportCase {
    const { cases } = this.state;
    const stored = this.#touch(caseKind, cases.get(id), id, touch);
    const before = stored.state;
    stored.state = touch.state ?? before;
    if (before !== 'Open' && stored.state === 'Open') {
      stored.reopened = true;
      stored.lastOpened = stored.updated;
    }
    return renderCase(cases.set(stored), this.rendering);
  }

  /** Expires all tokens. Requests with an expired token get a 401. */
  expireTokens(): void {
    this.state.sessions.expireAll();
  }

  protected get rendering(): Rendering {
    return { utcOffset: this.settings.utcOffset, origin: this.origin };
  }

  #ordinary(count: number): (index: number) => ContactSeed {
    const now = this.clock.now.getTime();
    return (index) => ({
      crm_id: `crm-${index + 1}`,
      created: new Date(now - (count - 1 - index) * 1000),
    });
  }

  #touch<T extends StoredRecord>(
    kind: RecordKind,
    record: T | undefined,
    id: number,
    touch: ContactTouch | CaseTouch,
  ): T {
    if (!record) throw new RangeError(`id: must be the ID of an existing ${kind.name} (got ${id})`);
    checkAttributes(kind, touch);
    this.#fill(kind, record, touch);
    this.state.stamp(record, laterChange(touch));
    return record;
  }

  /** Sets a record's text fields, tags and notes. */
  #fill({ texts }: RecordKind, record: StoredRecord, seed: RecordSeed): void {
    for (const [name, value] of Object.entries(seed)) {
      if (typeof value === 'string' && texts.includes(name)) setText(record, name, value);
    }
    for (const [name, value] of Object.entries(seed.attributes ?? {})) setText(record, name, value);
    for (const tag of seed.tags ?? []) record.tags.add(tag);
    for (const note of seed.notes ?? []) {
      if (typeof note === 'string') this.state.note(record, [note], laterChange(seed));
      else record.notes.push({ ...note });
    }
  }
}

/** Checks dynamic attributes before creating or changing a record. @throws {RangeError} if a name is reserved. */
function checkAttributes({ reserved }: RecordKind, { attributes = {} }: RecordSeed): void {
  const name = Object.keys(attributes).find((each) => reserved.has(each));
  if (name !== undefined) throw new RangeError(`attributes.${name}: must not be a reserved name`);
}

function firstChange({ updated_by: by, created }: RecordSeed): ChangeAuthor {
  return { by, at: created?.getTime() };
}

function laterChange(seed: Pick<RecordSeed, 'updated' | 'updated_by'>): ChangeAuthor {
  return { by: seed.updated_by, at: seed.updated?.getTime() };
}

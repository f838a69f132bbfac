import type { Campaign } from '../../support/models/case.js';
import type { EmulatorClock } from '../clock.js';
import { createRecord, decodeRecord } from '../record.js';
import { wholeSeconds } from './dates.js';
import {
  type CaseData,
  type ContactData,
  caseKind,
  contactKind,
  findPlace,
  type RecordData,
  type RecordKind,
  type StoredCase,
  type StoredContact,
  type StoredProfile,
  type StoredRecord,
} from './records.js';
import { Sessions } from './sessions.js';

/** Records of one kind by ID. */
export class Records<T extends StoredRecord> {
  readonly #records = new Map<number, T>();
  #lastId = 0;

  constructor(readonly kind: RecordKind) {}

  get size(): number {
    return this.#records.size;
  }

  get all(): Iterable<T> {
    return this.#records.values();
  }

  get(id: number): T | undefined {
    return this.#records.get(id);
  }

  /** Returns the ID for the next record. @throws {RangeError} if the requested ID is taken or invalid. */
  claim(wanted?: number): number {
    const id = wanted ?? this.#lastId + 1;
    if (!Number.isSafeInteger(id) || id < 1 || this.#records.has(id)) {
      throw new RangeError(`id: must be an unused whole number of at least 1 (got ${id})`);
    }
    this.#lastId = Math.max(this.#lastId, id);
    return id;
  }

  set(record: T): T {
    this.#records.set(record.id, record);
    return record;
  }
}

/** State of the support API. */
export class SupportState {
  /** All contacts. */
  readonly contacts = new Records<StoredContact>(contactKind);
  /** All cases. */
  readonly cases = new Records<StoredCase>(caseKind);
  /** All campaigns. */
  readonly campaigns = new Map<string, Campaign>();
  /** All users and sessions. */
  readonly sessions: Sessions;
  readonly #clock: EmulatorClock;
  #lastProfile = 0;

  constructor(clock: EmulatorClock) {
    this.#clock = clock;
    this.sessions = new Sessions(clock);
  }

  /**
   * Adds a contact.
   * @throws {RangeError} if the ID is taken, or the name of an attribute is reserved.
   */
  addContact(data: ContactData): StoredContact {
    const origin = this.#prepare(this.contacts, data);
    const contact = createRecord(contactKind, origin, decodeRecord(contactKind, data));
    const { id, name } = contact;
    const profiles = data.profiles ?? [{ source: 'api', ext_id: String(id), name }];
    for (const profile of profiles) this.link(contact, profile);
    this.#addNotes(contact, data);
    return this.contacts.set(contact);
  }

  /**
   * Adds a case.
   * @throws {RangeError} if the ID is taken, the contact doesn't exist, or the name of an attribute
   * is reserved.
   */
  addCase(data: CaseData): StoredCase {
    const { contact_id: contactId, campaign } = data;
    const contact = contactId === undefined ? undefined : this.contacts.get(contactId);
    if (contactId !== undefined && !contact)
      throw new RangeError(`contact_id: must be the ID of an existing contact (got ${contactId})`);
    const origin = this.#prepare(this.cases, data);
    const stored = createRecord(caseKind, origin, decodeRecord(caseKind, data));
    if (campaign !== undefined) this.campaign(campaign);
    if (contact) {
      contact.cases += 1;
      this.contacts.set(contact);
    }
    this.#addNotes(stored, data);
    return this.cases.set(stored);
  }

  /**
   * Changes a record's text attributes, adds tags and notes, and sets the author and time of the last
   * change. Default: no author, the emulator's time.
   * @throws {RangeError} if the name of an attribute is reserved.
   */
  change<T extends StoredRecord>(records: Records<T>, record: T, data: Omit<RecordData, 'id'>): T {
    checkAttributes(records.kind, data);
    const { texts } = records.kind;
    for (const [name, value] of Object.entries(data)) {
      if (texts.includes(name) && value !== undefined) Object.assign(record, { [name]: value });
    }
    for (const [name, value] of Object.entries(data.attributes ?? {})) {
      record.attributes.set(name, value);
    }
    for (const tag of data.tags ?? []) record.tags.add(tag);
    this.#addNotes(record, data);
    record.updated = wholeSeconds(this.#time(data));
    record.updated_by = data.updated_by;
    return records.set(record);
  }

  /** Returns a campaign by name. Creates a missing campaign. */
  campaign(name: string): Campaign {
    const campaign = this.campaigns.get(name) ?? { id: this.campaigns.size + 1, name };
    this.campaigns.set(name, campaign);
    return campaign;
  }

  /** Adds a profile, or updates the contact's existing profile with the same channel and ID. */
  link(contact: StoredContact, profile: StoredProfile): void {
    const at = findPlace(profile, contact.profiles);
    const known = contact.profiles[at];
    if (known) contact.profiles[at] = { ...known, ...profile };
    else {
      const id = profile.id ?? this.#lastProfile + 1;
      this.#lastProfile = Math.max(this.#lastProfile, id);
      contact.profiles.push({ ...profile, id });
    }
  }

  #prepare<T extends StoredRecord>(records: Records<T>, data: RecordData) {
    checkAttributes(records.kind, data);
    const now = this.#clock.now.toISOString();
    return { id: records.claim(data.id), now, parent: undefined };
  }

  /** Adds notes. A string becomes a note with the author and time of the change. */
  #addNotes(record: StoredRecord, { notes = [], ...data }: RecordData): void {
    const [date, userName] = [this.#time(data), data.updated_by];
    for (const note of notes) {
      const author = userName !== undefined && { userName };
      record.notes.push(typeof note === 'string' ? { date, text: note, ...author } : { ...note });
    }
  }

  #time({ updated }: RecordData): number {
    return updated === undefined ? this.#clock.now.getTime() : Date.parse(updated);
  }
}

/** Checks dynamic attributes before creating or changing a record. @throws {RangeError} if a name is reserved. */
function checkAttributes({ reserved }: RecordKind, { attributes = {} }: RecordData): void {
  const name = Object.keys(attributes).find((each) => reserved.has(each));
  if (name !== undefined) throw new RangeError(`attributes.${name}: must not be a reserved name`);
}

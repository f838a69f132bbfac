import type { Campaign } from '../../support/models/case.js';
import type { EmulatorClock } from '../clock.js';
import { wholeSeconds } from './dates.js';
import {
  findPlace,
  type StoredCase,
  type StoredContact,
  type StoredProfile,
  type StoredRecord,
} from './records.js';
import { Sessions } from './sessions.js';

/** Author and time of a change. */
export interface ChangeAuthor {
  /** Name of the user. Undefined if no user made the change. */
  readonly by: string | undefined;
  /** Time in epoch ms. Default: the emulator's time. */
  readonly at?: number | undefined;
}

/** Records of one kind by ID. */
export class Records<T extends StoredRecord> {
  readonly #records = new Map<number, T>();
  #lastId = 0;
  #lastSearch: { readonly criteria: string; readonly found: readonly T[] } | undefined;

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
    this.#lastSearch = undefined;
    return record;
  }

  /**
   * Returns a search result. Caches the last result until a record changes, which makes the next
   * page of a long search fast.
   */
  remember(criteria: string, search: () => readonly T[]): readonly T[] {
    if (this.#lastSearch?.criteria !== criteria) this.#lastSearch = { criteria, found: search() };
    return this.#lastSearch.found;
  }
}

/** State of the support API. */
export class SupportState {
  /** All contacts. */
  readonly contacts = new Records<StoredContact>();
  /** All cases. */
  readonly cases = new Records<StoredCase>();
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

  /** Creates an empty contact and claims an ID. Doesn't add the contact to `contacts`. */
  newContact(change: ChangeAuthor, id?: number): StoredContact {
    return { profiles: [], cases: 0, ...this.#newRecord(this.contacts.claim(id), change) };
  }

  /**
   * Creates an empty case, claims an ID, and increments the contact's case count. Doesn't add the
   * case to `cases`.
   */
  newCase(
    change: ChangeAuthor,
    parts: Pick<StoredCase, 'campaign' | 'contact' | 'private'>,
    id?: number,
  ): StoredCase {
    const record = this.#newRecord(this.cases.claim(id), change);
    if (parts.contact) {
      parts.contact.cases += 1;
      this.contacts.set(parts.contact);
    }
    const { created: lastOpened } = record;
    return { messages: [], state: 'Open', reopened: false, lastOpened, ...parts, ...record };
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

  /** Adds notes with their author and date. */
  note(record: StoredRecord, texts: readonly string[], change: ChangeAuthor): void {
    const date = this.#time(change);
    const userName = change.by;
    for (const text of texts) {
      record.notes.push({ date, text, ...(userName !== undefined && { userName }) });
    }
  }

  /** Sets the author and time of a record's last change. */
  stamp(record: StoredRecord, change: ChangeAuthor): void {
    record.updated = wholeSeconds(this.#time(change));
    record.updatedBy = change.by;
  }

  #newRecord(id: number, change: ChangeAuthor): StoredRecord {
    const created = wholeSeconds(this.#time(change));
    return {
      id,
      texts: new Map(),
      tags: new Set(),
      notes: [],
      created,
      updated: created,
      updatedBy: change.by,
    };
  }

  #time(change: ChangeAuthor): number {
    return change.at ?? this.#clock.now.getTime();
  }
}

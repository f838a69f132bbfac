import type { Contact, ContactNote, SupportCase } from '../../support/models/case.js';
import type { EmulatorClock } from '../clock.js';
import type { CaseData, CaseTouch, ContactData, ContactTouch, StoredRecord } from './records.js';
import { type Rendering, renderCase, renderContact } from './render.js';
import type { SupportUser } from './sessions.js';
import {
  resolveSupportSettings,
  type SupportEmulatorOptions,
  type SupportSettings,
} from './settings.js';
import { type Records, SupportState } from './state.js';

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

  constructor(clock: EmulatorClock, options: SupportEmulatorOptions) {
    this.clock = clock;
    this.state = new SupportState(clock);
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
  addContact(data: ContactData = {}): Contact {
    return renderContact(this.state.addContact(data), this.rendering);
  }

  /**
   * Adds many contacts quickly.
   * @param make returns the properties of a contact by its index. Default: contacts with a
   * `crm_id`, created and changed one second apart, ending now.
   * @returns the contacts' IDs.
   */
  addContacts(count: number, make = this.#ordinary(count)): number[] {
    return Array.from({ length: count }, (_, index) => this.state.addContact(make(index)).id);
  }

  /**
   * Changes a contact without a request, as a support agent would. Sets the update date to `updated`.
   * Default: the emulator's time.
   * @throws {RangeError} if the contact doesn't exist.
   */
  touchContact(id: number, touch: ContactTouch = {}): Contact {
    const { contacts } = this.state;
    return renderContact(this.state.change(contacts, find(contacts, id), touch), this.rendering);
  }

  /**
   * Adds a case and returns its API representation.
   * @throws {RangeError} if the ID is taken, or the contact doesn't exist.
   */
  addCase(data: CaseData = {}): SupportCase {
    return renderCase(this.state.addCase(data), this.rendering);
  }

  /**
   * Changes a case without a request, as {@link touchContact} does. Setting a closed case to `Open` reopens it.
   * @throws {RangeError} if the case doesn't exist.
   */
  touchCase(id: number, touch: CaseTouch = {}): SupportCase {
    const { cases } = this.state;
    const stored = this.state.change(cases, find(cases, id), touch);
    const before = stored.state;
    stored.state = touch.state ?? before;
    if (before !== 'Open' && stored.state === 'Open') {
      stored.reopened = true;
      stored.lastOpened = stored.updated;
    }
    return renderCase(stored, this.rendering);
  }

  /** Expires all tokens. Requests with an expired token get a 401. */
  expireTokens(): void {
    this.state.sessions.expireAll();
  }

  protected get rendering(): Rendering {
    return { utcOffset: this.settings.utcOffset, origin: this.origin, state: this.state };
  }

  #ordinary(count: number): (index: number) => ContactData {
    const now = this.clock.now.getTime();
    return (index) => ({
      crm_id: `crm-${index + 1}`,
      created: new Date(now - (count - 1 - index) * 1000).toISOString(),
    });
  }
}

/** Returns a record. @throws {RangeError} if it doesn't exist. */
function find<T extends StoredRecord>(records: Records<T>, id: number): T {
  const found = records.get(id);
  if (found) return found;
  throw new RangeError(`id: must be the ID of an existing ${records.kind.name} (got ${id})`);
}

import { tellClients } from './changes.js';

/**
 * The emulator's own time: it stands still unless it is told to go on, so that answers repeat exactly. When it is changed,
 * clients in this process forget the budgets they know and the pauses they were told.
 */
export class EmulatorClock {
  readonly #start: number;
  #now: number;

  /** @param start default 2014-06-01T12:00:00Z. @throws {RangeError} what is no time of the years 0 to 9999 */
  constructor(start: Date = new Date(Date.UTC(2014, 5, 1, 12))) {
    this.#start = checked('now', start.getTime());
    this.#now = this.#start;
  }

  /** The time, as milliseconds since 1970. */
  get now(): Date {
    return new Date(this.#now);
  }

  /** Time goes on by so many milliseconds. @throws {RangeError} beyond the year 9999 */
  advance(milliseconds: number): void {
    this.#now = checked('clock.advance', this.#now + milliseconds);
    tellClients();
  }

  /** Sets the time. @throws {RangeError} what is no time of the years 0 to 9999 */
  set(time: Date): void {
    this.#now = checked('clock.set', time.getTime());
    tellClients();
  }

  /** Back to where it started. */
  reset(): void {
    this.#now = this.#start;
    tellClients();
  }

  /** The time as the hosting API writes it. @param offset milliseconds from now. */
  iso(offset = 0): string {
    return new Date(this.#now + offset).toISOString().replace(/\.\d{3}Z$/, 'Z');
  }
}

/** Dates of HTTP and of the APIs have years of four digits. */
const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

function checked(what: string, time: number): number {
  if (time >= first && time <= last) return time;
  throw new RangeError(`${what}: expected a time of the years 0 to 9999`);
}

import { tellClients } from './changes.js';

/** How a clock is exported: stopped at a time, or running. */
export type ClockData =
  | { readonly now: string; readonly ahead?: undefined }
  | { readonly ahead: number; readonly now?: undefined };

/**
 * The emulator's clock. It runs from the present, or is stopped at a fixed time until it is moved. After
 * a change, the clients in this process forget the rate limits and pauses that they know.
 */
export class EmulatorClock {
  readonly #start: ClockData;
  /** The time of a stopped clock. */
  #fixed: number | undefined;
  /** Milliseconds between a running clock and the present. */
  #ahead = 0;

  /**
   * @param start a fixed time, or how far a running clock is ahead. Default: the present, running.
   * @throws {RangeError} if the time is not in the years 0 to 9999
   */
  constructor(start: ClockData = { ahead: 0 }) {
    this.#start = start;
    this.#begin(start);
  }

  /** The emulator's time. */
  get now(): Date {
    return new Date(this.#fixed ?? Date.now() + this.#ahead);
  }

  /** Milliseconds by which a running clock is ahead of the present; undefined if the clock is fixed. */
  get ahead(): number | undefined {
    return this.#fixed === undefined ? this.#ahead : undefined;
  }

  /** Moves the clock forward. @throws {RangeError} beyond the year 9999 */
  advance(milliseconds: number): void {
    this.#move(checked('clock.advance', this.now.getTime() + milliseconds));
  }

  /** Sets the time. A running clock continues from there. @throws {RangeError} if the time is not in the years 0 to 9999 */
  set(time: Date): void {
    this.#move(checked('clock.set', time.getTime()));
  }

  /** Returns to the start: a running clock to the present, a fixed one to its first time. */
  reset(): void {
    this.restore(this.#start);
  }

  /** The time in the hosting API's format. @param offset milliseconds from now. */
  iso(offset = 0): string {
    return new Date(this.now.getTime() + offset).toISOString().replace(/\.\d{3}Z$/, 'Z');
  }

  /** @internal The clock as part of a world. */
  export(): ClockData {
    return this.#fixed === undefined
      ? { ahead: this.#ahead }
      : { now: this.now.toISOString().replace('.000Z', 'Z') };
  }

  /** @internal Sets the clock from a world. */
  restore(data: ClockData): void {
    this.#begin(data);
    tellClients();
  }

  /**
   * @internal Stops the time at a whole second during synchronous work. Otherwise the order of seeded
   * dates would differ from run to run.
   */
  hold<T>(work: () => T): T {
    if (this.#fixed !== undefined) return work();
    this.#fixed = Math.floor(this.now.getTime() / 1000) * 1000;
    try {
      return work();
    } finally {
      this.#fixed = undefined;
    }
  }

  #begin({ now, ahead = 0 }: ClockData): void {
    if (now === undefined) checked('ahead', Date.now() + ahead);
    this.#fixed = now === undefined ? undefined : checked('now', Date.parse(now));
    this.#ahead = ahead;
  }

  #move(time: number): void {
    if (this.#fixed === undefined) this.#ahead = time - Date.now();
    else this.#fixed = time;
    tellClients();
  }
}

/** Dates of HTTP and of the APIs have years of four digits. */
const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads the time of a fixed clock.
 * @param option name of the option, for the error.
 * @throws {RangeError} if it is not a time in the years 0 to 9999
 */
export function fixedClock(time: Date | string, option = 'clock'): ClockData {
  const read = typeof time === 'string' ? parseIso(time) : new Date(time).getTime();
  if (hasFourDigitYear(read)) return { now: new Date(read).toISOString() };
  const rule = "must be a time of the years 0 to 9999 in ISO 8601, such as '2014-06-01T12:00:00Z'";
  throw new RangeError(`${option}: ${rule} (got ${String(time)})`);
}

/** NaN if the text is not a time; `Date.parse` alone accepts many formats, local times and 30 February. */
function parseIso(text: string): number {
  const day = isoTime.exec(text)?.[1];
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(`${day}`)) {
    return Number.NaN;
  }
  return Date.parse(text);
}

/** Whether a time has a year of four digits. */
export function hasFourDigitYear(time: number): boolean {
  return time >= first && time <= last;
}

function checked(what: string, time: number): number {
  if (hasFourDigitYear(time)) return time;
  throw new RangeError(`${what}: must be a time of the years 0 to 9999`);
}

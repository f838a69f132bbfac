/** Clock settings of a world. The clock is fixed if `now` is set. */
export interface ClockData {
  /** Fixed time of the emulator's clock. Default: the clock runs. */
  readonly now?: string | undefined;
  /**
   * Milliseconds by which a running clock is ahead of real time. Ignored if `now` is set. Default:
   * 0.
   */
  readonly ahead?: number | undefined;
}

/**
 * The emulator's clock. Runs from the current time by default, or stays at a fixed time until you
 * move it. Moving the clock doesn't clear a client's stored rate limits and pauses, so create a new
 * client.
 */
export class EmulatorClock {
  readonly #start: ClockData;
  /** Time of a fixed clock, in epoch ms. Undefined if the clock runs. */
  #fixed: number | undefined;
  /** Milliseconds by which a running clock is ahead of real time. */
  #ahead = 0;

  /**
   * @param start a fixed time, or how far a running clock is ahead. Default: a running clock at the
   * current time.
   * @throws {RangeError} if the time is outside the years 0 to 9999.
   */
  constructor(start: ClockData = {}) {
    this.#start = start;
    this.restore(start);
  }

  /** The emulator's current time. */
  get now(): Date {
    return new Date(this.#fixed ?? Date.now() + this.#ahead);
  }

  /**
   * Milliseconds by which a running clock is ahead of real time. Undefined if the clock is fixed.
   */
  get ahead(): number | undefined {
    return this.#fixed === undefined ? this.#ahead : undefined;
  }

  /** Moves the clock forward. @throws {RangeError} if the new time is after the year 9999. */
  advance(milliseconds: number): void {
    this.#move(checkTime('clock.advance', this.now.getTime() + milliseconds));
  }

  /**
   * Sets the time. A running clock continues from the new time.
   * @throws {RangeError} if the time is outside the years 0 to 9999.
   */
  set(time: Date): void {
    this.#move(checkTime('clock.set', time.getTime()));
  }

  /** Resets the clock to its initial setting: a fixed time, or its distance from real time. */
  reset(): void {
    this.restore(this.#start);
  }

  /** Returns the time in the hosting API's format. @param offset Milliseconds to add. */
  iso(offset = 0): string {
    return new Date(this.now.getTime() + offset).toISOString().replace(/\.\d{3}Z$/, 'Z');
  }

  /** @internal Exports the clock as part of a world. */
  export(): ClockData {
    return this.#fixed === undefined
      ? { ahead: this.#ahead }
      : { now: this.now.toISOString().replace('.000Z', 'Z') };
  }

  /** @internal Sets the clock from a world. */
  restore({ now, ahead = 0 }: ClockData): void {
    if (now === undefined) checkTime('ahead', Date.now() + ahead);
    this.#fixed = now === undefined ? undefined : checkTime('now', Date.parse(now));
    this.#ahead = ahead;
  }

  /**
   * @internal Freezes the clock at a whole second while `work` runs, so seeded dates have the same
   * order in each run.
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

  #move(time: number): void {
    if (this.#fixed === undefined) this.#ahead = time - Date.now();
    else this.#fixed = time;
  }
}

/** Earliest and latest times of the clock. Dates in HTTP and in the APIs have four-digit years. */
const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];
/** Matches ISO 8601 dates and times. `Date.parse` also accepts other formats. */
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * Creates settings for a fixed clock.
 * @param option Name of the option, for the error message.
 * @throws {RangeError} if `time` is invalid or outside the years 0 to 9999.
 */
export function fixedClock(time: Date | string, option = 'clock'): ClockData {
  const isTime = typeof time !== 'string' || isoTime.test(time);
  const read = isTime ? new Date(time).getTime() : Number.NaN;
  if (hasFourDigitYear(read)) return { now: new Date(read).toISOString() };
  const rule =
    "must be an ISO 8601 time with a year from 0 to 9999, such as '2014-06-01T12:00:00Z'";
  throw new RangeError(`${option}: ${rule} (got ${String(time)})`);
}

export function hasFourDigitYear(time: number): boolean {
  return time >= first && time <= last;
}

function checkTime(what: string, time: number): number {
  if (hasFourDigitYear(time)) return time;
  throw new RangeError(`${what}: must be a time with a year from 0 to 9999 (got ${time} ms)`);
}

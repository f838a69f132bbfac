/** The emulator's own time: it stands still unless it is told to go on, so that answers repeat exactly. */
export class EmulatorClock {
  readonly #start: number;
  #now: number;

  /** @param start default 2014-06-01T12:00:00Z. */
  constructor(start: Date = new Date(Date.UTC(2014, 5, 1, 12))) {
    this.#start = start.getTime();
    this.#now = this.#start;
  }

  get now(): Date {
    return new Date(this.#now);
  }

  /** Time goes on by so many milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Sets the time. */
  set(time: Date): void {
    this.#now = time.getTime();
  }

  /** Back to where it started. */
  reset(): void {
    this.#now = this.#start;
  }

  /** The time as the hosting API writes it. @param offset milliseconds from now. */
  iso(offset = 0): string {
    return new Date(this.#now + offset).toISOString().replace(/\.\d{3}Z$/, 'Z');
  }
}

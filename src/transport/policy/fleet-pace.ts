/** Who has something is heard of so often at least, in ms, and hears of pauses and of others that wait. */
export const heartbeat = 1000;

/** What lies idle while others may need it is given back after so long, in ms. */
export const idle = 20;

/** Who has a slot that others wait for keeps it for some calls: so long, in ms. */
export const turn = 50;

/** Between two questions of one who waits for what others have, in ms. */
const [firstPoll, lastPoll] = [5, 200];

/** Who is the next to get it waits for less, and who comes behind for so much longer each, in ms. */
const pollByPlace = 20;

/** Where few wait, none waits for long: so long for each of the others, in ms. */
const pollByOther = 1;

/** The clock of what is due, in ms: nobody sets it back. */
export const clock = () => performance.now();

/** When one who waits for what others have asks again: ever more seldom, until it gets something. */
export class Poll {
  #delay = firstPoll;
  #at = 0;

  /** By {@link clock}; 0: at once. */
  get at(): number {
    return this.#at;
  }

  /** Something changed: it may ask sooner, but not for each of many that change together. */
  soon(): void {
    if (this.#at > 0) this.#at = Math.min(this.#at, clock() + firstPoll);
  }

  /** It asked for what comes back late, if at all. */
  rarely(): void {
    this.asked(false, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  /**
   * It asked.
   * @param served it got something, or needed nothing.
   * @param ahead how many others get something before.
   * @param waiting how many others wait.
   */
  asked(served: boolean, ahead: number, waiting: number): void {
    const byPlace = Math.min(pollByPlace * (ahead + 1), pollByOther * waiting);
    const most = Math.min(lastPoll, Math.max(pollByPlace, byPlace));
    // Who comes late begins late: its turn is not near.
    const delay = Math.max(Math.min(most, this.#delay), most / 4);
    this.#at = served ? 0 : clock() + delay;
    this.#delay = served ? firstPoll : delay * 2;
  }
}

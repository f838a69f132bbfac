/** Faults of one file that no test notices, and the one reason why. */
export interface Judgement {
  /** Name of the file in `src/transport`. */
  readonly file: string;
  /** Why they make no difference that a caller could see. */
  readonly why: string;
  /** What stands there → what was put in its place, as `npm run mutate` prints it. */
  readonly faults: readonly string[];
}

/** Each survivor was looked at: what is a hole in the tests gets a test, and the rest stands here. */
export const judged: readonly Judgement[] = [];

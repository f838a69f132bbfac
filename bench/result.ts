/** What one way came to in a case. */
export interface Row {
  readonly name: string;
  /** Of all rounds. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** The middle half of the rounds lies between them. */
  readonly quartiles?: readonly [number, number] | undefined;
  /** To the first row: the median of those to what it took in the same round, so that slow rounds cancel out. */
  readonly ratio: number;
  /** What else is known, by its name: `CPU ms`. */
  readonly more: Readonly<Record<string, number>>;
}

/** One promise about a case, and what came of it. */
export interface Goal {
  /** `≤ 0.90 of the hand loop` */
  readonly goal: string;
  readonly measured: number;
  readonly met: boolean;
}

/** What a number was over the course of one run, for the drawing. */
export interface Curve {
  readonly x: string;
  readonly y: string;
  readonly points: readonly { readonly name: string; readonly x: number; readonly y: number }[];
}

/** One case as it was measured. */
export interface CaseResult {
  readonly title: string;
  /** What was done, and how it was measured. */
  readonly about: string;
  readonly unit: string;
  readonly rounds: number;
  /** When, ISO 8601. */
  readonly at: string;
  readonly machine: string;
  /** The machine's load over a minute, before and after: processes that want to run. */
  readonly load?: readonly [number, number] | undefined;
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
  readonly curve?: Curve | undefined;
}

/** Everything that `results.json` holds, by the name of the case. */
export type Results = Readonly<Record<string, CaseResult>>;

/** A case gives all but what is known of every run. */
export type Measured = Omit<CaseResult, 'at' | 'machine' | 'load'>;

/** The row of a name. @throws an error if the case has none. */
export function findRow(rows: readonly Row[], name: string): Row {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
}

/** A goal that is met at or below a limit. */
export function atMost(limit: number, measured: number, what: string): Goal {
  return { goal: `at most ${what}`, measured, met: measured <= limit };
}

/** A goal that is met at or above a limit. */
export function atLeast(limit: number, measured: number, what: string): Goal {
  return { goal: `at least ${what}`, measured, met: measured >= limit };
}

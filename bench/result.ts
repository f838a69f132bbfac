/** Result of one of the alternatives that a case compares. */
export interface Row {
  readonly name: string;
  /** Median of all rounds. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** First and third quartiles of all rounds. */
  readonly quartiles?: readonly [number, number] | undefined;
  /** Median ratio to the first row in the same round. The ratio cancels the effect of slow rounds. */
  readonly ratio: number;
  /** Additional numbers by name, such as `CPU ms`. */
  readonly more: Readonly<Record<string, number>>;
}

/** Goal of a case, and whether it was met. */
export interface Goal {
  /** The goal as text, such as `at most 0.90 times the handwritten loop's time`. */
  readonly goal: string;
  readonly measured: number;
  readonly met: boolean;
}

/** Result of a case. */
export interface CaseResult {
  readonly title: string;
  /** Description of the measurement. */
  readonly about: string;
  readonly unit: string;
  readonly rounds: number;
  /** Time of the measurement in ISO 8601 format. */
  readonly at: string;
  readonly machine: string;
  /** The machine's one-minute load average, before and after the measurement. */
  readonly load?: readonly [number, number] | undefined;
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
}

/** Results by case name, as in `results.json`. */
export type Results = Readonly<Record<string, CaseResult>>;

/** Result of a case, without the properties that `run.ts` adds. */
export type Measured = Omit<CaseResult, 'at' | 'machine' | 'load'>;

/** Returns the row with the specified name. @throws {Error} if there is no such row. */
export function findRow(rows: readonly Row[], name: string): Row {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
}

/** Returns a goal that is met if a value is at most `limit`. */
export function atMost(limit: number, measured: number, what: string): Goal {
  return { goal: `at most ${what}`, measured, met: measured <= limit };
}

/** Returns a goal that is met if a value is at least `limit`. */
export function atLeast(limit: number, measured: number, what: string): Goal {
  return { goal: `at least ${what}`, measured, met: measured >= limit };
}

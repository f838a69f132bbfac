/** One thing that is known of a server. */
export interface Fact {
  /** What it is about, as `TLS` or `clock`. */
  readonly name: string;
  /** What was found. Holds no secret and no address. */
  readonly value: string;
  /** What is wrong with it, and what helps; undefined where nothing is. */
  readonly problem?: string | undefined;
}

/** Where an answer differs from its model. Holds nothing of the answer but names of fields. */
export interface Difference {
  /** Fields from the outside in; `[]` for the items of an array. */
  readonly path: string;
  /** What the model says. */
  readonly expected: string;
  /** The kind of value that came; `undefined` for a field that is missing. */
  readonly got: string;
}

/**
 * How an endpoint answered: as its model says (`answers`), otherwise (`differs`), with an error
 * (`fails`), with 401 or 403 (`refused`), with a 404 that may mean that there is nothing (`absent`),
 * or not at all, as nothing was found to ask it for (`untried`).
 */
export type EndpointOutcome = 'answers' | 'differs' | 'fails' | 'refused' | 'absent' | 'untried';

/** What became of one GET endpoint. */
export interface EndpointReport {
  /** The method of the client, as `pulls.list`. */
  readonly operation: string;
  /** How it answered. */
  readonly outcome: EndpointOutcome;
  /** Why, where it did not answer as it should. */
  readonly detail?: string | undefined;
  /** Where the answer differs from its model, at most 20 places. */
  readonly differences: readonly Difference[];
}

/** What is known of one of the three interfaces. */
export interface FamilyReport {
  /** Which interface. */
  readonly family: 'hosting' | 'support' | 'console';
  /** Whether it answered at all; else no endpoint was asked. */
  readonly reachable: boolean;
  /** Connection, TLS, clock, limits. */
  readonly facts: readonly Fact[];
  /** Every GET endpoint of the contract, in the order of the client's methods. */
  readonly endpoints: readonly EndpointReport[];
}

/** What `examine` gives. */
export interface DoctorReport {
  /** Nothing is wrong. */
  readonly healthy: boolean;
  /** Version of Node.js. */
  readonly node: string;
  /** The repository whose endpoints were called, as `owner/name`; undefined if none was found. */
  readonly repository?: string | undefined;
  /** The interfaces that were asked for. */
  readonly families: readonly FamilyReport[];
}

/** One thing that is wrong. */
export interface Finding {
  /** Which interface. */
  readonly family: FamilyReport['family'];
  /** A fact or an operation. */
  readonly where: string;
  /** What is wrong. */
  readonly what: string;
}

/** Everything that is wrong, in the order of the report. */
export function findingsOf(families: readonly FamilyReport[]): Finding[] {
  return families.flatMap(({ family, facts, endpoints }) => [
    ...facts.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [{ family, where: name, what: problem }],
    ),
    ...endpoints.flatMap(({ operation, outcome, detail, differences }) => {
      if (outcome !== 'differs' && outcome !== 'fails') return [];
      const places = differences.map(
        ({ path, expected, got }) =>
          `${path === '' ? 'the answer' : path}: expected ${expected}, got ${got}`,
      );
      return [{ family, where: operation, what: [detail ?? [], places].flat().join('; ') }];
    }),
  ]);
}

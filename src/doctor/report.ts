/** Fact about a server. */
export interface Fact {
  /** Subject of the fact, for example `TLS` or `clock`. */
  readonly name: string;
  /** Value that was found. Contains no secret and no address. */
  readonly value: string;
  /** Description of the problem and its solution. Undefined if there is no problem. */
  readonly problem?: string | undefined;
}

/**
 * Difference between a response and its model. Contains nothing from the response except field
 * names.
 */
export interface Difference {
  /** Path of the field in the response. `[]` stands for the items of an array. */
  readonly path: string;
  /** Type required by the model. */
  readonly expected: string;
  /** Type of the received value. `undefined` for a missing field. */
  readonly got: string;
}

/**
 * Outcome of an endpoint:
 * - `works`: the response matches the model;
 * - `differs`: the response differs from the model;
 * - `fails`: the server responded with an error, or not at all;
 * - `rejected`: the server responded with 401 or 403;
 * - `absent`: the server responded with a 404, which may only mean that the requested data doesn't
 *   exist;
 * - `untried`: not called, because no input was found or other credentials are required.
 */
export type EndpointOutcome = 'works' | 'differs' | 'fails' | 'rejected' | 'absent' | 'untried';

/** Result for one GET endpoint. */
export interface EndpointReport {
  /** Method of the client, for example `pulls.list`. */
  readonly operation: string;
  /** Outcome of the call. */
  readonly outcome: EndpointOutcome;
  /** Explanation, if the endpoint didn't respond as expected. */
  readonly detail?: string | undefined;
  /** Differences between the response and its model, at most 20. */
  readonly differences: readonly Difference[];
}

/** Results for one API. */
export interface FamilyReport {
  /** Name of the API. */
  readonly family: 'hosting' | 'support' | 'console';
  /** Whether the server responded. If not, no endpoint was called. */
  readonly reachable: boolean;
  /** Facts about the connection, TLS, the clock and limits. */
  readonly facts: readonly Fact[];
  /** Results for all GET endpoints, in the order of the client's methods. */
  readonly endpoints: readonly EndpointReport[];
}

/** Result of `examine`. */
export interface DoctorReport {
  /** Whether the examination found no problems. */
  readonly healthy: boolean;
  /** Version of Node.js. */
  readonly node: string;
  /** Repository whose endpoints were called, as `owner/name`. Undefined if none was found. */
  readonly repository?: string | undefined;
  /** Results for each examined API. */
  readonly families: readonly FamilyReport[];
}

/** Problem that the examination found. */
export interface Finding {
  /** Name of the API. */
  readonly family: FamilyReport['family'];
  /** Fact or operation that has the problem. */
  readonly where: string;
  /** Description of the problem. */
  readonly what: string;
}

/** Lists all problems in report order. */
export function collectFindings(families: readonly FamilyReport[]): Finding[] {
  return families.flatMap(({ family, facts, endpoints }) => [
    ...facts.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [{ family, where: name, what: problem }],
    ),
    ...endpoints.flatMap(({ operation, outcome, detail, differences }) => {
      if (outcome !== 'differs' && outcome !== 'fails') return [];
      const places = differences.map(
        ({ path, expected, got }) =>
          `${path === '' ? 'the response' : path}: expected ${expected}, got ${got}`,
      );
      return [{ family, where: operation, what: [detail ?? [], places].flat().join('; ') }];
    }),
  ]);
}

import type { EmulatorClock } from './clock.js';
import type { Dataset } from './world/world.js';

/** Constructor options of every family. */
export interface FamilyOptions {
  /** Vendor name in media types, header names and settings keys. */
  readonly vendor: string;
  /** Initial data: true for the seed world, false for none, or a custom world. */
  readonly seed: boolean | Dataset;
  readonly clock: EmulatorClock;
}

/** Parts of a request that routes use. */
export interface RouteRequest {
  readonly request: Request;
  /** Scheme, host and port of the request. URLs in responses start with this origin. */
  readonly origin: string;
  readonly query: URLSearchParams;
}

/** Request as passed to a family. */
export interface FamilyRequest extends RouteRequest {
  readonly method: string;
  /** Raw path below the family's prefix, still percent-encoded. */
  readonly path: string;
  /** Message for a 404 if no route matches. */
  readonly unknownRoute: string;
}

/**
 * One of the APIs that the emulator serves. To add a family, write a class with a `Router` in a new
 * folder. Add the class to the list of families in the `Emulator` constructor. The core records
 * requests, applies faults and adds `Date`. A family owns its state, and `prepare` rebuilds the
 * state from the seed. Use only the clock for time and a seeded `Random` for randomness so that the
 * same requests get the same responses. Stream, count and hash large bodies rather than keeping
 * them in memory.
 */
export interface Family {
  /** Name of the family's client: hosting, support or console. */
  readonly name: string;
  /**
   * Prefixes of this family's paths. The emulator uses the family with the longest matching prefix.
   */
  readonly prefixes: readonly string[];
  /** Responds to a request. @param prefix prefix of this family that the path starts with. */
  respond(request: FamilyRequest, prefix: string): Promise<Response>;
  /** Returns the number of records by kind, for the status page. */
  counts(): Readonly<Record<string, number>>;
  /** Exports the family's part of a world. */
  export(): Dataset;
  /**
   * Builds the initial state, or this family's part of another world, without applying it.
   * @returns a function that applies the state and can't fail.
   * @throws {Error} if the world is invalid.
   */
  prepare(to?: Dataset): () => void;
  /** Finishes or cancels background work. */
  close?(): Promise<void>;
}

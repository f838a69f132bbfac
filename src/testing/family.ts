import type { EmulatorClock } from './clock.js';
import type { Deviations } from './deviations.js';
import type { World } from './world/world.js';

/** What every interface of the emulator is made with. */
export interface FamilyOptions {
  /** The word in media types, header names and settings keys. */
  readonly vendor: string;
  /** Begin with the seed world, with nothing, or with a world of the user's own. */
  readonly seed: boolean | World;
  readonly clock: EmulatorClock;
  readonly deviations: Deviations;
}

/** One request as a family of the emulator sees it. */
export interface FamilyRequest {
  readonly request: Request;
  readonly method: string;
  /** Scheme, host and port it came in by: URLs in answers begin so. */
  readonly origin: string;
  /** The raw path below the family's own prefix, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What to say where no route answers: `emulator: no such route`, with the nearest ones. */
  readonly noSuchRoute: () => NoSuchRoute;
}

/** The body of a 404 for a route that the emulator lacks. */
export interface NoSuchRoute {
  readonly message: string;
  /** Method and path of the routes that come closest. */
  readonly nearest: readonly string[];
}

/**
 * One of the interfaces that the emulator serves. To add one: a class with a `Router` of its own in a
 * folder of its own, made by the constructor of `Emulator` and named in its list of families. The core
 * records requests, breaks them by `fail`, and adds `Date`; state and seeds are the family's, rebuilt by
 * `reset`. Time comes from the clock only, chance from a seeded `Random`: the same requests get the
 * same answers. Big bodies are streamed, counted and hashed, never held.
 */
export interface Family {
  /** As its client is called: hosting, support, console. */
  readonly name: string;
  /** Paths that begin so are this family's; among all families the longest prefix wins. */
  readonly prefixes: readonly string[];
  /** Method and whole path of every route, as `GET /api/v3/user`. */
  readonly routes: readonly string[];
  /** @param prefix the one of its prefixes that the path began with. */
  answer(request: FamilyRequest, prefix: string): Promise<Response>;
  /** How much it holds, by the names of things: for the status page. */
  counts(): Readonly<Record<string, number>>;
  /** Its part of a world. */
  export(): World;
  /**
   * Builds the initial state, or this family's part of another world, without applying it.
   * @returns a function that applies it and can't fail. @throws {Error} if the world is invalid
   */
  prepare(to?: World): () => void;
  /** Waits for, or gives up, what it still does in the background. */
  close?(): Promise<void>;
}

import type { EmulatorClock } from './clock.js';

/** What every interface of the emulator is made with. */
export interface FamilyOptions {
  /** The word in media types, header names and settings keys. */
  readonly vendor: string;
  /** Begin with the seed world, or with nothing. */
  readonly seed: boolean;
  readonly clock: EmulatorClock;
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
  /** @param prefix the one of its prefixes that the path began with. */
  answer(request: FamilyRequest, prefix: string): Promise<Response>;
  /** How much it holds, by the names of things: for the status page. */
  counts(): Readonly<Record<string, number>>;
  /** Back to the state it began with. */
  reset(): void;
  /** Waits for, or gives up, what it still does in the background. */
  close?(): Promise<void>;
}

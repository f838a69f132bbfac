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

/** One of the interfaces that the emulator serves. */
export interface Family {
  /** Paths that begin so are this family's; the longest prefix wins. */
  readonly prefixes: readonly string[];
  answer(request: FamilyRequest, prefix: string): Promise<Response>;
  /** Back to the state it began with. */
  reset(): void;
}

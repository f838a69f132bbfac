/** Values of each option in {@link QuirkOptions}. The first value follows the documentation. */
const choices = {
  consoleNumbers: ['integer', 'string'],
  consoleGroups: ['object', 'null'],
  consoleScheduledTime: ['always', 'scheduled'],
  scopes: ['contract', 'recorded'],
  singlePageLinks: ['contract', 'none'],
} as const;

/** Options for behavior in which some real servers differ from the documentation. Default: as documented. */
export interface QuirkOptions {
  /**
   * Type of `connection_services[].number` in the console's maintenance status. Some servers send
   * `'string'`. Default: `'integer'`.
   */
  readonly consoleNumbers?: 'integer' | 'string' | undefined;
  /**
   * Value of unconfigured groups in the console settings (`ldap`, OAuth). Some servers send
   * `null`, which `'null'` emulates. Default: `'object'`.
   */
  readonly consoleGroups?: 'object' | 'null' | undefined;
  /**
   * When the maintenance status includes `scheduled_time`. Some servers send it only if maintenance
   * is `'scheduled'`. Default: `'always'`.
   */
  readonly consoleScheduledTime?: 'always' | 'scheduled' | undefined;
  /**
   * Access that token scopes grant. With `'recorded'`, `repo` and `public_repo` also grant access
   * to hooks, and `repo` and `user` also grant access to teams. Default: `'contract'`.
   */
  readonly scopes?: 'contract' | 'recorded' | undefined;
  /**
   * Whether lists that fit on one page have a `Link` header. With `'contract'`, only lists of
   * authorizations, hooks and stargazers have it. With `'none'`, no list has it, as on some
   * servers. Default: `'contract'`.
   */
  readonly singlePageLinks?: 'contract' | 'none' | undefined;
}

/** {@link QuirkOptions} with all defaults applied. */
export type Quirks = {
  readonly [K in keyof typeof choices]: (typeof choices)[K][number];
};

export const quirkNames: readonly string[] = Object.keys(choices);

/**
 * Applies the defaults.
 * @param label returns the name of an option for the error message.
 * @throws {RangeError} if an option has an unknown value.
 */
export function resolveQuirks(
  options: QuirkOptions,
  label: (name: string) => string = (name) => name,
): Quirks {
  const given = new Map<string, unknown>(Object.entries(options));
  const chosen = Object.entries(choices).map(([name, known]) => {
    const value = given.get(name) ?? known[0];
    if (known.some((each) => each === value)) return [name, value];
    throw new RangeError(`${label(name)}: must be ${known.join(' or ')} (got ${String(value)})`);
  });
  // `as`: each value was checked against its option's choices.
  return Object.fromEntries(chosen) as Quirks;
}

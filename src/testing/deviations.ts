/** Where real servers were recorded to differ from the contract. The first value is the contract's, and the default. */
const choices = {
  consoleNumbers: ['integer', 'string'],
  consoleGroups: ['object', 'null'],
  consoleScheduledTime: ['always', 'scheduled'],
  scopes: ['contract', 'recorded'],
  singlePageLinks: ['contract', 'none'],
} as const;

/** What is answered where the contract and recorded servers differ. Default: as the contract says. */
export interface DeviationOptions {
  /** `connection_services[].number` of the console's maintenance status. Default `'integer'`; servers were seen to send `'string'`. */
  readonly consoleNumbers?: 'integer' | 'string' | undefined;
  /** Groups of console settings that are not configured (`ldap`, OAuth). Default `'object'`; servers were seen to send `'null'`. */
  readonly consoleGroups?: 'object' | 'null' | undefined;
  /** `scheduled_time` of the maintenance status. Default `'always'`; servers were seen to send it only when it is `'scheduled'`. */
  readonly consoleScheduledTime?: 'always' | 'scheduled' | undefined;
  /** Default `'contract'`; with `'recorded'`, `repo` and `public_repo` also give hooks, and `repo` and `user` also give teams. */
  readonly scopes?: 'contract' | 'recorded' | undefined;
  /** `Link` on lists of one page. Default `'contract'`: on authorizations, hooks and stargazers; servers were seen to send `'none'`. */
  readonly singlePageLinks?: 'contract' | 'none' | undefined;
}

/** The same, complete. */
export type Deviations = {
  readonly [K in keyof typeof choices]: (typeof choices)[K][number];
};

export const deviationNames: readonly string[] = Object.keys(choices);

/**
 * @param label how an error names an option.
 * @throws {RangeError} if an option does not have the value
 */
export function deviationsOf(
  options: DeviationOptions,
  label: (name: string) => string = (name) => name,
): Deviations {
  const given = new Map<string, unknown>(Object.entries(options));
  const chosen = Object.entries(choices).map(([name, known]) => {
    const value = given.get(name) ?? known[0];
    if (known.some((each) => each === value)) return [name, value];
    throw new RangeError(`${label(name)}: expected ${known.join(' or ')}, got ${String(value)}`);
  });
  // `as`: each value is one of those that its name has.
  return Object.fromEntries(chosen) as Deviations;
}

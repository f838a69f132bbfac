import { formatCount } from '../schema/unknown-values.js';

/** Fact about a server, or about the connection to it. */
export interface Fact {
  /** Subject of the fact, for example `TLS` or `clock`. */
  readonly name: string;
  /** Value that was found. Contains no secret and no address. */
  readonly value: string;
  /** Description of the problem and its solution. Undefined if there is no problem. */
  readonly problem?: string | undefined;
}

/** Results for one API. */
export interface FamilyReport {
  /** Name of the API. */
  readonly family: 'hosting' | 'support' | 'console';
  /** Whether the API responded. */
  readonly reachable: boolean;
  /** Facts about the connection, the credentials, limits and the server. */
  readonly facts: readonly Fact[];
}

/** Result of `examine`. */
export interface DoctorReport {
  /** Whether the examination found no problems. */
  readonly healthy: boolean;
  /** Version of triforge. */
  readonly version: string;
  /** Version of Node.js. */
  readonly node: string;
  /** Results for each examined API. */
  readonly families: readonly FamilyReport[];
}

const titles = {
  hosting: 'Hosting API',
  support: 'Support API',
  console: 'Management Console API',
} as const;

/** Formats a report for a terminal, with a table for each API. */
export function formatReport(report: DoctorReport): string {
  const tables = report.families.map(({ family, facts }) => {
    const [first, second] = [
      Math.max(...facts.map(({ name }) => name.length)),
      Math.max(...facts.map(({ value }) => value.length)),
    ];
    const lines = facts.map(({ name, value, problem = '' }) =>
      `  ${name.padEnd(first)}  ${value.padEnd(second)}  ${problem}`.trimEnd(),
    );
    return `${titles[family]}\n${lines.join('\n')}\n`;
  });
  return `${tables.join('\n')}\n${summarize(report)}\n`;
}

function summarize({ families }: DoctorReport): string {
  const count = listProblems(families).length;
  return count === 0 ? 'No problems found.' : `${formatCount(count, 'problem')} found.`;
}

/** Returns the descriptions of all problems. */
export function listProblems(families: readonly FamilyReport[]): string[] {
  return families.flatMap(({ facts }) => facts.flatMap(({ problem }) => problem ?? []));
}

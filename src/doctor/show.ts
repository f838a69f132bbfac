import { formatCount } from '../schema/unknown-values.js';
import {
  collectFindings,
  type DoctorReport,
  type EndpointOutcome,
  type FamilyReport,
} from './report.js';

const titles = {
  hosting: 'Hosting API',
  support: 'Support API',
  console: 'Management Console API',
} as const;

const marks: Readonly<Record<EndpointOutcome, string>> = {
  works: 'ok',
  differs: 'DIFFERS',
  fails: 'FAILS',
  rejected: 'rejected',
  absent: 'not found',
  untried: 'not tried',
};

/**
 * Formats a report for a terminal as the name of the examined repository and a table for each API.
 */
export function formatReport(report: DoctorReport): string {
  const tables = report.families.map(
    (family) => `${titles[family.family]}\n${columns(formatRows(family)).join('\n')}\n`,
  );
  const { repository } = report;
  const examined = repository === undefined ? [] : [`Repository: ${printable(repository)}\n`];
  return `${[...examined, ...tables].join('\n')}\n${summarize(report)}\n`;
}

/** Escapes control and formatting characters in server-chosen text, because a terminal would interpret them. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, encodeURIComponent);
}

/**
 * Formats a report as Markdown for a bug tracker, without addresses, credentials, names or data.
 */
export function formatIssue(report: DoctorReport): string {
  const tables = report.families.map((family) => {
    const rows = formatRows(family).map((row) => `| ${row.map(cell).join(' | ')} |`);
    return `### ${titles[family.family]}\n\n| what | how | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `## triforge-doctor\n\nNode.js ${report.node}, ${process.platform}\n\n${tables.join('\n')}\n${summarize(report)}\n`;
}

/** Returns the name, state and problem of each fact and endpoint. Endpoints that work are only counted. */
function formatRows(family: FamilyReport): (readonly [string, string, string])[] {
  const { facts, endpoints } = family;
  const problems = new Map<string, string[]>();
  for (const { where, what } of collectFindings([family])) {
    problems.set(where, what.split('; '));
  }
  const lines = (name: string, value: string): (readonly [string, string, string])[] => {
    const [first = '', ...others] = problems.get(name) ?? [];
    return [[name, value, first], ...others.map((each) => ['', '', each] as const)];
  };
  const good = endpoints.filter(({ outcome }) => outcome === 'works').length;
  const counted = endpoints.length === 0 ? 'none called' : `${good} of ${endpoints.length} work`;
  return [
    ...facts.flatMap(({ name, value }) => lines(name, value)),
    ['GET endpoints', counted, ''],
    ...endpoints.flatMap(({ operation, outcome, detail }) => {
      if (outcome === 'works') return [];
      if (outcome === 'differs' || outcome === 'fails') return lines(operation, marks[outcome]);
      return [[operation, marks[outcome], detail ?? ''] as const];
    }),
  ];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  return rows.map(([what = '', how = '', wrong = '']) =>
    `  ${what.padEnd(first)}  ${how.padEnd(second)}  ${wrong}`.trimEnd(),
  );
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function summarize({ families }: DoctorReport): string {
  const count = collectFindings(families).length;
  if (count === 0) {
    const outcomes = families.flatMap(({ endpoints }) => endpoints.map(({ outcome }) => outcome));
    const unchecked = outcomes.filter((outcome) => outcome !== 'works').length;
    return unchecked === 0
      ? 'No problems found.'
      : `No problems found, but ${unchecked} of ${outcomes.length} GET endpoints were not checked.`;
  }
  return `${formatCount(count, 'problem')} found.`;
}

import { describe, expect, it } from 'vitest';
import {
  collectFindings,
  type DoctorReport,
  type FamilyReport,
  formatIssue,
  formatReport,
} from '../../src/doctor/index.js';

const shape = { path: 'items[].id', expected: 'number', got: 'string' };

const hosting: FamilyReport = {
  family: 'hosting',
  reachable: true,
  facts: [
    { name: 'TLS', value: 'none', problem: 'use https' },
    { name: 'clock', value: 'in sync' },
  ],
  endpoints: [
    { operation: 'pulls.list', outcome: 'works', differences: [] },
    { operation: 'pulls.get', outcome: 'works', differences: [] },
    {
      operation: 'hooks.list',
      outcome: 'differs',
      differences: [shape, { path: '', expected: '<a | b>', got: 'null' }],
    },
    { operation: 'hooks.get', outcome: 'fails', detail: 'answers 500', differences: [] },
    { operation: 'teams.get', outcome: 'rejected', detail: '403', differences: [] },
    { operation: 'pages.get', outcome: 'absent', detail: '404', differences: [] },
    { operation: 'gists.get', outcome: 'untried', differences: [] },
  ],
};

const support: FamilyReport = {
  family: 'support',
  reachable: false,
  facts: [{ name: 'reachable', value: 'ECONNREFUSED', problem: 'no response' }],
  endpoints: [],
};

/** Server without problems, some of whose endpoints could not be checked. */
const healthy: FamilyReport = {
  ...hosting,
  facts: [],
  endpoints: hosting.endpoints.filter(({ outcome }) => !/^(?:differs|fails)$/.test(outcome)),
};

const report: DoctorReport = { healthy: false, node: 'v22.0.0', families: [hosting, support] };

/** Expected rows, each with a subject, a state and a problem. */
const ofHosting = [
  ['TLS', 'none', 'use https'],
  ['clock', 'in sync', ''],
  ['GET endpoints', '2 of 7 work', ''],
  ['hooks.list', 'DIFFERS', 'items[].id: expected number, got string'],
  ['', '', 'the response: expected <a | b>, got null'],
  ['hooks.get', 'FAILS', 'answers 500'],
  ['teams.get', 'rejected', '403'],
  ['pages.get', 'not found', '404'],
  ['gists.get', 'not tried', ''],
];
const ofSupport = [
  ['reachable', 'ECONNREFUSED', 'no response'],
  ['GET endpoints', 'none called', ''],
];

it('collectFindings() returns only the problems in facts and endpoints', () => {
  expect(collectFindings(report.families)).toEqual([
    { family: 'hosting', where: 'TLS', what: 'use https' },
    {
      family: 'hosting',
      where: 'hooks.list',
      what: 'items[].id: expected number, got string; the response: expected <a | b>, got null',
    },
    { family: 'hosting', where: 'hooks.get', what: 'answers 500' },
    { family: 'support', where: 'reachable', what: 'no response' },
  ]);
});

describe('formatReport()', () => {
  it('formatReport() prints a table with aligned columns for each API', () => {
    const [first = '', second = ''] = formatReport(report).split('\n\n');
    for (const [table, title, rows] of [
      [first, 'Hosting API', ofHosting],
      [second, 'Support API', ofSupport],
    ] as const) {
      const [heading, ...lines] = table.split('\n');
      expect(heading).toBe(title);
      const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
      const [how, wrong] = [2 + width(0) + 2, 2 + width(0) + 2 + width(1) + 2];
      const cells = lines.map((line) => [
        line.slice(2, how).trimEnd(),
        line.slice(how, wrong).trimEnd(),
        line.slice(wrong),
      ]);
      expect(cells).toEqual(rows);
      expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
    }
  });

  it.each([
    [[], 'No problems found.'],
    [[healthy], 'No problems found, but 3 of 5 GET endpoints were not checked.'],
    [[support], '1 problem found.'],
    [[hosting, support], '4 problems found.'],
  ])('formatReport() ends the report with $1', (families, summary) => {
    const lines = formatReport({ ...report, families })
      .trimEnd()
      .split('\n');
    expect(lines.at(-1)).toBe(summary);
  });
});

it('formatIssue() prints the facts and endpoints as Markdown tables', () => {
  const text = formatIssue(report);
  expect(text).toContain('v22.0.0');
  expect(text).toContain(process.platform);
  const tables = text.split(/^### .*$/m).slice(1);
  expect([...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual([
    'Hosting API',
    'Support API',
  ]);
  const cells = tables.map((table) =>
    table
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) =>
        line
          .slice(2, -2)
          .split(/(?<!\\)\| /)
          .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('&lt;', '<')),
      ),
  );
  expect(cells).toEqual([ofHosting, ofSupport]);
  expect(text).not.toContain('<');
  expect(text).toContain('4 problems found.');
});

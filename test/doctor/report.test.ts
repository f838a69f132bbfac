import { describe, expect, it } from 'vitest';
import { type DoctorReport, type FamilyReport, formatReport } from '../../src/doctor/index.js';

const hosting: FamilyReport = {
  family: 'hosting',
  reachable: true,
  facts: [
    { name: 'TLS', value: 'none', problem: 'use <https> | tls' },
    { name: 'clock', value: 'in sync' },
  ],
};

const support: FamilyReport = {
  family: 'support',
  reachable: false,
  facts: [{ name: 'reachable', value: 'ECONNREFUSED', problem: 'no response' }],
};

const healthy: FamilyReport = { ...hosting, facts: [{ name: 'clock', value: 'in sync' }] };

const report: DoctorReport = {
  healthy: false,
  version: '1.2.3',
  node: 'v22.0.0',
  families: [hosting, support],
};

/** Expected rows, each with a subject, a state and a problem. */
const ofHosting = [
  ['TLS', 'none', 'use <https> | tls'],
  ['clock', 'in sync', ''],
];
const ofSupport = [['reachable', 'ECONNREFUSED', 'no response']];

describe('formatReport()', () => {
  it('prints a table with aligned columns for each API', () => {
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
    [[healthy], 'No problems found.'],
    [[support], '1 problem found.'],
    [[hosting, support], '2 problems found.'],
  ])('ends the report with $1', (families, summary) => {
    const lines = formatReport({ ...report, families })
      .trimEnd()
      .split('\n');
    expect(lines.at(-1)).toBe(summary);
  });
});

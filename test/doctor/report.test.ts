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

describe('formatReport()', () => {
  it('prints a table with aligned columns for each API', () => {
    expect(formatReport(report).split('\n').slice(0, 6)).toEqual([
      'Hosting API',
      '  TLS    none     use <https> | tls',
      '  clock  in sync',
      '',
      'Support API',
      '  reachable  ECONNREFUSED  no response',
    ]);
  });

  it.each([
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

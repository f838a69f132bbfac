import { describe, expect, it } from 'vitest';
import { checkGroups, testsOf } from '../../scripts/mutation/files.js';
import { groups } from '../../scripts/mutation/groups.js';
import judged from '../../scripts/mutation/judged.json' with { type: 'json' };
import { report } from '../../scripts/mutation/report.js';
import { resultOf } from '../../scripts/mutation/results.js';
import { type Mutant, survivorsOf } from '../../scripts/mutation/survivors.js';

const source = 'const a = 1;\nreturn a < 2 || {\n  a,\n};\n';

/** A fault in that source, from one place to the other. */
function mutant(status: string, from: [number, number], to: [number, number], replacement: string) {
  return {
    status,
    replacement,
    location: { start: { line: from[0], column: from[1] }, end: { line: to[0], column: to[1] } },
  } satisfies Mutant;
}

const less = mutant('Survived', [2, 8], [2, 13], 'a <= 2');
const object = mutant('NoCoverage', [2, 17], [4, 2], '{}');
const killed = mutant('Killed', [1, 11], [1, 12], '0');

/** A report of one group that has these faults in one file. */
function reported(path: string, mutants: readonly Mutant[]) {
  const files = resultOf({ files: { [path]: { source, mutants } } });
  return report({ webhooks: { commit: 'abc1234', seconds: 90, files } });
}

describe('the report of mutation tests', () => {
  it('shows what stands at a fault and what was put there, by line', () => {
    const found = survivorsOf(source, [object, killed, less]);
    expect(found.map(({ line, fault, reached }) => `${line} ${fault} ${reached}`)).toEqual([
      '2 { a, } → {} false',
      '2 a < 2 → a <= 2 true',
    ]);
  });

  it('counts a hung call as noticed, and what is not reached as not', () => {
    const hung = { ...killed, status: 'Timeout' };
    const ignored = { ...killed, status: 'Ignored' };
    const { score, text } = reported('src/x/y.ts', [killed, hung, less, object, ignored]);
    expect(score).toBe(50);
    expect(text).toContain('**50.0 %** of 4 faults are noticed: 1 by a failing test');
    expect(text).toContain('| `x/y.ts` | 2 | 1 | 1 | 50 |');
  });

  it('says of each group which commit was tried, and which groups were not', () => {
    const { text } = reported('src/x/y.ts', [killed]);
    expect(text).toContain('| webhooks | abc1234 | 2 | 100.0 |');
    expect(text).toMatch(/Not tried yet: support, .*console/);
  });

  it('asks for a reason for each survivor, and tells which reasons of the files stand for none', () => {
    const { unjudged, text } = reported('src/x/y.ts', [less]);
    expect(text).toContain('| `x/y.ts` | ` a < 2 → a <= 2 ` | not looked at yet |');
    expect(unjudged).toEqual(['x/y.ts:2 a < 2 → a <= 2']);
    const path = 'transport/policy/cache.ts';
    const reasons = judged[path].flatMap(({ faults }) => faults.map((fault) => `${path} ${fault}`));
    expect(reported(`src/${path}`, [less]).idle).toEqual(reasons);
  });
});

describe('the groups of mutation tests', () => {
  it('have each file of the sources once, and tests that exist', () => {
    checkGroups();
    for (const group of Object.values(groups)) expect(testsOf(group)).not.toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import judged from '../../scripts/mutation/judged.json' with { type: 'json' };
import { report } from '../../scripts/mutation/report.js';
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

describe('the report of mutation tests', () => {
  it('shows what stands at a fault and what was put there, by line', () => {
    const found = survivorsOf('x.ts', source, [object, killed, less]);
    expect(found.map(({ line, fault }) => `${line} ${fault}`)).toEqual([
      '2 { a, } → {}',
      '2 a < 2 → a <= 2',
    ]);
  });

  it('counts a hung call as noticed, and what is not reached as not', () => {
    const hung = { ...killed, status: 'Timeout' };
    const ignored = { ...killed, status: 'Ignored' };
    const { score, text } = report({
      'src/transport/x.ts': { source, mutants: [killed, hung, less, object, ignored] },
    });
    expect(score).toBe(50);
    expect(text).toContain('**50.0 %** of 4 faults are noticed: 1 by a failing test');
    expect(text).toContain('| `x.ts` | 2 | 1 | 1 | 50 |');
  });

  it('asks for a reason for each survivor, and tells which reasons stand for none', () => {
    const { unjudged, idle, text } = report({ 'src/transport/x.ts': { source, mutants: [less] } });
    expect(text).toContain('| `x.ts` | ` a < 2 → a <= 2 ` | not looked at yet |');
    const reasons = Object.entries(judged).flatMap(([file, judgements]) =>
      judgements.flatMap(({ faults }) => faults.map((fault) => `${file} ${fault}`)),
    );
    expect(unjudged).toEqual(['x.ts:2 a < 2 → a <= 2']);
    expect(idle).toEqual(reasons);
  });
});

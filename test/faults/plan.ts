import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Candidate, candidates } from './candidates.js';

export interface Fault extends Candidate {
  readonly id: number;
}

export const readPlan = (folder: string): Fault[] =>
  JSON.parse(readFileSync(`${folder}/plan.json`, 'utf8'));

const sources = () =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => `src/${file}`)
    .sort();

/** Returns the fault's position in the current sources, even if its file was edited or renamed. */
export function located(fault: Fault): Candidate | undefined {
  const same = (file: string) =>
    candidates(file)
      .filter((c) => c.kind === fault.kind && c.context === fault.context)
      .sort((a, b) => Math.abs(a.at - fault.at) - Math.abs(b.at - fault.at))[0];
  const here = existsSync(fault.file) && same(fault.file);
  if (here) return here;
  for (const file of sources()) {
    const there = same(file);
    if (there) return there;
  }
  return undefined;
}

/** Writes a plan with a fault in each file, and further faults in proportion to the code lines. */
export function writePlan(folder: string, count: number): void {
  const random = generator(54);
  const files = sources()
    .map((file) => ({ left: candidates(file), lines: codeLines(file) }))
    .filter(({ left }) => left.length > 0);
  const chosen: Candidate[] = [];
  // Chooses a kind first, because most of the possible faults are in string literals.
  const take = ({ left }: (typeof files)[number]) => {
    const kinds = [...new Set(left.map(({ kind }) => kind))];
    const kind = kinds[Math.floor(random() * kinds.length)];
    const some = left.filter((candidate) => candidate.kind === kind);
    const one = some[Math.floor(random() * some.length)];
    if (!one) return;
    left.splice(left.indexOf(one), 1);
    chosen.push(one);
  };
  for (const file of files) take(file);
  const total = files.reduce((sum, { lines }) => sum + lines, 0);
  while (chosen.length < count) {
    let rest = random() * total;
    const file = files.find(({ lines }) => {
      rest -= lines;
      return rest < 0;
    });
    if (file) take(file);
  }
  const lines = chosen
    .sort((a, b) => a.file.localeCompare(b.file) || a.at - b.at)
    .map((candidate, id) => JSON.stringify({ id, ...candidate }));
  writeFileSync(`${folder}/plan.json`, `[\n${lines.join(',\n')}\n]\n`);
}

const codeLines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;

/** Creates the linear congruential generator from *Numerical Recipes*. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

import { basename } from 'node:path';
import { idleReasons, type Mutant, type Survivor, survivorsOf } from './survivors.js';

/** The files of a report, as the mutation testing report schema has them. */
export type Mutated = Readonly<
  Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
>;

interface Count {
  readonly noticed: number;
  readonly hung: number;
  readonly survived: number;
  readonly untested: number;
}

function count(mutants: readonly Mutant[]): Count {
  const of = (status: string) => mutants.filter((each) => each.status === status).length;
  return {
    noticed: of('Killed'),
    hung: of('Timeout'),
    survived: of('Survived'),
    untested: of('NoCoverage'),
  };
}

function scoreOf({ noticed, hung, survived, untested }: Count): number {
  const all = noticed + hung + survived + untested;
  return all === 0 ? 100 : (100 * (noticed + hung)) / all;
}

function row(name: string, of: Count): string {
  const { noticed, hung, survived, untested } = of;
  return `| ${name} | ${noticed + hung} | ${survived} | ${untested} | ${scoreOf(of).toFixed(0)} |`;
}

/** What comes of all groups. */
export interface MutationReport {
  /** The page of the results. */
  readonly text: string;
  /** The share of faults that some test notices, in percent. */
  readonly score: number;
  /** Survivors that nobody has judged. */
  readonly unjudged: readonly string[];
  /** Reasons that stand for no survivor: to be taken out. */
  readonly idle: readonly string[];
}

/** Puts the results together with what is known of those that no test notices. */
export function report(files: Mutated): MutationReport {
  const byName = Object.entries(files)
    .map(([path, tried]) => ({ name: basename(path), ...tried }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const all = count(byName.flatMap(({ mutants }) => mutants));
  const score = scoreOf(all);
  const survivors = byName.flatMap(({ name, source, mutants }) =>
    survivorsOf(name, source, mutants),
  );
  const text = `# Mutation testing

Written by \`npm run mutate\`: [Stryker](https://stryker-mutator.io) tries faults in \`src/transport\`,
one at a time (a condition turned, a bound moved, a call left out, a text emptied), and runs the tests
that pass there. A fault that no test notices is a hole in the tests, or makes no difference.

**${score.toFixed(1)} %** of ${all.noticed + all.hung + all.survived + all.untested} faults are noticed: ${all.noticed} by a failing test,
${all.hung} by a call that never ends, ${all.survived} are not, and ${all.untested} stand where none of these tests comes by.
Faults in what is made once, when a module is loaded, are left out: each would need a process of its own.

| File | noticed | not noticed | not reached | % |
| --- | ---: | ---: | ---: | ---: |
${byName.map(({ name, mutants }) => row(`\`${name}\``, count(mutants))).join('\n')}

## What no test notices

Each was looked at. What was a hole in the tests got a test; these make no difference that a caller could see.

| File | Fault | Why nobody can tell |
| --- | --- | --- |
${survivors.map(survivorRow).join('\n')}
`;
  const unjudged = survivors
    .filter(({ why }) => why === undefined)
    .map(({ file, line, fault }) => `${file}:${line} ${fault}`);
  return { text, score, unjudged, idle: idleReasons(survivors) };
}

function survivorRow({ file, fault, why }: Survivor): string {
  return `| \`${file}\` | ${code(fault)} | ${why ?? 'not looked at yet'} |`;
}

/** Code in a cell of a table, whatever ticks and bars it has. */
function code(text: string): string {
  const ticks = text.includes('`') ? '``' : '`';
  return `${ticks} ${text.replaceAll('|', '\\|')} ${ticks}`;
}

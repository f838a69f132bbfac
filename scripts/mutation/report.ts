import { basename } from 'node:path';

/** The files of a report, as the mutation testing report schema has them. */
export type Mutated = Readonly<
  Record<string, { readonly mutants: readonly { readonly status: string }[] }>
>;

interface Count {
  readonly noticed: number;
  readonly hung: number;
  readonly survived: number;
  readonly untested: number;
}

function count(mutants: readonly { readonly status: string }[]): Count {
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

/** The page of the results, and the share of faults that some test notices, in percent. */
export function report(files: Mutated): { text: string; score: number } {
  const all = count(Object.values(files).flatMap(({ mutants }) => mutants));
  const rows = Object.entries(files)
    .map(([path, { mutants }]) => ({ name: basename(path), of: count(mutants) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const score = scoreOf(all);
  const text = `# Mutation testing

Written by \`npm run mutate\`: [Stryker](https://stryker-mutator.io) tries faults in \`src/transport\`,
one at a time (a condition turned, a bound moved, a call left out, a text emptied), and runs the tests
that pass there. A fault that no test notices is a hole in the tests, or makes no difference.

**${score.toFixed(1)} %** of ${all.noticed + all.hung + all.survived + all.untested} faults are noticed: ${all.noticed} by a failing test,
${all.hung} by a call that never ends, ${all.survived} are not, and ${all.untested} stand where none of these tests comes by.
Faults in what is made once, when a module is loaded, are left out: each would need a process of its own.

| File | noticed | not noticed | not reached | % |
| --- | ---: | ---: | ---: | ---: |
${rows.map(({ name, of }) => row(`\`${name}\``, of)).join('\n')}
`;
  return { text, score };
}

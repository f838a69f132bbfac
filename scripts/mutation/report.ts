import { groups } from './groups.js';
import judged from './judged.json' with { type: 'json' };
import type { FileResult, GroupResult } from './results.js';

/** Why a fault makes no difference that a caller could see: reasons of judged.json, by file and fault. */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(judged).flatMap(([file, judgements]) =>
    judgements.flatMap(({ why, faults }) =>
      faults.map((fault): [string, string] => [`${file} ${fault}`, why]),
    ),
  ),
);

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

type Named = FileResult & { readonly path: string };

function scoreOf(files: readonly FileResult[]): number {
  const seen = sum(files, ({ noticed, hung }) => noticed + hung);
  const all = seen + sum(files, ({ survived }) => survived.length);
  return all === 0 ? 100 : (100 * seen) / all;
}

function sum(files: readonly FileResult[], of: (file: FileResult) => number): number {
  return files.reduce((total, file) => total + of(file), 0);
}

/** Puts the results together with what is known of those that no test notices. */
export function report(results: Readonly<Record<string, GroupResult>>): MutationReport {
  const files: readonly Named[] = Object.values(results)
    .flatMap((group) => Object.entries(group.files).map(([path, of]) => ({ path, ...of })))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const score = scoreOf(files);
  const noticed = sum(files, (file) => file.noticed);
  const hung = sum(files, (file) => file.hung);
  const survived = sum(files, (file) => file.survived.length);
  const missing = Object.keys(groups).filter((group) => !results[group]);
  const survivors = files.flatMap(({ path, survived }) =>
    survived.map((each) => ({ path, ...each })),
  );
  const keys = new Set(survivors.map(({ path, fault }) => `${path} ${fault}`));
  const tried = new Set(files.map(({ path }) => path));
  const text = `# Mutation testing

Written by \`npm run mutate\`: [Stryker](https://stryker-mutator.io) tries faults in \`src\`, one at a time
(a condition turned, a bound moved, a call left out, a text emptied), and runs the tests that pass
there. A fault that no test notices is a hole in the tests, or makes no difference.

**${score.toFixed(1)} %** of ${noticed + hung + survived} faults are noticed: ${noticed} by a failing test,
${hung} by a call that never ends; ${survived} are not.
Left out are faults in what is made once, when a module is loaded (each would need a process of its own),
in the words of errors, which tests do not hold, and in the known values of open enumerations, which only types know.

## Groups

Files are tried in groups, each with the tests nearest to them, on two cores. \`npm run mutate -- GROUP\` renews one:
what has changed is tried again. The minutes are those of its last run from scratch.

| Group | commit | minutes | % |
| --- | --- | ---: | ---: |
${Object.entries(results).map(groupRow).join('\n')}
${missing.length > 0 ? `\nNot tried yet: ${missing.join(', ')}.\n` : ''}
## Files

| File | noticed | not noticed | not reached | % |
| --- | ---: | ---: | ---: | ---: |
${files.map(fileRow).join('\n')}

## What no test notices

What has a reason makes no difference that a caller could see.

| File | Fault | Why nobody can tell |
| --- | --- | --- |
${survivors.map(({ path, fault }) => `| \`${path}\` | ${code(fault)} | ${reasons.get(`${path} ${fault}`) ?? 'not looked at yet'} |`).join('\n')}
`;
  return {
    text,
    score,
    unjudged: survivors
      .filter(({ path, fault }) => !reasons.has(`${path} ${fault}`))
      .map(({ path, line, fault }) => `${path}:${line} ${fault}`),
    idle: [...reasons.keys()].filter(
      (key) => tried.has(key.slice(0, key.indexOf(' '))) && !keys.has(key),
    ),
  };
}

function groupRow([name, { commit, seconds, files }]: [string, GroupResult]): string {
  return `| ${name} | ${commit} | ${(seconds / 60).toFixed(0)} | ${scoreOf(Object.values(files)).toFixed(1)} |`;
}

function fileRow(file: Named): string {
  const { path, noticed, hung, survived } = file;
  const reached = survived.filter((each) => each.reached).length;
  return `| \`${path}\` | ${noticed + hung} | ${reached} | ${survived.length - reached} | ${scoreOf([file]).toFixed(0)} |`;
}

/** Code in a cell of a table, whatever ticks and bars it has. */
function code(text: string): string {
  const ticks = text.includes('`') ? '``' : '`';
  return `${ticks} ${text.replaceAll('|', '\\|')} ${ticks}`;
}

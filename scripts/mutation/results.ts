import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { groups } from './groups.js';
import { type Mutant, type Survivor, survivorsOf } from './survivors.js';

/** How the faults of one file ended. */
export interface FileResult {
  /** By a failing test. */
  readonly noticed: number;
  /** By a call that never ends. */
  readonly hung: number;
  /** Those that no test notices. */
  readonly survived: readonly Survivor[];
}

/** What one run of a group found: kept in the repository, so that groups can be renewed one by one. */
export interface GroupResult {
  /** The commit that was tried. */
  readonly commit: string;
  /** From the start of Stryker to its end, in the last run from scratch. */
  readonly seconds: number;
  /** Files by their path below `src`; those without a fault to try are left out. */
  readonly files: Readonly<Record<string, FileResult>>;
}

/** What Stryker's JSON reporter writes, by the mutation testing report schema. */
export interface StrykerReport {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
  >;
}

const folder = fileURLToPath(new URL('results/', import.meta.url));

/** Takes from Stryker's report what is kept. */
export function resultOf({ files }: StrykerReport): GroupResult['files'] {
  const tried = Object.entries(files).map(([path, { source, mutants }]): [string, FileResult] => {
    const of = (status: string) => mutants.filter((each) => each.status === status).length;
    const survived = survivorsOf(source, mutants);
    return [path.replace(/^src\//, ''), { noticed: of('Killed'), hung: of('Timeout'), survived }];
  });
  return Object.fromEntries(
    tried
      .filter(([, { noticed, hung, survived }]) => noticed + hung + survived.length > 0)
      .sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
}

/** Keeps what a run of a group found. */
export function keep(group: string, result: GroupResult): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${group}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

/** All that is kept, by group; groups that were never tried are left out. */
export function kept(): Readonly<Record<string, GroupResult>> {
  const tried = Object.keys(groups).filter((group) => existsSync(`${folder}${group}.json`));
  return Object.fromEntries(
    tried.map((group): [string, GroupResult] => [
      group,
      // `as`: what `keep` wrote.
      JSON.parse(readFileSync(`${folder}${group}.json`, 'utf8')) as GroupResult,
    ]),
  );
}

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Group, groups } from './groups.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files below a folder of the project, by their path in it. */
function below(folder: string, end: string): readonly string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.endsWith('.d.ts'))
    .sort();
}

function matches(name: string, pattern: string): boolean {
  if (pattern.endsWith('/')) return name.startsWith(pattern);
  if (!pattern.endsWith('*')) return name === pattern;
  const folder = pattern.slice(0, -1);
  return name.startsWith(folder) && !name.slice(folder.length).includes('/');
}

function found(patterns: readonly string[], folder: string, end: string): readonly string[] {
  const names = below(folder, end).map((name) => name.slice(0, -end.length));
  return patterns.flatMap((pattern) => {
    const some = names.filter((name) => matches(name, pattern));
    if (some.length === 0) throw new Error(`nothing in ${folder} is ${pattern}: see groups.ts`);
    return some.map((name) => `${folder}/${name}${end}`);
  });
}

/** The sources of a group. */
export function sourcesOf({ files }: Group): readonly string[] {
  return found(files, 'src', '.ts');
}

/** The tests of a group, in the order they run. */
export function testsOf({ tests }: Group): readonly string[] {
  return [...new Set(found(tests, 'test', '.test.ts'))];
}

/** A file that is in no group would never be tried, one in two would be counted twice. */
export function checkGroups(): void {
  const grouped = Object.values(groups).flatMap(sourcesOf);
  const amiss = below('src', '.ts')
    .map((name) => `src/${name}`)
    .filter((name) => grouped.filter((each) => each === name).length !== 1);
  if (amiss.length > 0)
    throw new Error(`not in exactly one group of groups.ts: ${amiss.join(', ')}`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Layer, layers } from './table.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');

/** Files of TypeScript below `src`, as `hosting/client.ts`. */
export const files: readonly string[] = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
  .sort();

/** Their folders, without `src` itself. */
export const folders: readonly string[] = [
  ...new Set(files.map((file) => posix.dirname(file)).filter((folder) => folder !== '.')),
];

/** The layer of a file or folder: the innermost that holds it; undefined where the table has none. */
export function layerOf(path: string): Layer | undefined {
  return layers
    .filter((layer) => path === layer.path || path.startsWith(`${layer.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** An import of one file of ours by another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Every import between files of `src`. */
export function arrows(): Arrow[] {
  return files.flatMap((from) => {
    const text = readFileSync(join(src, from), 'utf8');
    const found = text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)\.js'/gm);
    return [...found].map(([, specifier = '']) => ({
      from,
      to: `${relative(src, resolve(src, dirname(from), specifier)).replaceAll(sep, '/')}.ts`,
    }));
  });
}

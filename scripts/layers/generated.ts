import { posix } from 'node:path';
import { files, folders, layerOf } from './imports.js';
import { base, type Layer, layers } from './table.js';

const marks = ['<!-- layers: made by `npm run docs:layers` -->', '<!-- /layers -->'] as const;

/** The linter's rule for each folder: what it may not import is all but its own layer and the layers of the table. */
export function overrides(): object[] {
  const inFiles = files.filter((file) => !file.includes('/'));
  return [...inFiles, ...folders].map((place) => {
    const layer = layerOf(place);
    if (!layer) throw new Error(`src/${place} is in no layer of scripts/layers/table.ts`);
    const from = place.endsWith('.ts') ? '.' : place;
    const allowed = [layer.path, ...layer.imports].flatMap((path) => specifiers(from, path));
    return {
      includes: [place.endsWith('.ts') ? `src/${place}` : `src/${place}/*.ts`],
      linter: {
        rules: {
          style: {
            noRestrictedImports: {
              level: 'error',
              options: {
                patterns: [
                  {
                    group: ['./**', '../**', ...allowed.map((each) => `!${each}`)],
                    message: `${layer.path} may import ${layer.imports.join(', ') || 'no other layer'}: see docs/architecture.md.`,
                  },
                ],
              },
            },
          },
        },
      },
    };
  });
}

/** How files in a folder name those of a layer, its folders that are no layers of their own included. */
function specifiers(from: string, path: string): string[] {
  if (path.endsWith('.ts')) return [dotted(posix.relative(from, path.replace(/\.ts$/, '.js')))];
  return folders
    .filter((folder) => layerOf(folder)?.path === path)
    .map((folder) => dotted(posix.join(posix.relative(from, folder), '*.js')));
}

function dotted(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}

/** The linter's settings with the rules of the table in place of those that stood there. */
export function withOverrides(biome: string): string {
  const settings: object = JSON.parse(biome);
  return `${JSON.stringify({ ...settings, overrides: overrides() }, undefined, 2)}\n`;
}

/** The page with the table between its marks. */
export function withTable(page: string): string {
  const [begin, end] = marks;
  const before = page.indexOf(begin);
  const after = page.indexOf(end);
  if (before < 0 || after < before)
    throw new Error('docs/architecture.md has no place for the table');
  return `${page.slice(0, before)}${begin}\n\n${table()}\n${page.slice(after)}`;
}

function table(): string {
  const rows = layers.map((layer) => `| \`${layer.path}\` | ${layer.holds} | ${shown(layer)} |`);
  return ['| layer | holds | may import |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** What a layer may import; the layers that nearly all build on are named once, in the page's text. */
function shown({ imports }: Layer): string {
  const whole = base.every((path) => imports.includes(path));
  const rest = imports.filter((path) => !(whole && base.includes(path)));
  return [...rest.map((path) => `\`${path}\``), ...(whole ? ['the base'] : [])].join(', ') || '–';
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');

/** A row in the layer table in docs/architecture.md. */
interface Layer {
  readonly path: string;
  readonly imports: readonly string[];
}

/** Layers that the table calls "the base". */
const base = ['option-names.ts', 'errors', 'response-info.ts', 'schema', 'masks'];

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const layers: readonly Layer[] = [...page.matchAll(/^\| `([^`]+)` \| .* \| (.*) \|$/gm)].flatMap(
  ([, path = '', cell = '']) => {
    const isLayer = cell === '–' || cell.includes('the base') || /^`[\w./-]+`(, `|$)/.test(cell);
    const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return isLayer
      ? [{ path, imports: cell.endsWith('the base') ? [...named, ...base] : named }]
      : [];
  },
);

/** TypeScript files in `src`, such as `hosting/client.ts`. */
const files: readonly string[] = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
  .sort();

/** Folders that contain these files, except `src`. */
const folders = [
  ...new Set(files.map((file) => posix.dirname(file)).filter((folder) => folder !== '.')),
];

/** Returns the innermost layer that contains a file or folder. */
function findLayer(path: string): Layer | undefined {
  return layers
    .filter((layer) => path === layer.path || path.startsWith(`${layer.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** Returns all imports between files in `src`. */
function imports(): { readonly from: string; readonly to: string }[] {
  return files.flatMap((from) => {
    const text = readFileSync(join(src, from), 'utf8');
    const found = text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)\.js'/gm);
    return [...found].map(([, specifier = '']) => ({
      from,
      to: `${relative(src, resolve(src, dirname(from), specifier)).replaceAll(sep, '/')}.ts`,
    }));
  });
}

describe('layer table in docs/architecture.md', () => {
  it('the layer table in docs/architecture.md covers every file and folder in src', () => {
    const places = [...files, ...folders];
    expect(places.filter((place) => !findLayer(place))).toEqual([]);
    expect(layers.filter(({ path }) => !places.includes(path))).toEqual([]);
  });

  it('the layer table in docs/architecture.md lets layers import only from lower layers', () => {
    const order = new Map(layers.map(({ path }, index) => [path, index]));
    const upwards = layers.flatMap(({ path, imports: targets }, index) =>
      targets.filter((each) => (order.get(each) ?? -1) <= index).map((each) => `${path} → ${each}`),
    );
    expect(upwards).toEqual([]);
  });

  it('the layer table in docs/architecture.md allows every import in src', () => {
    const all = imports();
    expect(all.length).toBeGreaterThan(files.length);
    expect(all.filter(({ to }) => !files.includes(to))).toEqual([]);
    const forbidden = all.filter(({ from, to }) => {
      const [layer, target] = [findLayer(from), findLayer(to)];
      return !layer || !target || (layer !== target && !layer.imports.includes(target.path));
    });
    expect(forbidden).toEqual([]);
  });
});

it('docs/architecture.md names only source files that exist', () => {
  const known = ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${folder}/${file.replaceAll(sep, '/')}`,
    ),
  );
  known.push(...readdirSync(root).map((file) => `/${file}`));
  const named = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !known.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

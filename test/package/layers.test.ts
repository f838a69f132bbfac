import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');

/** A row in the layer table in docs/architecture.md. */
interface Layer {
  /** Number or name in the first column. */
  readonly name: string;
  /** Files and folders of the layer. */
  readonly paths: readonly string[];
  /** Names of the layers that it may import. */
  readonly imports: readonly string[];
}

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const row = /^\| (\w+) \| (`[^|]+`) \| .* \| ([^|]*) \|$/gm;
const layers: readonly Layer[] = [...page.matchAll(row)].map(
  ([, name = '', paths = '', imports = '']) => ({
    name,
    paths: [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    imports: imports === '–' ? [] : imports.split(', '),
  }),
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

/** Returns the layer with the longest path that contains a file or folder. */
function findLayer(place: string): Layer | undefined {
  return layers
    .flatMap((layer) => layer.paths.map((path) => ({ layer, path })))
    .filter(({ path }) => place === path || place.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0]?.layer;
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

describe('the layer table in docs/architecture.md', () => {
  it('covers every file and folder in src, and nothing else', () => {
    const places = [...files, ...folders];
    expect(places.filter((place) => !findLayer(place))).toEqual([]);
    const paths = layers.flatMap((layer) => layer.paths);
    expect(paths.filter((path) => !places.includes(path))).toEqual([]);
  });

  it('has at most 20 rows, and each layer imports only from rows below its own', () => {
    expect(layers.length).toBeGreaterThan(10);
    expect(layers.length).toBeLessThanOrEqual(20);
    const order = layers.map(({ name }) => name);
    const upwards = layers.flatMap(({ name, imports }, index) =>
      imports.filter((each) => order.indexOf(each) <= index).map((each) => `${name} → ${each}`),
    );
    expect(upwards).toEqual([]);
  });

  it('allows every import in src', () => {
    const all = imports();
    expect(all.length).toBeGreaterThan(files.length);
    expect(all.filter(({ to }) => !files.includes(to))).toEqual([]);
    const forbidden = all.filter(({ from, to }) => {
      const [layer, target] = [findLayer(from), findLayer(to)];
      return !layer || !target || (layer !== target && !layer.imports.includes(target.name));
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overrides, withTable } from '../../scripts/layers/generated.js';
import { arrows, files, folders, layerOf, root } from '../../scripts/layers/imports.js';
import { layers } from '../../scripts/layers/table.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const order = new Map(layers.map(({ path }, index) => [path, index]));

test('every folder and file of src is in a layer, and every layer is there', () => {
  const places = [...files, ...folders];
  expect(places.filter((place) => !layerOf(place))).toEqual([]);
  expect(layers.filter(({ path }) => !places.includes(path))).toEqual([]);
});

test('a layer may only import layers further down in the table', () => {
  const upwards = layers.flatMap(({ path, imports }, index) =>
    imports.filter((each) => (order.get(each) ?? -1) <= index).map((each) => `${path} → ${each}`),
  );
  expect(upwards).toEqual([]);
});

test('the imports of src go where the table lets them, so that there is no circle of layers', () => {
  const all = arrows();
  expect(all.length).toBeGreaterThan(files.length);
  expect(all.filter(({ to }) => !files.includes(to))).toEqual([]);
  const wrong = all.filter(({ from, to }) => {
    const [layer, target] = [layerOf(from), layerOf(to)];
    return !layer || !target || (layer !== target && !layer.imports.includes(target.path));
  });
  expect(wrong).toEqual([]);
});

test('the linter and docs/architecture.md have the table (npm run docs:layers)', () => {
  expect(JSON.parse(read('biome.json')).overrides).toEqual(overrides());
  const page = read('docs/architecture.md');
  expect(page).toBe(withTable(page));
});

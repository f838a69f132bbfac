import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorClasses, errorList } from '../../scripts/docs/error-list.js';
import { sourceProgram } from '../../scripts/docs/source-docs.js';
import * as exported from '../../src/index.js';
import { readMarkdown } from './markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const classes = errorClasses(sourceProgram(root));

test('docs/errors.md matches the output of `npm run docs:errors`', () => {
  expect(readFileSync(`${root}docs/errors.md`, 'utf8')).toBe(errorList(root));
});

test('docs/errors.md contains every exported error class except the base classes', () => {
  const importable = Object.entries(exported)
    .filter(([name, value]) => typeof value === 'function' && name.endsWith('Error'))
    .map(([name]) => name)
    .filter((name) => name !== 'TriforgeError' && name !== 'ApiError' && !name.startsWith('is'));
  expect(new Set(classes.map(({ name }) => name))).toEqual(new Set(importable));
});

test("error.docs links to the class's section in docs/errors.md", () => {
  const page = readFileSync(`${root}docs/errors.md`, 'utf8');
  const error = new exported.InvalidRequestError('no', { field: 'a' });
  expect(error.docs).toBe('docs/errors.md#invalidrequesterror');
  const named = classes.map(({ name }) => `docs/errors.md#${name.toLowerCase()}`);
  const found = [...readMarkdown(page).anchors].map((anchor) => `docs/errors.md#${anchor}`);
  expect(found).toEqual(expect.arrayContaining(named));
  expect(Object.keys(error)).not.toContain('docs');
});

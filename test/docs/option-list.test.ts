import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { optionList } from '../../scripts/docs/option-list.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('docs/options.md matches the output of `npm run docs:options`', () => {
  expect(readFileSync(`${root}docs/options.md`, 'utf8')).toBe(optionList(root));
});

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiReports } from './api-report.js';

const reports = apiReports(fileURLToPath(new URL('../..', import.meta.url)));

test.each([...reports])(
  'the API report of %s is up to date (npm run docs:api)',
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(`api-report/${name}.txt`);
  },
);

test('every API report belongs to an entry point', () => {
  const names = readdirSync(new URL('api-report', import.meta.url));
  expect(new Set(names)).toEqual(new Set([...reports.keys()].map((name) => `${name}.txt`)));
});

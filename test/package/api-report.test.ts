import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiReports } from '../../scripts/docs/api-report.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}test/package/api-report`;

test('the API reports match the output of `npm run docs:api`', () => {
  const reports = apiReports(root);
  expect(readdirSync(folder).sort((a, b) => a.localeCompare(b))).toEqual(
    [...reports.keys()].map((name) => `${name}.txt`).sort((a, b) => a.localeCompare(b)),
  );
  for (const [name, text] of reports) {
    expect(readFileSync(`${folder}/${name}.txt`, 'utf8'), name).toBe(text);
  }
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Results } from '../../bench/result.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the chart on the home page shows the stored benchmark results', () => {
  // `as`: the benchmark wrote the file with this type.
  const { users } = JSON.parse(read('bench/results.json')) as Results;
  const clients = ['triforge', 'axios', 'ky', 'octokit', 'got'];
  const rows = users?.rows.filter(({ name }) => clients.includes(name)) ?? [];
  const slowest = Math.max(...rows.map(({ median }) => median));
  const expected = rows
    .sort((a, b) => a.median - b.median)
    .map(({ name, median }) => {
      const client = name === 'octokit' ? '@octokit/rest' : name;
      const width = Math.round((median / slowest) * 100);
      return `| ${client} | ${Math.round(median)} | <i style="width: ${width}%"></i> |`;
    });
  const chart = read('docs/index.md').match(/^\|.*<i style.*$/gm);
  expect(expected).toHaveLength(clients.length);
  expect(chart).toEqual(expected);
});

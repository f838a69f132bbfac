import { peerNames, setups } from '../peers/index.js';
import type { CaseResult, Results } from '../result.js';
import { digits } from '../statistics.js';

function table(lines: readonly (readonly string[])[]): string {
  const [heading = [], ...body] = lines;
  return [heading, heading.map(() => '---'), ...body]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function section(result: CaseResult): string {
  const extras = [...new Set(result.rows.flatMap((row) => Object.keys(row.more)))];
  const first = result.rows[0]?.name ?? '';
  const rows = result.rows.map((row) => [
    row.name,
    digits(row.median),
    result.rounds > 1 ? `${digits(row.min)} – ${digits(row.max)}` : '',
    digits(row.ratio),
    ...extras.map((key) => (key in row.more ? digits(row.more[key] ?? Number.NaN) : '')),
  ]);
  const heading = ['', `Median, ${result.unit}`, 'Least – most', `Ratio to ${first}`, ...extras];
  const rounds = result.rounds > 1 ? `${result.rounds} rounds` : 'Measured once';
  return [
    `## ${result.title}`,
    `${result.about} ${rounds}, ${result.at.slice(0, 10)}, ${result.machine}.`,
    table([heading, ...rows]),
  ].join('\n\n');
}

/** The whole page, from everything that was ever measured and kept. */
export function page(results: Results): string {
  const all = Object.values(results);
  const goals = all.flatMap((result) =>
    result.goals.map(({ goal, measured, met }) => [
      result.title,
      goal,
      digits(measured),
      met ? 'met' : '**not met**',
    ]),
  );
  const peers = peerNames.map((name) => [name, setups[name]]);
  return `${[
    '# Benchmarks',
    'Written by `npm run bench` from `bench/results.json`; the folder `bench/` of the repository holds the programs. Every client has a process of its own and sends the same requests to the same server, which is another process on the same machine and answers from memory. Clients take turns within each round, in another order each round, after rounds that are not counted. A ratio is the median of the ratios within the rounds; a goal that compares with @octokit/rest divides its ratio to the hand loop by that of triforge. Whatever else the machine does shows in the spread.',
    '![Time of each client as a multiple of the hand loop’s](benchmarks.svg)',
    '## Goals',
    table([['Case', 'Goal', 'Measured', ''], ...goals]),
    ...all.map(section),
    '## How each client is set up',
    table([['Client', 'Set up'], ...peers]),
  ].join('\n\n')}\n`;
}

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
  const hasQuartiles = result.rounds > 3 && result.rows.some(({ quartiles }) => quartiles);
  const rows = result.rows.map((row) => [
    row.name,
    digits(row.median),
    result.rounds > 1 ? `${digits(row.min)} – ${digits(row.max)}` : '',
    ...(hasQuartiles ? [row.quartiles?.map(digits).join(' – ') ?? ''] : []),
    digits(row.ratio),
    ...extras.map((key) => (key in row.more ? digits(row.more[key] ?? Number.NaN) : '')),
  ]);
  const heading = [
    '',
    `Median, ${result.unit}`,
    'Least – most',
    ...(hasQuartiles ? ['Quartiles'] : []),
    `Ratio to ${first}`,
    ...extras,
  ];
  const load = result.load ? `, load ${result.load.map(digits).join(' before and ')} after` : '';
  const rounds = result.rounds > 1 ? `${result.rounds} rounds` : 'Measured once';
  return [
    `## ${result.title}`,
    `${result.about} ${rounds}, ${result.at.slice(0, 10)}, ${result.machine}${load}.`,
    table([heading, ...rows]),
  ].join('\n\n');
}

/** What a reader should know before he believes a ratio. */
const flatters = [
  '- The ratio to @octokit/rest rests on one dependency: `@octokit/request` parses answers by `json-with-bigint` from version 10.0.8 on. "octokit, JSON.parse" is the same client without it: for pages of users the ratio falls from about 4.9 to 2.9.',
  '- The hand loop asks for a page when it is done with the one before, as people write it. "hand, lookahead" is five lines longer and gets most of what asking ahead brings: 0.91 to 1.05 of the time of triforge.',
  '- At a distance whoever asks for several pages at once wins by as many; the hand loop and @octokit/rest could be written so too, with the order, limits and errors that go with it. The server of these cases has no limits.',
  '- The script that the start is compared with imports all of undici; "fetch" imports nothing and is faster than both.',
  '- Client and server share one machine of few cores: what a client does while the server works is free where the second core is. CPU time says what it costs.',
].join('\n');

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
    'Written by `npm run bench` from `bench/results.json`; the folder `bench/` of the repository holds the programs. Every client has processes of its own and sends the same requests to the same server, which is another process on the same machine and answers from memory. Clients take turns within each round, in another order each round, after turns that are not counted. A ratio is the median of those to what the first row took in the same round; a goal that compares with @octokit/rest divides its ratio to the hand loop by that of triforge. Whatever else the machine does shows in the spread.',
    '## Goals',
    table([['Case', 'Goal', 'Measured', ''], ...goals]),
    ...all.map(section),
    '## What flatters, and what does not',
    flatters,
    '## How each client is set up',
    table([['Client', 'Set up'], ...peers]),
  ].join('\n\n')}\n`;
}

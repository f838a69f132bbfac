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
    'Minimum – maximum',
    ...(hasQuartiles ? ['Quartiles'] : []),
    `Ratio to ${first}`,
    ...extras,
  ];
  const load = result.load
    ? ` The one-minute load average was ${result.load.map(digits).join(' before the measurement and ')} after it.`
    : '';
  const rounds = result.rounds > 1 ? `in ${result.rounds} rounds` : 'once';
  return [
    `## ${result.title}`,
    `${result.about} Measured ${rounds} on ${result.at.slice(0, 10)}, on an ${result.machine}.${load}`,
    table([heading, ...rows]),
  ].join('\n\n');
}

/** Caveats about the ratios. */
const flatters = [
  '- The results of @octokit/rest for lists depend on one package: since version 10.0.8, `@octokit/request` parses responses with `json-with-bigint`. "octokit, JSON.parse" is the same client without this package. Without it, the ratio to the handwritten loop for pages of users falls from 4.8 to 3.0.',
  '- The handwritten loop requests each page after it has processed the previous page, as most handwritten loops do. "hand, lookahead" is two lines longer and prefetches one page. With a distant server, it is as fast as triforge without `concurrency`.',
  '- With a distant server, fetching eight pages at a time is more than six times as fast as fetching one page at a time. You could also write the handwritten loop and the loop with @octokit/rest this way, but you would have to handle order, limits and errors. The server in these cases has no rate limits.',
  '- The client and the server share one machine with few cores. Work that a client does while the server works costs no time if a second core is idle. The CPU time includes this work.',
].join('\n');

/** Returns the whole page with all stored results. */
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
    "`npm run bench` generates this page from `bench/results.json`. The programs are in the repository's `bench/` folder. Each client runs in its own processes and sends its requests to the same server, which is a separate process on the same machine and responds from memory. The clients take turns, and the order rotates from round to round. Warm-up turns are not counted. Each result is divided by the median of the first row's results in the same round. The ratio is the median of these quotients. Goals that mention @octokit/rest compare its ratio with triforge's. Other load on the machine increases the spread.",
    '## Goals',
    table([['Case', 'Goal', 'Measured', ''], ...goals]),
    ...all.map(section),
    '## Limits of these numbers',
    flatters,
    '## Setup of each client',
    table([['Client', 'Setup'], ...peers]),
  ].join('\n\n')}\n`;
}

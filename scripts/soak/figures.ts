import type { SoakResult } from './run.js';
import { verdicts } from './verdict.js';

/** Columns of text, the first to the left, the others to the right. */
function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  return texts
    .map((row) =>
      row
        .map((text, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? text.padEnd(width) : text.padStart(width);
        })
        .join('  '),
    )
    .join('\n');
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** The figures of one run, for people. */
export function figuresOf(result: SoakResult): string {
  const { order, audit, server, seconds, start, middle, end, closed } = result;
  const shown = verdicts.filter((verdict) => verdict !== 'unsettled' && verdict !== 'wrong');
  const calls = [...audit.tallies]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, tally]) => [name, ...shown.map((verdict) => tally[verdict])]);
  const faults = Object.entries(server.faults).sort(([a], [b]) => a.localeCompare(b));
  const played = faults.reduce((sum, [, count]) => sum + count, 0);
  const stock = Object.entries({ start, middle, end, closed }).map(([when, held]) => [
    when,
    megabytes(held.rss),
    megabytes(held.heap),
    held.sockets,
    held.handles,
  ]);
  return [
    `seed ${order.seed}: ${order.calls} calls, ${order.concurrency} at a time, in ${seconds.toFixed(1)} s (${Math.round(order.calls / seconds)} a second)`,
    `${server.requests} requests over ${server.connections} connections, ${played} of them failed, ${server.unmodified} answered with 304`,
    '',
    table([['call', ...shown], ...calls]),
    '',
    table([['fault', 'times'], ...faults]),
    '',
    table([['held', 'rss MB', 'heap MB', 'sockets', 'handles'], ...stock]),
    '',
    `lost: ${audit.lost}, doubled: ${audit.doubled}, disagreements: ${audit.disagreements.length}`,
  ].join('\n');
}

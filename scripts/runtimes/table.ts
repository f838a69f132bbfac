/** What is known of one runtime; every text stands in a table. */
export interface RuntimeRow {
  /** `Node.js 22`. */
  readonly runtime: string;
  /** The version that was tried. */
  readonly version: string;
  /** `works`, or what went wrong. */
  readonly esm: string;
  /** `works`, or what went wrong. */
  readonly commonJs: string;
  /** `passes`, what the test suite counted, or why it was not run. */
  readonly suite: string;
}

const begin = '<!-- runtimes: written by `npm run runtimes` -->';
const end = '<!-- /runtimes -->';
const heading = ['Runtime', 'Version', 'Smoke, ES module', 'Smoke, CommonJS', 'Test suite'];

/** One cell on one line. */
function cell(text: string): string {
  const line = text.replace(/[\s|]+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function split(text: string): { before: string; table: string; after: string } {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the text has no ${begin} … ${end}`);
  return {
    before: text.slice(0, from + begin.length),
    table: text.slice(from + begin.length, to),
    after: text.slice(to),
  };
}

/** The rows that a text holds between its markers. @throws an error without markers. */
export function readRows(text: string): RuntimeRow[] {
  const lines = split(text).table.split('\n');
  return lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const cells = line.split('|').map((each) => each.trim());
      const [, runtime = '', version = '', esm = '', commonJs = '', suite = ''] = cells;
      return { runtime, version, esm, commonJs, suite };
    });
}

/** The text with these rows between its markers; rows of other runtimes stay. @throws an error without markers. */
export function writeRows(text: string, rows: readonly RuntimeRow[]): string {
  const { before, after } = split(text);
  const known = readRows(text).filter((old) => rows.every((row) => row.runtime !== old.runtime));
  const all = [...known, ...rows].sort((a, b) => sortKey(a) - sortKey(b));
  const lines = [
    heading,
    heading.map(() => '---'),
    ...all.map((row) => [row.runtime, row.version, row.esm, row.commonJs, row.suite].map(cell)),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  return `${before}\n${lines.join('\n')}\n${after}`;
}

/** Node.js by its version, then the others. */
function sortKey({ runtime }: RuntimeRow): number {
  const [name, version = '0'] = runtime.split(' ');
  // Of "20.18.1", the line is enough.
  return name === 'Node.js' ? Number.parseInt(version, 10) : 1000 + (runtime.charCodeAt(0) || 0);
}

/** Results for a runtime, as the cells in a table row. */
export interface RuntimeRow {
  /** Name of the runtime, such as `Node.js 22`. */
  readonly runtime: string;
  /** The tested version. */
  readonly version: string;
  /** `works`, or an error message. */
  readonly esm: string;
  /** `works`, or an error message. */
  readonly commonJs: string;
}

const begin = '<!-- runtimes: written by `npm run runtimes` -->';
const end = '<!-- /runtimes -->';
const heading = ['Runtime', 'Version', 'ES module', 'CommonJS'];

/** Puts text on one line and shortens it to 160 characters. */
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

/** Reads the rows between the markers in a document. @throws {Error} if a marker is missing. */
export function readRows(text: string): RuntimeRow[] {
  const lines = split(text).table.split('\n');
  return lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const cells = line.split('|').map((each) => each.trim());
      const [, runtime = '', version = '', esm = '', commonJs = ''] = cells;
      return { runtime, version, esm, commonJs };
    });
}

/** Adds or replaces the rows between the markers. @throws {Error} if a marker is missing. */
export function writeRows(text: string, rows: readonly RuntimeRow[]): string {
  const { before, after } = split(text);
  const known = readRows(text).filter((old) => rows.every((row) => row.runtime !== old.runtime));
  const all = [...known, ...rows].sort((a, b) => sortKey(a) - sortKey(b));
  const lines = [
    heading,
    heading.map(() => '---'),
    ...all.map((row) => [row.runtime, row.version, row.esm, row.commonJs].map(cell)),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  return `${before}\n${lines.join('\n')}\n${after}`;
}

/** Returns a key that sorts Node.js versions first, followed by other runtimes. */
function sortKey({ runtime }: RuntimeRow): number {
  const [name, version = '0'] = runtime.split(' ');
  // Only the major version matters, because each line has a single row.
  return name === 'Node.js' ? Number.parseInt(version, 10) : 1000 + (runtime.charCodeAt(0) || 0);
}

/** What the emulator says of itself. */
export interface EmulatorStatus {
  /** Its own time, ISO 8601. */
  readonly now: string;
  /** How much each family holds, by the names of things. */
  readonly families: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The last requests, newest first, credentials masked. */
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    /** 0 where there was no answer. */
    readonly status: number;
  }[];
  /** How many requests there were since the start or the last reset. */
  readonly received: number;
  /** Faults that still wait for a request. */
  readonly faults: readonly {
    readonly kind: string;
    /** Which requests it is for, in words. */
    readonly match: string;
    /** How many requests it will meet; null for all. */
    readonly left: number | null;
  }[];
}

/** The status as a page that needs nothing from elsewhere. */
export function statusPage(status: EmulatorStatus): string {
  const families = Object.entries(status.families).map(
    ([name, counts]) =>
      `<h2>${escaped(name)}</h2>${table(
        ['', 'number'],
        Object.entries(counts).map(([what, number]) => [what, String(number)]),
      )}`,
  );
  const requests = status.requests.map(({ status: code, method, path }) => [
    code === 0 ? 'none' : String(code),
    method,
    path,
  ]);
  const faults = status.faults.map(({ kind, match, left }) => [
    kind,
    match,
    left === null ? 'always' : String(left),
  ]);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>triforge emulator</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; }
  th, td { text-align: left; padding: .15rem 1.5rem .15rem 0; }
  td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
  h2 { margin-top: 2rem; }
</style>
<h1>triforge emulator</h1>
<p>Its time is ${escaped(status.now)}. ${status.received} requests received.</p>
${families.join('\n')}
<h2>Faults to come</h2>
${faults.length === 0 ? '<p>none</p>' : table(['fault', 'for', 'times'], faults)}
<h2>Last requests</h2>
${requests.length === 0 ? '<p>none yet</p>' : table(['status', 'method', 'path'], requests)}
</html>
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${line('th', head)}${rows.map((row) => line('td', row)).join('\n')}</table>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

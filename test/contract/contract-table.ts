import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../../shared/spec/service.md', import.meta.url));

/** True if the contract exists next to the repository. */
export const contractAvailable = existsSync(path);

/** Part of a test's title that shows whether the contract exists. */
export const contractNote = contractAvailable
  ? 'contract in ../shared/spec'
  : 'skipped: there is no ../shared/spec';

/** Returns the contract's text. Fails if the contract doesn't exist. */
export const readContract = () => readFileSync(path, 'utf8');

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the contract has no part from ${start} to ${end}`);
  return text.slice(from, to);
}

/**
 * Returns every hosting and OAuth row in the contract as method and path. If two rows have the same
 * path, the second row has a suffix in parentheses.
 */
export function contractRows(): { readonly row: string }[] {
  if (!contractAvailable) return [];
  const text = between(
    readContract(),
    '### Authorizations (hosting API;',
    '### Management Console API (`{console_url}`)',
  );
  const rows = [...text.matchAll(/^\| (?:[12] \| )?([A-Z]+) \|? ?(\/\S+) \| (.*)$/gm)].map(
    ([, method, address, inputs = '']) => {
      const kind = /^(update|same plus)/.test(inputs) ? ' (update)' : '';
      return `${method} ${address}${kind}`;
    },
  );
  // The contract describes these endpoints in prose.
  return [...rows, 'POST /hub', 'GET /enterprise/stats/:type', 'GET /hooks'].map((row) => ({
    row,
  }));
}

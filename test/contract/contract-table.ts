import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An endpoint in the contract. */
export interface ContractRow {
  /**
   * Method and path, as in the cases. If two rows have the same path, the second row has a suffix
   * in parentheses.
   */
  readonly row: string;
  /** Names of the row's inputs and the values that the row allows for them. */
  readonly words: ReadonlySet<string>;
  /** Specified statuses of successful responses. Includes 404 if a 404 is an expected result. */
  readonly statuses: readonly number[];
  /** True if the row states that the endpoint has no inputs. */
  readonly bare: boolean;
}

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
 * Returns the words in backticks that can be names or values of inputs. Skips patterns and headers.
 */
function findWords(text: string): Set<string> {
  const words = [...text.matchAll(/`([a-z_][a-z_.-]*)`/g)].map(([, word = '']) => word);
  return new Set(words);
}

function getStatuses(success: string): number[] {
  return [...new Set([...success.matchAll(/\b(20\d|404)\b/g)].map(([status]) => Number(status)))];
}

function rowsOfTables(text: string): ContractRow[] {
  const rows: ContractRow[] = [];
  let last: ContractRow | undefined;
  for (const line of text.split('\n')) {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim());
    const [method = '', address = ''] = cells;
    if (!/^[A-Z]+$/.test(method) || !address.startsWith('/')) continue;
    // Tables without an input column have three columns.
    const [input, success] = cells.length > 3 ? [cells[2], cells[3]] : ['none', cells[2]];
    const kind = /^(update|same plus)/.test(input ?? '') ? ' (update)' : '';
    const same = /^(?:update: )?same/.test(input ?? '') ? (last?.words ?? []) : [];
    last = {
      row: `${method} ${address}${kind}`,
      words: new Set([...same, ...findWords(input ?? '')]),
      statuses: getStatuses(success ?? ''),
      bare: (input ?? '').startsWith('none'),
    };
    rows.push(last);
  }
  return rows;
}

/** Returns the rows for the two OAuth steps. Their table has different columns. */
function oauthRows(text: string): ContractRow[] {
  return text
    .split('\n')
    .filter((line) => /^\| [12] \|/.test(line))
    .map((line) => {
      const [, row = '', parameters = ''] = line.split(' | ');
      return { row, words: findWords(parameters), statuses: [], bare: false };
    });
}

/** Returns rows for endpoints that the contract describes in prose, such as the hub. */
function otherRows(text: string): ContractRow[] {
  const fields = [...text.matchAll(/^\| (hub\.\w+) \|/gm)].map(([, name = '']) => name);
  const types = findWords(between(text, 'where `:type` is one of', '(all others combined)'));
  const sentence = (found: string, row: ContractRow) => {
    if (!text.includes(found)) throw new Error(`the contract no longer contains ${found}`);
    return row;
  };
  return [
    sentence('`POST {base_url}/hub`', {
      row: 'POST /hub',
      words: new Set([...fields, 'subscribe', 'unsubscribe']),
      statuses: [],
      bare: false,
    }),
    sentence('`GET /api/v3/enterprise/stats/:type`', {
      row: 'GET /enterprise/stats/:type',
      words: types,
      statuses: [200, 404],
      bare: false,
    }),
    sentence('\nGET /hooks (list of service names', {
      row: 'GET /hooks',
      words: new Set(),
      statuses: [],
      bare: true,
    }),
  ];
}

/** Returns every hosting and OAuth row in the contract. */
export function contractRows(): ContractRow[] {
  if (!contractAvailable) return [];
  const text = between(
    readContract(),
    '### Authorizations (hosting API;',
    '### Management Console API (`{console_url}`)',
  );
  return [...rowsOfTables(text), ...oauthRows(text), ...otherRows(text)];
}

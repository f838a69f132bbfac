import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultRetry, type RetryRule } from '../../src/transport/request/endpoint.js';
import { type AnyEndpoint, clientMethods } from './client-methods.js';
import {
  type InputDocs,
  type MethodDocs,
  methodDocs,
  plain,
  sourceProgram,
} from './source-docs.js';

const families: Readonly<Record<string, string>> = {
  hosting: 'The hosting API',
  oauth: 'The OAuth web flow',
  support: 'The support API',
  appliance: 'The Management Console of an appliance',
};

const repeats: Readonly<Record<RetryRule, string>> = {
  safe: 'yes: it only reads',
  idempotent: 'yes: it is idempotent',
  refused: 'only after a rate limit, or a connection that was never established',
  unsent: 'only after a connection that was never established',
};

const credentials: Readonly<Record<string, string>> = {
  basic: 'only the user name and password',
  application: 'only the id and secret of the OAuth application',
  none: 'none',
};

/** Documentation of a method, for its page and the list. */
export interface MethodSection {
  /** As in `hosting.pulls.list`. */
  readonly name: string;
  /** As in `Pulls.list`. */
  readonly key: string;
  readonly http: string;
  /** Returns its description, inputs and facts; `errors` is the URL of the error list. */
  readonly text: (errors: string, answer?: string) => string;
  readonly examples: readonly string[];
}

/** Returns every method that sends a request, from the endpoint declarations and the docstrings. */
export async function methodSections(root: string): Promise<MethodSection[]> {
  const statuses = await triedStatuses(root);
  const docs = methodDocs(sourceProgram(root));
  return clientMethods().flatMap(({ name, className, method, endpoint }) => {
    const key = `${className}.${method}`;
    const told = docs.get(key);
    if (told?.http === undefined) return [];
    const tried = [...(statuses.get(name.replace('hosting.', '')) ?? [])].sort((a, b) => a - b);
    const section: MethodSection = {
      name,
      key,
      http: told.http,
      text: (errors, answer = describeResponse(told.returns, endpoint)) =>
        `${told.text}
${inputTable(told.inputs, endpoint)}
${formatFacts({ name, endpoint, docs: told, answer, errors, statuses: tried.join(', ') })}
`,
      examples: tagged(told, 'example'),
    };
    return [section];
  });
}

/** Returns the text of `docs/endpoints.md`. */
export async function endpointList(root: string): Promise<string> {
  const methods = await methodSections(root);
  const parts = Object.entries(families).map(([client, title]) => {
    const own = methods.filter(({ name }) => name.startsWith(`${client}.`));
    const rows = own.map(
      ({ name, http }) =>
        `| [\`${name}\`](#${name.toLowerCase().replaceAll('.', '')}) | \`${http}\` |`,
    );
    const sections = own.map(({ name, http, text, examples }) => {
      const blocks = examples.map(
        (code) => `\n<!-- snippet: prelude=endpoints -->\n\n\`\`\`ts\n${code}\n\`\`\`\n`,
      );
      return `### ${name}\n\n\`${http}\`\n\n${text('errors.md')}${blocks.join('')}`;
    });
    return `## ${title}\n\n| method | request |\n|---|---|\n${rows.join('\n')}\n\n${sections.join('\n')}`;
  });
  return `# Endpoints

Generated from the endpoint declarations by \`npm run docs:endpoints\`: the request, inputs and result of each method. \`hosting\` is a \`HostingClient\`, \`oauth\` an \`OAuthWebFlow\`, \`support\` a \`SupportClient\`, \`appliance\` a \`ConsoleClient\`.

Any method may also fail with the errors of [limits, credentials and connections](errors.md). Inputs with a question mark are optional. Unknown inputs are rejected by name.

${parts.join('\n')}`;
}

function tagged({ tags }: MethodDocs, tag: string): string[] {
  return tags.filter(({ name }) => name === tag).map(({ text }) => text);
}

/** Sources of the facts about a method. */
interface Facts {
  readonly name: string;
  readonly endpoint: AnyEndpoint | undefined;
  readonly docs: MethodDocs;
  readonly answer: string;
  readonly errors: string;
  readonly statuses: string;
}

function formatFacts({ name, endpoint, docs, answer, errors, statuses }: Facts): string {
  const lines = (tag: string) => tagged(docs, tag).map(plain);
  const failures = lines('throws').map((text) => {
    const [, error = '', why = ''] = /^\{?(\w+)\}?\s*(.*?)\.?$/.exec(text) ?? [];
    return `[\`${error}\`](${errors}#${error.toLowerCase()})${why && ` ${why}`}`;
  });
  const facts = [
    ['Returns', [answer, ...lines('returns')].join('. ')],
    ['Statuses', statuses],
    ['Credentials', describeCredentials(name, endpoint)],
    ['Retried', endpoint ? repeats[endpoint.retry ?? defaultRetry(endpoint.method)] : ''],
    ['Errors', failures.join('; ')],
    ['Deprecated', lines('deprecated').join(' ')],
    ['Note', lines('remarks').join(' ')],
  ];
  return facts.flatMap(([title, text]) => (text ? [`- **${title}:** ${text}`] : [])).join('\n');
}

/** Returns the statuses that the rows of `test/contract/` test for each operation. */
async function triedStatuses(root: string): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const found = new Map<string, Set<number>>();
  const folder = join(root, 'test', 'contract', 'rows');
  for (const file of readdirSync(folder)) {
    const rows: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(join(folder, file)).href
    );
    for (const { operation, status } of Object.values(rows).flatMap(listCases)) {
      found.set(operation, (found.get(operation) ?? new Set()).add(status));
    }
  }
  return found;
}

function listCases(value: unknown): { operation: string; status: number }[] {
  const cases: readonly unknown[] = Array.isArray(value) ? value : [];
  return cases.flatMap((each) => {
    const { operation, status } = Object(each);
    return typeof operation === 'string' && typeof status === 'number'
      ? [{ operation, status }]
      : [];
  });
}

function inputTable(inputs: readonly InputDocs[], endpoint: AnyEndpoint | undefined): string {
  if (inputs.length === 0) return '';
  const optionalLast = [...inputs].sort((a, b) => Number(b.required) - Number(a.required));
  const rows = optionalLast.map(({ name, required, type, text }) => {
    const rule = endpoint?.input[name]?.expected;
    const expected = rule ?? (type === '' ? '' : `\`${type}\``);
    return `| \`${name}${required ? '' : '?'}\` | ${cell(expected)} | ${cell(text)} |`;
  });
  return `\n| input | expected | |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function describeResponse(returns: string, endpoint: AnyEndpoint | undefined): string {
  const answer = typeof endpoint?.answer === 'function' ? undefined : endpoint?.answer;
  const [, kind = '', type = returns] =
    /^(Call|JsonCall|Paginated)<(.*?)(?:, null)?>$/.exec(returns) ?? [];
  if (answer?.kind === 'membership') return '`true` for 204, `false` for 404';
  if (type === 'void') return 'nothing, for any 2xx status';
  if (type === 'Readable') {
    return '`Readable`, or the result that [`as` or `to`](uploads-and-downloads.md#downloads) selects';
  }
  const shown = `\`${type}\``;
  if (kind === 'Paginated') return `${shown}, item by item over all pages`;
  return answer?.absent ? `${shown}: null for 404` : shown;
}

function describeCredentials(name: string, endpoint: AnyEndpoint | undefined): string {
  const only = endpoint?.auth;
  if (only !== undefined) return credentials[only] ?? `only \`${only}\``;
  return name.startsWith('hosting.') ? 'those of the client, or none if the data is public' : '';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

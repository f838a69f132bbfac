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
  refused: 'only after a rate limit or a failed connection attempt',
  unsent: 'only after a failed connection attempt',
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
  /** Returns its description, inputs and facts. */
  readonly text: (layout: SectionLayout) => string;
  readonly examples: readonly string[];
}

/** How a section is written. */
interface SectionLayout {
  /** URL of the error list. Undefined: error classes are not linked. */
  readonly errors?: string;
  /** Description of the response, instead of its type. */
  readonly answer?: string | undefined;
  /** Inputs that the page describes once for all methods. */
  readonly omitted?: readonly string[];
}

/** Returns every method that sends a request, from the endpoint declarations and the docstrings. */
export async function methodSections(root: string): Promise<MethodSection[]> {
  const statuses = await triedStatuses(root);
  const docs = methodDocs(sourceProgram(root));
  return clientMethods().flatMap(({ name, className, method, endpoint }) => {
    const key = `${className}.${method}`;
    const described = docs.get(key);
    if (described?.http === undefined) return [];
    const tried = [...(statuses.get(name.replace('hosting.', '')) ?? [])].sort((a, b) => a - b);
    const section: MethodSection = {
      name,
      key,
      http: described.http,
      text: ({ errors, answer = describeResponse(described.returns, endpoint), omitted = [] }) =>
        `${described.text}
${inputTable(
  described.inputs.filter((input) => !omitted.includes(input.name)),
  endpoint,
)}
${formatFacts({ endpoint, docs: described, answer, errors, statuses: tried.join(', ') })}
`,
      examples: tagged(described, 'example'),
    };
    return [section];
  });
}

/** Returns the text of `docs/endpoints.md`. */
export async function endpointList(root: string): Promise<string> {
  const methods = await methodSections(root);
  const parts = Object.entries(families).map(([client, title]) => {
    const own = methods.filter(({ name }) => name.startsWith(`${client}.`));
    const sections = own.map(({ name, http, text, examples }) => {
      const blocks = examples.map((code) => `\n\`\`\`ts\n${code}\n\`\`\`\n`);
      return `### ${name}\n\n\`${http}\`\n\n${text({ omitted: ['owner', 'repo', 'page', 'per_page'] })}${blocks.join('')}`;
    });
    return `## ${title}\n\n${formatIndex(own)}\n\n${sections.join('\n')}`;
  });
  return `# Endpoints

Generated from the endpoint declarations by \`npm run docs:endpoints\`: the request, inputs and result of each method. \`hosting\` is a \`HostingClient\`, \`oauth\` an \`OAuthWebFlow\`, \`support\` a \`SupportClient\`, \`appliance\` a \`ConsoleClient\`.

Inputs with a question mark are optional. Unknown inputs are rejected by name. These inputs are not repeated below:

- \`owner\` and \`repo\`, if the path contains them: the login of the owner, and the name of the repository without its owner.
- \`page\` and \`per_page\` of lists of the hosting API: a page number from 1 (default: 1), and a page size from 1 to 100 (default: 30).

Any method may also fail with the [errors](errors.md) of limits, credentials and connections. If the interface doesn't specify a response, any JSON is accepted. Responses have the status 200 if no others are listed. Methods that send GET are retried. Unless noted, others are retried only after a rate limit or a failed connection attempt.

${parts.join('\n')}`;
}

/** Links to the methods, one line for each resource. */
function formatIndex(methods: readonly MethodSection[]): string {
  const lines = new Map<string, string[]>();
  for (const { name } of methods) {
    const [, resource = '', method] = /^(.*)\.(\w+)$/.exec(name) ?? [];
    const link = `[${method}](#${name.toLowerCase().replaceAll('.', '')})`;
    lines.set(resource, [...(lines.get(resource) ?? []), link]);
  }
  return [...lines].map(([name, links]) => `- \`${name}\`: ${links.join(', ')}`).join('\n');
}

function tagged({ tags }: MethodDocs, tag: string): string[] {
  return tags.filter(({ name }) => name === tag).map(({ text }) => text);
}

/** Docstrings say it at length, because hovers show them alone. */
const unspecified = "The interface doesn't specify the response, so any JSON is accepted.";

/** Sources of the facts about a method. */
interface Facts {
  readonly endpoint: AnyEndpoint | undefined;
  readonly docs: MethodDocs;
  readonly answer: string;
  readonly errors: string | undefined;
  readonly statuses: string;
}

function formatFacts({ endpoint, docs, answer, errors, statuses }: Facts): string {
  const lines = (tag: string) => tagged(docs, tag).map(plain);
  const failures = lines('throws').map((text) => {
    const [, error = '', why = ''] = /^\{?(\w+)\}?\s*(.*?)\.?$/.exec(text) ?? [];
    const shown = errors ? `[\`${error}\`](${errors}#${error.toLowerCase()})` : `\`${error}\``;
    return `${shown}${why && ` ${why}`}`;
  });
  const facts = [
    ['Returns', [answer, ...lines('returns')].join('. ')],
    ['Statuses', statuses === '200' ? '' : statuses],
    ['Credentials', describeCredentials(endpoint)],
    ['Retried', describeRetry(endpoint)],
    ['Errors', failures.join('; ')],
    ['Deprecated', lines('deprecated').join(' ')],
    ['Note', lines('remarks').join(' ').replace(unspecified, 'Any JSON is accepted.')],
  ];
  return facts.flatMap(([title, text]) => (text ? [`- **${title}:** ${text}`] : [])).join('\n');
}

/** Returns the statuses that the rows of `test/contract/` test for each operation. */
export async function triedStatuses(
  root: string,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
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
    // The part after a colon is advice for the error message.
    const expected = rule?.split(': ', 1)[0] ?? (type === '' ? '' : `\`${type}\``);
    return `| \`${name}${required ? '' : '?'}\` | ${cell(expected)} | ${cell(text)} |`;
  });
  return `\n| input | expected | |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function describeResponse(returns: string, endpoint: AnyEndpoint | undefined): string {
  const answer = typeof endpoint?.answer === 'function' ? undefined : endpoint?.answer;
  const [, kind = '', type = returns] =
    /^(Call|JsonCall|Paginated)<(.*?)(?:, null)?>$/.exec(returns) ?? [];
  if (answer?.kind === 'membership') return '`true` for 204, `false` for 404';
  if (type === 'void') return 'nothing';
  if (type === 'Readable') {
    return '`Readable`, or the result that [`as` or `to`](uploads-and-downloads.md#downloads) selects';
  }
  const shown = `\`${type}\``;
  if (kind === 'Paginated') return `${shown}, item by item`;
  return answer?.absent ? `${shown}: null for 404` : shown;
}

function describeRetry(endpoint: AnyEndpoint | undefined): string {
  if (!endpoint) return '';
  const rule = endpoint.retry ?? defaultRetry(endpoint.method);
  return rule === defaultRetry(endpoint.method) ? '' : repeats[rule];
}

function describeCredentials(endpoint: AnyEndpoint | undefined): string {
  const only = endpoint?.auth;
  return only === undefined ? '' : (credentials[only] ?? `only \`${only}\``);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

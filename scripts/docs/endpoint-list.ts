import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultRetry, type RetryRule } from '../../src/transport/request/endpoint.js';
import { type AnyEndpoint, type ClientMethod, clientMethods } from './client-methods.js';
import { type InputDocs, type MethodDocs, methodDocs, sourceProgram } from './method-docs.js';

const families: Readonly<Record<string, string>> = {
  hosting: 'The hosting API',
  oauth: 'The OAuth web flow',
  support: 'The support API',
  appliance: 'The Management Console of an appliance',
};

const repeats: Readonly<Record<RetryRule, string>> = {
  safe: 'yes: it changes nothing',
  idempotent: 'yes: done twice is as good as once',
  refused: 'only where the server did not act on it: a rate limit, or no connection',
  unsent: 'only where no connection was made',
};

const credentials: Readonly<Record<string, string>> = {
  basic: 'only Basic authentication of the user',
  application: 'only id and secret of the OAuth application',
  none: 'none are sent',
};

/** The text of `docs/endpoints.md`, from the endpoint declarations and the docstrings. */
export async function endpointList(root: string): Promise<string> {
  const statuses = await triedStatuses(root);
  const docs = methodDocs(sourceProgram(root));
  const methods = clientMethods().flatMap((each) => {
    const told = docs.get(`${each.className}.${each.method}`);
    return told?.http ? [{ ...each, docs: told }] : [];
  });
  const parts = Object.entries(families).map(([client, title]) => {
    const own = methods.filter(({ name }) => name.startsWith(`${client}.`));
    const rows = own.map(
      ({ name, docs: { http } }) => `| [\`${name}\`](#${anchor(name)}) | \`${http}\` |`,
    );
    const sections = own.map((each) => section(each, statuses));
    return `## ${title}\n\n| method | request |\n|---|---|\n${rows.join('\n')}\n\n${sections.join('\n')}`;
  });
  return `# Endpoints

Made from the endpoint declarations by \`npm run docs:endpoints\`: what each method sends, takes and answers. \`hosting\` is a \`HostingClient\`, \`oauth\` an \`OAuthWebFlow\`, \`support\` a \`SupportClient\`, \`appliance\` a \`ConsoleClient\`.

Any method may also fail with the errors of [limits, credentials and connections](errors.md). Unknown inputs are refused by name.

${parts.join('\n')}`;
}

function section(
  { name, endpoint, docs }: ClientMethod & { readonly docs: MethodDocs },
  statuses: ReadonlyMap<string, ReadonlySet<number>>,
): string {
  const tagged = (tag: string) =>
    docs.tags.filter((each) => each.name === tag).map(({ text }) => text);
  const failures = tagged('throws').map((text) => {
    const [, error = '', why = ''] = /^\{?(\w+)\}?\s*([\s\S]*)$/.exec(text) ?? [];
    return `\`${error}\`${why ? `: ${oneLine(why)}` : ''}`;
  });
  const facts = [
    ['Answer', [answerOf(docs.returns, endpoint), ...tagged('returns').map(oneLine)].join('. ')],
    [
      'Statuses',
      [...(statuses.get(name.replace('hosting.', '')) ?? [])].sort((a, b) => a - b).join(', '),
    ],
    ['Credentials', credentialsOf(name, endpoint)],
    ['Sent again', endpoint ? repeats[endpoint.retry ?? defaultRetry(endpoint.method)] : ''],
    ['Errors', failures.join('; ')],
    ['Deprecated', tagged('deprecated').map(oneLine).join(' ')],
    ['Note', tagged('remarks').map(oneLine).join(' ')],
  ].filter(([, text]) => text !== '');
  const example = tagged('example').map(
    (text) => `\n<!-- snippet: prelude=endpoints -->\n\n\`\`\`ts\n${text}\n\`\`\`\n`,
  );
  return `### ${name}

\`${docs.http}\`

${docs.text}
${inputTable(docs.inputs, endpoint)}
${facts.map(([title, text]) => `- **${title}:** ${text}`).join('\n')}
${example.join('')}`;
}

/** The statuses that each operation is tried with on the wire, by the rows of `test/contract/`. */
async function triedStatuses(root: string): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const found = new Map<string, Set<number>>();
  const folder = join(root, 'test', 'contract', 'rows');
  for (const file of readdirSync(folder)) {
    const rows: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(join(folder, file)).href
    );
    for (const { operation, status } of Object.values(rows).flatMap(casesOf)) {
      found.set(operation, (found.get(operation) ?? new Set()).add(status));
    }
  }
  return found;
}

function casesOf(value: unknown): { operation: string; status: number }[] {
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
  const rows = inputs.map(({ name, required, type, text }) => {
    const rule = endpoint?.input[name]?.expected;
    const expected = rule ?? (type === '' ? '' : `\`${type}\``);
    return `| \`${name}\` | ${required ? 'yes' : ''} | ${cell(expected)} | ${cell(oneLine(text))} |`;
  });
  return `\n| input | required | expected | |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function answerOf(returns: string, endpoint: AnyEndpoint | undefined): string {
  const answer = typeof endpoint?.answer === 'function' ? undefined : endpoint?.answer;
  const [, kind = '', type = returns] = /^(Call|Paginated)<(.*)>$/.exec(returns) ?? [];
  if (answer?.kind === 'membership') return '`true` for 204, `false` for 404';
  if (type === 'void') return 'nothing, for any 2xx';
  if (type === 'DownloadOf<Options>') {
    return '`Readable`, or what [`as` or `to`](uploads-and-downloads.md#downloads) says';
  }
  const shown = `\`${type}\``;
  if (kind === 'Paginated') return `${shown}, item by item over all pages`;
  return answer?.absent ? `${shown}: null for 404` : shown;
}

function credentialsOf(name: string, endpoint: AnyEndpoint | undefined): string {
  const only = endpoint?.auth;
  if (only !== undefined) return credentials[only] ?? `only \`${only}\``;
  return name.startsWith('hosting.') ? 'those of the client, or none where the data is public' : '';
}

/** The anchor that a heading gets. */
function anchor(name: string): string {
  return name.toLowerCase().replaceAll('.', '');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

import { getDefaultRetry, type RetryRule } from '../../src/transport/request/endpoint.js';
import type { AnyEndpoint } from './client-methods.js';
import type { DocumentedMethod } from './methods.js';
import { type InputDocs, type MethodDocs, plain, type Types } from './source-docs.js';

const repeats: Readonly<Record<RetryRule, string>> = {
  safe: 'yes, because the method only reads data',
  idempotent: 'yes, because the method is idempotent',
  refused: 'only after a rate-limit error or a failed connection attempt',
  unsent: 'only after a failed connection attempt',
};

const credentials: Readonly<Record<string, string>> = {
  basic: 'the username and password only',
  application: "the OAuth application's client ID and secret only",
  none: 'none in the headers or the URL',
};

/** Documentation of a method, for its page. */
export interface MethodSection extends DocumentedMethod {
  /** The method's description, inputs and facts. */
  readonly text: string;
  readonly examples: readonly string[];
}

/** Matches names of types, but not quoted strings such as `'User'`. */
export const typeName = /(?<!')\b[A-Z]\w+/g;

/** Documents a method, based on its endpoint declaration and its docstring. */
export function describeMethod(method: DocumentedMethod, types: Types): MethodSection {
  return {
    ...method,
    examples: tagged(method.docs, 'example'),
    text: `${method.docs.text}
${inputTable(method.docs.inputs, method.endpoint, types)}
${formatFacts(method, describeResponse(method, types))}
`,
  };
}

function tagged({ tags }: MethodDocs, tag: string): string[] {
  return tags.filter(({ name }) => name === tag).map(({ text }) => text);
}

function formatFacts(method: DocumentedMethod, response: string): string {
  const { endpoint, docs } = method;
  const { auth } = endpoint;
  const lines = (tag: string) => tagged(docs, tag).map(plain);
  const failures = lines('throws').map((text) => {
    const [, classes = '', why = ''] = /^\{?(\w+(?: \| \w+)*)\}?\s*(.*?)\.?$/.exec(text) ?? [];
    const links = classes
      .split(' | ')
      .map((error) => `[\`${error}\`](../errors.md#${error.toLowerCase()})`);
    return `${links.join(' or ')}${why && ` ${why}`}`;
  });
  const isLong = failures.some((text) => text.includes('. '));
  // `authorizeUrl` only builds a URL.
  const sendsNothing = docs.returns === 'AuthorizeUrl';
  const facts = [
    ['Returns', [response, ...lines('returns')].join('. ')],
    ['Credentials', sendsNothing || !auth ? '' : (credentials[auth] ?? `only \`${auth}\``)],
    ['Retried', sendsNothing ? '' : describeRetry(endpoint)],
    ['Errors', isLong ? `${failures.join('. ')}.` : failures.join('; ')],
    ['Deprecated', lines('deprecated').join(' ')],
    ['Note', lines('remarks').join(' ')],
  ];
  return facts.flatMap(([title, text]) => (text ? [`- **${title}:** ${text}`] : [])).join('\n');
}

function describeRetry({ auth, method, retry = getDefaultRetry(method) }: AnyEndpoint): string {
  // An application's credentials are never renewed.
  const mayRenew = retry === 'refused' && auth !== 'application' && auth !== 'none';
  return `${repeats[retry]}${mayRenew ? ', or with renewed credentials after a 401' : ''}`;
}

function inputTable(inputs: readonly InputDocs[], endpoint: AnyEndpoint, types: Types): string {
  if (inputs.length === 0) return '';
  const optionalLast = [...inputs].sort((a, b) => Number(b.required) - Number(a.required));
  const rows = optionalLast.map((input) => {
    const rule = endpoint.input[input.name]?.expected;
    // Omits the text after a colon, which is advice for error messages.
    return formatRow(input, rule?.split(': ', 1)[0] ?? linkType(input.type, types));
  });
  return `\n| input | expected | |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function describeResponse({ docs: { returns }, endpoint }: DocumentedMethod, types: Types): string {
  const spec = typeof endpoint.response === 'function' ? undefined : endpoint.response;
  const [, kind = '', type = returns] =
    /^(Call|JsonCall|Paginated)<(.*?)(?:, null)?>$/.exec(returns) ?? [];
  if (spec?.kind === 'exists') return '`true` for a success response, `false` for a 404 response';
  if (type === 'void') return 'nothing';
  if (type === 'Downloaded<Options>') {
    return '`Readable`, or another type if you set [`as` or `to`](../uploads-and-downloads.md#downloads)';
  }
  const shown = linkType(type, types);
  if (kind === 'Paginated') return `a list of ${shown} items`;
  return spec?.nullOn404 ? `${shown} (null for a 404 response)` : shown;
}

/**
 * Returns a table of an interface's fields.
 * @throws {Error} if a field has no docstring.
 */
export function fieldTable(
  title: 'field' | 'option',
  owner: string,
  fields: readonly InputDocs[],
  types: Types = new Map(),
): string {
  const rows = fields.map((field) => {
    if (field.text === '') throw new Error(`${owner}.${field.name}: must have a docstring`);
    return formatRow(field, linkType(field.type, types, ''));
  });
  return `| ${title} | type | |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** Formats a type. Links the first documented type in it. */
function linkType(type: string, types: Types, page = 'types.md'): string {
  if (type === '') return '';
  const name = type.match(typeName)?.find((each) => types.has(each));
  return name ? `[\`${type}\`](${page}#${name.toLowerCase()})` : `\`${type}\``;
}

/** Formats a table row for an input, option or field. */
function formatRow({ name, required, text }: InputDocs, type: string): string {
  return `| \`${name}${required ? '' : '?'}\` | ${cell(type)} | ${cell(text)} |`;
}

/** Escapes a text for a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

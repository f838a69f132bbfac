import { cell, linkType, type MethodSection, methodSections } from './method-sections.js';
import { type InterfaceDocs, interfaceDocs, sourceProgram } from './source-docs.js';

const families: Readonly<Record<string, string>> = {
  hosting: 'The hosting API',
  oauth: 'The OAuth web flow',
  support: 'The support API',
  appliance: 'The Management Console of an appliance',
};

const clients =
  'On this page, `hosting` is a `HostingClient`, `oauth` is an `OAuthWebFlow`, `support` is a `SupportClient`, and `appliance` is a `ConsoleClient`.';

/** Returns the name of a method's page in `docs/resources`, such as `git-refs` for `hosting.gitRefs.list`. */
export function formatPageName(method: string): string {
  const resource = method.split('.').at(-2) ?? method;
  return resource.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Text of `docs/endpoints.md` and of each file in `docs/resources`. */
export interface EndpointPages {
  readonly list: string;
  readonly resources: ReadonlyMap<string, string>;
}

/** Documents each method on its resource's page. */
export async function endpointPages(root: string): Promise<EndpointPages> {
  const program = sourceProgram(root);
  // The promises `Call` and `JsonCall` are described in the guides.
  const types = new Map([...interfaceDocs(program)].filter(([name]) => !name.endsWith('Call')));
  const methods = await methodSections(root, program, types);
  const byType = new Map<string, unknown>();
  for (const { docs, example } of methods) if (example) byType.set(docs.returns, example);
  const resources = new Map<string, string>();
  for (const method of methods) {
    const { docs, name } = method;
    const file = `${formatPageName(name)}.md`;
    const example = method.example ?? byType.get(docs.returns);
    const before = resources.get(file) ?? formatHead(name);
    resources.set(file, `${before}\n${formatMethod(method, example)}`);
  }
  const texts = methods.flatMap(({ docs }) => [
    docs.returns,
    ...docs.inputs.map(({ type }) => type),
  ]);
  resources.set('types.md', formatTypes(usedTypes(texts, types)));
  return { list: formatList(methods), resources };
}

/** Returns the interfaces that the texts mention, and those that their fields mention. */
function usedTypes(texts: readonly string[], types: ReadonlyMap<string, InterfaceDocs>) {
  const used = new Map<string, InterfaceDocs>();
  const pending = [...texts];
  for (const text of pending) {
    for (const name of text.match(/\b[A-Z]\w+/g) ?? []) {
      const type = types.get(name);
      if (!type || used.has(name)) continue;
      used.set(name, type);
      pending.push(...type.fields.map((field) => field.type));
    }
  }
  return used;
}

function formatTypes(types: ReadonlyMap<string, InterfaceDocs>): string {
  const sections = [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { text, fields }]) => {
      const rows = fields.map(({ name: field, required, type, text: description }) => {
        if (description === '') throw new Error(`${name}.${field}: must have a docstring`);
        const optional = required ? '' : '?';
        return `| \`${field}${optional}\` | ${cell(linkType(type, types, ''))} | ${cell(description)} |`;
      });
      return `## ${name}\n\n${text}\n\n| field | type | |\n|---|---|---|\n${rows.join('\n')}\n`;
    });
  return `# Types

Generated from the sources by \`npm run docs:endpoints\`. These are the types of the methods' inputs and responses. Fields with a question mark are optional.

${sections.join('\n')}`;
}

function formatList(methods: readonly MethodSection[]): string {
  const parts = Object.entries(families).map(([client, title]) => {
    const own = methods.filter(({ name }) => name.startsWith(`${client}.`));
    const rows = own.map(({ name, http }) => `| \`${name}\` | \`${http}\` |`);
    return `## ${title}\n\n| method | request |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Endpoints

Generated from the endpoint declarations by \`npm run docs:endpoints\`. The tables list the request that each method sends. ${clients}

Each resource has a page with its methods' inputs, responses, examples and errors, on the documentation site and in \`docs/resources/\` in the repository. The installed package contains the same information in its types and in its [OpenAPI documents](openapi.md).

${parts.join('\n')}`;
}

function formatHead(method: string): string {
  return `# ${method.replace(/\.\w+$/, '')}

Generated from the endpoint declarations by \`npm run docs:endpoints\`. ${clients}

Inputs with a question mark are optional. If you pass an unknown input, the call fails with an error that names it. Any method can also fail with a rate-limit, authentication or connection [error](../errors.md).
`;
}

function formatMethod({ name, http, text, examples }: MethodSection, example: unknown): string {
  const blocks = examples.map((code) => `\`\`\`ts\n${code}\n\`\`\`\n`);
  const json = `Example response:\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
  const body = [text, ...blocks, ...(typeof example === 'object' ? [json] : [])];
  return `## ${name}\n\n\`${http}\`\n\n${body.join('\n')}`;
}

import { interfaceDocs, sourceProgram } from './source-docs.js';

/** Interfaces on the page, with their headings. */
const sections: readonly (readonly [string, string])[] = [
  ['ClientOptions', 'Every client'],
  ['HostingClientOptions', '`HostingClient`'],
  ['SupportClientOptions', '`SupportClient`'],
  ['ConsoleClientOptions', '`ConsoleClient`'],
  ['OAuthWebFlowOptions', '`OAuthWebFlow`'],
  ['TimeoutOptions', '`timeout`'],
  ['RetryOptions', '`retry`'],
  ['RateLimitOptions', '`rateLimit`'],
  ['CacheOptions', '`cache`'],
  ['TlsOptions', '`tls`'],
  ['RequestOptions', 'Every call'],
  ['DownloadOptions', 'Downloads'],
  ['CloseOptions', '`close`'],
  ['ReceiverOptions', 'Webhook receivers'],
  ['RedisStoreOptions', '`redisStore`'],
];

/** Returns the text of `docs/options.md`. @throws {Error} if an interface or a docstring doesn't exist. */
export function optionList(root: string): string {
  const docs = interfaceDocs(sourceProgram(root));
  const texts = sections.map(([name, title]) => {
    const declared = docs.get(name);
    if (!declared) throw new Error(`${name}: must be an interface of src`);
    const own = declared.fields.filter(({ isInherited }) => !isInherited);
    const rows = own.map(({ name: field, required, type, text }) => {
      if (text === '') throw new Error(`${name}.${field}: must have a docstring`);
      const optional = required ? '' : '?';
      return `| \`${field}${optional}\` | \`${escapeCell(type)}\` | ${escapeCell(text)} |`;
    });
    return `## ${title}\n\n| option | type | |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Options

Generated from the sources by \`npm run docs:options\`. Options with a question mark are optional. A call's options take precedence over the client's.

${texts.join('\n')}`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

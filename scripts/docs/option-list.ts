import ts from 'typescript';
import { plain, readDocs, sourceProgram } from './source-docs.js';

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
  ['SessionOptions', '`session` of `SupportClient`'],
  ['RequestOptions', 'Every call'],
  ['DownloadOptions', 'Downloads'],
  ['CloseOptions', '`close`'],
  ['ReceiverOptions', 'Webhook receivers'],
  ['RedisStoreOptions', '`redisStore`'],
];

/** Returns the text of `docs/options.md`. @throws {Error} if an interface doesn't exist. */
export function optionList(root: string): string {
  const program = sourceProgram(root);
  const checker = program.getTypeChecker();
  const declared = new Map(
    program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(`${root}src/`))
      .flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration))
      .map((node) => [node.name.text, node]),
  );
  const texts = sections.map(([name, title]) => {
    const node = declared.get(name);
    if (!node) throw new Error(`${name}: must be an interface of src`);
    const rows = node.members.filter(ts.isPropertySignature).map((member) => {
      const symbol = checker.getSymbolAtLocation(member.name);
      const text = symbol ? readDocs(checker, symbol).text : '';
      const type = plain(member.type?.getText() ?? '').replace(/ \| undefined$/, '');
      const optional = member.questionToken ? '?' : '';
      return `| \`${member.name.getText()}${optional}\` | \`${escapeCell(type)}\` | ${escapeCell(text)} |`;
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

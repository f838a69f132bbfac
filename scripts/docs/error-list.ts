import ts from 'typescript';
import { type DocTag, plain, readDocs, sourceProgram } from './source-docs.js';

/** An error class that users can catch, as declared in `src/errors/`. */
export interface ErrorClass {
  readonly name: string;
  readonly code: string;
  /** Parent class, if users can also catch it. */
  readonly parent: string | undefined;
  /** Text of the class's docstring, without tags. */
  readonly cause: string;
  /** Tags of the class's docstring. `remarks` contains the remedy, and `example` contains a program. */
  readonly tags: readonly DocTag[];
  /**
   * Public fields that the class itself declares, except `code`. Includes the allowed values if the
   * values are literals.
   */
  readonly fields: readonly string[];
}

/** Files in `src/errors/` that declare public classes, in page order. */
const files = ['request-errors', 'api-errors', 'response-errors'];

/** Returns every class with a `code`, in source order. */
export function errorClasses(program: ts.Program): ErrorClass[] {
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program
      .getSourceFiles()
      .find(({ fileName }) => fileName.endsWith(`/${file}.ts`));
    const statements: readonly ts.Statement[] = source?.statements ?? [];
    return statements.filter(ts.isClassDeclaration).flatMap((node) => {
      const symbol = node.name && checker.getSymbolAtLocation(node.name);
      if (!symbol) return [];
      const own = [...(symbol.members?.values() ?? [])].filter(
        ({ flags }) => flags & ts.SymbolFlags.Property,
      );
      const codeMember = own.find(({ name }) => name === 'code');
      const code = codeMember && checker.getTypeOfSymbol(codeMember);
      if (!code?.isStringLiteral()) return [];
      const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText();
      const { text, tags } = readDocs(checker, symbol);
      return [
        {
          name: symbol.name,
          code: code.value,
          parent: parent === 'TriforgeError' ? undefined : parent,
          cause: text,
          tags,
          fields: own.filter((each) => each !== codeMember).map((each) => field(checker, each)),
        },
      ];
    });
  });
}

function field(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const type = checker.getTypeOfSymbol(symbol);
  const words = type.isUnion() ? type.types.filter((each) => each.isStringLiteral()) : [];
  const shown = words.map(({ value }) => `\`${value}\``).join(', ');
  return `\`${symbol.name}\`${shown && ` (${shown})`}`;
}

/**
 * Returns the text of `docs/errors.md`.
 * @throws {Error} if a class has no remedy or example.
 */
export function errorList(root: string): string {
  const classes = errorClasses(sourceProgram(root));
  const rows = classes.map(
    ({ name, code, cause }) =>
      `| [\`${code}\`](#${name.toLowerCase()}) | \`${name}\` | ${cause.replaceAll('|', '\\|')} |`,
  );
  return `# Error reference

Generated from the sources by \`npm run docs:errors\`. [Errors](error-handling.md) explains how to handle errors. \`error.docs\` contains the path of the error's section on this page, for example \`docs/errors.md#notfounderror\`.

| \`code\` | class | cause |
|---|---|---|
${rows.join('\n')}

Subclasses of \`ApiError\` represent an error response from the server. They have \`status\`, \`message\`, \`errors\`, \`documentationUrl\`, \`request\`, \`response\`, \`body\` and \`mayHaveActed\`; \`isApiError\` returns true for them. If an error belongs to a request, its message ends with the request's method and masked URL. If a method rejects an input, its message starts with the operation and the input. In the samples, \`hosting\`, \`support\` and \`appliance\` are clients, and \`oauth\` is an \`OAuthWebFlow\`.
${classes.map(section).join('')}`;
}

function section({ name, code, parent, cause, tags, fields }: ErrorClass): string {
  const [remedy, example] = ['remarks', 'example'].map((tag) =>
    tags.find((each) => each.name === tag),
  );
  if (!remedy || !example) throw new Error(`${name}: must have @remarks and @example`);
  const own = fields.length === 0 ? '' : `\n\n**Fields:** ${fields.join('; ')}`;
  const linked = plain(remedy.text).replaceAll(/`docs\/([\w-]+\.md)`/g, '[$1]($1)');
  return `
## ${name}

\`code: '${code}'\`${parent ? `, a subclass of \`${parent}\`` : ''}

**Cause:** ${cause}

**Remedy:** ${linked}${own}

\`\`\`ts
import { ${name} } from 'triforge';
${example.text.startsWith('import ') ? '' : '\n'}${example.text}
\`\`\`
`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What a class of errors says, by the class: each message once, with `‹…›` for what varies. */
export type ErrorMessages = ReadonlyMap<string, readonly string[]>;

/** Reads the messages of every `new …Error(…)` in the sources. */
export function errorMessages(root: string, classes: ReadonlySet<string>): ErrorMessages {
  const found = new Map<string, Set<string>>();
  const folder = join(root, 'src');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/^(?:errors|testing)\//.test(path))
    .sort();
  for (const path of paths) {
    const text = readFileSync(join(folder, path), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && classes.has(node.expression.getText())) {
        const [message] = node.arguments ?? [];
        const name = node.expression.getText();
        const texts = found.get(name) ?? new Set();
        if (message) for (const each of textsOf(message)) texts.add(tidy(each));
        found.set(name, texts);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  const sorted = [...found].map(([name, texts]): [string, string[]] => [
    name,
    [...texts].sort((a, b) => (a < b ? -1 : 1)),
  ]);
  return new Map(sorted);
}

// What every message begins and ends with says nothing about the one.
function tidy(text: string): string {
  return text
    .replace(/ ?\[‹method› ‹url›\]$/, '')
    .replace(/ ‹place›$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Every text that an expression may be. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    const rest = node.templateSpans.map(
      ({ expression, literal }) => shown(expression) + literal.text,
    );
    return [node.head.text + rest.join('')];
  }
  if (ts.isConditionalExpression(node)) {
    return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  }
  if (ts.isBinaryExpression(node)) {
    const ends = textsOf(node.right);
    return textsOf(node.left).flatMap((start) => ends.map((end) => start + end));
  }
  if (ts.isIdentifier(node)) {
    const made = initializerOf(node);
    if (made) return textsOf(made);
  }
  // The line of an answer that is an error: what is added to the server's own words.
  if (ts.isCallExpression(node) && node.expression.getText() === 'line') {
    const [note] = node.arguments;
    return [`‹operation›: ‹status› ‹the server’s message›${note ? `: ${shown(note)}` : ''}`];
  }
  return [shown(node)];
}

/** What a local name was given. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node | undefined = name.parent; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find(
        (each) => each.name.getText() === name.text,
      );
      if (found?.initializer) return found.initializer;
    }
  }
  return undefined;
}

/** A value as a reader is told of it: `‹field›`, or the text it adds in some cases. */
function shown(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return textsOf(node).join('');
  if (ts.isParenthesizedExpression(node)) return shown(node.expression);
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [shown(node.whenTrue), shown(node.whenFalse)];
    if (no === '' || yes === '') return `[${yes}${no}]`;
    return `‹${yes} | ${no}›`.replaceAll(/(?<=.)‹|›(?=.)/g, '');
  }
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.PlusToken) return shown(node.left) + shown(node.right);
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return `[${shown(node.right)}]`;
    return shown(node.left);
  }
  if (ts.isPropertyAccessExpression(node)) return `‹${node.name.text}›`;
  if (ts.isIdentifier(node)) return `‹${node.text}›`;
  if (ts.isCallExpression(node)) return shownCall(node);
  return '‹…›';
}

// Calls that only write their first argument in another way.
const transparent = /^(?:show|String$|stringify$|kindOf$|causeText$)/;

/** `showText(said, secrets)` is `‹said›`; `names.join(', ')` is `‹names›`; `scopeNote(…)` is `‹scope note›`. */
function shownCall(node: ts.CallExpression): string {
  const { expression } = node;
  const [first] = node.arguments;
  if (ts.isPropertyAccessExpression(expression) && expression.expression.getText() !== 'JSON') {
    return shown(expression.expression);
  }
  const name = ts.isPropertyAccessExpression(expression)
    ? expression.name.text
    : expression.getText();
  if (first && transparent.test(name)) return shown(first);
  return `‹${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}›`;
}

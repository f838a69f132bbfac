import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A small change to an expression or statement that breaks the code. */
export interface Candidate {
  readonly file: string;
  readonly kind: string;
  /** Offset of `original` in the file. */
  readonly at: number;
  readonly original: string;
  readonly replacement: string;
  /** Text around the change without whitespace. Identifies the change after edits to the file. */
  readonly context: string;
  /** Range of the expression or statement that contains the change. */
  readonly mark: { from: number; to: number };
  /** Whether the code runs when the module loads. */
  readonly onLoad: boolean;
}

const swaps: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};

/** Lists all faults that a source file can contain. */
export function candidates(file: string): Candidate[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Candidate[] = [];

  const visit = (node: ts.Node, onLoad: boolean): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    // Tests don't have to repeat error messages.
    if (ts.isThrowStatement(node)) return;
    if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error')) return;
    const from = node.getStart();
    const add = (kind: string, at: number, original: string, replacement: string, mark = node) =>
      found.push({
        file,
        kind,
        at,
        original,
        replacement,
        context: text.slice(Math.max(0, at - 60), at + original.length + 60).replace(/\s+/g, ''),
        mark: { from: mark.getStart(), to: mark.end },
        // A function's body runs after the module has loaded.
        onLoad: onLoad && kind !== 'return',
      });
    const whole = (kind: string, replacement: string) =>
      add(kind, from, node.getText(), replacement);

    const { parent } = node;
    if (
      parent &&
      (((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
        ((ts.isConditionalExpression(parent) || ts.isForStatement(parent)) &&
          parent.condition === node))
    )
      whole('negate', `!(${node.getText()})`);

    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText();
      const swapped = swaps[operator];
      if (swapped) add(`swap ${operator}`, node.operatorToken.getStart(), operator, swapped);
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) whole('boolean', 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) whole('boolean', 'true');
    else if (ts.isNumericLiteral(node) && isValue(node)) whole('number', `(${node.text} + 1)`);
    else if (ts.isStringLiteral(node) && isValue(node) && /^\S+$/.test(node.text))
      whole('string', "''");
    else if (ts.isExpressionStatement(node) && isCall(node.expression)) whole('drop', ';');
    else if (ts.isFunctionLike(node) && 'body' in node && !ts.isConstructorDeclaration(node)) {
      const body = node.body;
      const first = body && ts.isBlock(body as ts.Node) && (body as ts.Block).statements[0];
      if (first) add('return', first.getStart(), '', 'return undefined; ', first);
    }

    const later = ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
    ts.forEachChild(node, (child) => visit(child, onLoad && !later));
  };
  visit(source, true);
  return found;
}

/** Returns whether a literal is an expression rather than a property name or a module's name. */
function isValue(node: ts.Node): boolean {
  const { parent } = node;
  if ('name' in parent && parent.name === node) return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  if (ts.isCallExpression(parent)) return parent.expression.kind !== ts.SyntaxKind.ImportKeyword;
  return !ts.isEnumMember(parent);
}

function isCall(node: ts.Expression): boolean {
  if (ts.isAwaitExpression(node)) return isCall(node.expression);
  return ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

const isStatic = (node: ts.PropertyDeclaration) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;

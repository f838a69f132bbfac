import ts from 'typescript';
import { joinSentences } from '../../src/transport/response/failure.js';

/** Collects each error class's distinct messages from the sources. Variable text becomes `‹…›`. */
export function errorMessages(
  program: ts.Program,
  classes: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map([...classes].map((name) => [name, new Set<string>()]));
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && makers[node.name?.text ?? '']) return;
    if (ts.isCallExpression(node)) {
      const maker = makers[node.expression.getText()];
      const messages = found.get(maker?.error ?? '');
      const [field, why, operation] = node.arguments;
      const names = [operation, field].flatMap((each) => (each ? `${shownName(each)}: ` : []));
      const place = maker?.place ?? names.join('');
      for (const text of messages && why ? collectTexts(why) : [])
        messages?.add(tidy(place + text));
    }
    if (ts.isNewExpression(node) && node.arguments?.[0]) {
      const messages = found.get(node.expression.getText());
      for (const text of messages ? collectTexts(node.arguments[0]) : []) messages?.add(tidy(text));
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) {
    if (/\/src\/(?!errors|testing)/.test(file.fileName)) visit(file);
  }
  return new Map([...found].map(([name, texts]) => [name, sortTexts(texts)]));
}

/** Formats the name of a field, which may be a local variable. */
function shownName(node: ts.Expression): string {
  const initializer = ts.isIdentifier(node) ? findInitializer(node) : undefined;
  return shown(initializer && ts.isTemplateExpression(initializer) ? initializer : node);
}

const serverMessage = '‹operation›: ‹status› ‹the server’s message›';

/**
 * Sorts messages and removes messages that are only a placeholder. If there are only placeholders,
 * returns the template of a server message.
 */
function sortTexts(texts: ReadonlySet<string>): string[] {
  const known = [...texts].filter((text) => !/^‹\w+›$/.test(text));
  if (known.length === 0 && texts.size > 0) return [serverMessage];
  return known.sort((a, b) => (a < b ? -1 : 1));
}

/** Functions that create errors. The second argument is the problem. `place` replaces the field. */
const makers: Readonly<Record<string, { readonly error: string; readonly place?: string }>> = {
  createInputError: { error: 'InvalidRequestError' },
  invalidOption: { error: 'ConfigurationError' },
  timedOut: { error: 'TimeoutError', place: '‹operation›: ' },
  broken: { error: 'ResponseBodyError', place: '‹operation›: ' },
};

// Removes the request or place at the end of a message and puts the text on one line.
function tidy(text: string): string {
  return text
    .replace(/ ?\[‹method› ‹url›\]$| ‹place›$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns every string that an expression can evaluate to. */
function collectTexts(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return collectTexts(node.expression);
  if (ts.isConditionalExpression(node))
    return [...collectTexts(node.whenTrue), ...collectTexts(node.whenFalse)];
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) =>
      collectParts(expression).map((part) => part + literal.text),
    );
    return combine([[node.head.text], ...parts]).map((texts) => texts.join(''));
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const ends = collectTexts(node.right);
    return collectTexts(node.left).flatMap((start) => ends.map((end) => start + end));
  }
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
  ) {
    return [node.left, node.right].flatMap(collectTexts).filter((text) => text !== '');
  }
  const initializer = ts.isIdentifier(node) ? findInitializer(node) : undefined;
  if (initializer) return collectTexts(initializer);
  if (ts.isIdentifier(node) && node.text === 'undefined') return [''];
  if (!ts.isCallExpression(node)) return [shown(node)];
  const parts = node.arguments.map(collectTexts);
  switch (node.expression.getText()) {
    case 'joinSentences':
      return combine(parts).map(([problem = '', ...notes]) => joinSentences(problem, ...notes));
    case 'formatMessage':
      return combine(parts.slice(1)).map(
        ([problem = '', ...notes]) => `‹operation›: ${joinSentences(problem, ...notes)}`,
      );
    case 'line':
      // `line` creates the message for an error response. The note follows the server's message.
      return combine(parts).map(([note, advice]) => {
        return joinSentences(note ? `${serverMessage}: ${note}` : serverMessage, advice);
      });
    default:
      return [shown(node)];
  }
}

/**
 * Returns the possible strings for a part of a message, or a placeholder if the part isn't a local
 * message.
 */
function collectParts(node: ts.Expression): string[] {
  const initializer = ts.isIdentifier(node) ? findInitializer(node) : undefined;
  const isMessage = initializer && (ts.isTemplateExpression(initializer) || isJoined(initializer));
  return isMessage || isJoined(node) ? collectTexts(node) : [shown(node)];
}

function isJoined(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.getText() === 'joinSentences';
}

/** Returns every way to choose one string from each list. */
function combine(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (chosen, list) => chosen.flatMap((texts) => list.map((text) => [...texts, text])),
    [[]],
  );
}

/** Returns a local variable's initializer. */
function findInitializer(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node | undefined = name.parent; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    const declared = scope.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((each) => each.name.getText() === name.text);
    if (declared?.initializer) return declared.initializer;
  }
  return undefined;
}

// Functions that only format their first argument.
const transparent = /^(?:show|joinWords|JSON|String|describeKind|describeNonUrl|describeCause)/;

/** Formats an expression: literal text unchanged, other values as `‹field›`, conditional text as `[text]`. */
function shown(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  const initializer = ts.isIdentifier(node) ? findInitializer(node) : undefined;
  if (initializer && ts.isStringLiteralLike(initializer)) return initializer.text;
  if (ts.isTemplateExpression(node)) return collectTexts(node).join('');
  if (ts.isConditionalExpression(node)) {
    const texts = [node.whenTrue, node.whenFalse].map(shown).filter((text) => text !== '');
    return texts.length === 1 ? `[${texts.join('')}]` : texts.join(' | ');
  }
  if (!ts.isCallExpression(node)) return `‹${/\w+$/.exec(node.getText())?.[0] ?? '…'}›`;
  const { expression: called, arguments: args } = node;
  if (args[0] && called.getText() === 'formatGot') return `[ (got ${shown(args[0])})]`;
  if (args[0] && args[1] && called.getText() === 'formatCount') {
    return `${shown(args[0])} ${shown(args[1])}s`;
  }
  if (args[0] && transparent.test(called.getText())) return shown(args[0]);
  if (ts.isPropertyAccessExpression(called)) return shown(called.expression);
  // The function's name indicates what it returns. For example, `describeCause()` returns a cause.
  const [, first = '', rest = ''] =
    /^(?:describe|explain|note)([A-Z])(\w+)$/.exec(called.getText()) ?? [];
  return first === '' ? shown(called) : `‹${first.toLowerCase()}${rest}›`;
}

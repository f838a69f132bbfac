import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A method of a client, and where it sends to. */
export interface OwnCall {
  /** As in `pulls.list`. */
  readonly operation: string;
  readonly method: string;
  /** A URI template. */
  readonly path: string;
}

/** The endpoints that a family declares as data, read from its sources. */
export function declaredCalls(root: string, family: string): OwnCall[] {
  const folder = join(root, 'src', family);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return callsIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
    });
}

function callsIn(file: ts.SourceFile): OwnCall[] {
  const found: OwnCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const texts = new Map<string, string>();
      for (const property of node.properties) {
        if (!ts.isPropertyAssignment(property)) continue;
        const { name, initializer } = property;
        if (ts.isStringLiteral(initializer)) texts.set(name.getText(), initializer.text);
      }
      const operation = texts.get('operation');
      const method = texts.get('method');
      const path = texts.get('path');
      if (operation && method && path) found.push({ operation, method, path });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

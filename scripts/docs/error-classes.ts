import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** An error class that users can catch, as `src/errors/` declares it. */
export interface ErrorClass {
  readonly name: string;
  readonly code: string;
  /** The class it extends, where that is one to catch too. */
  readonly parent: string | undefined;
  /** What its docstring says. */
  readonly cause: string;
  /** Its own public fields, besides `code`. */
  readonly fields: readonly ErrorField[];
}

/** A field, and the words it may have where they are few. */
export interface ErrorField {
  readonly name: string;
  readonly words: readonly string[];
}

/** What `src/errors/` gives to users, in the order of the page. */
const files = ['request-errors', 'api-errors', 'answer-errors'];

/** Every class with a `code`, in the order of its file. */
export function errorClasses(root: string): ErrorClass[] {
  return files.flatMap((name) => classesOf(join(root, 'src', 'errors', `${name}.ts`)));
}

function classesOf(path: string): ErrorClass[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const words = wordsByType(file);
  return file.statements.filter(ts.isClassDeclaration).flatMap((node) => {
    const code = node.members
      .filter(ts.isPropertyDeclaration)
      .find((member) => member.name.getText() === 'code')?.initializer;
    if (!node.name || !code || !ts.isStringLiteral(code)) return [];
    const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText();
    return {
      name: node.name.text,
      code: code.text,
      parent: parent === 'TriforgeError' ? undefined : parent,
      cause: docOf(node),
      fields: fieldsOf(node, words),
    };
  });
}

/** The first part of a docstring as one line. */
function docOf(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  const text = doc && ts.isJSDoc(doc) ? ts.getTextOfJSDocComment(doc.comment) : undefined;
  if (!text) throw new Error(`src/errors: ${node.getText().slice(0, 40)} has no docstring`);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The words of each type of the file that is a choice of words. */
function wordsByType(file: ts.SourceFile): ReadonlyMap<string, readonly string[]> {
  return new Map(
    file.statements.filter(ts.isTypeAliasDeclaration).flatMap(({ name, type }) => {
      if (!ts.isUnionTypeNode(type)) return [];
      const words = type.types
        .filter(ts.isLiteralTypeNode)
        .flatMap(({ literal }) => (ts.isStringLiteral(literal) ? [literal.text] : []));
      return words.length === 0 ? [] : [[name.text, words]];
    }),
  );
}

function fieldsOf(
  node: ts.ClassDeclaration,
  words: ReadonlyMap<string, readonly string[]>,
): ErrorField[] {
  const declared = node.members.filter(ts.isPropertyDeclaration);
  const parameters = node.members
    .filter(ts.isConstructorDeclaration)
    .flatMap((member) => [...member.parameters])
    .filter((parameter) => ts.isParameterPropertyDeclaration(parameter, parameter.parent));
  return [...parameters, ...declared]
    .map(({ name, type }) => ({
      name: name.getText(),
      words: words.get(type?.getText() ?? '') ?? [],
    }))
    .filter(({ name }) => name !== 'code');
}

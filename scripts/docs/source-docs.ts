import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { subpaths } from '../entry-points.js';

/** Text and tags of a docstring. */
export interface Docs {
  /** Text on one line, without tags. */
  readonly text: string;
  readonly tags: readonly DocTag[];
}

/** A tag of the form `@name text`. */
export interface DocTag {
  readonly name: string;
  readonly text: string;
}

/** Docstring and types of a method. */
export interface MethodDocs extends Docs {
  /** HTTP method and path, such as `GET /repos/{owner}/{repo}/pulls`. Undefined if no request is sent. */
  readonly http: string | undefined;
  readonly inputs: readonly InputDocs[];
  /** Return type, such as `Call<PullRequest>`. */
  readonly returns: string;
}

/** Docstring and fields of an interface. */
export interface InterfaceDocs extends Docs {
  readonly fields: readonly (InputDocs & { readonly isInherited: boolean })[];
}

/** An input field. */
export interface InputDocs {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly text: string;
}

/** The repository's path, which ends with a slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Creates a TypeScript program from the sources, with the settings in tsconfig.json. */
export function sourceProgram(): ts.Program {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  const entries = ['.', ...subpaths].map((entry) => `${root}src/${entry}/index.ts`);
  return ts.createProgram(entries, options);
}

/** Returns the documentation of all API methods, keyed by class and method, as in `Pulls.list`. */
export function methodDocs(program: ts.Program): ReadonlyMap<string, MethodDocs> {
  const checker = program.getTypeChecker();
  const found = new Map<string, MethodDocs>();
  for (const file of program.getSourceFiles()) {
    if (!/\/src\/(?:hosting|support|console)\//.test(file.fileName)) continue;
    for (const node of file.statements.filter(ts.isClassDeclaration)) {
      for (const member of node.members.filter(ts.isMethodDeclaration)) {
        const key = `${node.name?.text}.${member.name.getText()}`;
        // The first overload's docstring describes all overloads.
        const signature = checker.getSignatureFromDeclaration(member);
        if (signature && !found.has(key)) found.set(key, findMethod(checker, member, signature));
      }
    }
  }
  return found;
}

/** Documentation of interfaces, by name. */
export type Types = ReadonlyMap<string, InterfaceDocs>;

/** Returns the documentation of all interfaces in the sources. */
export function interfaceDocs(program: ts.Program): Types {
  const checker = program.getTypeChecker();
  const found = new Map<string, InterfaceDocs>();
  for (const file of program.getSourceFiles()) {
    if (!/\/src\/(?!testing\/)/.test(file.fileName)) continue;
    for (const node of file.statements.filter(ts.isInterfaceDeclaration)) {
      const type = checker.getTypeAtLocation(node);
      const fields = type.getProperties().map((field) => ({
        ...readField(checker, field),
        isInherited: field.valueDeclaration?.parent !== node,
      }));
      const indexes = node.members.filter(ts.isIndexSignatureDeclaration).map(readIndex);
      found.set(node.name.text, {
        ...readDocs(checker, type.symbol),
        fields: [...fields, ...indexes],
      });
    }
  }
  return found;
}

function findMethod(
  checker: ts.TypeChecker,
  member: ts.MethodDeclaration,
  signature: ts.Signature,
): MethodDocs {
  const docs = readDocs(checker, signature);
  const [, http, text = docs.text] = /^`([A-Z]+ \/[^`]*)`\s*(.*)$/.exec(docs.text) ?? [];
  const input = member.parameters.find(({ name }) => !/options/.test(name.getText()));
  const fields = input ? checker.getTypeAtLocation(input).getProperties() : [];
  return {
    ...docs,
    http,
    text,
    inputs: fields.map((field) => readField(checker, field)),
    // The pages describe a client without declared attributes, and every variant of a star.
    returns: plain(member.type?.getText() ?? '')
      .replace(/WithAttributes<(\w+), \w+>/, '$1')
      .replace(/StarIn<Variant, (\w+), (\w+)>/, '$1 | $2'),
  };
}

function readField(checker: ts.TypeChecker, field: ts.Symbol): InputDocs {
  const declared = field.valueDeclaration;
  const type = declared && ts.isPropertySignature(declared) ? declared.type?.getText() : undefined;
  const required = (field.flags & ts.SymbolFlags.Optional) === 0;
  return {
    name: field.name,
    required,
    // The question mark of an optional field includes undefined.
    type: plain(type ?? '').replace(required ? '' : / \| undefined$/, ''),
    text: readDocs(checker, field).text,
  };
}

/** Documents an index signature as a required field whose name is the key in brackets. */
function readIndex(node: ts.IndexSignatureDeclaration) {
  const texts = ts.getJSDocCommentsAndTags(node).map(({ comment }) => comment);
  return {
    name: `[${node.parameters[0]?.name.getText()}]`,
    required: true,
    type: plain(node.type.getText()).replace(/ \| undefined$/, ''),
    text: plain(ts.getTextOfJSDocComment(texts[0]) ?? ''),
    isInherited: false,
  };
}

/** Reads the docstring of a symbol or an overload. Replaces links with code. */
export function readDocs(checker: ts.TypeChecker, symbol: ts.Symbol | ts.Signature): Docs {
  const shown = (parts: ts.SymbolDisplayPart[] | undefined) =>
    ts
      .displayPartsToString(parts)
      .replaceAll(
        /\{@link(?:code)? ([^}|\s]+)(?:[|\s]+([^}]+))?\}/g,
        (_, name, as) => `\`${as ?? name}\``,
      )
      .trim();
  return {
    text: plain(shown(symbol.getDocumentationComment(checker))),
    tags: symbol.getJsDocTags(checker).map(({ name, text }) => ({ name, text: shown(text) })),
  };
}

/** Puts text on one line. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

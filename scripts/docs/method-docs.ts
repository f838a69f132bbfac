import { join } from 'node:path';
import ts from 'typescript';

/** What the docstring of a method says, and its types. */
export interface MethodDocs {
  /** Method and path: `GET /repos/{owner}/{repo}/pulls`; undefined for a method that sends nothing. */
  readonly http: string | undefined;
  /** The docstring without its tags and its first line. */
  readonly text: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
  readonly inputs: readonly InputDocs[];
  /** As in `Call<PullRequest>`. */
  readonly returns: string;
}

/** One field of the input. */
export interface InputDocs {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly text: string;
}

/** A program over the sources, with their settings. */
export function sourceProgram(root: string): ts.Program {
  const path = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  const entries = ['', 'hosting/', 'support/', 'console/', 'webhooks/', 'testing/'];
  return ts.createProgram(
    entries.map((entry) => join(root, 'src', `${entry}index.ts`)),
    options,
  );
}

/** The documents of a class's methods, by class and method: `Pulls.list`. */
export function methodDocs(program: ts.Program): ReadonlyMap<string, MethodDocs> {
  const checker = program.getTypeChecker();
  const found = new Map<string, MethodDocs>();
  for (const file of program.getSourceFiles()) {
    if (!/\/src\/(?:hosting|support|console)\//.test(file.fileName)) continue;
    for (const node of file.statements) {
      if (!ts.isClassDeclaration(node) || !node.name) continue;
      for (const member of node.members) {
        const key = `${node.name.text}.${member.name?.getText() ?? ''}`;
        if (ts.isMethodDeclaration(member) && !found.has(key)) {
          found.set(key, docsOf(checker, member));
        }
      }
    }
  }
  return found;
}

function docsOf(checker: ts.TypeChecker, member: ts.MethodDeclaration): MethodDocs {
  const symbol = checker.getSymbolAtLocation(member.name);
  const said = plain(ts.displayPartsToString(symbol?.getDocumentationComment(checker)));
  const [, http, text = said] = /^`([A-Z]+ \/[^`]*)`\s*([\s\S]*)$/.exec(said) ?? [];
  const [input] = member.parameters;
  return {
    http,
    text,
    tags: (symbol?.getJsDocTags(checker) ?? []).map(({ name, text: parts }) => ({
      name,
      text: plain(ts.displayPartsToString(parts)),
    })),
    inputs: input && !/options/.test(input.name.getText()) ? inputsOf(checker, input) : [],
    returns: member.type?.getText().replaceAll(/\s+/g, ' ') ?? '',
  };
}

function inputsOf(checker: ts.TypeChecker, parameter: ts.ParameterDeclaration): InputDocs[] {
  const type = checker.getTypeAtLocation(parameter);
  return type.getProperties().map((property) => {
    const declared = property.valueDeclaration;
    const typeNode = declared && ts.isPropertySignature(declared) ? declared.type : undefined;
    return {
      name: property.name,
      required: (property.flags & ts.SymbolFlags.Optional) === 0,
      type: (typeNode?.getText() ?? '').replaceAll(/\s+/g, ' ').replace(/ \| undefined$/, ''),
      text: plain(ts.displayPartsToString(property.getDocumentationComment(checker))),
    };
  });
}

/** One line, with code in place of links to symbols. */
function plain(text: string): string {
  return text
    .replaceAll(
      /\{@link(?:code)? ([^}|\s]+)(?:[|\s]+([^}]+))?\}/g,
      (_, name, shown) => `\`${shown ?? name}\``,
    )
    .trim();
}

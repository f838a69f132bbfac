import ts from 'typescript';
import { sourceProgram } from '../../scripts/docs/source-docs.js';
import { subpaths } from '../../scripts/entry-points.js';

/**
 * Returns the API report of each entry point. The root's report contains the declaration of each
 * export. The other reports contain the declarations that the root doesn't export, and the names of
 * the exports that they share with the root.
 */
export function apiReports(root: string): ReadonlyMap<string, string> {
  const declarations = declarationProgram(root);
  const checker = declarations.getTypeChecker();
  const listExports = (entry: string) => {
    const file = declarations.getSourceFile(`${root}src/${entry}.d.ts`);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`src/${entry}.ts: must be a module`);
    const exports = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    return new Map(exports.map((symbol) => [symbol.name, describeExport(checker, symbol)]));
  };
  const ofRoot = listExports('index');
  const reports = new Map([['triforge', `${[...ofRoot.values()].join('\n\n')}\n`]]);
  for (const path of subpaths) {
    const all = [...listExports(`${path}/index`)];
    const own = all.filter(([name, text]) => ofRoot.get(name) !== text);
    const shared = all.filter(([name, text]) => ofRoot.get(name) === text);
    const list = ['As in triforge.txt:', ...shared.map(([name]) => name)];
    const parts = [...own.map(([, text]) => text), ...(shared.length > 0 ? [list.join('\n')] : [])];
    reports.set(path.replaceAll('/', '-'), `${parts.join('\n\n')}\n`);
  }
  return reports;
}

/** The sources' declarations without comments, and the options that they were emitted with. */
export interface Declarations {
  readonly options: ts.CompilerOptions;
  /** Texts of the files, by path. Each file is next to its source. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Emits the sources' declarations in memory. */
export function emitDeclarations(root: string): Declarations {
  const source = sourceProgram();
  const options: ts.CompilerOptions = {
    ...source.getCompilerOptions(),
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    declarationMap: false,
    rootDir: root,
    outDir: root,
  };
  const texts = new Map<string, string>();
  const emitting = ts.createProgram(source.getRootFileNames(), options, undefined, source);
  emitting.emit(undefined, (path, text) => texts.set(path, text));
  return { options, texts };
}

function declarationProgram(root: string): ts.Program {
  const { options, texts } = emitDeclarations(root);
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || (!isSource(path) && fileExists(path));
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  };
  const isSource = (path: string) => path.startsWith(`${root}src/`) && !path.endsWith('.d.ts');
  const roots = [...texts.keys()].filter((path) => path.endsWith('index.d.ts'));
  return ts.createProgram(roots, { ...options, noEmit: true, paths: {} }, host);
}

function describeExport(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const texts = (target.declarations ?? []).map((node) => {
    const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
    return whole.getText().replace(/^(?:export )?(?:declare )?/, '');
  });
  const renamed = target.name === symbol.name ? '' : `${symbol.name} = `;
  return renamed + texts.join('\n');
}

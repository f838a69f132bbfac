import { join } from 'node:path';
import ts from 'typescript';
import type { Document, Problem } from './documents.js';
import { type CodeBlock, readMarkdown } from './markdown.js';

/** Pages that are generated from docstrings. Their samples show single calls. */
const referencePage = /^docs\/(?:resources\/.+|errors)\.md$/;

/** Names that the reference's samples use. Inline type imports can't collide with a sample's imports. */
const referencePrelude = `
declare const hosting: import('triforge').HostingClient;
declare const oauth: import('triforge/hosting').OAuthWebFlow;
declare const support: import('triforge').SupportClient;
declare const appliance: import('triforge').ConsoleClient;
declare const owner: string, repo: string, sha: string, token: string, secret: string;
declare const release: import('triforge/hosting').Release, code: string, state: string;
declare const request: import('node:http').IncomingMessage & { url: string };
declare const topic: string;`.replaceAll('\n', ' ');

/** A code block with the code that precedes it. */
interface Snippet {
  document: string;
  block: CodeBlock;
  /** Number of preceding lines. */
  before: number;
  code: string;
}

const languages = new Map([
  ['ts', '.mts'],
  ['typescript', '.mts'],
  ['mts', '.mts'],
  ['cts', '.cts'],
  ['js', '.mjs'],
  ['javascript', '.mjs'],
  ['mjs', '.mjs'],
  ['cjs', '.cjs'],
]);

/** Maximum width of a block. The reference has no maximum, because its samples come from docstrings. */
const maxColumns = 72;

// Errors about implicit `any`, to ignore in JavaScript, which can't declare the type of a
// parameter.
const implicitAny = new Set([7005, 7006, 7011, 7019, 7031, 7034]);

/**
 * Type-checks every TypeScript and JavaScript block in the documents, in one program with the settings
 * and paths in tsconfig.json. CONTRIBUTING.md describes the conventions.
 */
export function snippetProblems(root: string, documents: readonly Document[]): Problem[] {
  const problems: Problem[] = [];
  const snippets = new Map<string, Snippet>();
  for (const { path, text } of documents) {
    let previous: Snippet | undefined;
    for (const block of readMarkdown(text).blocks) {
      const extension = languages.get(block.language.toLowerCase());
      if (extension === undefined) continue;
      const refuse = (message: string) => problems.push({ path, line: block.line - 1, message });
      const snippet = toSnippet(path, block, previous, refuse);
      const name = `${path.replaceAll('/', '-')}-${block.line}${chooseExtension(block, extension)}`;
      snippets.set(ts.sys.resolvePath(join(root, 'snippets', name)), snippet);
      previous = snippet;
    }
  }
  return [...problems, ...compile(root, snippets)];
}

/** Returns the file extension for a block. A `js` block with `require` and no import is CommonJS. */
function chooseExtension({ code }: CodeBlock, extension: string): string {
  return extension === '.mjs' && /\brequire\(/.test(code) && !/^import\b/m.test(code)
    ? '.cjs'
    : extension;
}

function toSnippet(
  document: string,
  block: CodeBlock,
  previous: Snippet | undefined,
  refuse: (message: string) => void,
): Snippet {
  // A title in brackets, such as `[npm]`, names a tab.
  if (!/^(?:\[[^\]]+\])?$/.test(block.info))
    refuse(`"${block.info}" after the language: no block may opt out`);
  const isReference = referencePage.test(document);
  const before = isReference ? [referencePrelude] : [];
  for (const word of block.directives) {
    if (word !== 'continues') refuse(`"${word}" is unknown. Use "continues".`);
    else if (previous === undefined) refuse('continues, but there is no block before it');
    else before.push(previous.code);
  }
  const lines = block.code.split('\n');
  const long = lines.findIndex((line) => !isReference && line.length > maxColumns);
  if (long >= 0) refuse(`line ${long + 1} of the block has more than ${maxColumns} columns`);
  const head = before.length === 0 ? '' : `${before.join('\n')}\n`;
  return { document, block, before: head.split('\n').length - 1, code: head + block.code };
}

function compile(root: string, snippets: ReadonlyMap<string, Snippet>): Problem[] {
  const options = compilerOptions(root);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => snippets.has(path) || fileExists(path);
  host.readFile = (path) => snippets.get(path)?.code ?? readFile(path);
  // No file imports these module declarations, so their files are added to the program.
  const ambient = ts.sys.readDirectory(join(root, 'src'), ['.d.ts']);
  const program = ts.createProgram([...snippets.keys(), ...ambient], options, host);
  return [...snippets].flatMap(([path, { document, block, before }]) => {
    const file = program.getSourceFile(path);
    const diagnostics = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ].filter(({ code }) => !(/\.[mc]js$/.test(path) && implicitAny.has(code)));
    return diagnostics.map(({ start = 0, messageText, code }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) - before;
      const message = `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      return { path: document, line: block.line + Math.max(line, -1), message };
    });
  });
}

function compilerOptions(root: string): ts.CompilerOptions {
  const path = join(root, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, ' '));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  return {
    ...options,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    // Each block is an independent module. Unused names are allowed, because a block can just show a value.
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
}

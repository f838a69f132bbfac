import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createClients } from '../../scripts/docs/client-methods.js';
import { emitDeclarations } from './api-report.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const created = createClients();

/** An entry point, and the names of the clients that it exports. */
const entries = [
  { entry: '.', clients: ['hosting', 'oauth', 'support', 'appliance'] },
  { entry: './hosting', clients: ['hosting', 'oauth'] },
  { entry: './support', clients: ['support'] },
  { entry: './console', clients: ['appliance'] },
] as const;

const declarations = emitDeclarations(root);

/**
 * Emits the declarations of a program against a package that has only one entry point. Returns the
 * errors about types that the program can't name.
 */
function declarationErrors(entry: string, text: string): string[] {
  const installed = `${root}node_modules/.consumer/node_modules/triforge/`;
  const program = `${root}node_modules/.consumer/program.ts`;
  const types = `./src/${entry === '.' ? '' : `${entry.slice(2)}/`}index.d.ts`;
  const manifest = { name: 'triforge', type: 'module', exports: { [entry]: { types } } };
  const files = new Map([
    [program, text],
    // Without its own manifest, the program would belong to this package and import the built types.
    [`${root}node_modules/.consumer/package.json`, JSON.stringify({ name: 'consumer' })],
    [`${installed}package.json`, JSON.stringify(manifest)],
  ]);
  for (const [path, declaration] of declarations.texts) {
    files.set(path.replace(root, installed), declaration);
  }
  const folders = new Set(
    [...files.keys()].flatMap((path) =>
      path.split('/').map((_, at, all) => all.slice(0, at).join('/')),
    ),
  );
  const options = { ...declarations.options, paths: {}, noEmit: false, rootDir: root };
  const host = ts.createCompilerHost(options);
  const { fileExists, directoryExists, getSourceFile, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.directoryExists = (path) => folders.has(path) || directoryExists?.(path) === true;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const own = files.get(path);
    return own === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, own, ts.ScriptTarget.Latest, true);
  };
  host.realpath = (path) => path;
  const compiled = ts.createProgram([program], options, host);
  const source = compiled.getSourceFile(program);
  return [
    ...compiled.getSyntacticDiagnostics(source),
    ...compiled.getSemanticDiagnostics(source),
    ...compiled.getDeclarationDiagnostics(source),
  ].map(
    ({ code, start = 0, messageText }) =>
      `${text.slice(start).split('\n', 1)[0]}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

/** Returns the expressions for a client's resources and for all methods, including inherited ones. */
function memberNames(path: string, value: object): string[] {
  const members = Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    typeof each === 'object' && each !== null
      ? [`${path}.${name}`, ...memberNames(`${path}.${name}`, each)]
      : [],
  );
  return [...members, ...methodNames(value).map((name) => `${path}.${name}`)];
}

function methodNames(value: object): string[] {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, each]) =>
    name !== 'constructor' && typeof each.value === 'function' ? [name] : [],
  );
  return [...own, ...methodNames(prototype)];
}

describe.each(entries)('the entry point $entry', ({ entry, clients }) => {
  it('exports every type in the signatures of its clients', () => {
    const names = clients.flatMap((client) => memberNames(client, created[client]));
    const text = [
      `import type * as triforge from '${entry.replace('.', 'triforge')}';`,
      ...clients.map(
        (client) => `declare const ${client}: triforge.${created[client].constructor.name};`,
      ),
      'declare const argument: never;',
      ...names.flatMap((name, index) => [
        `export const reference${index} = ${name};`,
        // The number of parameters varies. The result doesn't depend on it.
        `// @ts-${'ignore'}`,
        `export function result${index}() { return ${name}(argument, argument); }`,
      ]),
    ].join('\n');
    expect(names.length).toBeGreaterThan(15);
    expect(declarationErrors(entry, text)).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceProgram } from '../../scripts/docs/source-docs.js';

// Phrases that document an option's default or state that it has none.
const saysDefault =
  /\bdefault\b|\bwithout (?:it|one)\b|^for this call|\bnot given\b|^told\b|\baborts the call\b/i;
// Phrases that document a number's unit or what the number counts.
const saysUnit =
  /\bms\b|\bmilliseconds\b|\bseconds\b|\bminutes\b|_count\b|\bbytes\b|\bhow (?:often|many)\b|\bnumber of\b|\bmost (?:requests|pages)\b/i;

/** Returns the options whose docstrings don't document the default or, for numbers, the unit. */
function gaps(program: ts.Program, files: readonly string[]): string[] {
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  for (const file of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const { Alias, Interface, Optional } = ts.SymbolFlags;
      const symbol = exported.flags & Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!symbol.name.endsWith('Options') || !(symbol.flags & Interface)) continue;
      for (const field of symbol.members?.values() ?? []) {
        const output = ts.displayPartsToString(field.getDocumentationComment(checker));
        const type = checker.getTypeOfSymbol(field);
        const kinds = type.isUnion() ? type.types : [type];
        const number = kinds.some(({ flags }) => flags & ts.TypeFlags.Number);
        const name = `${symbol.name}.${field.name}`;
        if (field.flags & Optional && !saysDefault.test(output)) found.add(`${name}: no default`);
        if (number && !saysUnit.test(output)) found.add(`${name}: no unit`);
      }
    }
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

test('every option documents its default, and every numeric option its unit', () => {
  const program = sourceProgram(fileURLToPath(new URL('../..', import.meta.url)));
  expect(gaps(program, program.getRootFileNames())).toEqual([]);
});

test('gaps() finds options with an undocumented default or unit', () => {
  const text = `export interface SomeOptions {
    /** How long. */ a?: number;
    /** How long in ms. Default 5. */ b?: number | false;
    /** A word. */ c?: string;
    /** A word that must be there. */ d: string;
  }`;
  const host = ts.createCompilerHost({ noLib: true });
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) =>
    path === '/index.ts'
      ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram(['/index.ts'], { noLib: true }, host);
  expect(gaps(program, ['/index.ts'])).toEqual([
    'SomeOptions.a: no default',
    'SomeOptions.a: no unit',
    'SomeOptions.c: no default',
  ]);
});

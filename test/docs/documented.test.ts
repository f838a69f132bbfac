import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceProgram } from '../../scripts/docs/source-docs.js';
import { undocumented } from '../../scripts/docs/undocumented.js';

test('everything that users can see has a sentence: exports, fields of models and inputs, options, methods', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  expect(undocumented(sourceProgram(root))).toEqual([]);
});

test('what has none is found: an export, a field, a method, a field of a type in place', () => {
  const name = '/index.ts';
  const said = '\n/** Said. */\n';
  const text = `
    export interface A { b: string; ${said} c: { d: number } }
    ${said} export class E { f() {} private g = 1; #h = 2;
    /** @internal */
    i() {} ${said} j = 1 }
    interface Hidden { k: string }
    ${said} export type L = { m: string };
  `;
  const options = { noLib: true };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) =>
    path === name
      ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram([name], options, host);
  expect(undocumented(program)).toEqual(['A', 'A.b', 'A.c.d', 'E.f', 'L.m']);
});

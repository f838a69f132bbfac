import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceProgram } from '../../scripts/docs/source-docs.js';
import { undocumented } from '../../scripts/docs/undocumented.js';

test('every public export, method, option and field has a docstring', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  expect(undocumented(sourceProgram(root))).toEqual([]);
});

test('undocumented() finds exports, fields, methods, inline fields and derived fields without a docstring', () => {
  const name = '/index.ts';
  const said = '\n/** Said. */\n';
  const text = `
    export interface A { b: string; ${said} c: { d: number } }
    ${said} export class E { f() {} private g = 1; #h = 2;
    /** @internal */
    i() {} ${said} j = 1 }
    interface Hidden { k: string }
    ${said} export type L = { m: string };
    type Copy<T> = { [K in keyof T]: T[K] };
    ${said} export interface N extends Copy<{ o: string; ${said} p: string }> {}
  `;
  const options = { noLib: true };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) =>
    path === name
      ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram([name], options, host);
  expect(undocumented(program)).toEqual(['A', 'A.b', 'A.c.d', 'E.f', 'L.m', 'N.o']);
});

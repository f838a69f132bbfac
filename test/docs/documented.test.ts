import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceProgram } from '../../scripts/docs/source-docs.js';
import { undocumented } from '../../scripts/docs/undocumented.js';

test('every public export, method, option and field has a docstring', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  expect(undocumented(sourceProgram(root))).toEqual([]);
});

test('undocumented() finds every kind of declaration without a docstring', () => {
  const name = '/index.ts';
  const output = '\n/** Said. */\n';
  const text = `
    export interface A { b: string; ${output} c: { d: number } }
    ${output} export class E { f() {} private g = 1; #h = 2;
    /** @internal */
    i() {} ${output} j = 1 }
    interface Hidden { k: string }
    ${output} export type L = { m: string };
    type Copy<T> = { [K in keyof T]: T[K] };
    ${output} export interface N extends Copy<{ o: string; ${output} p: string }> {}
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

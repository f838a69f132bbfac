import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { clientMethods } from '../../scripts/docs/client-methods.js';
import { errorClasses } from '../../scripts/docs/error-list.js';
import { generateFiles } from '../../scripts/docs/generate.js';
import { methodDocs, sourceProgram } from '../../scripts/docs/source-docs.js';
import * as exported from '../../src/index.js';
import { readMarkdown } from './markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = sourceProgram();
const classes = errorClasses(program);
const docs = methodDocs(program);

const generated = await generateFiles();
const getText = (path: string) => generated.get(path) ?? '';

test('the output of `npm run docs:generate` is up to date', () => {
  for (const [path, text] of generated) {
    expect(readFileSync(`${root}${path}`, 'utf8'), path).toBe(text);
  }
  for (const folder of ['docs/resources', 'openapi']) {
    const files = readdirSync(`${root}${folder}`).map((file) => `${folder}/${file}`);
    expect([...generated.keys()]).toEqual(expect.arrayContaining(files));
  }
});

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
  expect(gaps(program, program.getRootFileNames())).toEqual([]);
});

test('docs/errors.md contains every exported error class except the base classes', () => {
  const importable = Object.entries(exported)
    .filter(([name, value]) => typeof value === 'function' && name.endsWith('Error'))
    .map(([name]) => name)
    .filter((name) => name !== 'TriforgeError' && name !== 'ApiError' && !name.startsWith('is'));
  expect(new Set(classes.map(({ name }) => name))).toEqual(new Set(importable));
});

test("error.docs links to the class's section in docs/errors.md", () => {
  const page = getText('docs/errors.md');
  const error = new exported.InvalidRequestError('no', { field: 'a' });
  expect(error.docs).toBe('docs/errors.md#invalidrequesterror');
  const named = classes.map(({ name }) => `docs/errors.md#${name.toLowerCase()}`);
  const found = [...readMarkdown(page).anchors].map((anchor) => `docs/errors.md#${anchor}`);
  expect(found).toEqual(expect.arrayContaining(named));
  expect(Object.keys(error)).not.toContain('docs');
});

const methods = clientMethods();
const pages = [...generated.keys()].filter((path) => path.startsWith('docs/resources/'));
const resources = pages.map(getText).join('\n');

test.each(['docs/endpoints.md', 'docs/resources/'])(
  '%s contains the method and path of every declared endpoint',
  (place) => {
    const text = place === 'docs/resources/' ? resources : getText('docs/endpoints.md');
    const declared = methods.flatMap(({ endpoint }) => endpoint ?? []);
    expect(declared.length).toBeGreaterThan(110);
    const missing = declared.filter(
      ({ method, path }) => !text.includes(`\`${line(method, path)}\``),
    );
    expect(missing).toEqual([]);
  },
);

test('docs/resources/ contains an example of each JSON response in the hosting API', () => {
  const sections = resources
    .split(/^(?=#{1,2} )/m)
    .filter((text) => text.startsWith('## hosting.'));
  const bare = sections.filter(
    (text) =>
      !text.includes('```json') && !/\*\*Returns:\*\* (?:nothing|`true`|`Readable`)/.test(text),
  );
  expect(bare.map((text) => /^## (.*)/.exec(text)?.[1])).toEqual([]);
});

test("each client method's docstring starts with the route of its endpoint", () => {
  const wrong = methods.flatMap(({ name, className, method, endpoint }) => {
    const reported = docs.get(`${className}.${method}`)?.http;
    if (endpoint === undefined) return [];
    const sent = line(endpoint.method, endpoint.path);
    return reported === sent ? [] : [`${name}: ${reported}, sends ${sent}`];
  });
  expect(wrong).toEqual([]);
});

test('every client method has a description, and an example if it calls an endpoint', () => {
  const wrong = methods.flatMap(({ name, className, method }) => {
    const found = docs.get(`${className}.${method}`);
    if (!found?.text) return [`${name}: no sentence`];
    const example = found.tags.some((tag) => tag.name === 'example');
    return found.http && !example ? [`${name}: no example`] : [];
  });
  expect(wrong).toEqual([]);
});

/** Returns an endpoint's method and path in the format of docstrings. */
function line(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{\/(\w+)\*?\}/g, '/{$1}')}`;
}

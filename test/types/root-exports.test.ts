import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as appliance from '../../src/console/index.js';
import type * as hosting from '../../src/hosting/index.js';
import type * as root from '../../src/index.js';
import { ApiError, OAuthWebFlow } from '../../src/index.js';
import type * as support from '../../src/support/index.js';

it('the root entry exports models as types, and errors and OAuthWebFlow as values', () => {
  expectTypeOf<root.Release>().toEqualTypeOf<hosting.Release>();
  expectTypeOf<root.Contact>().toEqualTypeOf<support.Contact>();
  expectTypeOf<root.SupportCase>().toEqualTypeOf<support.SupportCase>();
  expectTypeOf<root.ConsoleSettings>().toEqualTypeOf<appliance.ConsoleSettings>();
  expect([ApiError, OAuthWebFlow].every((value) => typeof value === 'function')).toBe(true);
});

const source = fileURLToPath(new URL('../../src', import.meta.url));
/** Folders of the APIs that have models. */
const families = readdirSync(source).filter((name) =>
  existsSync(join(source, name, 'models/index.ts')),
);
const program = ts.createProgram(
  ['.', ...families].map((name) => join(source, name, 'index.ts')),
  { module: ts.ModuleKind.NodeNext, noLib: true, types: [] },
);
const checker = program.getTypeChecker();

/** Returns the declarations of the types that an index file exports, keyed by name. */
function exportedTypes(folder: string): ReadonlyMap<string, ts.Declaration> {
  const file = program.getSourceFile(join(source, folder, 'index.ts'));
  const module = file && checker.getSymbolAtLocation(file);
  const types = (module ? checker.getExportsOfModule(module) : []).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const found = target.declarations?.find(
      (each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each),
    );
    return found ? [[symbol.name, found] as const] : [];
  });
  return new Map(types);
}

describe('the root entry', () => {
  const ofRoot = exportedTypes('.');

  it('the model folders are console, hosting and support', () => {
    expect(families).toEqual(['console', 'hosting', 'support']);
  });

  it.each(families)('exports every model type of triforge/%s', (family) => {
    const models = [...exportedTypes(family)].filter(([, declaration]) =>
      declaration.getSourceFile().fileName.startsWith(join(source, family, 'models/')),
    );
    expect(models.length).toBeGreaterThan(5);
    const missing = models.filter(([name, declaration]) => ofRoot.get(name) !== declaration);
    expect(missing.map(([name]) => name)).toEqual([]);
  });
});

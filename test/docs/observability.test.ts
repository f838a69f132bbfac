import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** Returns each channel with its fields, as declared in the sources. */
function declared(): Record<string, string[]> {
  const text = read('src/transport/request/diagnostics.ts');
  const file = ts.createSourceFile('diagnostics.ts', text, ts.ScriptTarget.Latest, true);
  const events = file.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'DiagnosticEvents');
  const channels = [...(events?.members ?? [])].filter(ts.isPropertySignature).map((channel) => {
    const type = channel.type && ts.isTypeLiteralNode(channel.type) ? channel.type.members : [];
    const name = ts.isStringLiteral(channel.name) ? channel.name.text : channel.name.getText();
    return [name, type.map((field) => field.name?.getText() ?? '')];
  });
  return Object.fromEntries(channels);
}

test('docs/observability.md lists every channel with every field', () => {
  const rows = [
    ...read('docs/observability.md').matchAll(/^\| `(triforge:[^`]+)` \|.*\| (.*) \|$/gm),
  ];
  const reported = rows.map(([, name = '', fields = '']) => [
    name,
    [...fields.matchAll(/`([^`]+)`/g)].map(([, field]) => field),
  ]);
  expect(Object.fromEntries(reported)).toEqual(declared());
  expect(rows.length).toBeGreaterThan(5);
});

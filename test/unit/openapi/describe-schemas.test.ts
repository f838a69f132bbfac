import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '../../../src/extend/index.js';
import { Release } from '../../../src/hosting/index.js';
import { describe } from '../../../src/openapi/index.js';
import { ContactProfile } from '../../../src/support/index.js';
import { hosting, read, readSchema } from './described-clients.js';

function listReferences(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target);
}

test('describe() refers to a built-in model by name', () => {
  const latest = endpoint({ path: '/latest', schema: Release });
  const document = describe(hosting.extend({ own: { latest } }));
  expect(readSchema(document, '/latest', 'get')).toEqual({ $ref: '#/components/schemas/Release' });
  expect(read(document, 'components', 'schemas', 'Release', 'description')).toEqual(
    expect.any(String),
  );
});

test.each([
  ['a model of another API', ContactProfile],
  [
    'a schema that cannot be converted to JSON Schema',
    { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } },
  ],
  [
    'a schema whose conversion throws',
    {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw new Error('not representable');
          },
        },
      },
    },
  ],
] as const)('describe() allows any JSON for %s', (_name, schema) => {
  const get = endpoint({ path: '/x', schema });
  expect(readSchema(describe(hosting.extend({ own: { get } })), '/x', 'get')).toEqual({});
});

test("describe() documents a schema's input rather than its transformed output", () => {
  const schema = z.object({ day: z.string().transform((value) => new Date(value)), at: z.date() });
  const get = endpoint({ path: '/x', schema });
  const document = describe(hosting.extend({ own: { get } }));
  expect(read(document, 'components', 'schemas', 'own.get', 'properties')).toEqual({
    day: { type: 'string' },
    at: {},
  });
});

test('describe() includes the target of every reference', () => {
  const Node = z.object({
    name: z.string(),
    get children() {
      return z.array(Node);
    },
  });
  const Pair = z.object({ left: Node, right: Node });
  const tree = endpoint({ path: '/tree', schema: Node });
  const pair = endpoint({ path: '/pair', schema: Pair });
  const document = describe(hosting.extend({ own: { tree, pair } }));
  const targets = listReferences(document);
  expect(targets).toContain('#/components/schemas/own.tree');
  expect(targets.some((target) => target.startsWith('#/components/schemas/own.pair/$defs/'))).toBe(
    true,
  );
  for (const target of targets) {
    const found = read(document, ...target.split('/').slice(1));
    expect([target, typeof found]).toEqual([target, 'object']);
  }
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ZodObject } from 'zod';
import * as schemas from '../../src/schemas/index.js';

test('docs/extending.md lists exactly the schemas that keep undeclared fields', () => {
  const text = readFileSync(new URL('../../docs/extending.md', import.meta.url), 'utf8');
  const [, list = ''] = /Models that allow any field \(([^)]*)\)/.exec(text) ?? [];
  const open = Object.entries(schemas)
    .filter(([, schema]) => schema instanceof ZodObject && schema.def.catchall !== undefined)
    .map(([name]) => name)
    .sort();
  expect(list.replaceAll('`', '').split(', ')).toEqual(open);
});

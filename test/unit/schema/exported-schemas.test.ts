import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import * as z from 'zod';
import * as schemas from '../../../src/schemas/index.js';

const all = Object.entries(schemas);
const link = { href: 'https://code.test/a' };

it.each(all)('%s is a zod schema that converts to JSON Schema', (_name, schema) => {
  expect(schema).toBeInstanceOf(z.ZodType);
  expect(z.toJSONSchema(schema)).toHaveProperty('$schema');
});

it('a schema keeps its rules when it is extended, picked or nested', () => {
  const Signed = schemas.PullRequestLink.extend({ signed: z.boolean() });
  expect(Signed.parse({ ...link, signed: true })).toEqual({ ...link, signed: true });
  expect(Signed.safeParse(link).error?.issues).toMatchObject([{ path: ['signed'] }]);
  expect(z.array(schemas.PullRequestLink).safeParse([link, {}]).error?.issues).toMatchObject([
    { path: [1, 'href'] },
  ]);
  expect(schemas.User.pick({ login: true }).parse({ login: 'mona', id: 1 })).toEqual({
    login: 'mona',
  });
});

it('a schema from another copy of zod can contain an exported schema', () => {
  const other: typeof z = createRequire(import.meta.url)('zod');
  expect(other.object).not.toBe(z.object);
  const Place = other.object({ of: schemas.PullRequestLink.extend({ at: other.int() }) });
  expect(Place.parse({ of: { ...link, at: 1 } })).toEqual({ of: { ...link, at: 1 } });
  expect(Place.safeParse({ of: { ...link, at: 'x' } }).success).toBe(false);
  expect(other.toJSONSchema(Place)).toMatchObject({
    properties: { of: { required: ['href', 'at'] } },
  });
});

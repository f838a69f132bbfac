import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openApiDocuments } from '../../scripts/openapi/document.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const spec = fileURLToPath(new URL('../../../shared/spec/service.md', import.meta.url));
const names = ['hosting', 'support', 'console'] as const;

const Parameter = z.looseObject({ name: z.string(), in: z.string() });
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Parameter),
  responses: z.record(z.string(), z.unknown()),
});
const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const;
const Document = z.looseObject({
  paths: z.record(z.string(), z.partialRecord(z.enum([...verbs, 'servers']), z.unknown())),
});

function readText(name: string): string {
  return readFileSync(`${root}openapi/${name}.json`, 'utf8');
}

const documents = names.map((name) => Document.parse(JSON.parse(readText(name))));

function listOperations({ paths }: z.infer<typeof Document>) {
  return Object.entries(paths).flatMap(([path, members]) =>
    verbs.flatMap((verb) => {
      const operation = members[verb];
      return operation === undefined
        ? []
        : [{ row: `${verb.toUpperCase()} ${path}`, operation: Operation.parse(operation) }];
    }),
  );
}

/** Removes the names of path variables, as in `GET /teams/{}/members`. */
function withoutNames(row: string): string {
  return row.replaceAll(/\{[^}]*\}|:\w+|<\w+>/g, '{}');
}

describe('openapi/*.json', () => {
  it('openapi/*.json matches the output of `npm run docs:openapi`', async () => {
    const current = await openApiDocuments(root);
    for (const name of names) expect(readText(name)).toBe(current[name]);
  });

  it('openapi/hosting.json allows both response schemas of operations with the same route', () => {
    const operations = documents.flatMap(listOperations);
    const get = operations.find(({ operation }) => operation.operationId === 'gitRefs.get');
    const reference = { $ref: '#/components/schemas/GitReference' };
    expect(get?.operation.responses[200]).toMatchObject({
      content: {
        'application/json': {
          schema: { anyOf: [reference, { type: 'array', items: reference }] },
        },
      },
    });
  });

  it('openapi/*.json uses only unique operation IDs', () => {
    const ids = documents.flatMap(listOperations).map(({ operation }) => operation.operationId);
    expect(ids.length).toBeGreaterThan(105);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(names)('openapi/%s.json declares each path variable as a parameter', (name) => {
    const document = documents[names.indexOf(name)];
    if (!document) throw new Error(`no document ${name}`);
    for (const { row, operation } of listOperations(document)) {
      const inPath = operation.parameters
        .filter((each) => each.in === 'path')
        .map((each) => each.name);
      const variables = [...row.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
      expect([row, new Set(inPath)]).toEqual([row, new Set(variables)]);
    }
  });

  it.each(names)('openapi/%s.json defines the target of each JSON reference', (name) => {
    const document: unknown = JSON.parse(readText(name));
    for (const [, pointer = ''] of readText(name).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const steps = pointer.split('/');
      const target = steps.reduce<unknown>((value, step) => Object(value)[step], document);
      expect([pointer, typeof target]).toEqual([pointer, 'object']);
    }
  });
});

describe.skipIf(!existsSync(spec))('operations in openapi/*.json', () => {
  const text = existsSync(spec) ? readFileSync(spec, 'utf8') : '';
  const [, tables = ''] = text.split('### Authorizations (hosting API;');
  const rows = [...tables.matchAll(/^\|(?: \d \|)? `?([A-Z]+)`?(?: \|)? `?(\/\S+?)`? \|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const described = new Set(documents.flatMap(listOperations).map(({ row }) => withoutNames(row)));

  it('openapi/*.json covers the 99 rows of the contract', () => {
    const all = [...rows, 'POST /hub', 'GET /enterprise/stats/:type', 'GET /hooks'];
    expect(all).toHaveLength(99);
    expect(all.filter((row) => !described.has(withoutNames(row)))).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type DocumentedOperation, readAllOperations } from '../openapi/documents.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const spec = fileURLToPath(new URL('../../../shared/spec/service.md', import.meta.url));
const names = ['hosting', 'support', 'console'] as const;

function readText(name: string): string {
  return readFileSync(`${root}openapi/${name}.json`, 'utf8');
}

const operations = names.flatMap(readAllOperations);
const getRow = ({ method, path }: DocumentedOperation) => `${method.toUpperCase()} ${path}`;

/** Removes the names of path variables, as in `GET /teams/{}/members`. */
function withoutNames(row: string): string {
  return row.replaceAll(/\{[^}]*\}|:\w+|<\w+>/g, '{}');
}

describe('openapi/*.json', () => {
  it('openapi/hosting.json allows both response schemas of operations with the same route', () => {
    const get = operations.find(({ operationId }) => operationId === 'gitRefs.get');
    const reference = { $ref: '#/components/schemas/GitReference' };
    expect(get?.responses[200]).toMatchObject({
      content: {
        'application/json': {
          schema: { anyOf: [reference, { type: 'array', items: reference }] },
        },
      },
    });
  });

  it('openapi/*.json uses only unique operation IDs', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(105);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('openapi/*.json declares each path variable as a parameter', () => {
    for (const { path, parameters } of operations) {
      const inPath = parameters.filter((each) => each.in === 'path').map((each) => each.name);
      const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
      expect([path, new Set(inPath)]).toEqual([path, new Set(variables)]);
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
  const described = new Set(operations.map((each) => withoutNames(getRow(each))));

  it('openapi/*.json covers the 99 rows of the contract', () => {
    const all = [...rows, 'POST /hub', 'GET /enterprise/stats/:type', 'GET /hooks'];
    expect(all).toHaveLength(99);
    expect(all.filter((row) => !described.has(withoutNames(row)))).toEqual([]);
  });
});
